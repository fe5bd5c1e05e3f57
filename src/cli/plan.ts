// `vouch plan`: what the resources operator would do for manifests. Looks at AWS and, where there is one, at the cluster; writes nowhere.
import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { systemSeams } from '#base'
import type { KubeObject } from '#kube'
import type { connect } from '#kube/client'
import type { LiveReads, PlannedChange } from '#operators/resources'
import manifest from '../../package.json' with { type: 'json' }
import { looking } from './looking.ts'
import { tell, tellText } from './print.ts'
import { yamlFiles } from './yaml-files.ts'
import { manifestsOf } from './yaml-text.ts'

interface Flags {
  readonly filename: readonly string[]
  readonly offline: boolean
  readonly output: 'text' | 'json'
}

export function addPlanCommand(program: Command): void {
  program
    .command('plan')
    .description('what would be done in AWS for manifests; flags of the operator come after --')
    .requiredOption('-f, --filename <paths...>', 'manifests, or folders with manifests')
    .option('--offline', 'without a look at the cluster: nothing counts as managed', false)
    .addOption(new Option('-o, --output <form>', 'how to print it').choices(['text', 'json']).default('text'))
    .argument('[flags...]')
    .action((args: readonly string[], flags: Flags) => plan(args, flags))
}

async function plan(args: readonly string[], flags: Flags): Promise<void> {
  const manifests = await readManifests(flags.filename)
  await looking(args, async ({ options, kubeconfig, signal }) => {
    const { planManifests } = await import('#operators/resources')
    const cluster = flags.offline ? undefined : await liveReads(kubeconfig)
    try {
      const changes = await planManifests(options, manifests, {
        ...(cluster === undefined ? {} : { live: cluster.live }),
        signal,
      })
      print(changes, { all: manifests.length, form: flags.output })
      if (changes.some(({ verb }) => verb !== 'none' && verb !== 'blocked')) process.exitCode = 2
    } finally {
      await cluster?.close()
    }
  })
}

function print(changes: readonly PlannedChange[], { all, form }: { readonly all: number; readonly form: string }): void {
  if (form === 'json') {
    tellText(JSON.stringify(changes, undefined, 2))
    return
  }
  const signs: Readonly<Record<PlannedChange['verb'], string>> = {
    create: '+',
    update: '~',
    replace: '-/+',
    delete: '-',
    none: '=',
    blocked: '!',
  }
  for (const { kind, namespace, name, verb, details } of changes) {
    tell(`${signs[verb]} ${verb} ${kind} ${namespace}/${name}`)
    for (const detail of details) tell(`    ${detail}`)
  }
  const counted = Object.keys(signs).map(verb => `${changes.filter(change => change.verb === verb).length} ${verb}`)
  const others = all - changes.length
  tell(`${counted.join(', ')}${others === 0 ? '' : `; ${others} of other kinds`}`)
}

async function readManifests(paths: readonly string[]): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = []
  for (const path of paths) {
    for (const file of await yamlFiles(path)) {
      objects.push(...manifestsOf(file, await readFile(file, 'utf8')).filter(({ kind }) => typeof kind === 'string'))
    }
  }
  return objects
}

async function connecting(...options: Parameters<typeof connect>): ReturnType<typeof connect> {
  const client = await import('#kube/client')
  try {
    return await client.connect(...options)
  } catch (error) {
    throw new Error(`${(error as Error).message} (--offline plans without a cluster)`, { cause: error })
  }
}

async function liveReads(kubeconfig: string | undefined): Promise<{ readonly live: LiveReads; close(): Promise<void> }> {
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
  return {
    live: {
      find: (type, key) => orNone(() => client.find(type, key), undefined),
      list: type => orNone(async () => (await client.list(type, {})).items, []),
    },
    close: () => client.close(),
  }
}
