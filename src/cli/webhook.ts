// `vouch webhook`: the pod identity webhooks as processes (webhook-aws.ts and its siblings), as manifests, and what is asked of it without a cluster.
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type Command, Option } from 'commander'
import { FlagError } from '#base'
import type { CertificateChoice } from '#operators/pods'
import { exitCode } from './exit-codes.ts'
import { readNamespace, readReplicas } from './manifest-options.ts'
import { tellText, warn } from './print.ts'
import { tellManifests } from './print-manifests.ts'
import { tellRefusal } from './refusal.ts'
import { version } from './version.ts'
import { type AuditFlags, flagsHint } from './webhook-audit.ts'
import { addAzureManifestsCommand } from './webhook-manifests-azure.ts'
import type { WebhookKind } from './webhook-name.ts'
import { runStarted } from './webhook-started.ts'
import { manifestsOf } from './yaml-text.ts'

export function addWebhookCommand(program: Command): void {
  const webhook = program.command('webhook').description('admission webhooks that give pods their cloud identity')
  for (const [kind, what] of servers)
    webhook
      .command(kind)
      .description(what)
      .argument('[flags...]')
      .allowUnknownOption()
      .passThroughOptions()
      .helpOption(false)
      .action((args: readonly string[]) => runStarted({ kind, flags: args, called: `vouch webhook ${kind}` }))
  webhook
    .command('mutate')
    .description('decide one review without a cluster')
    .addOption(new Option('--provider <name>', 'whose rules').choices(['aws']).default('aws'))
    .requiredOption('--review <file>', 'an AdmissionReview as JSON')
    .option('--objects <files...>', 'manifests (YAML or JSON) of ServiceAccounts and the ConfigMap', [])
    .option('--apply', 'print the pod as it would be stored, instead of the reply', false)
    .argument('[flags...]')
    .action((args: readonly string[], options: MutateOptions) => mutate(args, options))
  webhook
    .command('audit')
    .description('find pods that run with another identity than they would get today')
    .option('--kubeconfig <file>', 'the cluster to look at; default: as kubectl')
    .option('--namespace <name>', 'only the pods of this namespace')
    .argument('[flags...]')
    .action(async (args: readonly string[], options: AuditFlags) => (await import('./webhook-audit.ts')).audit(args, options))
  webhook
    .command('manifests')
    .description('print the manifests of the webhook')
    .addOption(new Option('--provider <name>', 'which webhook').choices(['aws']).default('aws'))
    .option('--namespace <name>', 'where it runs', readNamespace, 'eks')
    .option('--image <image>', 'the image to run', `vouch:${version}`)
    .option('--replicas <number>', 'how many pods', readReplicas, 2)
    .addOption(
      new Option('--failure-policy <policy>', 'what happens while it is away').choices(['Ignore', 'Fail']).default('Ignore'),
    )
    .option('--tls-secret <name>', 'a Secret with the serving pair that somebody else keeps; default: cert-manager makes one')
    .option('--ca-file <file>', 'PEM of the authority to trust, with --tls-secret or --in-cluster')
    .option('--in-cluster', 'let the webhook request its certificate from the cluster', false)
    .option('--api-server-cidr <cidr...>', 'where API servers call from; default: anybody may connect')
    .option('--client-ca <file>', 'PEM of the authority whose certificate API servers show; others are turned away')
    .option('--watch-config-map', 'also take roles from the ConfigMap pod-identity-webhook', false)
    .argument('[flags...]')
    .action((args: readonly string[], options: ManifestFlags) => printManifests(args, options))
  addAzureManifestsCommand(webhook)
}

const servers: readonly (readonly [WebhookKind, string])[] = [
  ['aws', 'the AWS pod identity webhook'],
  ['azure', 'the Azure workload identity webhook'],
  ['both', 'both in one process, with flags as --aws.<flag> and --azure.<flag>'],
]

interface MutateOptions {
  readonly review: string
  readonly objects: readonly string[]
  readonly apply: boolean
}

async function mutate(args: readonly string[], { review, objects, apply }: MutateOptions): Promise<void> {
  const { mutateOffline, readAwsProgram } = await import('#operators/pods')
  const { systemRandom } = await import('#base')
  try {
    const { webhook, compose } = readAwsProgram(args)
    if (compose === 'metadata-service') throw new Error('--compose-role-arn needs --aws-account-id here')
    const manifests = await Promise.all(objects.map(async file => manifestsOf(file, await readFile(file, 'utf8'))))
    const answer = await mutateOffline({
      review: await readFile(review),
      objects: manifests.flat(),
      flags: { ...webhook.admission, ...(compose === undefined ? {} : { compose }) },
      watchConfigMap: webhook.watchConfigMap,
      namespace: webhook.namespace,
      ...(webhook.credentialsFile === '' ? {} : { credentials: await readFile(webhook.credentialsFile, 'utf8') }),
      random: systemRandom,
      warn: (message, fields) => warn(`warning: ${message} (${Object.values(fields).join(', ')})`),
    })
    tellText(apply ? JSON.stringify(answer.pod, undefined, 2) : answer.review)
    process.exitCode = exitCode('webhook mutate', answer.allowed ? 'allowed' : 'refused')
  } catch (error) {
    tellRefusal(error, error instanceof FlagError ? flagsHint : undefined)
  }
}

interface ManifestFlags {
  readonly namespace: string
  readonly image: string
  readonly replicas: number
  readonly failurePolicy: 'Ignore' | 'Fail'
  readonly tlsSecret?: string
  readonly caFile?: string
  readonly inCluster: boolean
  readonly watchConfigMap: boolean
  readonly apiServerCidr?: readonly string[]
  readonly clientCa?: string
}

async function printManifests(args: readonly string[], options: ManifestFlags): Promise<void> {
  const { renderPodWebhookManifests } = await import('#operators/pods')
  const { refusePodsArguments } = await import('./charts/pods.ts')
  const { namespace, image, replicas, failurePolicy, tlsSecret, caFile, inCluster, watchConfigMap } = options
  if ((tlsSecret !== undefined || inCluster) !== (caFile !== undefined))
    throw new Error('--ca-file goes with --tls-secret or --in-cluster: the API server has to know whom to trust')
  // Checked now, instead of by a pod that does not start.
  try {
    refusePodsArguments(args, 'vouch webhook manifests')
  } catch (error) {
    return tellRefusal(error, flagsHint)
  }
  const caBundle = caFile === undefined ? '' : await readFile(caFile, 'utf8')
  const clientCa = options.clientCa === undefined ? '' : await readFile(options.clientCa, 'utf8')
  const apiServers = options.apiServerCidr ?? []
  for (const cidr of apiServers)
    if (!isCidr(cidr)) throw new Error(`--api-server-cidr takes ranges such as 10.0.0.0/24, not ${cidr}`)
  if (apiServers.length === 0 && clientCa === '')
    warn('anybody in the cluster may connect to this webhook: --api-server-cidr and --client-ca change that')
  const certificate: CertificateChoice =
    tlsSecret !== undefined
      ? { kind: 'secret', secretName: tlsSecret, caBundle }
      : inCluster
        ? { kind: 'cluster', caBundle }
        : { kind: 'cert-manager' }
  const objects = renderPodWebhookManifests({
    namespace,
    image,
    replicas,
    failurePolicy,
    certificate,
    watchConfigMap,
    apiServers,
    clientCa,
    args,
  })
  tellManifests(objects)
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/')
  const version = isIP(address)
  return version !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}
