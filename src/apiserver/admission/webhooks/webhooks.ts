// Calls the webhooks that a request matches, as their configurations ask.
import type { Maybe } from '#base'
import type { AuthorizerPort } from '../../auth/authorizer.ts'
import type { Callouts } from '../../callouts/callouts.ts'
import { type Draft, equalJson } from '../../draft.ts'
import type { StorePort } from '../../store/store.ts'
import type { AdmissionAttributes } from '../admission.ts'
import { mutatingTable, validatingTable, type Webhook, WebhookConfigurations } from './webhook-config.ts'
import { matchWebhook } from './webhook-match.ts'
import { type ConvertPorts, callWebhook } from './webhook-review.ts'

/** A webhook that was called, and the object as it left it. */
export interface Called {
  readonly webhook: Webhook
  readonly object: Draft | undefined
}

interface WebhookPorts extends StorePort, ConvertPorts, AuthorizerPort {
  readonly callouts: Callouts
}

export class Webhooks {
  readonly #ports: WebhookPorts
  readonly #configurations: WebhookConfigurations

  constructor(ports: WebhookPorts) {
    this.#ports = ports
    this.#configurations = new WebhookConfigurations(ports.store)
  }

  mutating(attributes: AdmissionAttributes): readonly Webhook[] {
    return this.#list(mutatingTable, attributes)
  }

  /** One after another: each sees what those before it changed. */
  async mutate(
    webhooks: readonly Webhook[],
    attributes: AdmissionAttributes,
  ): Promise<{ readonly object: Draft | undefined; readonly called: readonly Called[] }> {
    let { object } = attributes
    const called: Called[] = []
    for (const webhook of webhooks) {
      const answer = this.#call(webhook, { ...attributes, object })
      if (answer === undefined) continue
      object = (await answer) ?? object
      called.push({ webhook, object })
    }
    return { object, called }
  }

  /** Once more for those who asked to see what others changed after them; the second round is final. */
  async mutateAgain(called: readonly Called[], attributes: AdmissionAttributes): Promise<Draft | undefined> {
    let { object } = attributes
    for (const { webhook, object: sawLast } of called)
      if (webhook.reinvoke && !equalJson(sawLast, object))
        object = (await this.#call(webhook, { ...attributes, object })) ?? object
    return object
  }

  /** Side by side. Of several refusals the first by order is told, so that the same request always gets the same answer. */
  validate(attributes: AdmissionAttributes): Maybe<void> {
    const webhooks = this.#list(validatingTable, attributes)
    return webhooks.length === 0 ? undefined : this.#validateBy(webhooks, attributes)
  }

  async #validateBy(webhooks: readonly Webhook[], attributes: AdmissionAttributes): Promise<void> {
    const outcomes = await Promise.allSettled(webhooks.flatMap(webhook => this.#call(webhook, attributes) ?? []))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  /** Undefined: the webhook does not want to see this request. */
  #call(webhook: Webhook, attributes: AdmissionAttributes): Promise<Draft | undefined> | undefined {
    const kind = matchWebhook(this.#ports, webhook, attributes)
    return kind === undefined ? undefined : callWebhook(this.#ports, this.#ports.callouts, webhook, attributes, kind)
  }

  #list(table: string, attributes: AdmissionAttributes): readonly Webhook[] {
    // Webhooks about webhooks could lock everybody out for good.
    if (attributes.kind.resource.group === 'admissionregistration.k8s.io') return []
    return this.#configurations.list(table)
  }
}
