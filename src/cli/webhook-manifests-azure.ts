// `vouch webhook manifests-azure`: what is applied to a cluster so that the Azure webhook runs there.
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { Option } from 'commander'
import { readNamespace, readReplicas } from './manifest-options.ts'
import { warn } from './print.ts'
import { tellManifests } from './print-manifests.ts'
import { tellRefusal } from './refusal.ts'
import { version } from './version.ts'

interface AzureManifestFlags {
  readonly tenantId: string
  readonly cloud: string
  readonly namespace: string
  readonly image: string
  readonly replicas: number
  readonly failurePolicy: 'Ignore' | 'Fail'
  readonly tlsSecret?: string
  readonly caFile?: string
  readonly apiServerCidr?: readonly string[]
}

export function addAzureManifestsCommand(webhook: Command): void {
  webhook
    .command('manifests-azure')
    .description('print the manifests of the Azure webhook')
    .requiredOption('--tenant-id <id>', 'the tenant of ServiceAccounts that name none')
    .option('--cloud <name>', 'the cloud, as AZURE_ENVIRONMENT names it', 'AzurePublicCloud')
    .option('--namespace <name>', 'where it runs', readNamespace, 'azure-workload-identity-system')
    .option('--image <image>', 'the image to run', `vouch:${version}`)
    .option('--replicas <number>', 'how many pods', readReplicas, 2)
    .addOption(
      new Option('--failure-policy <policy>', 'what happens while it is away').choices(['Ignore', 'Fail']).default('Fail'),
    )
    .option('--tls-secret <name>', 'a Secret with the serving pair that somebody else keeps; default: the webhook makes its own')
    .option('--ca-file <file>', 'PEM of the authority to trust, with --tls-secret')
    .option('--api-server-cidr <cidr...>', 'where API servers call from; default: anybody may connect')
    .argument('[flags...]')
    .action((args: readonly string[], options: AzureManifestFlags) => printAzureManifests(args, options))
}

async function printAzureManifests(args: readonly string[], options: AzureManifestFlags): Promise<void> {
  const { readAzureProgram, renderAzureWebhookManifests } = await import('#operators/pods')
  const { tenantId, cloud, tlsSecret, caFile, apiServerCidr: apiServers = [] } = options
  if ((tlsSecret === undefined) !== (caFile === undefined))
    throw new Error('--ca-file goes with --tls-secret: the API server has to know whom to trust')
  // Checked now, instead of by a pod that does not start.
  try {
    readAzureProgram(args, { AZURE_TENANT_ID: tenantId, AZURE_ENVIRONMENT: cloud })
  } catch (error) {
    return tellRefusal(error, 'vouch webhook azure --help lists the flags that may follow --')
  }
  if (apiServers.length === 0) warn('anybody in the cluster may connect to this webhook: --api-server-cidr changes that')
  const certificate =
    tlsSecret === undefined || caFile === undefined
      ? ({ kind: 'rotated' } as const)
      : ({ kind: 'secret', secretName: tlsSecret, caBundle: await readFile(caFile, 'utf8') } as const)
  const { namespace, image, replicas, failurePolicy } = options
  tellManifests(
    renderAzureWebhookManifests({ tenantId, cloud, namespace, image, replicas, failurePolicy, certificate, apiServers, args }),
  )
}
