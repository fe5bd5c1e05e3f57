// The chart `azure-workload-identity-webhook`: the webhook of Azure, under the names that upstream's installation has.
import type { KubeObject } from '#kube'
import { type ChartName, type Labels, type Reasons, type Release, refuseLastArguments } from '#manifests'
import { azureFlags, readAzureProgram, renderAzureWebhookManifests } from '#operators/pods'
import { version } from '../frame/version.ts'
import { withoutNamespace } from './pods.ts'
import {
  chartLabels,
  imageOf,
  refuseAzureValues,
  type WebhookImage,
  type WebhookPair,
  webhookImage,
  webhookPair,
} from './webhook-values.ts'

export interface AzureValues {
  /** Of ServiceAccounts that name none. */
  readonly tenantId: string
  readonly cloud: string
  readonly image: WebhookImage
  readonly replicaCount: number
  readonly certificate: WebhookPair
  readonly failurePolicy: 'Ignore' | 'Fail'
  /** Where API servers call from (CIDR). */
  readonly apiServers: readonly string[]
  readonly extraArgs: readonly string[]
  readonly commonLabels: Labels
}

export const azureChart: ChartName = { name: 'azure-workload-identity-webhook', version, appVersion: version }

export const azureValues: AzureValues = {
  tenantId: '',
  cloud: 'AzurePublicCloud',
  image: webhookImage,
  replicaCount: 2,
  certificate: webhookPair,
  failurePolicy: 'Fail',
  apiServers: [],
  extraArgs: [],
  commonLabels: {},
}

const certificate = 'certificate decides it'
const fixed = 'ports, probes and the Service of the manifests rest on it'
const mounted = 'the manifests mount no file for it'

/** Flags of the webhook that its manifests decide. */
export const azureReasons: Reasons = {
  'disable-cert-rotation': certificate,
  'webhook-cert-dir': certificate,
  port: fixed,
  'metrics-addr': fixed,
  'health-addr': fixed,
  'bind-address': fixed,
  config: mounted,
  'client-ca-file': mounted,
  kubeconfig: 'the ServiceAccount of the pod decides it',
  help: 'a process that prints its help does not run',
  version: 'a process that prints its version does not run',
}

/** What Helm would print for these values. */
export function renderAzureChart(values: AzureValues, release: Release): readonly KubeObject[] {
  const { tenantId, cloud, image, replicaCount, failurePolicy, apiServers, extraArgs, commonLabels } = values
  refuseAzureValues(values)
  refuseLastArguments({ where: 'extraArgs', args: extraArgs, reasons: azureReasons, known: azureFlags })
  readAzureProgram(extraArgs, { AZURE_TENANT_ID: tenantId, AZURE_ENVIRONMENT: cloud })
  const { source, secretName, caBundle } = values.certificate
  const objects = renderAzureWebhookManifests({
    namespace: release.namespace,
    tenantId,
    cloud,
    image: imageOf(image, azureChart),
    replicas: replicaCount,
    certificate: source === 'secret' ? { kind: 'secret', secretName, caBundle } : { kind: 'rotated' },
    failurePolicy,
    apiServers,
    args: extraArgs,
    labels: chartLabels(azureChart, release, commonLabels),
  })
  return withoutNamespace(objects)
}
