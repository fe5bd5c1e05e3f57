// Where in an answer each field of a kind stands: told by names, by the model and by the config, and the same for every resource.
import type { Member, ResourceField, StructureShape } from '#aws'
import { isReferenceField } from './convert.ts'
import { type KindModel, onceOfKind } from './kind-model.ts'
import { propertyNamed, sameName } from './names.ts'
import { arnNames, bindingOf, renamesOf } from './own-names.ts'
import type { Method } from './request.ts'

export interface FieldSource {
  readonly field: ResourceField
  /** `undefined` where the answer does not speak of it, but perhaps in a map of attributes. */
  readonly stands: FieldPlace | undefined
}

/** At a path of the part in which the resource stands or of the whole answer; or as a member of that part, or of the named part within it. */
export type FieldPlace =
  | { readonly kind: 'path'; readonly of: 'part' | 'whole'; readonly path: string }
  | { readonly kind: 'member'; readonly of: 'part' | 'named'; readonly name: string; readonly member: Member }

export interface PartSources {
  readonly spec: readonly FieldSource[]
  readonly status: readonly FieldSource[]
  /** The part that is called after the kind, beside something else: `IPSet` and the lock by which it is changed. */
  readonly named: { readonly name: string; readonly shape: StructureShape } | undefined
  /** By which names the ARN is told, and the members that are called so; the best first. */
  readonly arns: readonly ArnName[]
  /** Members of the part that say when it was, or will be, deleted. */
  readonly deletionDates: readonly string[]
  readonly ownerAccount: ResourceField | undefined
}

interface ArnName {
  readonly name: string
  readonly inPart: string | undefined
  readonly inNamed: string | undefined
}

/** Of the part of an operation's answer that has this shape. */
export const sourcesIn: (model: KindModel, operation: string, method: Method, shape: StructureShape) => PartSources = onceOfKind(
  (model, operation, method, shape) => {
    const inner = namedPart(model, shape)
    const parts: Parts = { part: shape, ...(inner === undefined ? {} : { named: inner.shape }) }
    const renames = Object.entries({ ...renamesOf(model, operation), ...bindingOf(model, operation).outputRenames })
    const sources = (fields: readonly ResourceField[]): readonly FieldSource[] =>
      fields
        .filter(field => !isReferenceField(field) && field.type.kind !== 'secret')
        .map(field => ({ field, stands: standingOf(model, field, { operation, method, parts, renames }) }))
    return {
      spec: sources(model.spec.all),
      status: sources(model.status.all),
      named: inner,
      arns: arnNames(model, shape).map(name => ({
        name,
        inPart: propertyNamed(shape.members, name)?.name,
        inNamed: inner === undefined ? undefined : propertyNamed(inner.shape.members, name)?.name,
      })),
      deletionDates: ['DeletedDate', 'DeletionDate'].flatMap(name => propertyNamed(shape.members, name)?.name ?? []),
      ownerAccount: [...model.spec.all, ...model.status.all].find(({ ownerAccount }) => ownerAccount === true),
    }
  },
)

interface Parts {
  readonly part: StructureShape
  readonly named?: StructureShape
}

interface Asked {
  readonly operation: string
  readonly method: Method
  readonly parts: Parts
  readonly renames: readonly (readonly [string, string])[]
}

function standingOf(
  model: KindModel,
  field: ResourceField,
  { operation, method, parts, renames }: Asked,
): FieldPlace | undefined {
  const rules = (field.set ?? []).filter(rule => rule.method === undefined || sameName(rule.method, method))
  if (rules.some(({ ignore }) => ['true', 'from', 'all'].includes(String(ignore)))) return undefined
  const from = rules.find(rule => rule.from !== undefined)?.from
  if (from !== undefined) return { kind: 'path', of: 'part', path: from }
  if (field.from !== undefined && field.from.operation === operation) return { kind: 'path', of: 'whole', path: field.from.path }
  for (const place of ['part', 'named'] as const) {
    const members = Object.entries(parts[place]?.members ?? {})
    const found = members.find(([name]) => sameName(renames.find(([each]) => sameName(each, name))?.[1] ?? name, field.camel))
    if (found === undefined) continue
    const [name, member] = found
    return fits(model, field, member) ? { kind: 'member', of: place, name, member } : undefined
  }
  return undefined
}

function namedPart({ kind, service }: KindModel, { members }: StructureShape): PartSources['named'] {
  const member = propertyNamed(members, kind.resource)
  const shape = member === undefined ? undefined : service.model.shapes[member.value.target]
  return member === undefined || shape?.type !== 'structure' ? undefined : { name: member.name, shape }
}

/** A member of another kind of value under the same name is another thing. */
function fits({ service }: KindModel, { type }: ResourceField, member: Member): boolean {
  const shape = service.model.shapes[member.target]?.type
  if (type.kind === 'structure') return shape === 'structure' || shape === 'union'
  if (type.kind === 'list' || type.kind === 'map') return shape === type.kind
  return shape !== 'structure' && shape !== 'union' && shape !== 'list' && shape !== 'map'
}
