// The order of admission: built-in steps, then webhooks; mutating ones one after another, validating ones side by side.
import type { Core } from '../core.ts'
import type { Draft } from '../draft.ts'
import { equalJson } from '../draft.ts'
import type { Maybe } from '../maybe.ts'
import type { Admission, AdmissionAttributes } from './admission.ts'
import type { Callouts } from './callouts.ts'
import { checkEscalation, type EscalationContext } from './escalation.ts'
import { checkDeletable } from './lifecycle.ts'
import { admitNode } from './nodes.ts'
import { admitPod } from './pods.ts'
import { admitStorage } from './storage-in-use.ts'
import { mutatingTable, validatingTable, type Webhook, WebhookConfigurations } from './webhook-config.ts'
import { matchWebhook } from './webhook-match.ts'
import { callWebhook } from './webhook-review.ts'

export class AdmissionChain implements Admission {
  readonly #core: Core
  readonly #callouts: Callouts
  readonly #escalation: EscalationContext
  readonly #configurations: WebhookConfigurations

  constructor(core: Core, callouts: Callouts, escalation: EscalationContext) {
    this.#core = core
    this.#callouts = callouts
    this.#escalation = escalation
    this.#configurations = new WebhookConfigurations(core.store)
  }

  mutate(attributes: AdmissionAttributes): Maybe<Draft | undefined> {
    checkDeletable(attributes)
    const object = this.#builtin(attributes, attributes.object)
    const webhooks = this.#webhooks(mutatingTable, attributes)
    if (webhooks.length === 0) return object
    return this.#callMutating(webhooks, { ...attributes, object })
  }

  validate(attributes: AdmissionAttributes): Maybe<void> {
    checkEscalation(this.#escalation, attributes)
    const webhooks = this.#webhooks(validatingTable, attributes)
    if (webhooks.length === 0) return undefined
    return this.#callValidating(webhooks, attributes)
  }

  #builtin(attributes: AdmissionAttributes, object: Draft | undefined): Draft | undefined {
    if (object === undefined) return undefined
    const pod = admitPod(this.#core, { ...attributes, object })
    return admitStorage({ ...attributes, object: admitNode({ ...attributes, object: pod }) })
  }

  #webhooks(table: string, attributes: AdmissionAttributes): readonly Webhook[] {
    // Webhooks about webhooks could lock everybody out for good.
    if (attributes.kind.resource.group === 'admissionregistration.k8s.io') return []
    return this.#configurations.list(table)
  }

  async #callMutating(webhooks: readonly Webhook[], attributes: AdmissionAttributes): Promise<Draft | undefined> {
    let { object } = attributes
    const called: { webhook: Webhook; sawLast: Draft | undefined }[] = []
    for (const webhook of webhooks) {
      const kind = matchWebhook(this.#core, webhook, { ...attributes, object })
      if (kind === undefined) continue
      object = (await callWebhook(this.#core, this.#callouts, webhook, { ...attributes, object }, kind)) ?? object
      called.push({ webhook, sawLast: object })
    }
    if (object === undefined || equalJson(object, attributes.object)) return object
    object = this.#builtin(attributes, object)
    // Once more for those who asked to see what others changed after them; the second round is final.
    for (const { webhook, sawLast } of called) {
      if (!webhook.reinvoke || equalJson(sawLast, object)) continue
      const kind = matchWebhook(this.#core, webhook, { ...attributes, object })
      if (kind === undefined) continue
      object = (await callWebhook(this.#core, this.#callouts, webhook, { ...attributes, object }, kind)) ?? object
    }
    return object
  }

  async #callValidating(webhooks: readonly Webhook[], attributes: AdmissionAttributes): Promise<void> {
    const calls = webhooks.flatMap(webhook => {
      const kind = matchWebhook(this.#core, webhook, attributes)
      return kind === undefined ? [] : [callWebhook(this.#core, this.#callouts, webhook, attributes, kind)]
    })
    const outcomes = await Promise.allSettled(calls)
    // Of several refusals the first by order is told, so that the same request always gets the same answer.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
}
