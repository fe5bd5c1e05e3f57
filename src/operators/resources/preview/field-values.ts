// What a change is from and to, for people: paths as they stand in the manifest, values as JSON, long ones cut.
import { isRecord } from '../model/convert.ts'
import { type KindModel, structureFields } from '../model/kind-model.ts'

const valueLengthMax = 300

/** `spec.description: "old" -> "new"`, for a path such as `Spec.Description`. */
export function changeText(model: KindModel, path: string, was: unknown, becomes: unknown): string {
  const names = path.split('.').slice(1)
  return `${manifestPath(model, names)}: ${valueText(valueAt(model, names, was))} -> ${valueText(valueAt(model, names, becomes))}`
}

/** Each field of a spec with its value. */
export function fieldTexts(spec: unknown): readonly string[] {
  if (!isRecord(spec)) return []
  return Object.entries(spec).map(([name, value]) => `spec.${name}: ${valueText(value)}`)
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > valueLengthMax ? `${text.slice(0, valueLengthMax)}… (${text.length} characters)` : text
}

function manifestPath(model: KindModel, names: readonly string[]): string {
  return ['spec', ...jsonNames(model, names)].join('.')
}

function valueAt(model: KindModel, names: readonly string[], spec: unknown): unknown {
  return jsonNames(model, names).reduce((value: unknown, name) => (isRecord(value) ? value[name] : undefined), spec)
}

/** What is no field of a structure (an item of a list, a key of a map) stands in the manifest as it does in the path. */
function jsonNames(model: KindModel, names: readonly string[]): readonly string[] {
  let fields = model.kind.spec
  return names.map(name => {
    const field = fields.find(({ camel }) => camel === name)
    fields = field?.type.kind === 'structure' ? structureFields(model.service, field.type.shape) : []
    return field?.json ?? name
  })
}
