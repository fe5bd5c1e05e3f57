// The configurations of webhooks that are told whom to trust: what they say now, and the smallest patch that makes them say it. Only
// webhooks that lead to our own Service are touched: what else somebody has put into the same configuration is theirs. The definition of
// a kind is such a configuration where a webhook converts its versions.
import type { X509Certificate } from 'node:crypto'
import { certificatesIn, isIssuedBy, isSameCertificate } from '#base'
import type { ObjectKey, ResourceType, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'

export interface ConfigurationName {
  readonly type: ResourceType
  readonly name: string
}

export type WebhookConfiguration = StoredObject & {
  readonly webhooks?: readonly ConfiguredClient[]
  readonly spec?: { readonly conversion?: { readonly webhook?: Omit<ConfiguredClient, 'name'> } }
}

interface ConfiguredClient {
  readonly name: string
  readonly clientConfig: { readonly caBundle?: string; readonly service?: { readonly namespace: string; readonly name: string } }
}

export interface JsonOperation {
  readonly op: 'replace' | 'add'
  readonly path: string
  readonly value: string
}

/** A webhook of a configuration, and its place in the list there. */
interface Placed {
  readonly client: Omit<ConfiguredClient, 'name'>
  readonly path: string
}

function placesIn({ webhooks = [], spec }: WebhookConfiguration, service: ObjectKey): readonly Placed[] {
  const listed: readonly Placed[] = webhooks.map((client, index) => ({ client, path: `/webhooks/${index}` }))
  const converting = spec?.conversion?.webhook
  const all = converting === undefined ? listed : [...listed, { client: converting, path: '/spec/conversion/webhook' }]
  return all.filter(({ client }) => isOurs(client, service))
}

/** What each of our webhooks trusts, as PEM. */
export function bundlesIn(configuration: WebhookConfiguration, service: ObjectKey): readonly string[] {
  return placesIn(configuration, service).map(({ client }) =>
    Buffer.from(client.clientConfig.caBundle ?? '', 'base64').toString(),
  )
}

/** Empty where all of ours trust exactly this already. It names the version that was read: a list that changed since is left alone. */
export function trustPatch(configuration: WebhookConfiguration, service: ObjectKey, bundle: string): readonly JsonOperation[] {
  const value = Buffer.from(bundle).toString('base64')
  const writes = placesIn(configuration, service).flatMap(({ client, path }): readonly JsonOperation[] =>
    client.clientConfig.caBundle === value ? [] : [{ op: 'add', path: `${path}/clientConfig/caBundle`, value }],
  )
  if (writes.length === 0) return []
  // Replaced and not tested: the server answers with a conflict then, which says more than a patch that is invalid.
  return [{ op: 'replace', path: '/metadata/resourceVersion', value: configuration.metadata.resourceVersion }, ...writes]
}

/** The configuration with the bundle in it, for those who may replace the object but not patch it. */
export function trusting(configuration: WebhookConfiguration, service: ObjectKey, bundle: string): WebhookConfiguration {
  const caBundle = Buffer.from(bundle).toString('base64')
  const webhooks = (configuration.webhooks ?? []).map(webhook =>
    isOurs(webhook, service) ? { ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } } : webhook,
  )
  return { ...configuration, webhooks }
}

export interface SeenConfiguration {
  readonly name: ConfigurationName
  readonly object: WebhookConfiguration
}

export async function readConfigurations(
  client: KubeClient,
  names: readonly ConfigurationName[],
  signal: AbortSignal,
): Promise<readonly SeenConfiguration[]> {
  const found = await Promise.all(
    names.map(async name => {
      const object = await client.find<WebhookConfiguration>(name.type, { namespace: '', name: name.name }, { signal })
      return object === undefined ? [] : [{ name, object }]
    }),
  )
  return found.flat()
}

/** Whether all of them trust that authority. */
export function trustAuthority(bundles: readonly string[], authority: string): boolean {
  return bundles.every(bundle => certificatesIn(bundle).some(one => isSameCertificate(one, authority)))
}

/** Whether all of them trust whoever signed it. */
export function trustServed(bundles: readonly string[], served: X509Certificate): boolean {
  return bundles.every(bundle => certificatesIn(bundle).some(authority => isIssuedBy(served, authority.toString())))
}

function isOurs({ clientConfig }: Pick<ConfiguredClient, 'clientConfig'>, service: ObjectKey): boolean {
  return clientConfig.service?.name === service.name && clientConfig.service.namespace === service.namespace
}
