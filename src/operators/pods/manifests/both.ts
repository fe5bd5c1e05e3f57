// Both webhooks in one process, as manifests: the Deployment of the AWS one, with what the Azure one needs beside it. Each keeps the Service
// and the configuration that it has alone, and the pair that it keeps itself stays its own.
import type { KubeObject } from '#kube'
import type { WebhookContainer } from '../api.ts'
import {
  type AzurePlace,
  azureConfigName,
  azureConfiguration,
  azureReviewsPort,
  azureRotationRules,
  azureService,
  azureSettingsObjects,
} from './azure-parts.ts'
import { networkPolicy } from './callers.ts'
import { certificateFolder, deployment, disruptionBudget, selectorOf, service } from './deployment.ts'
import { issuerObjects } from './issuer.ts'
import { defaultManifestOptions, type ManifestOptions } from './options.ts'
import { accessObjects } from './rights.ts'
import { webhookConfiguration } from './webhook-configuration.ts'

export interface BothManifestOptions {
  readonly namespace: string
  readonly name: string
  readonly image: string
  readonly replicas: number
  /** Each keeps an authority of its own, or one pair in a Secret is that of both: its names are those of both Services. */
  readonly certificate:
    | { readonly kind: 'own' }
    | { readonly kind: 'secret'; readonly secretName: string; readonly caBundle: string }
  readonly failurePolicy: { readonly aws: 'Ignore' | 'Fail'; readonly azure: 'Ignore' | 'Fail' }
  readonly watchConfigMap: boolean
  /** Azure: of ServiceAccounts that name none. */
  readonly tenantId: string
  readonly cloud: string
  /** Where API servers call from (CIDR); empty: not known, and anybody in the cluster may connect. */
  readonly apiServers: readonly string[]
  /** More flags, such as `--azure.volume-layout=reserved`. */
  readonly args: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

export const bothManifestDefaults: Omit<BothManifestOptions, 'tenantId'> = {
  namespace: 'vouch-webhooks',
  name: 'pod-identity-webhook',
  image: 'vouch:latest',
  replicas: 2,
  certificate: { kind: 'own' },
  failurePolicy: { aws: 'Ignore', azure: 'Fail' },
  watchConfigMap: false,
  cloud: 'AzurePublicCloud',
  apiServers: [],
  args: [],
  labels: {},
}

/** In the order in which they are to be applied: the configurations come last, when there is something to call. */
export function renderBothWebhookManifests(
  choices: Partial<BothManifestOptions> & Pick<BothManifestOptions, 'tenantId'>,
): readonly KubeObject[] {
  const options = { ...bothManifestDefaults, ...choices }
  const aws = awsPart(options)
  const azure = azurePart(options)
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: aws.namespace } },
    ...accessObjects(aws, azureRotationRules(azure.certificate)),
    ...issuerObjects(aws),
    ...azureSettingsObjects(azure),
    networkPolicy(aws, [azureReviewsPort]),
    service(aws),
    azureService(azure, selectorOf(aws)),
    deployment(aws, container => bothContainer(container, options)),
    ...(aws.replicas > 1 ? [disruptionBudget(aws)] : []),
    webhookConfiguration(aws),
    azureConfiguration(azure),
  ]
}

function awsPart(options: BothManifestOptions): ManifestOptions {
  const { namespace, name, image, replicas, certificate, failurePolicy, watchConfigMap, apiServers, labels } = options
  return {
    ...defaultManifestOptions,
    namespace,
    name,
    image,
    replicas,
    certificate,
    failurePolicy: failurePolicy.aws,
    watchConfigMap,
    apiServers,
    labels,
  }
}

function azurePart({ namespace, tenantId, cloud, failurePolicy, certificate, labels }: BothManifestOptions): AzurePlace {
  const kept = certificate.kind === 'own' ? ({ kind: 'rotated' } as const) : certificate
  return { namespace, tenantId, cloud, failurePolicy: failurePolicy.azure, certificate: kept, labels }
}

function bothContainer(container: WebhookContainer, { certificate, args }: BothManifestOptions): WebhookContainer {
  const { env = [], ports } = container
  const own = container.args.map(flag => `--aws.${flag.slice(2)}`)
  return {
    ...container,
    command: ['/usr/bin/vouch', 'webhook', 'both'],
    args: [...own, ...azureArguments(certificate), ...args],
    env: [...env, { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } }],
    envFrom: [{ configMapRef: { name: azureConfigName } }],
    ports: [...ports, { name: 'azure', containerPort: azureReviewsPort, protocol: 'TCP' }],
  }
}

/** Health and metrics are those of the process, which the AWS part serves. */
function azureArguments({ kind }: BothManifestOptions['certificate']): readonly string[] {
  const pair = kind === 'secret' ? ['--azure.disable-cert-rotation', `--azure.webhook-cert-dir=${certificateFolder}`] : []
  return [
    `--azure.port=${azureReviewsPort}`,
    '--azure.health-addr=',
    '--azure.metrics-addr=',
    '--azure.shutdown-delay=5s',
    ...pair,
  ]
}
