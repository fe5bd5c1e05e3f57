// `vouch webhook`: the pod identity webhooks as processes (webhook-servers.ts), as manifests, and what is asked of it without a cluster.
import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { FlagError } from '#base'
import { exitCode } from './exit-codes.ts'
import { tellText, warn } from './print.ts'
import { tellRefusal } from './refusal.ts'
import { type AuditFlags, flagsHint } from './webhook-audit.ts'
import { addManifestsCommand } from './webhook-manifests.ts'
import type { WebhookKind } from './webhook-name.ts'
import { runStarted } from './webhook-servers.ts'
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
  addManifestsCommand(webhook)
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
