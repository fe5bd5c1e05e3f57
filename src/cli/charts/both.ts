// The chart `cloud-identity-webhooks`: the webhooks of AWS and of Azure in one process.
import type { KubeObject } from '#kube'
import { type ChartName, type Labels, type Reasons, type Release, refuseLastArguments } from '#manifests'
import { bothFlags, readBothPrograms, renderBothWebhookManifests } from '#operators/pods'
import { version } from '../frame/version.ts'
import { azureReasons } from './azure.ts'
import { podsReasons, withoutNamespace } from './pods.ts'
import {
  chartLabels,
  imageOf,
  refuseAzureValues,
  type WebhookImage,
  type WebhookPair,
  webhookImage,
  webhookPair,
} from './webhook-values.ts'

export interface BothValues {
  readonly fullnameOverride: string
  /** Azure: of ServiceAccounts that name none. */
  readonly tenantId: string
  readonly cloud: string
  readonly image: WebhookImage
  readonly replicaCount: number
  /** A pair in a Secret is that of both, with the names of both Services. */
  readonly certificate: WebhookPair
  readonly failurePolicy: { readonly aws: 'Ignore' | 'Fail'; readonly azure: 'Ignore' | 'Fail' }
  readonly watchConfigMap: boolean
  /** Where API servers call from (CIDR). */
  readonly apiServers: readonly string[]
  readonly extraArgs: readonly string[]
  readonly commonLabels: Labels
}

export const bothChart: ChartName = { name: 'cloud-identity-webhooks', version, appVersion: version }

export const bothValues: BothValues = {
  fullnameOverride: 'pod-identity-webhook',
  tenantId: '',
  cloud: 'AzurePublicCloud',
  image: webhookImage,
  replicaCount: 2,
  certificate: webhookPair,
  failurePolicy: { aws: 'Ignore', azure: 'Fail' },
  watchConfigMap: false,
  apiServers: [],
  extraArgs: [],
  commonLabels: {},
}

/** The chart for both clouds mounts no file with the authority of callers. */
const awsReasons: Reasons = { ...podsReasons, 'client-ca-file': 'the manifests mount no file for it' }

/** Why flags cannot be set: those of each cloud with its name before them, and those of the process under their own names. */
export const bothReasons: Reasons = Object.fromEntries(
  bothFlags.flatMap(({ name }) => {
    const [cloud, own] = name.split('.')
    const reason = own === undefined ? podsReasons[name] : (cloud === 'aws' ? awsReasons : azureReasons)[own]
    return reason === undefined ? [] : [[name, reason]]
  }),
)

/** Throws for flags that would not fit the objects around the process. */
export function refuseBothArguments(
  args: readonly string[],
  where: string,
  { tenantId, cloud }: Pick<BothValues, 'tenantId' | 'cloud'>,
): void {
  refuseLastArguments({ where, args, reasons: bothReasons, known: bothFlags })
  const { stackFile } = readBothPrograms(args, { AZURE_TENANT_ID: tenantId, AZURE_ENVIRONMENT: cloud }).azure
  if (stackFile !== undefined) throw new Error(`the cloud ${cloud} is named by a file, and the manifests mount no file for it`)
}

/** What Helm would print for these values. */
export function renderBothChart(values: BothValues, release: Release): readonly KubeObject[] {
  const { image, replicaCount, certificate, extraArgs, commonLabels, fullnameOverride, ...rest } = values
  refuseAzureValues(values)
  refuseBothArguments(extraArgs, 'extraArgs', rest)
  const { source, secretName, caBundle } = certificate
  const objects = renderBothWebhookManifests({
    ...rest,
    namespace: release.namespace,
    name: fullnameOverride,
    image: imageOf(image, bothChart),
    replicas: replicaCount,
    certificate: source === 'secret' ? { kind: 'secret', secretName, caBundle } : { kind: 'own' },
    args: extraArgs,
    labels: chartLabels(bothChart, release, commonLabels),
  })
  return withoutNamespace(objects)
}
