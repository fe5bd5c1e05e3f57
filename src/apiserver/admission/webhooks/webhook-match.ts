// Whether a webhook wants to hear of a request, and at which version of the kind.
import type { AuthorizerPort } from '../../auth/authorizer.ts'
import { forbidden } from '../../refusals.ts'
import type { ServedKind } from '../../registry/resource.ts'
import type { StorePort } from '../../store/store.ts'
import type { AdmissionAttributes } from '../admission.ts'
import { surroundingsOf } from '../expressions.ts'
import { meetsConditions } from '../match-conditions.ts'
import { matchRequest } from '../match-request.ts'
import type { Webhook } from './webhook-config.ts'

/** The kind to send the objects as; undefined when the webhook is not to be called. */
export function matchWebhook(
  ports: StorePort & AuthorizerPort,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): ServedKind | undefined {
  const kind = matchRequest(ports, webhook, attributes)
  return kind !== undefined && isWanted(ports, webhook, attributes) ? kind : undefined
}

function isWanted(
  ports: AuthorizerPort,
  { name, matchConditions, ignoresFailure }: Webhook,
  attributes: AdmissionAttributes,
): boolean {
  if (matchConditions.length === 0) return true
  const outcome = meetsConditions(matchConditions, surroundingsOf(ports, attributes))
  if (typeof outcome === 'boolean') return outcome
  if (ignoresFailure) return false
  throw forbidden(
    attributes.kind.resource,
    attributes.name,
    `failed to evaluate match conditions of webhook ${JSON.stringify(name)}: ${outcome.problem}`,
  )
}
