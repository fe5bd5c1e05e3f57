// `vouch webhook audit`: which pods of a cluster have another identity than the webhook would give them today.
import { readFile } from 'node:fs/promises'
import { FlagError } from '#base'
import type { KubeObject } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Audit, AuditOptions, AwsWebhookSettings, RoleEntries } from '#operators/pods'
import { exitCode } from '../frame/exit-codes.ts'
import { tell } from '../frame/print.ts'
import { tellRefusal } from '../frame/refusal.ts'

/** For whoever is told that a flag of the webhook is wrong. */
export function flagsHint(provider: string): string {
  return `vouch webhook ${provider} --help lists the flags of the webhook`
}

export interface AuditFlags {
  readonly provider: 'aws' | 'azure'
  readonly kubeconfig?: string
  readonly namespace?: string
}

export async function audit(args: readonly string[], options: AuditFlags): Promise<void> {
  const { systemSeams, silentLog } = await import('#base')
  const { connect } = await import('#kube/client')
  const { pods, serviceAccounts } = await import('#kube')
  let client: KubeClient | undefined
  try {
    // What is wrong with the flags is told before anybody is asked.
    const judge = options.provider === 'aws' ? await awsJudge(args) : await azureJudge(args)
    const kubeconfig = options.kubeconfig === undefined ? {} : { kubeconfig: [options.kubeconfig] }
    ;({ client } = await connect(systemSeams(process.env, { log: silentLog }), kubeconfig))
    const scope = options.namespace === undefined ? {} : { namespace: options.namespace }
    const [listed, accounts] = await Promise.all([client.listAll(pods, scope), client.listAll(serviceAccounts, scope)])
    const told = tellAudit(await judge({ pods: listed.items, accounts: accounts.items }, client), listed.items.length)
    for (const line of told.lines) tell(line)
    process.exitCode = told.exitCode
  } catch (error) {
    tellRefusal(error, error instanceof FlagError ? flagsHint(options.provider) : undefined)
  } finally {
    await client?.close()
  }
}

type Judge = (listed: Pick<AuditOptions, 'pods' | 'accounts'>, client: KubeClient) => Promise<Audit>

async function awsJudge(args: readonly string[]): Promise<Judge> {
  const { auditPods, parseCredentialsFile, readAwsProgram } = await import('#operators/pods')
  const { webhook } = readAwsProgram(args)
  return async (listed, client) => {
    const [entries, credentials] = await Promise.all([
      readEntries(client, webhook),
      webhook.credentialsFile === '' ? '' : readFile(webhook.credentialsFile, 'utf8'),
    ])
    const identities = parseCredentialsFile(credentials)
    if (identities instanceof Error) throw identities
    return auditPods({ ...listed, entries, identities, flags: webhook.admission })
  }
}

async function azureJudge(args: readonly string[]): Promise<Judge> {
  const { auditAzurePods } = await import('#operators/pods')
  const { readAzureSettings } = await import('./azure-arguments.ts')
  const { admission } = await readAzureSettings(args)
  return listed => Promise.resolve(auditAzurePods({ ...listed, flags: admission }))
}

async function readEntries(client: KubeClient, { watchConfigMap, namespace }: AwsWebhookSettings): Promise<RoleEntries> {
  const { configMapKey, configMapName, noRoleEntries, parseRoleEntries } = await import('#operators/pods')
  const { configMaps } = await import('#kube')
  if (!watchConfigMap) return noRoleEntries
  const key = { namespace, name: configMapName }
  const held = await client.find<KubeObject & { data?: Readonly<Record<string, string>> }>(configMaps, key)
  const entries = held === undefined ? noRoleEntries : parseRoleEntries(held.data?.[configMapKey] ?? '')
  if (entries instanceof Error) throw entries
  return entries
}

/** An audit that saw no pod has an exit code of its own: an audit of the wrong cluster must not look clean. */
export function tellAudit(
  { looked, outdated }: Audit,
  listed: number,
): { readonly lines: readonly string[]; readonly exitCode: number } {
  if (looked === 0) {
    const why =
      listed === 0
        ? 'there are none here: name the cluster whose pods are meant by --kubeconfig, which is not the hub'
        : `of ${listed} pods none runs that the webhook is asked about`
    return { lines: [`no pod was looked at: ${why}`], exitCode: exitCode('webhook audit', 'nothing') }
  }
  const told = outdated.flatMap(({ namespace, name, serviceAccount, madeBy, differences }) =>
    differences.map(difference => `${namespace}/${name} of ServiceAccount ${serviceAccount} ${difference}; made by ${madeBy}`),
  )
  const sum =
    outdated.length === 0
      ? 'each has the identity that it would get today'
      : `${outdated.length} need a restart to have the identity that they would get today`
  return {
    lines: [...told, `${looked} pods looked at, ${sum}`],
    exitCode: exitCode('webhook audit', outdated.length === 0 ? 'same' : 'outdated'),
  }
}
