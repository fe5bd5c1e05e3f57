// `vouch render`: every manifest, as YAML that kubectl applies, from the same data that the program itself uses.
import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { FlagError } from '#base'
import type { KubeObject } from '#kube'
import manifest from '../../package.json' with { type: 'json' }
import type { ChartId } from './charts/charts.ts'
import { warn } from './frame/print.ts'
import { tellRefusal } from './frame/refusal.ts'
import { readName, readNamespace, readReplicas } from './manifest-options.ts'
import { tellManifests } from './print-manifests.ts'

interface Flags {
  readonly part: 'hub' | 'target' | 'crds' | 'inventory' | 'operator-config'
  readonly name: string
  readonly namespace: string
  readonly image: string
  readonly replicas: number
  readonly clusterProfileNamespaces: string
  readonly providerFile?: string
  readonly tlsSecret?: string
  readonly caFile?: string
  readonly ownCertificate?: true
  readonly metricsService: boolean
  readonly webhookNamespace: string
  readonly remoteAccount: string
  readonly chart?: ChartId
  readonly values?: readonly string[]
  readonly set?: readonly string[]
  readonly file: readonly string[]
}

export function addRenderCommand(program: Command): void {
  program
    .command('render')
    .description('print the manifests of the operator, for its flags or for values as Helm takes them')
    .addOption(
      new Option('--part <part>', 'which manifests: of the hub, of each target, or single ones')
        .choices(['hub', 'target', 'crds', 'inventory', 'operator-config'])
        .default('hub'),
    )
    .option('--name <name>', 'name of what is rendered', readName, 'vouch')
    .option('--namespace <name>', 'where the operator runs', readNamespace, 'vouch-system')
    .option('--image <image>', 'the image to run', `vouch:${manifest.version}`)
    .option('--replicas <number>', 'how many pods, of which one leads', readReplicas, 2)
    .option('--cluster-profile-namespaces <names>', 'where ClusterProfiles are, separated by commas; * is everywhere', '*')
    .option('--provider-file <file>', 'the provider file (JSON); default: one without providers')
    .option('--tls-secret <name>', 'a Secret with the serving pair that somebody else keeps; default: cert-manager makes one')
    .option('--own-certificate', 'let the process keep an authority of its own for its webhooks, instead of cert-manager')
    .option('--ca-file <file>', 'PEM of the authority of --tls-secret')
    .option('--no-metrics-service', 'without a Service for the metrics')
    .option(
      '--webhook-namespace <name>',
      'on targets: where the pod identity webhook runs',
      readNamespace,
      'aws-pod-identity-webhook',
    )
    .option(
      '--remote-account <namespace/name>',
      'on targets: the account that the credentials of the provider are of',
      'vouch/vouch',
    )
    .addOption(new Option('--chart <name>', 'print what Helm would print of this chart; vouch with --values').choices(chartNames))
    .option(
      '--values <files...>',
      'files of values (YAML), later ones over earlier ones, - for standard input: what Helm would print with them',
    )
    .option('--set <pairs...>', 'values one by one over those of files, such as replicaCount=2,operators.resources.enabled=true')
    .option(
      '-f, --file <files...>',
      'with `render hosted`: a HostedControlPlane and what the platform has beside it (YAML); - is standard input',
      [],
    )
    .argument('[flags...]')
    .action((args: readonly string[], flags: Flags, command: Command) => render(args, flags, command))
}

/** Written here again, because charts.ts is only loaded when the command runs. */
const chartNames: readonly ChartId[] = [
  'vouch',
  'aws-workload-identity-operator',
  'pod-identity-webhooks',
  'azure-workload-identity-webhook',
  'cloud-identity-webhooks',
]

async function render(args: readonly string[], flags: Flags, command: Command): Promise<void> {
  try {
    const { chart, values = [], set = [] } = flags
    const isChart = chart !== undefined || values.length > 0 || set.length > 0
    const objects = isChart ? await chartObjects(args, flags, command) : await objectsOf(args, flags)
    tellManifests(objects)
  } catch (error) {
    tellRefusal(error, error instanceof FlagError ? 'vouch operator --help lists the flags of the operator' : undefined)
  }
}

async function objectsOf(args: readonly string[], flags: Flags): Promise<readonly KubeObject[]> {
  const [first, ...rest] = args
  if (first === 'hosted') {
    const { hostedObjects } = await import('./render/hosted.ts')
    const { objects, warnings } = await hostedObjects(rest, flags.file)
    for (const warning of warnings) warn(warning)
    return objects
  }
  if (flags.file.length > 0) throw new Error('-f goes with `vouch render hosted`')
  const identity = await import('#operators/identity')
  switch (flags.part) {
    case 'crds':
      return identity.renderIdentityCrds()
    case 'inventory': {
      const { renderCrd } = await import('#kube')
      const { clusterProfileKind } = await import('#fleet')
      return [renderCrd(clusterProfileKind)]
    }
    case 'operator-config':
      return [identity.renderOperatorConfig()]
    case 'target':
      return identity.renderTargetManifests({
        name: flags.name,
        webhookNamespace: flags.webhookNamespace,
        account: readAccount(flags.remoteAccount),
      })
    default:
      return hubObjects(args, flags)
  }
}

/** The options that go with values. */
const ofRelease = new Set(['chart', 'values', 'set', 'name', 'namespace'])

/** As `helm template NAME CHART --namespace NAMESPACE` with the same values. */
async function chartObjects(args: readonly string[], flags: Flags, command: Command): Promise<readonly KubeObject[]> {
  const stranger = command.options.find(
    option => !ofRelease.has(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (stranger !== undefined) throw new Error(`${stranger.long} does not go with values: say it in them`)
  if (args.length > 0) {
    throw new Error('flags of vouch operator do not go with values: say them as values, in flags or operators.NAME.flags')
  }
  const { renderChart } = await import('./charts/charts.ts')
  const { readValues } = await import('./charts/read-values.ts')
  const { chart = 'vouch', name, namespace, values = [], set = [] } = flags
  return renderChart(chart, await readValues(values, set), { name, namespace, service: 'Helm' })
}

async function hubObjects(args: readonly string[], flags: Flags): Promise<readonly KubeObject[]> {
  const { renderHub } = await import('./render/hub.ts')
  const { name, namespace, image, replicas, metricsService, tlsSecret, caFile, providerFile } = flags
  if ((tlsSecret === undefined) !== (caFile === undefined)) {
    throw new Error('--tls-secret and --ca-file go together: the API server has to know whom to trust')
  }
  if (flags.ownCertificate === true && tlsSecret !== undefined)
    throw new Error('--own-certificate and --tls-secret are two ways to one thing: take one of them')
  return renderHub({
    name,
    namespace,
    image,
    replicas,
    args,
    profileNamespaces: flags.clusterProfileNamespaces.split(',').map(one => one.trim()),
    files: providerFile === undefined ? {} : { 'clusterprofile-provider-file': await readProviderFile(providerFile) },
    metricsService,
    certificate:
      tlsSecret === undefined || caFile === undefined
        ? flags.ownCertificate === true
          ? 'own'
          : 'cert-manager'
        : { secretName: tlsSecret, caBundle: await readFile(caFile, 'utf8') },
  })
}

function readAccount(text: string): { readonly namespace: string; readonly name: string } {
  const [namespace = '', name = '', ...rest] = text.split('/')
  if (namespace === '' || name === '' || rest.length > 0) {
    throw new Error(`--remote-account: ${JSON.stringify(text)} is no namespace/name such as vouch/vouch`)
  }
  return { namespace, name }
}

/** The text, which becomes a ConfigMap. It is parsed before, so that an error names the file. */
async function readProviderFile(path: string): Promise<string> {
  const { parseProviderFile } = await import('#fleet')
  const text = await readFile(path, 'utf8')
  parseProviderFile(text, path)
  return text
}
