// `vouch rights`: what each operator needs, to be granted before it is installed: policies for AWS, rules for Kubernetes. The same data from
// which the manifests are rendered.
import { type Command, Option } from 'commander'
import { FlagError } from '#base'
import { type RightsPolicy, rightsPolicy } from '#cloud'
import { tellText } from './frame/print.ts'
import { tellRefusal } from './frame/refusal.ts'
import { readName, readNamespace } from './manifest-options.ts'

interface Flags {
  readonly of: 'all' | 'aws' | 'kubernetes'
  readonly name: string
  readonly namespace: string
  readonly ownCertificate?: true
}

export function addRightsCommand(program: Command): void {
  program
    .command('rights')
    .description('print which permissions the operators need, as JSON')
    .addOption(new Option('--of <where>', 'in AWS, in Kubernetes, or both').choices(['all', 'aws', 'kubernetes']).default('all'))
    .option('--name <name>', 'name of the installation', readName, 'vouch')
    .option('--namespace <name>', 'where it runs', readNamespace, 'vouch-system')
    .option('--own-certificate', 'with vouch render --own-certificate: the rights to keep the authority of the webhooks as well')
    .argument('[flags...]')
    .action((args: readonly string[], flags: Flags) => rights(args, flags))
}

async function rights(args: readonly string[], flags: Flags): Promise<void> {
  try {
    tellText(JSON.stringify(await rightsOf(args, flags), undefined, 2))
  } catch (error) {
    tellRefusal(error, error instanceof FlagError ? 'vouch operator --help lists the flags of the operator' : undefined)
  }
}

export interface PrintedRights {
  /** A policy document for each operator. */
  readonly aws?: Readonly<Record<string, RightsPolicy>>
  /** Rules for each ServiceAccount. */
  readonly kubernetes?: Readonly<Record<string, readonly object[]>>
}

export async function rightsOf(args: readonly string[], { of, name, namespace, ownCertificate }: Flags): Promise<PrintedRights> {
  const { hubDefaults, needsOfHub, rightsOfHub } = await import('./render/hub.ts')
  const certificate = ownCertificate === true ? 'own' : hubDefaults.certificate
  const options = { ...hubDefaults, name, namespace, args, certificate }
  const operators = await needsOfHub(options)
  const accounts = await rightsOfHub(options)
  return {
    ...(of === 'kubernetes'
      ? {}
      : { aws: Object.fromEntries(operators.map(each => [each.name, rightsPolicy(each.needs.rights.cloud)])) }),
    ...(of === 'aws' ? {} : { kubernetes: Object.fromEntries(accounts.map(each => [each.account, each.rights])) }),
  }
}
