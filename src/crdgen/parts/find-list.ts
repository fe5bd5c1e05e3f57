// Which list shows the resources of a kind, where a service has several.
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { keyOf } from './addresses.ts'

/**
 * Of two lists of a resource the later by name has the slot. Where that one tells only names and another tells the resources, a runtime
 * has a use for the other alone: `ListClusters` beside `DescribeClusters`. And where nothing but a list reads the resource, it is the one that
 * tells most of it: `DescribeLogGroups` beside `ListLogGroups`.
 */
export function listOf(service: InferredService, kind: InferredKind): string | undefined {
  const { classified, loaded } = service
  const { List: chosen, Get, GetAttributes } = kind.operations
  const isConfigured = (loaded.config.operations?.get(chosen ?? '')?.operation_type ?? []).length > 0
  if (chosen === undefined || isConfigured) return chosen
  const ignored = loaded.config.ignore?.operations ?? []
  const all = classified.all.filter(({ type, resource }) => type === 'List' && resource === kind.resource)
  const others = all.map(({ operation }) => operation).filter(each => each !== chosen && !ignored.includes(each))
  const tells = (operation: string): number => fieldsListed(service, kind, operation)
  if (Get !== undefined || GetAttributes !== undefined)
    return tells(chosen) >= 0 ? chosen : (others.find(each => tells(each) >= 0) ?? chosen)
  return others.reduce((best, each) => (tells(each) > tells(best) ? each : best), chosen)
}

/** How many fields of the kind a list tells of each; -1 where it tells names alone. */
function fieldsListed({ api }: InferredService, { spec, status }: InferredKind, operation: string): number {
  const output = api.shapes.get(api.operations.get(operation)?.output ?? '')
  const members = output?.type === 'structure' ? [...output.members.values()] : []
  const fields = [...spec.values(), ...status.values()].map(({ model }) => keyOf(model))
  const told = members.flatMap(({ target }) => {
    const shape = api.shapes.get(target)
    const element = shape?.type === 'list' ? api.shapes.get(shape.element) : undefined
    if (element?.type !== 'structure') return []
    return [[...element.members.keys()].filter(name => fields.includes(keyOf(name))).length]
  })
  return Math.max(-1, ...told)
}
