// Webhook configurations in the store, read into an ordered list of webhooks; kept until one of them changes.
import { type LabelSelectorObject, selectorFromObject } from '#kube'
import type { WebhookClient } from '../../callouts/callouts.ts'
import type { Draft } from '../../draft.ts'
import type { Store } from '../../store/store.ts'
import type { MatchCondition } from '../match-conditions.ts'
import type { RequestMatch, RequestRule } from '../match-request.ts'

export interface Webhook extends RequestMatch {
  readonly name: string
  readonly mutating: boolean
  readonly client: WebhookClient
  readonly matchConditions: readonly MatchCondition[]
  readonly ignoresFailure: boolean
  readonly timeoutSeconds: number
  readonly reinvoke: boolean
  readonly sideEffectFree: boolean
  readonly reviewVersion: 'v1' | 'v1beta1'
}

interface RawWebhook {
  readonly name: string
  readonly clientConfig: WebhookClient
  readonly rules?: readonly RequestRule[] | null
  readonly namespaceSelector?: LabelSelectorObject
  readonly objectSelector?: LabelSelectorObject
  readonly matchConditions?: Webhook['matchConditions']
  readonly failurePolicy?: string
  readonly matchPolicy?: string
  readonly timeoutSeconds?: number
  readonly reinvocationPolicy?: string
  readonly sideEffects?: string
  readonly admissionReviewVersions?: readonly string[]
}

const group = 'admissionregistration.k8s.io'
export const mutatingTable: string = `mutatingwebhookconfigurations.${group}`
export const validatingTable: string = `validatingwebhookconfigurations.${group}`

const timeoutSecondsDefault = 10

export class WebhookConfigurations {
  readonly #store: Store
  readonly #known = new Map<string, { changed: number; webhooks: readonly Webhook[] }>()

  constructor(store: Store) {
    this.#store = store
  }

  /** By configuration name, then by position. */
  list(tableName: string): readonly Webhook[] {
    const table = this.#store.table(tableName)
    const known = this.#known.get(tableName)
    if (known?.changed === table.changed) return known.webhooks
    const webhooks: Webhook[] = []
    table.rows.visit('', version => {
      webhooks.push(...readWebhooks(version.object, tableName === mutatingTable))
      return true
    })
    this.#known.set(tableName, { changed: table.changed, webhooks })
    return webhooks
  }
}

function readWebhooks(configuration: Readonly<Draft>, mutating: boolean): Webhook[] {
  const list = (configuration.webhooks ?? []) as readonly RawWebhook[]
  return list.map(raw => ({
    name: raw.name,
    mutating,
    client: raw.clientConfig,
    rules: raw.rules ?? [],
    namespaceSelector: selectorFromObject(raw.namespaceSelector ?? {}),
    objectSelector: selectorFromObject(raw.objectSelector ?? {}),
    matchConditions: raw.matchConditions ?? [],
    ignoresFailure: raw.failurePolicy === 'Ignore',
    equivalent: raw.matchPolicy !== 'Exact',
    timeoutSeconds: raw.timeoutSeconds ?? timeoutSecondsDefault,
    reinvoke: raw.reinvocationPolicy === 'IfNeeded',
    sideEffectFree: raw.sideEffects === 'None' || raw.sideEffects === 'NoneOnDryRun',
    reviewVersion:
      (raw.admissionReviewVersions ?? []).find(version => version === 'v1' || version === 'v1beta1') === 'v1beta1'
        ? 'v1beta1'
        : 'v1',
  }))
}
