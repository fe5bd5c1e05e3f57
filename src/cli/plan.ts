// `vouch plan`: what would become of manifests. Looks at AWS and, where there is one, at the cluster; writes nowhere.
import { type Command, Option } from 'commander'
import { systemClock, systemSeams } from '#base'
import type { RolloutRules } from '#fleet'
import type { ResourceType, StoredObject } from '#kube'
import type { connect, ListOptions } from '#kube/client'
import manifest from '../../package.json' with { type: 'json' }
import { readManifests } from './files/read-manifests.ts'
import { exitCode } from './frame/exit-codes.ts'
import { looking } from './frame/looking.ts'
import { tell, tellText } from './frame/print.ts'
import type { PlannedObject, PlannedVerb } from './plan/plan-all.ts'
import type { HubReads } from './plan/plan-rollout.ts'

interface Flags {
  readonly filename: readonly string[]
  readonly offline: boolean
  readonly skipOtherKinds: boolean
  readonly rolloutRules: RolloutRules
  readonly output: 'text' | 'json'
}

export function addPlanCommand(program: Command): void {
  program
    .command('plan')
    .description('what would be done in AWS for manifests')
    .requiredOption('-f, --filename <paths...>', 'manifests, or folders with manifests, at any depth')
    .option('--skip-other-kinds', 'leave out what is of no kind of ours, which is refused otherwise', false)
    .option('--offline', 'without a look at the cluster: nothing counts as managed', false)
    .addOption(
      new Option('--rollout-rules <rules>', 'how ReplicaSets would roll out, as vouch operator has it')
        .choices(['safe', 'ocm'])
        .default('safe'),
    )
    .addOption(new Option('-o, --output <form>', 'how to print it').choices(['text', 'json']).default('text'))
    .argument('[flags...]')
    .action((args: readonly string[], flags: Flags) => plan(args, flags))
}

async function plan(args: readonly string[], flags: Flags): Promise<void> {
  const manifests = await readManifests(flags.filename)
  await looking(args, async ({ options, crds, kubeconfig, signal }) => {
    const { planAll } = await import('./plan/plan-all.ts')
    const cluster = flags.offline ? undefined : await liveReads(kubeconfig)
    try {
      const rollouts = { rules: flags.rolloutRules, now: systemClock.now() }
      const live = cluster === undefined ? {} : { live: cluster.live }
      const all = await planAll({ options, crds, manifests, signal, ...rollouts, ...live })
      const changes = flags.skipOtherKinds ? all.filter(({ verb }) => verb !== 'unknown') : all
      if (changes.length === 0)
        throw new Error(
          `${flags.filename.join(', ')}: nothing that could be planned; docs/reference/kinds.md has the kinds that can`,
        )
      print(changes, flags.output)
      process.exitCode = codeOf(changes)
    } finally {
      await cluster?.close()
    }
  })
}

const signs: Readonly<Record<PlannedVerb, string>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
  none: '=',
  blocked: '!',
  invalid: 'x',
  unknown: '?',
}

function codeOf(changes: readonly PlannedObject[]): number {
  if (changes.some(({ verb }) => verb === 'blocked' || verb === 'invalid' || verb === 'unknown'))
    return exitCode('plan', 'failed')
  return exitCode('plan', changes.every(({ verb }) => verb === 'none') ? 'nothing' : 'something')
}

function print(changes: readonly PlannedObject[], form: Flags['output']): void {
  if (form === 'json') {
    tellText(JSON.stringify(changes, undefined, 2))
    return
  }
  for (const { kind, namespace, name, verb, details } of changes) {
    tell(`${signs[verb]} ${verb} ${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`)
    for (const detail of details) tell(`    ${detail}`)
  }
  const counted = Object.keys(signs).map(verb => `${changes.filter(change => change.verb === verb).length} ${verb}`)
  tell(counted.filter((text, index) => index < alwaysCounted || !text.startsWith('0 ')).join(', '))
}

/** The first of the signs are counted also when there is none. */
const alwaysCounted = 6

async function connecting(...options: Parameters<typeof connect>): ReturnType<typeof connect> {
  const client = await import('#kube/client')
  try {
    return await client.connect(...options)
  } catch (error) {
    throw new Error(`${(error as Error).message} (--offline plans without a cluster)`, { cause: error })
  }
}

async function liveReads(kubeconfig: string | undefined): Promise<{ readonly live: HubReads; close(): Promise<void> }> {
  const { KubeError } = await import('#kube/client')
  const connected = await connecting(systemSeams(process.env), {
    ...(kubeconfig === undefined ? {} : { kubeconfig: [kubeconfig] }),
    userAgent: `vouch-plan/${manifest.version}`,
  })
  const { client } = connected
  // A kind that is not installed has no objects.
  const orNone = async <T>(read: () => Promise<T>, none: T): Promise<T> => {
    try {
      return await read()
    } catch (error) {
      if (error instanceof KubeError && error.reason === 'NotFound') return none
      throw error
    }
  }
  const all = <T extends StoredObject>(type: ResourceType, options: ListOptions = {}): Promise<readonly T[]> =>
    orNone(async () => (await client.listAll<T>(type, options)).items, [])
  return {
    live: {
      find: (type, key) => orNone(() => client.find(type, key), undefined),
      list: type => all(type),
      named: (type, name) => all(type, { fieldSelector: `metadata.name=${name}` }),
    },
    close: () => client.close(),
  }
}
