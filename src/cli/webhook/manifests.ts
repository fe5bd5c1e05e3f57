// `vouch webhook manifests`: what is applied to a cluster so that a webhook runs there.
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type Command, Option } from 'commander'
import { given } from '#base'
import type { KubeObject } from '#kube'
import type { CertificateChoice } from '#operators/pods'
import { warn } from '../frame/print.ts'
import { tellRefusal } from '../frame/refusal.ts'
import { version } from '../frame/version.ts'
import { readNamespace, readReplicas } from '../manifest-options.ts'
import { tellManifests } from '../print-manifests.ts'

interface ManifestFlags {
  readonly provider: 'aws' | 'azure' | 'both'
  readonly namespace?: string
  readonly image: string
  readonly replicas: number
  readonly failurePolicy?: 'Ignore' | 'Fail'
  readonly tlsSecret?: string
  readonly caFile?: string
  readonly apiServerCidr: readonly string[]
  // Only the webhook for AWS has these.
  readonly inCluster?: true
  readonly ownCertificate?: true
  readonly watchConfigMap?: true
  readonly clientCa?: string
  // Only the webhook for Azure has these.
  readonly tenantId?: string
  readonly cloud?: string
}

/** A list in a terminal and on a page. */
const described = `print the manifests of a webhook: its Deployment, account and rights, certificate, Service and MutatingWebhookConfiguration

- aws: in namespace eks, with a certificate of cert-manager; it is asked about every pod, and while it is away pods are made as they are (Ignore)
- azure: in namespace azure-workload-identity-system and under the names of upstream, with a certificate that it renews itself; it is asked about pods with the label azure.workload.identity/use, and while it is away none of them is made (Fail)
- both: one Deployment in namespace vouch-webhooks that serves both, with certificates that it renews itself and a configuration for each, which asks as that webhook's own does`

export function addManifestsCommand(webhook: Command): void {
  webhook
    .command('manifests')
    .summary('print the manifests of a webhook')
    .description(described)
    .addOption(new Option('--provider <name>', 'which webhook').choices(['aws', 'azure', 'both']).default('aws'))
    .option('--namespace <name>', 'where it runs; default: eks, azure-workload-identity-system, or vouch-webhooks', readNamespace)
    .option('--image <image>', 'the image to run', `vouch:${version}`)
    .option('--replicas <number>', 'how many pods', readReplicas, 2)
    .addOption(
      new Option('--failure-policy <policy>', 'what happens while it is away; default: Ignore, or Fail for Azure').choices([
        'Ignore',
        'Fail',
      ]),
    )
    .option(
      '--tls-secret <name>',
      'a Secret with the serving pair that somebody else keeps; default: cert-manager makes one, or for Azure the webhook itself',
    )
    .option('--ca-file <file>', 'PEM of the authority to trust, with --tls-secret or --in-cluster')
    .option('--api-server-cidr <cidr...>', 'where API servers call from; default: anybody may connect', [])
    .option('--own-certificate', 'let the webhook keep an authority of its own, instead of cert-manager; Azure’s does by default')
    .option('--in-cluster', 'AWS: let the webhook request its certificate from the cluster')
    .option('--client-ca <file>', 'AWS: PEM of the authority whose certificate API servers show; others are turned away')
    .option('--watch-config-map', 'AWS: also take roles from the ConfigMap pod-identity-webhook')
    .option('--tenant-id <id>', 'Azure: the tenant of ServiceAccounts that name none')
    .option('--cloud <name>', 'Azure: the cloud, as AZURE_ENVIRONMENT names it; default: AzurePublicCloud')
    .argument('[flags...]')
    .action((args: readonly string[], options: ManifestFlags) => printManifests(args, options))
}

async function printManifests(args: readonly string[], options: ManifestFlags): Promise<void> {
  const { provider, tlsSecret, apiServerCidr } = options
  const strange = strangersOf[provider].filter(([name]) => options[name] !== undefined)
  if (strange[0] !== undefined) throw new Error(`${strange[0][1]} is not of the webhook of ${provider}`)
  for (const cidr of apiServerCidr)
    if (!isCidr(cidr)) throw new Error(`--api-server-cidr takes ranges such as 10.0.0.0/24, not ${cidr}`)
  const chosen = [options.ownCertificate, options.inCluster, tlsSecret].filter(choice => choice !== undefined)
  if (chosen.length > 1) throw new Error('the pair comes from one place: --own-certificate, --in-cluster or --tls-secret')
  // Checked now, instead of by a pod that does not start.
  try {
    tellManifests(await objectsOf[provider](args, options))
  } catch (error) {
    return tellRefusal(error, `vouch webhook ${provider} --help lists the flags of the webhook`)
  }
  if (apiServerCidr.length === 0 && options.clientCa === undefined)
    warn(
      `anybody in the cluster may connect to this webhook: --api-server-cidr${provider === 'aws' ? ' and --client-ca change' : ' changes'} that`,
    )
}

/** What is said to one webhook and means nothing to the other. */
const strangersOf: Readonly<Record<ManifestFlags['provider'], readonly (readonly [keyof ManifestFlags, string])[]>> = {
  aws: [
    ['tenantId', '--tenant-id'],
    ['cloud', '--cloud'],
  ],
  azure: [
    ['inCluster', '--in-cluster'],
    ['clientCa', '--client-ca'],
    ['watchConfigMap', '--watch-config-map'],
  ],
  both: [
    ['inCluster', '--in-cluster'],
    ['clientCa', '--client-ca'],
  ],
}

/** Empty where the pair needs none; told when one is missing or too many. */
async function authorityIn({ tlsSecret, inCluster, caFile }: ManifestFlags): Promise<string> {
  if ((tlsSecret !== undefined || inCluster === true) !== (caFile !== undefined))
    throw new Error('--ca-file goes with --tls-secret or --in-cluster: the API server has to know whom to trust')
  return caFile === undefined ? '' : readFile(caFile, 'utf8')
}

async function awsObjects(args: readonly string[], options: ManifestFlags): Promise<readonly KubeObject[]> {
  const { defaultManifestOptions, renderPodWebhookManifests } = await import('#operators/pods')
  const { refusePodsArguments } = await import('../charts/pods.ts')
  const { namespace = 'eks', image, replicas, failurePolicy = defaultManifestOptions.failurePolicy, apiServerCidr } = options
  refusePodsArguments(args, 'vouch webhook manifests')
  return renderPodWebhookManifests({
    namespace,
    image,
    replicas,
    failurePolicy,
    certificate: certificateOf(options, await authorityIn(options)),
    watchConfigMap: options.watchConfigMap === true,
    apiServers: apiServerCidr,
    clientCa: options.clientCa === undefined ? '' : await readFile(options.clientCa, 'utf8'),
    args,
  })
}

function certificateOf({ tlsSecret, inCluster, ownCertificate }: ManifestFlags, caBundle: string): CertificateChoice {
  if (tlsSecret !== undefined) return { kind: 'secret', secretName: tlsSecret, caBundle }
  if (inCluster === true) return { kind: 'cluster', caBundle }
  return ownCertificate === true ? { kind: 'own' } : { kind: 'cert-manager' }
}

async function azureObjects(args: readonly string[], options: ManifestFlags): Promise<readonly KubeObject[]> {
  const { refuseAzureArguments } = await import('./azure-arguments.ts')
  const { renderAzureWebhookManifests } = await import('#operators/pods')
  const { tenantId, cloud = 'AzurePublicCloud', namespace, image, replicas, failurePolicy, tlsSecret } = options
  if (tenantId === undefined) throw new Error('--tenant-id is needed with --provider azure')
  refuseAzureArguments(args, { AZURE_TENANT_ID: tenantId, AZURE_ENVIRONMENT: cloud })
  const caBundle = await authorityIn(options)
  return renderAzureWebhookManifests({
    tenantId,
    cloud,
    image,
    replicas,
    certificate: tlsSecret === undefined ? { kind: 'rotated' } : { kind: 'secret', secretName: tlsSecret, caBundle },
    apiServers: options.apiServerCidr,
    args,
    ...given({ namespace, failurePolicy }),
  })
}

async function bothObjects(args: readonly string[], options: ManifestFlags): Promise<readonly KubeObject[]> {
  const { refuseBothArguments } = await import('../charts/both.ts')
  const { renderBothWebhookManifests } = await import('#operators/pods')
  const { tenantId, cloud = 'AzurePublicCloud', namespace, image, replicas, failurePolicy, tlsSecret } = options
  if (tenantId === undefined) throw new Error('--tenant-id is needed with --provider both')
  refuseBothArguments(args, 'vouch webhook manifests', { tenantId, cloud })
  const caBundle = await authorityIn(options)
  return renderBothWebhookManifests({
    tenantId,
    cloud,
    image,
    replicas,
    certificate: tlsSecret === undefined ? { kind: 'own' } : { kind: 'secret', secretName: tlsSecret, caBundle },
    watchConfigMap: options.watchConfigMap === true,
    apiServers: options.apiServerCidr,
    args,
    ...given({ namespace }),
    ...(failurePolicy === undefined ? {} : { failurePolicy: { aws: failurePolicy, azure: failurePolicy } }),
  })
}

const objectsOf = { aws: awsObjects, azure: azureObjects, both: bothObjects } as const

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const family = isIP(address)
  return family !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}
