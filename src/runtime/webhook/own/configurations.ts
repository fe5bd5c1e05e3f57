// The configurations of webhooks that are told whom to trust: what they say now, and the smallest patch that makes them say it. Only
// webhooks that lead to our own Service are touched: what else somebody has put into the same configuration is theirs.
import { certificatesIn, isSameCertificate } from '#base'
import type { ObjectKey, ResourceType, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'

export interface ConfigurationName {
  readonly type: ResourceType
  readonly name: string
}

export type WebhookConfiguration = StoredObject & { readonly webhooks?: readonly ConfiguredClient[] }

interface ConfiguredClient {
  readonly name: string
  readonly clientConfig: { readonly caBundle?: string; readonly service?: { readonly namespace: string; readonly name: string } }
}

export interface JsonOperation {
  readonly op: 'test' | 'add'
  readonly path: string
  readonly value: string
}

/** What each of our webhooks trusts, as PEM. */
export function bundlesIn(configuration: WebhookConfiguration, service: ObjectKey): readonly string[] {
  return (configuration.webhooks ?? [])
    .filter(webhook => isOurs(webhook, service))
    .map(({ clientConfig }) => Buffer.from(clientConfig.caBundle ?? '', 'base64').toString())
}

/** Empty where all of ours trust exactly this already. A list that changed meanwhile is left alone: the patch is refused. */
export function trustPatch(configuration: WebhookConfiguration, service: ObjectKey, bundle: string): readonly JsonOperation[] {
  const value = Buffer.from(bundle).toString('base64')
  return (configuration.webhooks ?? []).flatMap((webhook, index): readonly JsonOperation[] =>
    isOurs(webhook, service) && webhook.clientConfig.caBundle !== value
      ? [
          { op: 'test', path: `/webhooks/${index}/name`, value: webhook.name },
          { op: 'add', path: `/webhooks/${index}/clientConfig/caBundle`, value },
        ]
      : [],
  )
}

export async function readConfigurations(
  client: KubeClient,
  names: readonly ConfigurationName[],
  signal: AbortSignal,
): Promise<readonly { readonly name: ConfigurationName; readonly object: WebhookConfiguration }[]> {
  const found = await Promise.all(
    names.map(async name => {
      const object = await client.find<WebhookConfiguration>(name.type, { namespace: '', name: name.name }, { signal })
      return object === undefined ? [] : [{ name, object }]
    }),
  )
  return found.flat()
}

export function trusts(bundles: readonly string[], authority: string): boolean {
  return bundles.every(bundle => certificatesIn(bundle).some(one => isSameCertificate(one, authority)))
}

function isOurs({ clientConfig }: ConfiguredClient, service: ObjectKey): boolean {
  return clientConfig.service?.name === service.name && clientConfig.service.namespace === service.namespace
}
