// The order of admission: the plugins, then the webhooks; mutating ones one after another, validating ones side by side.
import type { Maybe } from '#base'
import { type Draft, equalJson } from '../draft.ts'
import type { Admission, AdmissionAttributes } from './admission.ts'
import type { AdmissionPlugin } from './plugin.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

export class AdmissionChain implements Admission {
  readonly #plugins: readonly AdmissionPlugin[]
  readonly #webhooks: Webhooks

  constructor(plugins: readonly AdmissionPlugin[], webhooks: Webhooks) {
    this.#plugins = plugins
    this.#webhooks = webhooks
  }

  mutate(attributes: AdmissionAttributes): Maybe<Draft | undefined> {
    const object = this.#mutateByPlugins(attributes)
    const webhooks = this.#webhooks.mutating(attributes)
    return webhooks.length === 0 ? object : this.#mutateByWebhooks({ ...attributes, object }, webhooks)
  }

  validate(attributes: AdmissionAttributes): Maybe<void> {
    for (const plugin of this.#plugins) plugin.validate?.(attributes)
    return this.#webhooks.validate(attributes)
  }

  #mutateByPlugins(attributes: AdmissionAttributes): Draft | undefined {
    let { object } = attributes
    for (const plugin of this.#plugins)
      if (plugin.mutate !== undefined)
        object = plugin.mutate(object === attributes.object ? attributes : { ...attributes, object })
    return object
  }

  /** What webhooks changed is seen by the plugins once more, and then by those webhooks that asked to see later changes. */
  async #mutateByWebhooks(
    attributes: AdmissionAttributes,
    webhooks: ReturnType<Webhooks['mutating']>,
  ): Promise<Draft | undefined> {
    const first = await this.#webhooks.mutate(webhooks, attributes)
    if (first.object === undefined || equalJson(first.object, attributes.object)) return first.object
    const object = this.#mutateByPlugins({ ...attributes, object: first.object })
    return this.#webhooks.mutateAgain(first.called, { ...attributes, object })
  }
}
