// The serving certificate that the webhook keeps itself (§3.14): the machinery of an authority of one's own, with the names, the kind of key
// and the lives that upstream's certificates have, so that either program goes on from the Secret of the other.
import type { Clock, Keys, Log, Random } from '#base'
import { mutatingWebhookConfigurations } from '#kube'
import type { KubeClient } from '#kube/client'
import { type CertificateStyle, type Metrics, type OwnCertificate, ownCertificate } from '#runtime'

export const azureSecretName = 'azure-wi-webhook-server-cert'
export const azureServiceName = 'azure-wi-webhook-webhook-service'
export const azureConfigurationName = 'azure-wi-webhook-mutating-webhook-configuration'

const day = 86_400_000

/** Both are renewed while ninety days are left. */
const style = (dnsName: string): CertificateStyle => ({
  authority: { commonName: 'azure-workload-identity-ca', organizations: ['azure-workload-identity'] },
  serving: dnsName,
  servingLifeMs: 365 * day,
  servingRenewMs: 90 * day,
  authorityRenewMs: 90 * day,
})
const keyBits = 2_048

export interface AzureCertificateOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly keys: Pick<Keys, 'generateRsa'>
  readonly log: Log
  readonly metrics: Metrics
  /** Its own. */
  readonly namespace: string
}

export function azureCertificate({ keys, namespace, ...rest }: AzureCertificateOptions): OwnCertificate {
  const dnsName = `${azureServiceName}.${namespace}.svc`
  return ownCertificate({
    ...rest,
    newKey: () => keys.generateRsa(keyBits),
    secret: { namespace, name: azureSecretName },
    // Upstream's rights allow it; what they do not allow is a patch of the configuration.
    makesSecret: true,
    writesBy: 'update',
    service: { namespace, name: azureServiceName },
    configurations: [{ type: mutatingWebhookConfigurations, name: azureConfigurationName }],
    style: style(dnsName),
    names: [dnsName],
  })
}
