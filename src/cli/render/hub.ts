// One process as manifests, from the options of a command and the flags that the process gets: the same chart that Helm installs, with
// values that follow from them.
import { parseFlags } from '#base'
import type { KubeObject } from '#kube'
import {
  type AccountRights,
  accountsOf,
  decidedWith,
  type Install,
  type InstalledOperator,
  labelsOf,
  namespaceOf,
  type Release,
} from '#manifests'
import type { Operator } from '#runtime'
import { installUmbrella, type OperatorValues, renderUmbrella, type UmbrellaValues, umbrellaValues } from '../charts/umbrella.ts'
import { mergeValues } from '../charts/values.ts'
import { chooseOperators, operatorFlags } from '../operator/flags.ts'
import { operators } from '../operators.ts'

export interface HubOptions {
  readonly name: string
  readonly namespace: string
  readonly image: string
  readonly replicas: number
  /** More flags of `vouch operator`; those that the manifests depend on are theirs. */
  readonly args: readonly string[]
  readonly profileNamespaces: readonly string[]
  /** What stands in files that flags name, by flag, where the manifests bring the file. */
  readonly files: Readonly<Record<string, string>>
  /** Where the certificate of the admission webhooks comes from. */
  readonly certificate: 'cert-manager' | 'own' | { readonly secretName: string; readonly caBundle: string }
  /** Whether there is a Service for the metrics. */
  readonly metricsService: boolean
}

export const hubDefaults: HubOptions = {
  name: 'vouch',
  namespace: 'vouch-system',
  image: 'vouch',
  replicas: 2,
  args: [],
  profileNamespaces: ['*'],
  files: {},
  certificate: 'cert-manager',
  metricsService: true,
}

/** The objects of the hub in the order in which they can be applied. Rejects where the process would not start with these flags. */
export async function renderHub(options: HubOptions): Promise<readonly KubeObject[]> {
  const install = await installOf(options)
  const objects = await renderUmbrella(hubValues(options), releaseOf(options))
  const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition')
  const metadata = { name: namespaceOf(install), labels: labelsOf(install) }
  return [...crds, { apiVersion: 'v1', kind: 'Namespace', metadata }, ...objects.filter(object => !crds.includes(object))]
}

/** What each account of the process may do; its own comes first. */
export async function rightsOfHub(options: HubOptions): Promise<readonly AccountRights[]> {
  return accountsOf(await installOf(options))
}

/** What each operator of the process says that it needs. */
export async function needsOfHub(options: HubOptions): Promise<readonly InstalledOperator[]> {
  return (await installOf(options)).operators
}

function installOf(options: HubOptions): Promise<Install> {
  return installUmbrella(hubValues(options), releaseOf(options))
}

function releaseOf({ name, namespace }: HubOptions): Release {
  return { name, namespace, service: 'vouch' }
}

/** The values of the chart under which Helm would install the same. Throws `FlagError` for what is no flag. */
export function hubValues(options: HubOptions): UmbrellaValues {
  const { name, image, replicas, certificate, metricsService, args } = options
  const given = parseFlags(operatorFlags, args, new Map())
  const running = chooseOperators(given.text('controllers'))
  // These are values of the chart; only this command takes them as flags.
  const names = [...given.given].filter(flag => !['controllers', 'leader-election-namespace', 'shards'].includes(flag))
  refuseDecided(names, running)
  const words = new Map(names.map(flag => [flag, given.text(flag)]))
  const values = mergeValues(umbrellaValues(), {
    fullnameOverride: name,
    replicaCount: replicas,
    image: imageOf(image),
    operator: { leaderElection: { namespace: given.text('leader-election-namespace'), shards: Number(given.integer('shards')) } },
    webhookCertificate: typeof certificate === 'string' ? { source: certificate } : { source: 'secret', ...certificate },
    metrics: { service: { enabled: metricsService } },
    podDisruptionBudget: { enabled: replicas > 1, maxUnavailable: 1 },
    flags: Object.fromEntries([...words].filter(([flag]) => ownersOf(flag, running).length !== 1)),
  })
  const told = { options, running, words, values }
  return { ...values, operators: Object.fromEntries(operators.map(each => [each.name, operatorValues(each, told)])) }
}

/** Throws for a flag that a value of the chart decides. The person wrote no values, so the message says how to. */
function refuseDecided(names: readonly string[], running: readonly Operator[]): void {
  const decided = decidedWith(running)
  const name = names.find(one => Object.hasOwn(decided, one))
  if (name === undefined) return
  throw new Error(`--${name} is not taken here: ${decided[name]}; values are said by --set and --values`)
}

interface Told {
  readonly options: HubOptions
  readonly running: readonly Operator[]
  readonly words: ReadonlyMap<string, string>
  readonly values: UmbrellaValues
}

/** Leaves out the flags that the chart gives by default: the program has defaults of its own. */
function operatorValues(operator: Operator, { options, running, words, values }: Told): OperatorValues {
  const isOwn = (flag: string): boolean => ownersOf(flag, running).includes(operator) && ownersOf(flag, running).length === 1
  const own = Object.fromEntries([...words].filter(([flag]) => isOwn(flag)))
  const profiles = 'cluster-profile-namespaces'
  return {
    enabled: running.includes(operator),
    flags: knows(operator, profiles) ? { [profiles]: options.profileNamespaces.join(','), ...own } : own,
    files: {
      ...values.operators[operator.name]?.files,
      ...Object.fromEntries(Object.entries(options.files).filter(([flag]) => knows(operator, flag))),
    },
  }
}

function ownersOf(flag: string, running: readonly Operator[]): readonly Operator[] {
  return running.filter(operator => knows(operator, flag))
}

function knows({ flags }: Operator, name: string): boolean {
  return flags.some(group => group.flags.some(flag => flag.name === name))
}

/** An image as one word: its registry is part of its name, and it has a tag or a digest. */
function imageOf(image: string): { readonly repository: string; readonly tag: string; readonly digest: string } {
  const [named = '', digest = ''] = image.split('@')
  const at = named.lastIndexOf(':')
  const isTagged = at > named.lastIndexOf('/')
  return {
    repository: isTagged ? named.slice(0, at) : named,
    tag: isTagged ? named.slice(at + 1) : 'latest',
    digest,
  }
}
