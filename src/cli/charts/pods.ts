// The chart `pod-identity-webhooks`: the webhook that puts identities into pods, for a cluster that runs it itself.
import type { KubeObject } from '#kube'
import { type ChartName, type Labels, type Reasons, type Release, refuseLastArguments } from '#manifests'
import {
  awsFlags,
  type CertificateChoice,
  type ManifestOptions,
  readAwsProgram,
  renderPodWebhookManifests,
} from '#operators/pods'
import { version } from '../frame/version.ts'
import { chartLabels, imageOf, type WebhookImage, webhookImage } from './webhook-values.ts'

export interface PodsValues {
  readonly fullnameOverride: string
  readonly image: WebhookImage
  readonly replicaCount: number
  readonly certificate: {
    /** `cluster`: the webhook asks the cluster for it, and somebody approves. `own`: it keeps an authority of its own. */
    readonly source: 'cert-manager' | 'secret' | 'cluster' | 'own'
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
  image: webhookImage,
  replicaCount: 2,
  certificate: { source: 'cert-manager', secretName: '', caBundle: '' },
  failurePolicy: 'Ignore',
  watchConfigMap: false,
  apiServers: [],
  clientCa: '',
  extraArgs: [],
  commonLabels: {},
}

const certificate = 'certificate decides it'
const fixed = 'ports, probes and the Service of the manifests rest on it'

/** Flags of the webhook that its manifests decide. */
export const podsReasons: Reasons = {
  'in-cluster': certificate,
  'tls-secret': certificate,
  'webhook-configuration': certificate,
  'tls-cert': certificate,
  'tls-key': certificate,
  'client-ca-file': 'clientCa decides it',
  'watch-config-map': 'watchConfigMap decides it',
  namespace: 'the namespace of the release decides it',
  'service-name': 'fullnameOverride decides it',
  port: fixed,
  'metrics-port': fixed,
  'health-addr': fixed,
  'bind-address': fixed,
  config: 'the manifests mount no file for it',
  kubeconfig: 'the ServiceAccount of the pod decides it',
  'kube-api': 'the ServiceAccount of the pod decides it',
  help: 'a process that prints its help does not run',
  version: 'a process that prints its version does not run',
}

/** Throws for flags that would not fit the objects around the process. */
export function refusePodsArguments(args: readonly string[], where: string): void {
  refuseLastArguments({ where, args, reasons: podsReasons, known: awsFlags })
  readAwsProgram(args)
}

/** What Helm would print for these values. */
export function renderPodsChart(values: PodsValues, release: Release): readonly KubeObject[] {
  const { source, secretName, caBundle } = values.certificate
  if ((source === 'secret' || source === 'cluster') && caBundle === '')
    throw new Error(`certificate.source=${source} needs certificate.caBundle`)
  if (source === 'secret' && secretName === '') throw new Error('certificate.source=secret needs certificate.secretName')
  refusePodsArguments(values.extraArgs, 'extraArgs')
  return withoutNamespace(renderPodWebhookManifests(optionsOf(values, release)))
}

/** Helm makes the namespace, or it is there. */
export function withoutNamespace(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind !== 'Namespace')
}

function optionsOf(values: PodsValues, release: Release): Partial<ManifestOptions> {
  const { fullnameOverride, image, replicaCount, failurePolicy, watchConfigMap, apiServers, clientCa, extraArgs } = values
  return {
    namespace: release.namespace,
    name: fullnameOverride,
    image: imageOf(image, podsChart),
    replicas: replicaCount,
    certificate: certificateOf(values),
    failurePolicy,
    watchConfigMap,
    apiServers,
    clientCa,
    args: extraArgs,
    labels: chartLabels(podsChart, release, values.commonLabels),
  }
}

function certificateOf({ certificate: { source, secretName, caBundle } }: PodsValues): CertificateChoice {
  if (source === 'secret') return { kind: 'secret', secretName, caBundle }
  return source === 'cluster' ? { kind: 'cluster', caBundle } : { kind: source }
}
