// What the values of the webhooks' charts have in common.
import type { ChartName, Labels, Release } from '#manifests'

export interface WebhookImage {
  readonly repository: string
  readonly tag: string
  readonly digest: string
}

/** `own`: the webhook keeps an authority of its own. `secret`: somebody keeps the pair there, and API servers trust `caBundle` (PEM). */
export interface WebhookPair {
  readonly source: 'own' | 'secret'
  readonly secretName: string
  readonly caBundle: string
}

export const webhookImage: WebhookImage = { repository: 'vouch', tag: '', digest: '' }
export const webhookPair: WebhookPair = { source: 'own', secretName: '', caBundle: '' }

/** Words that a value of one of these charts may be, where the others have more. */
export function webhookWords(values: object): Readonly<Record<string, readonly string[]>> {
  if (!('tenantId' in values)) return {}
  return { 'certificate.source': ['own', 'secret'] }
}

export function imageOf({ repository, tag, digest }: WebhookImage, { appVersion }: ChartName): string {
  return digest === '' ? `${repository}:${tag || appVersion}` : `${repository}@${digest}`
}

export function chartLabels(
  { name, version, appVersion }: ChartName,
  release: Release,
  common: Labels,
): Readonly<Record<string, string>> {
  return {
    'helm.sh/chart': `${name}-${version}`,
    'app.kubernetes.io/instance': release.name,
    'app.kubernetes.io/version': appVersion,
    'app.kubernetes.io/managed-by': release.service,
    ...common,
  }
}

/** Throws for values that the templates refuse. */
export function refuseAzureValues({
  tenantId,
  certificate,
}: {
  readonly tenantId: string
  readonly certificate: WebhookPair
}): void {
  if (tenantId === '') throw new Error('tenantId is needed: the tenant of ServiceAccounts that name none')
  if (certificate.source !== 'secret') return
  if (certificate.caBundle === '') throw new Error('certificate.source=secret needs certificate.caBundle')
  if (certificate.secretName === '') throw new Error('certificate.source=secret needs certificate.secretName')
}
