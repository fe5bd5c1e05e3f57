// What a config's entry does to a field: its name in manifests, whether it may change, whether a Secret or a reference stands in for it.
import { given } from '#base'
import type { FieldConfig } from '../config/generator-config.ts'
import { type Field, type FieldMap, leafOf, withLeaf } from './field-type.ts'
import { jsonNameOf } from './go-type.ts'
import { namesOf } from './names.ts'
import { singularOf } from './plural.ts'

/** Puts the field as its config wants it into the fields, and the reference beside it. */
export function putConfigured(
  fields: FieldMap,
  field: Field,
  { config, place }: { readonly config: FieldConfig; readonly place: string },
): void {
  const json = config.go_tag === undefined ? undefined : jsonNameOf(config.go_tag)
  const type = config.is_secret === true ? withLeaf(field.type, { kind: 'secret' }) : field.type
  const configured: Field = {
    ...field,
    json: json ?? field.json,
    type,
    immutable: config.is_immutable ?? field.immutable,
    required: config.references === undefined && (config.is_required ?? field.required),
    config: { ...field.config, ...config },
    origin: { ...field.origin, config: place },
  }
  fields.set(field.names.camel, configured)
  if (config.references === undefined || leafOf(type).kind === 'secret') return
  const reference = referenceBeside(configured, place)
  if (!fields.has(reference.names.camel)) fields.set(reference.names.camel, reference)
}

const suffixes = 'id ids Id Ids ID IDs IDS Name Names NAME NAMEs NAMES Arn Arns ARN ARNs ARNS'.split(' ')

/** `RoleARN` is `RoleRef`, `SubnetIDs` is `SubnetRefs`. */
export function referenceName(original: string, isList: boolean): string {
  const suffix = suffixes.find(each => original.endsWith(each))
  const stem = suffix === undefined ? original : original.slice(0, -suffix.length)
  return isList ? `${singularOf(stem)}Refs` : `${stem}Ref`
}

function referenceBeside(field: Field, place: string): Field {
  const isList = field.type.kind === 'list'
  const names = namesOf(referenceName(field.names.original, isList))
  return {
    names,
    json: names.json,
    model: names.original,
    type: isList ? { kind: 'list', element: { kind: 'reference' } } : { kind: 'reference' },
    required: false,
    immutable: false,
    referenceFor: field.names.camel,
    origin: { by: 'reference', config: place, ...given({ member: field.origin.member }) },
  }
}

/** The steps of a dotted key. `Users..Password` is `Users.Password`: lists and maps are entered without a word, or with an empty one. */
export function pathSteps(key: string): readonly string[] {
  return key.split('.').filter(step => step !== '')
}

/** The field that a name of a config means: the Camel name, in any case. */
export function fieldNamed(fields: FieldMap, name: string): Field | undefined {
  const camel = namesOf(name).camel
  const exact = fields.get(camel)
  if (exact !== undefined) return exact
  const wanted = camel.toLowerCase()
  for (const field of fields.values()) if (field.names.camel.toLowerCase() === wanted) return field
  return undefined
}
