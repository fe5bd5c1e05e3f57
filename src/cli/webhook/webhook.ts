// `vouch webhook`: the pod identity webhooks as processes (webhook-servers.ts), as manifests, and what is asked of it without a cluster.
import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { FlagError } from '#base'
import type { OfflineAnswer, OfflineOptions } from '#operators/pods'
import { manifestsOf } from '../files/yaml-text.ts'
import { exitCode } from '../frame/exit-codes.ts'
import { tellText, warn } from '../frame/print.ts'
import { tellRefusal } from '../frame/refusal.ts'
import { type AuditFlags, flagsHint } from './audit.ts'
import { addManifestsCommand } from './manifests.ts'
import type { WebhookKind } from './name.ts'
import { runStarted } from './servers.ts'

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
    .addOption(new Option('--provider <name>', 'whose rules').choices(['aws', 'azure']).default('aws'))
    .requiredOption('--review <file>', 'an AdmissionReview as JSON')
    .option('--objects <files...>', 'manifests (YAML or JSON) of ServiceAccounts and the ConfigMap', [])
    .option('--apply', 'print the pod as it would be stored, instead of the reply', false)
    .argument('[flags...]')
    .action((args: readonly string[], options: MutateOptions) => mutate(args, options))
  webhook
    .command('audit')
    .description('find pods that run with another identity than they would get today')
    .addOption(new Option('--provider <name>', 'whose identity').choices(['aws', 'azure']).default('aws'))
    .option('--kubeconfig <file>', 'the cluster to look at; default: as kubectl')
    .option('--namespace <name>', 'only the pods of this namespace')
    .argument('[flags...]')
    .action(async (args: readonly string[], options: AuditFlags) => (await import('./audit.ts')).audit(args, options))
  addManifestsCommand(webhook)
  webhook
    // For containers, not for people.
    .command('azure-proxy', { hidden: true })
    .description('answer a pod’s calls of the instance metadata service of Azure, in the container that the webhook injects')
    .argument('[flags...]')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action(async (args: readonly string[]) => (await import('./proxy.ts')).runAzureProxy(args))
}

const servers: readonly (readonly [WebhookKind, string])[] = [
  ['aws', 'the AWS pod identity webhook'],
  ['azure', 'the Azure workload identity webhook'],
  ['both', 'both in one process, with flags as --aws.<flag> and --azure.<flag>'],
]

interface MutateOptions {
  readonly provider: 'aws' | 'azure'
  readonly review: string
  readonly objects: readonly string[]
  readonly apply: boolean
}

async function mutate(args: readonly string[], options: MutateOptions): Promise<void> {
  const { provider, review, objects, apply } = options
  try {
    const read = objects.map(async file => manifestsOf(file, await readFile(file, 'utf8')))
    const given = { review: await readFile(review), objects: (await Promise.all(read)).flat() }
    const answer = provider === 'aws' ? await mutateAws(args, given) : await mutateAzure(args, given)
    tellText(apply ? JSON.stringify(answer.pod, undefined, 2) : answer.review)
    process.exitCode = exitCode('webhook mutate', answer.allowed ? 'allowed' : 'refused')
  } catch (error) {
    tellRefusal(error, error instanceof FlagError ? flagsHint(provider) : undefined)
  }
}

type Given = Pick<OfflineOptions, 'review' | 'objects'>

const tellOdd: OfflineOptions['warn'] = (message, fields) => warn(`warning: ${message} (${Object.values(fields).join(', ')})`)

async function mutateAws(args: readonly string[], given: Given): Promise<OfflineAnswer> {
  const { mutateOffline, readAwsProgram } = await import('#operators/pods')
  const { systemRandom } = await import('#base')
  const { webhook, compose } = readAwsProgram(args)
  if (compose === 'metadata-service') throw new Error('--compose-role-arn needs --aws-account-id here')
  return mutateOffline({
    ...given,
    flags: { ...webhook.admission, ...(compose === undefined ? {} : { compose }) },
    watchConfigMap: webhook.watchConfigMap,
    namespace: webhook.namespace,
    ...(webhook.credentialsFile === '' ? {} : { credentials: await readFile(webhook.credentialsFile, 'utf8') }),
    random: systemRandom,
    warn: tellOdd,
  })
}

/** As an API server of 1.32 or newer would have it. */
async function mutateAzure(args: readonly string[], given: Given): Promise<OfflineAnswer> {
  const { mutateAzureOffline } = await import('#operators/pods')
  const { readAzureSettings } = await import('./azure-arguments.ts')
  const { admission } = await readAzureSettings(args)
  return mutateAzureOffline({ ...given, flags: admission, hasNativeSidecars: true, warn: tellOdd })
}
