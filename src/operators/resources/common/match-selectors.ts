// Which IAMRoleSelectors mean a claim. Selectors of different sorts must all fit, entries of one sort are alternatives, and what a selector
// does not name fits everything.
import { tryParseArn } from '#aws'
import type { ResourceType, StoredObject } from '#kube'
import type { MatchedSelector } from '../place/select-place.ts'
import { type RoleSelector, type RoleSelectorSpec, selectorAnnotations } from './api.ts'

export interface Selected {
  readonly claim: StoredObject
  readonly type: ResourceType
  readonly namespaceLabels: Readonly<Record<string, string>>
}

/** What names nothing selects everything, and has no role to give. */
const nothing: RoleSelectorSpec = { arn: '' }

export function matchSelectors(
  selectors: readonly (RoleSelector & StoredObject)[],
  selected: Selected,
): readonly MatchedSelector[] {
  return selectors
    .filter(({ spec = nothing }) => fits(spec, selected))
    .map(({ metadata, spec = nothing }) => {
      const problem = selectorProblem(spec)
      const externalId = metadata.annotations?.[selectorAnnotations.externalId]
      return {
        name: metadata.name,
        resourceVersion: metadata.resourceVersion,
        arn: spec.arn,
        priority: priorityOf(metadata.annotations?.[selectorAnnotations.priority]),
        ...(externalId === undefined || externalId === '' ? {} : { externalId }),
        ...(problem === undefined ? {} : { problem }),
      }
    })
}

/** What says nothing of use is none. */
function priorityOf(text: string | undefined): number {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : 0
}

/** What is wrong with a selector. What it selects waits: the wrong role is worse than none. */
export function selectorProblem({ arn, namespaceSelector, resourceTypeSelector }: RoleSelectorSpec): string | undefined {
  const account = tryParseArn(arn)?.account
  if (account === undefined || account === '') return `${arn} is no ARN of a role`
  const names = namespaceSelector?.names ?? []
  if (names.includes('')) return 'namespaceSelector.names holds an empty name'
  if (new Set(names).size !== names.length) return 'namespaceSelector.names holds a name twice'
  const types = (resourceTypeSelector ?? []).map(({ group, version, kind }) => JSON.stringify([group, version, kind]))
  if (types.includes('["","",""]')) return 'an entry of resourceTypeSelector names nothing'
  return new Set(types).size === types.length ? undefined : 'resourceTypeSelector holds an entry twice'
}

function fits(spec: RoleSelectorSpec, { claim, type, namespaceLabels }: Selected): boolean {
  const { namespaceSelector, resourceTypeSelector, resourceLabelSelector } = spec
  const names = namespaceSelector?.names ?? []
  if (names.length > 0 && !names.includes(claim.metadata.namespace ?? '')) return false
  if (!hasLabels(namespaceLabels, namespaceSelector?.labelSelector?.matchLabels)) return false
  if (!hasLabels(claim.metadata.labels ?? {}, resourceLabelSelector?.matchLabels)) return false
  const isAny = (wanted: string, actual: string): boolean => wanted === '' || wanted === actual
  return (
    resourceTypeSelector === undefined ||
    resourceTypeSelector.length === 0 ||
    resourceTypeSelector.some(
      ({ group, version, kind }) => isAny(group, type.group) && isAny(version, type.version) && isAny(kind, type.kind),
    )
  )
}

function hasLabels(labels: Readonly<Record<string, string>>, wanted: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value)
}
