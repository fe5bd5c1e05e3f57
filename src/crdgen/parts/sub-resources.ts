// Sub-resources that a config declares: a field whose elements are entries of their own in AWS, each put and deleted by itself, such as the
// inline policies of a group. What the config leaves open is found in the model: the member of the list's answer that holds the entries, and,
// in a map, the member that carries the value of one.
import type { ResourceSubResource } from '#aws'
import type { SubResourceConfig } from '../config/generator-config.ts'
import { configError } from '../config/read-config.ts'
import type { ApiStructure } from '../infer/api.ts'
import { fieldNamed } from '../infer/field-config.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { addressesOf, inputOf, keyOf, outputOf } from './addresses.ts'

/** Throws `InferError` with the line of what the model does not have. */
export function subResourcesOf(service: InferredService, kind: InferredKind): readonly ResourceSubResource[] {
  return (kind.config.sub_resources ?? []).map(config => subResourceOf(service, kind, config))
}

/** Whether a config declares the field's elements as entries of their own. */
export function isSubResource({ config, spec }: InferredKind, camel: string): boolean {
  return (config.sub_resources ?? []).some(({ field }) => fieldNamed(spec, field)?.names.camel === camel)
}

function subResourceOf(service: InferredService, kind: InferredKind, config: SubResourceConfig): ResourceSubResource {
  const { api, loaded } = service
  const refuse = (problem: string): Error =>
    configError(loaded, ['resources', kind.resource, 'sub_resources'], `sub_resources of ${config.field}: ${problem}`)
  const field = fieldNamed(kind.spec, config.field)
  if (field === undefined) throw refuse(`${kind.kind} has no field ${config.field} in its spec`)
  const isMap = field.type.kind === 'map'
  if (!isMap && field.type.kind !== 'list') throw refuse('it is neither a list nor a map')
  const wire = (operation: string): string => {
    const found = api.operations.get(operation)
    if (found === undefined) throw refuse(`the model has no operation ${operation}`)
    return found.wire
  }
  const member = (operation: string, name: string): string => {
    const found = memberNamed(inputOf(api, operation), name)
    if (found === undefined) throw refuse(`${operation} takes no ${name}`)
    return found
  }
  const operations = { list: wire(config.list), put: wire(config.put), delete: wire(config.delete) }
  const key = member(config.put, config.key)
  member(config.delete, config.key)
  const value = isMap ? (config.value ?? onlyOther(service, kind, config)) : undefined
  if (isMap && value === undefined) throw refuse(`which member of ${config.put} takes an element? name it by "value"`)
  const members = listsIn(service, outputOf(api, config.list))
  const [only, another] = members
  if (only === undefined || another !== undefined)
    throw refuse(`the answer of ${config.list} has ${members.length === 0 ? 'no list' : `several lists: ${members.join(', ')}`}`)
  return {
    field: field.names.camel,
    ...operations,
    entries: only,
    ...(config.get === undefined ? {} : { get: wire(config.get) }),
    key,
    ...(value === undefined ? {} : { value: member(config.put, value) }),
  }
}

function memberNamed(input: ApiStructure | undefined, name: string): string | undefined {
  for (const [each, { wire }] of input?.members ?? []) if (keyOf(each) === keyOf(name)) return wire ?? each
  return undefined
}

/** The one member that names neither the resource nor the element. */
function onlyOther(service: InferredService, kind: InferredKind, { put, key }: SubResourceConfig): string | undefined {
  const addresses = addressesOf(service, kind)
  const others = [...(inputOf(service.api, put)?.members ?? [])].filter(
    ([name, { idempotencyToken }]) => idempotencyToken !== true && !addresses.isIdentity(name) && keyOf(name) !== keyOf(key),
  )
  return others.length === 1 ? others[0]?.[0] : undefined
}

function listsIn({ api }: InferredService, output: ApiStructure | undefined): readonly string[] {
  return [...(output?.members ?? [])].flatMap(([name, { target, wire }]) =>
    api.shapes.get(target)?.type === 'list' ? [wire ?? name] : [],
  )
}
