// What a manifest spoke of when it was in step: a field that it speaks of no more may have been taken out, one that it never spoke of is AWS's own.
import { createHash } from 'node:crypto'
import type { ModelType, ResourceField } from '#aws'
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
    if (inner?.kind !== 'structure' || typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([at, item]) => within(inner, item, `${path}.${at}`))
  }
  return below(kind.spec, spec, '')
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
