// Which requests a webhook or a policy is about, and at which version of the kind it wants to see them.
import type { LabelSelector } from '#kube'
import { notFound } from '../refusals.ts'
import { formsOf, type ServedKind } from '../registry/resource.ts'
import type { StorePort } from '../store/store.ts'
import type { AdmissionAttributes } from './admission.ts'

export interface RequestRule {
  readonly operations?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly apiVersions?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly scope?: string
}

export interface RequestMatch {
  readonly rules: readonly RequestRule[]
  /** A rule about another version of the kind counts as well. */
  readonly equivalent: boolean
  readonly namespaceSelector: LabelSelector
  readonly objectSelector: LabelSelector
}

/** The kind to show the objects as; undefined when the request is none of these. */
export function matchRequest(ports: StorePort, match: RequestMatch, attributes: AdmissionAttributes): ServedKind | undefined {
  if (!matchesObject(match, attributes)) return undefined
  const kind = matchRules(match, attributes)
  return kind !== undefined && matchesNamespace(ports, match, attributes) ? kind : undefined
}

function matchesObject({ objectSelector }: RequestMatch, { object, oldObject }: AdmissionAttributes): boolean {
  if (objectSelector.requirements.length === 0) return true
  return [object, oldObject].some(candidate => candidate !== undefined && objectSelector.matches(candidate.metadata.labels))
}

export function matchRules(
  { rules, equivalent }: Pick<RequestMatch, 'rules' | 'equivalent'>,
  attributes: AdmissionAttributes,
): ServedKind | undefined {
  const { kind } = attributes
  if (rules.some(rule => matchesRule(rule, kind, attributes))) return kind
  if (!equivalent) return undefined
  return formsOf(kind.resource).find(other => other !== kind && rules.some(rule => matchesRule(rule, other, attributes)))
}

function matchesRule(rule: RequestRule, kind: ServedKind, { operation, subresource, name }: AdmissionAttributes): boolean {
  const { resource } = kind
  const { resourceNames = [] } = rule
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, kind.version) &&
    (rule.resources ?? []).some(pattern => matchesResource(pattern, resource.plural, subresource)) &&
    (resourceNames.length === 0 || resourceNames.includes(name)) &&
    matchesScope(rule.scope, resource.namespaced)
  )
}

function matchesResource(pattern: string, plural: string, subresource: string): boolean {
  const [resource = '', sub = ''] = pattern.split('/')
  return (resource === '*' || resource === plural) && (sub === subresource || sub === '*')
}

function matchesScope(scope: string | undefined, namespaced: boolean): boolean {
  return scope === undefined || scope === '*' || (scope === 'Namespaced') === namespaced
}

function matchesNamespace({ store }: StorePort, { namespaceSelector }: RequestMatch, attributes: AdmissionAttributes): boolean {
  if (namespaceSelector.requirements.length === 0) return true
  const { kind, namespace, object, operation } = attributes
  const isNamespace = kind.resource.group === '' && kind.resource.plural === 'namespaces'
  if (!kind.resource.namespaced && !isNamespace) return true
  if (isNamespace && attributes.subresource === '' && operation !== 'DELETE')
    return namespaceSelector.matches(object?.metadata.labels)
  const name = isNamespace ? attributes.name : namespace
  const live = store.table('namespaces').rows.get(name)
  if (live === undefined) throw notFound({ group: '', plural: 'namespaces' }, name)
  return namespaceSelector.matches(live.object.metadata.labels)
}

function has(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes(value) || values.includes('*'))
}
