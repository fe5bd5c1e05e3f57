// Which IAMRoleSelectors mean a claim. Selectors of different sorts must all fit, entries of one sort are alternatives, and what a selector
// does not name fits everything.
import { tryParseArn } from '#aws'
import { compareText, given } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import { own } from '../model/convert.ts'
import { type RoleSelector, type RoleSelectorSpec, selectorAnnotations } from './role-selector.ts'
import type { MatchedSelector, SessionTag } from './select-place.ts'

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
      const sessionTags = sessionTagsIn(metadata.annotations?.[selectorAnnotations.sessionTags])
      const problem = selectorProblem(spec) ?? (typeof sessionTags === 'string' ? sessionTags : undefined)
      const externalId = metadata.annotations?.[selectorAnnotations.externalId]
      return {
        name: metadata.name,
        resourceVersion: metadata.resourceVersion,
        arn: spec.arn,
        priority: priorityOf(metadata.annotations?.[selectorAnnotations.priority]),
        ...(externalId === undefined || externalId === '' ? {} : { externalId }),
        ...(typeof sessionTags === 'string' || sessionTags.length === 0 ? {} : { sessionTags }),
        ...given({ problem }),
      }
    })
}

/** What says nothing of use is none. */
function priorityOf(text: string | undefined): number {
  return text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : 0
}

/** STS takes so many. */
const sessionTagsMax = 50
/** What a session may be told apart by: a tag of each object would be a session of each. */
const variables = ['K8S_NAMESPACE', 'CONTROLLER_SERVICE']

/** The tags in the order of their keys, or what is wrong with them: a session that lacks one may be let in where it should not. */
function sessionTagsIn(text: string | undefined): readonly SessionTag[] | string {
  const parts = (text ?? '').split(',').filter(part => part.trim() !== '')
  const tags = parts.map(part => {
    const [, key = part, value] = /^([^=]*)=(.*)$/s.exec(part) ?? []
    return { key: key.trim(), value: value?.trim() }
  })
  const wrong = tags.find(
    ({ key, value }) => value === undefined || !isTag(key, 1, 128) || !isTag(withoutVariables(value), 0, 256),
  )
  const of = `${selectorAnnotations.sessionTags}:`
  if (wrong !== undefined) return `${of} ${wrong.key} is no key=value with ${variables.map(name => `%${name}%`).join(' or ')}`
  const keys = tags.map(({ key }) => key.toLowerCase())
  const twice = tags.find((_tag, index) => keys.indexOf(keys[index] ?? '') !== index)
  if (twice !== undefined) return `${of} ${twice.key} is there twice; case makes no difference`
  if (tags.length > sessionTagsMax) return `${of} ${tags.length} tags; AWS takes ${sessionTagsMax}`
  return tags.map(({ key, value = '' }) => ({ key, value })).sort((a, b) => compareText(a.key, b.key))
}

function isTag(text: string, min: number, max: number): boolean {
  return text.length >= min && text.length <= max && /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u.test(text)
}

function withoutVariables(text: string): string {
  return variables.reduce((rest, name) => rest.replaceAll(`%${name}%`, ''), text)
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
  return Object.entries(wanted).every(([name, value]) => own(labels, name) === value)
}
