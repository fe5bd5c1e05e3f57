// Whom API servers trust: the bundle in the webhook configuration. The authority before the last stays in it while it lasts, because replicas
// that have not heard of the new pair yet go on serving the old one.
import { type Instant, parseCertificate } from '#base'
import { mutatingWebhookConfigurations, type StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'

export const trustConfigurationName = 'azure-wi-webhook-mutating-webhook-configuration'
/** The one in use and the one before it. */
const authoritiesMax = 2

type WebhookConfiguration = StoredObject & {
  readonly webhooks?: readonly { readonly clientConfig?: { readonly caBundle?: string } }[]
}

/** The new authority first, then those of the old bundle that still count; pure. */
export function trustBundle(authority: string, held: string, now: Instant): string {
  const blocks = held.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----\n?/g) ?? []
  const kept = blocks.map(block => `${block.trim()}\n`).filter(block => block.trim() !== authority.trim() && isValid(block, now))
  return [`${authority.trim()}\n`, ...kept].slice(0, authoritiesMax).join('')
}

function isValid(certificate: string, now: Instant): boolean {
  try {
    return parseCertificate(certificate).validUntil > now
  } catch {
    return false
  }
}

/** Writes only where the bundle differs. Whether the configuration holds the bundle now; one that is not there yet does not. */
export async function injectTrust(client: KubeClient, authority: string, now: Instant, signal: AbortSignal): Promise<boolean> {
  const key = { namespace: '', name: trustConfigurationName }
  const stored = await client.find<WebhookConfiguration>(mutatingWebhookConfigurations, key, { signal })
  if (stored?.webhooks === undefined) return false
  const webhooks = stored.webhooks.map(webhook => {
    const held = Buffer.from(webhook.clientConfig?.caBundle ?? '', 'base64').toString()
    const caBundle = Buffer.from(trustBundle(authority, held, now)).toString('base64')
    return { ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } }
  })
  const isSame = webhooks.every(
    ({ clientConfig }, index) => clientConfig.caBundle === stored.webhooks?.[index]?.clientConfig?.caBundle,
  )
  if (isSame) return true
  try {
    await client.update(mutatingWebhookConfigurations, { ...stored, webhooks }, { signal })
    return true
  } catch (error) {
    // Another replica was faster; what it wrote is looked at next time.
    if (!(error instanceof KubeError && error.reason === 'Conflict')) throw error
    return false
  }
}
