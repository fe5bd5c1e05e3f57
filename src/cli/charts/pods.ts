// The chart `pod-identity-webhooks`: the webhook that puts identities into pods, for a cluster that runs it itself.
import type { KubeObject } from '#kube'
import type { ChartName, Labels, Release } from '#manifests'
import { type CertificateChoice, type ManifestOptions, renderPodWebhookManifests } from '#operators/pods'
import { version } from '../version.ts'

export interface PodsValues {
  readonly fullnameOverride: string
  readonly image: { readonly repository: string; readonly tag: string; readonly digest: string }
  readonly replicaCount: number
  readonly certificate: {
    /** `cluster`: the webhook asks the cluster for it, and somebody approves. */
    readonly source: 'cert-manager' | 'secret' | 'cluster'
    readonly secretName: string
    /** PEM of whom the API server is to trust. */
    readonly caBundle: string
  }
  readonly failurePolicy: 'Ignore' | 'Fail'
  readonly watchConfigMap: boolean
  /** Where API servers call from (CIDR). */
  readonly apiServers: readonly string[]
  /** PEM of the authority of the certificate that API servers show. */
  readonly clientCa: string
  readonly extraArgs: readonly string[]
  readonly commonLabels: Labels
}

export const podsChart: ChartName = { name: 'pod-identity-webhooks', version, appVersion: version }

export const podsValues: PodsValues = {
  fullnameOverride: 'pod-identity-webhook',
  image: { repository: 'vouch', tag: '', digest: '' },
  replicaCount: 2,
  certificate: { source: 'cert-manager', secretName: '', caBundle: '' },
  failurePolicy: 'Ignore',
  watchConfigMap: false,
  apiServers: [],
  clientCa: '',
  extraArgs: [],
  commonLabels: {},
}

/** What Helm would print for these values. */
export function renderPodsChart(values: PodsValues, release: Release): readonly KubeObject[] {
  return withoutNamespace(renderPodWebhookManifests(optionsOf(values, release)))
}

/** Helm makes the namespace, or it is there. */
export function withoutNamespace(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind !== 'Namespace')
}

function optionsOf(values: PodsValues, release: Release): Partial<ManifestOptions> {
  const { fullnameOverride, image, replicaCount, failurePolicy, watchConfigMap, apiServers, clientCa, extraArgs } = values
  const { repository, tag, digest } = image
  return {
    namespace: release.namespace,
    name: fullnameOverride,
    image: digest === '' ? `${repository}:${tag || podsChart.appVersion}` : `${repository}@${digest}`,
    replicas: replicaCount,
    certificate: certificateOf(values),
    failurePolicy,
    watchConfigMap,
    apiServers,
    clientCa,
    args: extraArgs,
    labels: {
      'helm.sh/chart': `${podsChart.name}-${podsChart.version}`,
      'app.kubernetes.io/instance': release.name,
      'app.kubernetes.io/version': podsChart.appVersion,
      'app.kubernetes.io/managed-by': release.service,
      ...values.commonLabels,
    },
  }
}

function certificateOf({ certificate: { source, secretName, caBundle } }: PodsValues): CertificateChoice {
  if (source === 'secret') return { kind: 'secret', secretName, caBundle }
  return source === 'cluster' ? { kind: 'cluster', caBundle } : { kind: 'cert-manager' }
}
