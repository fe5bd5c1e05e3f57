// One process as manifests: which objects there are follows from the flags that the process gets, read here as it will read them. The
// objects themselves are made by the room of manifests, out of what each operator says of itself.
import type { KubeObject } from '#kube'
import {
  type AccountRights,
  accountsOf,
  fullnameOf,
  type Install,
  type InstalledOperator,
  labelsOf,
  namespaceOf,
  processValues,
  renderInstall,
} from '#manifests'
import { type OperatorSettings, readOperatorFlags } from '../operator/flags.ts'

export interface HubOptions {
  readonly name: string
  readonly namespace: string
  readonly image: string
  readonly version: string
  readonly replicas: number
  /** More flags of `vouch operator`; those that the manifests depend on are theirs. */
  readonly args: readonly string[]
  readonly profileNamespaces: readonly string[]
  /** What stands in files that flags name, by flag, where the manifests bring the file. */
  readonly files: Readonly<Record<string, string>>
  /** Where the certificate of the admission webhooks comes from. */
  readonly certificate: 'cert-manager' | { readonly secretName: string; readonly caBundle: string }
  /** Whether there is a Service for the metrics. */
  readonly metricsService: boolean
}

export const hubDefaults: HubOptions = {
  name: 'vouch',
  namespace: 'vouch-system',
  image: 'vouch',
  version: '',
  replicas: 2,
  args: [],
  profileNamespaces: ['*'],
  files: {},
  certificate: 'cert-manager',
  metricsService: true,
}

/** In the order in which they can be applied. Rejects where the process would not start with these flags. */
export async function renderHub(options: HubOptions): Promise<readonly KubeObject[]> {
  const install = await installOf(options)
  const objects = renderInstall(install)
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

async function installOf(options: HubOptions): Promise<Install> {
  const settings = settingsOfHub(options)
  const bare = bareInstall(options, settings)
  return { ...bare, operators: await describeAll(options, settings, bare) }
}

/** Before the operators have said what they need. */
function bareInstall(options: HubOptions, settings: OperatorSettings): Install {
  const { name, namespace, image, version, replicas, certificate, metricsService } = options
  return {
    chart: { name: 'vouch', version: version || '0.0.0', appVersion: version },
    release: { name, namespace, service: 'vouch' },
    values: {
      ...processValues,
      fullnameOverride: name,
      replicaCount: replicas,
      image: { ...processValues.image, ...imageOf(image) },
      webhookCertificate:
        certificate === 'cert-manager' ? processValues.webhookCertificate : { source: 'secret', ...certificate },
      metrics: { ...processValues.metrics, service: { ...processValues.metrics.service, enabled: metricsService } },
      podDisruptionBudget: { enabled: replicas > 1, maxUnavailable: 1 },
    },
    operators: [],
    args: argsOf(options, settings),
    env: [],
    volumes: [],
    podAnnotations: {},
    leaseNamespace: settings.process.leaseNamespace,
  }
}

function describeAll({ files }: HubOptions, settings: OperatorSettings, bare: Install): Promise<readonly InstalledOperator[]> {
  const place = { name: fullnameOf(bare), namespace: namespaceOf(bare), labels: labelsOf(bare), files }
  return Promise.all(
    settings.chosen.map(async ({ operator, settings: own }) => ({
      name: operator.name,
      lease: operator.lease,
      needs: await operator.describe(own, place),
    })),
  )
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

/** Read once to know which operators there are, and again as the process will read them. */
function settingsOfHub(options: HubOptions): OperatorSettings {
  const first = readOperatorFlags(argsOf(options), {})
  return readOperatorFlags(['--leader-elect', ...argsOf(options, first)], {})
}

/** Those of the files that are mounted, and what a person chose. */
function argsOf({ profileNamespaces, args }: HubOptions, settings?: OperatorSettings): readonly string[] {
  const chosen = settings?.chosen.map(({ operator }) => operator)
  const flag = 'cluster-profile-namespaces'
  const isKnown = chosen?.some(({ flags }) => flags.some(group => group.flags.some(({ name }) => name === flag))) ?? true
  return [
    ...(chosen?.flatMap(({ deployedArgs = [] }) => deployedArgs) ?? []),
    ...(isKnown ? [`--${flag}=${profileNamespaces.join(',')}`] : []),
    ...args,
  ]
}
