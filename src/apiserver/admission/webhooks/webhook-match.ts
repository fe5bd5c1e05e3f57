// Whether a webhook wants to hear of a request, and at which version of the kind.

import { notFound } from '../../refusals.ts'
import type { ServedKind } from '../../registry/resource.ts'
import type { StorePort } from '../../store/store.ts'
import type { AdmissionAttributes } from '../admission.ts'
import { meetsConditions } from './match-conditions.ts'
import type { Webhook, WebhookRule } from './webhook-config.ts'

/** The kind to send the objects as; undefined when the webhook is not to be called. */
export function matchWebhook(ports: StorePort, webhook: Webhook, attributes: AdmissionAttributes): ServedKind | undefined {
  if (!matchesObject(webhook, attributes)) return undefined
  const kind = matchRules(webhook, attributes)
  if (kind === undefined || !matchesNamespace(ports, webhook, attributes)) return undefined
  return meetsConditions(webhook, attributes) ? kind : undefined
}

function matchesObject({ objectSelector }: Webhook, { object, oldObject }: AdmissionAttributes): boolean {
  if (objectSelector.requirements.length === 0) return true
  return [object, oldObject].some(candidate => candidate !== undefined && objectSelector.matches(candidate.metadata.labels))
}

function matchRules(webhook: Webhook, attributes: AdmissionAttributes): ServedKind | undefined {
  const { kind } = attributes
  if (webhook.rules.some(rule => matchesRule(rule, kind, attributes))) return kind
  if (!webhook.equivalent) return undefined
  return kind.resource.versions.find(other => other !== kind && webhook.rules.some(rule => matchesRule(rule, other, attributes)))
}

function matchesRule(rule: WebhookRule, kind: ServedKind, { operation, subresource }: AdmissionAttributes): boolean {
  const { resource } = kind
  return (
    has(rule.operations, operation) &&
    has(rule.apiGroups, resource.group) &&
    has(rule.apiVersions, kind.version) &&
    (rule.resources ?? []).some(pattern => matchesResource(pattern, resource.plural, subresource)) &&
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

function matchesNamespace({ store }: StorePort, { namespaceSelector }: Webhook, attributes: AdmissionAttributes): boolean {
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
