// A pod webhook with the Azure provider, and one with both providers over one cache of ServiceAccounts.
import { given } from '#base'
import type { ObjectKey } from '#kube'
import { Metrics, noTracer } from '#runtime'
import { awsProvider } from '../aws/provider.ts'
import { type AzureWebhookSettings, azureProvider, keptForAzure } from '../azure/provider.ts'
import { type AwsWebhookSettings, defaultWebhookSettings } from '../flags/settings.ts'
import { webhookMetrics } from './metrics.ts'
import { type PodWebhook, type PodWebhookOptions, type WebhookParts, webhookOf } from './webhook.ts'

export interface AzurePodWebhookOptions extends Omit<PodWebhookOptions, 'settings'> {
  readonly settings: AzureWebhookSettings
  /** What the webhook cannot live with. Default: it is logged. */
  readonly onFatal?: (error: Error) => void
}

export function createAzureWebhook(options: AzurePodWebhookOptions): PodWebhook {
  const { client, seams, settings, informerLimits } = options
  const parts = partsOf(options)
  const provider = azureProvider({
    client,
    seams,
    settings,
    registry: parts.metrics,
    metrics: parts.own,
    isPromised: options.isPromised ?? never,
    onFatal: options.onFatal ?? (error => seams.log.error(error.message)),
    ...given({ informerLimits }),
  })
  return webhookOf(provider, { ...parts, settings: quiet })
}

export interface BothWebhooksOptions extends Omit<AzurePodWebhookOptions, 'settings'> {
  readonly aws: Partial<AwsWebhookSettings>
  readonly azure: AzureWebhookSettings
}

/** Each answers its own reviews; the ServiceAccounts are listed and watched once. */
export function createBothWebhooks(options: BothWebhooksOptions): { readonly aws: PodWebhook; readonly azure: PodWebhook } {
  const { client, seams, informerLimits, isPromised = never } = options
  const parts = partsOf(options)
  const aws = { ...defaultWebhookSettings, ...options.aws }
  const shared = { client, seams, metrics: parts.own, isPromised, ...given({ informerLimits }) }
  const onFatal = options.onFatal ?? ((error: Error) => seams.log.error(error.message))
  const one = awsProvider({ ...shared, settings: aws, alsoKept: keptForAzure })
  const other = azureProvider({
    ...shared,
    settings: options.azure,
    registry: parts.metrics,
    onFatal,
    accounts: one.serviceAccounts,
  })
  return { aws: webhookOf(one, { ...parts, settings: aws }), azure: webhookOf(other, { ...parts, settings: quiet }) }
}

function partsOf({
  seams,
  metrics = new Metrics(),
  tracer = noTracer,
}: Omit<AzurePodWebhookOptions, 'settings'>): Omit<WebhookParts, 'settings'> {
  return { clock: seams.clock, log: seams.log, metrics, own: webhookMetrics(metrics), tracer }
}

/** There are no debugging handlers for Azure. */
const quiet = { debugging: 'nobody', verbosity: 0 } as const

function never(_key: ObjectKey): boolean {
  return false
}
