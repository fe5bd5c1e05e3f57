// What a manifest spoke of when it was in step: a field that it speaks of no more may have been taken out, one that it never spoke of is AWS's own.
// An element of a list that stood there word for word, at whatever place, has lost nothing.
import { createHash } from 'node:crypto'
import type { ModelType, ResourceField } from '#aws'
import { inOrder } from '../delta/compare.ts'
import { isRecord } from '../model/convert.ts'
import { elementOf, type KindModel, structureFields } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { tagField } from '../model/tags.ts'
import type { Situation } from '../seen/seen.ts'

/** Every path that a spec speaks of, in the words of the manifest: `target`, `target.arn`, `rules.0.port`. Not the single tags. */
export function spokenOf(model: KindModel, spec: Content['spec']): readonly string[] {
  const { kind, service } = model
  const tags = tagField(model)
  const below = (fields: readonly ResourceField[], value: unknown, prefix: string): readonly string[] =>
    !isRecord(value)
      ? []
      : fields.flatMap(({ json, type, camel }) => {
          const held = value[json]
          if (held === undefined || held === null) return []
          const path = `${prefix}${json}`
          return [path, ...(camel === tags ? [] : within(type, held, path))]
        })
  const within = (type: ModelType, value: unknown, path: string): readonly string[] => {
    if (type.kind === 'structure') return below(structureFields(service, type.shape), value, `${path}.`)
    const inner = elementOf(type)
    if (inner?.kind !== 'structure') return []
    const items = Array.isArray(value) || isRecord(value) ? Object.entries(value) : []
    return items.flatMap(([at, item]) => within(inner, item, `${path}.${at}`))
  }
  return below(kind.spec, spec, '')
}

/** Each element of a list of structures that a spec has, by a print of all that it says. */
export function elementsOf({ kind, service }: KindModel, spec: Content['spec']): readonly string[] {
  const within = (type: ModelType, value: unknown, path: string): readonly string[] => {
    if (type.kind === 'structure')
      return !isRecord(value)
        ? []
        : structureFields(service, type.shape).flatMap(field => within(field.type, value[field.json], `${path}.${field.json}`))
    const inner = elementOf(type)
    if (inner === undefined || typeof value !== 'object' || value === null) return []
    return Object.values(value).flatMap(item => [
      ...(type.kind === 'list' && inner.kind === 'structure' ? [elementPrint(path, item)] : []),
      ...within(inner, item, path),
    ])
  }
  return kind.spec.flatMap(({ json, type }) => within(type, spec[json], json))
}

/** `path`: of the list, without indices. */
function elementPrint(path: string, element: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([path, inOrder(element)]))
    .digest('hex')
    .slice(0, 12)
}

/** Whether the path leads through an element that says what one of these said. */
export function isWithinElement(model: KindModel, spec: Content['spec'], path: string, elements: readonly string[]): boolean {
  let fields: readonly ResourceField[] = model.kind.spec
  let type: ModelType | undefined
  let value: unknown = spec
  let names: readonly string[] = []
  for (const step of path.split('.').slice(1)) {
    const inner = elementOf(type)
    const field = inner === undefined ? fields.find(each => each.camel === step) : undefined
    if (inner === undefined && field === undefined) return false
    const name = field?.json ?? step
    value = Array.isArray(value) ? value[Number(name)] : isRecord(value) ? value[name] : undefined
    if (field !== undefined) names = [...names, field.json]
    if (type?.kind === 'list' && inner?.kind === 'structure' && elements.includes(elementPrint(names.join('.'), value)))
      return true
    type = inner ?? field?.type
    fields = type?.kind === 'structure' ? structureFields(model.service, type.shape) : []
  }
  return false
}

/** In our record of what was sent, beside paths: of what the manifest spoke when it was in step last. */
export const spokenKey = '*'

export function spokenPrint({ model, seen }: Pick<Situation, 'model' | 'seen'>): string {
  const text = spokenOf(model, seen.wanted.spec).join()
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** Whether a spec that spoke of these paths spoke of the field at a path of the model, as `Spec.Target.RetryPolicy`. */
export function wasSpokenOf(model: KindModel, spoken: readonly string[], path: string): boolean {
  const steps = stepsTo(model, path)
  return steps.length > 0 && steps.every(({ json, isElement }) => isElement || spoken.includes(json))
}

/** A path of the model in the words of the manifest. */
export function jsonPath(model: KindModel, path: string): string {
  return stepsTo(model, path).at(-1)?.json ?? ''
}

interface Step {
  readonly json: string
  /** By an index or a key. */
  readonly isElement: boolean
}

/** A path may lead below a field that has no fields of its own, such as a map of texts: then that field is the last step. */
function stepsTo({ kind, service }: KindModel, path: string): readonly Step[] {
  const steps: Step[] = []
  let type: ModelType = { kind: 'structure', shape: '' }
  let fields: readonly ResourceField[] = kind.spec
  for (const name of path.split('.').slice(1)) {
    const inner = elementOf(type)
    const field = inner === undefined ? fields.find(each => each.camel === name) : undefined
    if (field === undefined && inner?.kind !== 'structure') break
    const json = [...steps.slice(-1).map(each => each.json), field?.json ?? name].join('.')
    steps.push({ json, isElement: field === undefined })
    type = inner ?? field?.type ?? type
    fields = type.kind === 'structure' ? structureFields(service, type.shape) : []
  }
  return steps
}
