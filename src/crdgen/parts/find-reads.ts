// By which operation a part of a resource can be read again: the kind's own read, or one that is called like the one that sets it.
import { type Api, structureOf } from '../infer/api.ts'
import type { Field } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { type Addresses, inputOf, keyOf, outputOf } from './addresses.ts'
import { listOf } from './find-list.ts'

export interface FoundRead {
  readonly operation: string
  /** Where in the answer each field stands, by Camel name: dotted, empty for the answer itself. */
  readonly paths: Readonly<Record<string, string>>
}

/** Whether the kind's own read tells the field. */
export function isToldBy(service: InferredService, kind: InferredKind, field: Field): boolean {
  const isAttribute = field.config?.is_attribute === true && kind.operations.GetAttributes !== undefined
  return isAttribute || shapeTold(service, kind, field) !== undefined
}

/** The shape in which the kind's own read tells the field. */
export function shapeTold(service: InferredService, kind: InferredKind, field: Field): string | undefined {
  const { api } = service
  const { Get, GetAttributes } = kind.operations
  const operation = Get ?? GetAttributes ?? listOf(service, kind)
  if (operation === undefined) return undefined
  const renames = kind.config.renames?.operations?.get(operation)?.output_fields ?? new Map<string, string>()
  const names = [
    field.model,
    field.names.camel,
    ...[...renames].flatMap(([from, to]) => (keyOf(to) === keyOf(field.names.camel) ? [from] : [])),
  ]
  if ((field.config?.set ?? []).some(rule => isKeptOut(rule))) return undefined
  const sources = (field.config?.set ?? []).flatMap(({ from }) => from?.split('.')[0] ?? [])
  return answersOf(service, kind, operation)
    .flat()
    .find(
      ([name, target]) => [...names, ...sources].some(each => keyOf(each) === keyOf(name)) && isAlike(api, field, target),
    )?.[1]
}

function isKeptOut(rule: { readonly method?: string; readonly ignore?: unknown }): boolean {
  const isOfReads = rule.method === undefined || /^read/i.test(rule.method)
  return isOfReads && (String(rule.ignore) === 'true' || rule.ignore === 'from' || rule.ignore === 'all')
}

/** The members among which a resource stands in an answer: of the answer, and of the structures and lists in it. */
function answersOf(
  { api, loaded }: InferredService,
  { resource }: InferredKind,
  operation: string,
): readonly (readonly (readonly [string, string])[])[] {
  const output = outputOf(api, operation)
  if (output === undefined) return []
  const path = loaded.config.operations?.get(operation)?.output_wrapper_field_path
  const own = [...output.members].map(([name, { target }]) => [name, target] as const)
  if (path !== undefined) return [membersAt(api, own, path.split('.'))]
  const inner =
    own.length === 1 || own.some(([, target]) => api.shapes.get(target)?.type === 'list')
      ? own.map(([, target]) => below(api, target))
      : own.flatMap(([name, target]) => (keyOf(name) === keyOf(resource) ? [below(api, target)] : []))
  return [own, ...inner]
}

function membersAt(
  api: Api,
  from: readonly (readonly [string, string])[],
  path: readonly string[],
): readonly (readonly [string, string])[] {
  return path.reduce((members, step) => below(api, members.find(([name]) => keyOf(name) === keyOf(step))?.[1] ?? ''), from)
}

function below(api: Api, target: string): readonly (readonly [string, string])[] {
  const shape = api.shapes.get(target)
  if (shape?.type === 'list') return below(api, shape.element)
  return shape?.type === 'structure' ? [...shape.members].map(([name, member]) => [name, member.target] as const) : []
}

function isAlike(api: Api, { type }: Field, target: string): boolean {
  const shape = api.shapes.get(target)?.type
  if (type.kind === 'structure' || type.kind === 'list' || type.kind === 'map') return shape === type.kind
  return shape !== undefined && shape !== 'structure' && shape !== 'list' && shape !== 'map'
}

interface Wanted {
  /** What the setting operation is called after its verb. */
  readonly noun: string
  readonly fields: readonly Field[]
  readonly addresses: Addresses
}

export function findRead(service: InferredService, { noun, fields, addresses }: Wanted): FoundRead | undefined {
  const { api } = service
  const names = ['Get', 'Describe'].flatMap(verb =>
    [noun, `${noun}Status`, `${noun}Configuration`, `${noun}s`].map(each => `${verb}${each}`),
  )
  for (const operation of names) {
    const input = inputOf(api, operation)
    if (input === undefined || ![...input.required].every(name => addresses.isAddress(name))) continue
    const paths = fields.flatMap(field => {
      const path = pathOf(service, field, operation)
      return path === undefined ? [] : [[field.names.camel, path] as const]
    })
    if (paths.length > 0) return { operation, paths: Object.fromEntries(paths) }
  }
  return undefined
}

const depthMax = 3

/** Where in the answer a field stands: under its own name, or where most of its members are. */
function pathOf({ api, types }: InferredService, field: Field, operation: string): string | undefined {
  const own = [field.config?.from?.path ?? '', field.model, field.names.camel].map(keyOf)
  const members =
    field.type.kind === 'structure' ? [...types.fieldsOf(field.type.shape).values()].map(each => keyOf(each.model)) : []
  const output = api.operations.get(operation)?.output ?? ''
  const search = (target: string, path: readonly string[]): string | undefined => {
    const shape = structureOf(api, target)
    if (shape === undefined || path.length > depthMax) return undefined
    const entries = [...shape.members]
    const named = entries.find(([name, member]) => own.includes(keyOf(name)) && isAlike(api, field, member.target))
    if (named !== undefined) return [...path, named[0]].join('.')
    if (field.type.kind === 'boolean') {
      const on = entries.find(([name, member]) => isSwitchOf(name, field) && api.shapes.get(member.target)?.type === 'boolean')
      if (on !== undefined) return [...path, on[0]].join('.')
    }
    if (field.type.kind === 'string') {
      const state = entries.find(
        ([name, member]) =>
          isAlike(api, field, member.target) &&
          (stateKey(name) === stateKey(field.model) || own.some(each => each === `${stateKey(name)}action`)),
      )
      if (state !== undefined) return [...path, state[0]].join('.')
    }
    const keys = entries.map(([name]) => keyOf(name))
    const known = members.filter(
      each =>
        keys.includes(each) ||
        keys.includes(each.replace(/enabled$/, 'status')) ||
        (each === 'enabled' && keys.some(key => key.endsWith('status'))),
    )
    if (members.length > 0 && known.length >= Math.ceil(members.length / 2)) return path.join('.')
    for (const [name, member] of entries) {
      const deeper = search(member.target, [...path, name])
      if (deeper !== undefined) return deeper
    }
    return undefined
  }
  return search(output, [])
}

/** `KeyRotationEnabled` tells what `EnableKeyRotation` sets. */
function isSwitchOf(name: string, { names }: Field): boolean {
  const bare = (text: string): string =>
    keyOf(text)
      .replace(/^enable/, '')
      .replace(/enabled$/, '')
  return bare(name) === bare(names.camel)
}

/** `ContributorInsightsAction` is told as `ContributorInsightsStatus`. */
function stateKey(name: string): string {
  return keyOf(name).replace(/(?:action|status|state)$/, '')
}
