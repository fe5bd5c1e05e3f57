// `vouch dev`: the embedded world, the whole story told in it, and then yours to try.
import { type Command, Option } from 'commander'
import { exitCode } from '../frame/exit-codes.ts'
import { stopBySignal } from '../frame/stop-signal.ts'
import type { Screen } from './screen.ts'
import type { DevWorld } from './world.ts'

interface Flags {
  readonly once: boolean
  readonly json: boolean
  readonly watch: boolean
}

export function addDevCommand(program: Command): void {
  program
    .command('dev')
    .description(
      'the whole story: four clusters, AWS and Azure in this process, the operators at work, a proof of the chain of trust',
    )
    .option('--once', 'end after the story', false)
    .option('--watch', 'apply the files of examples/quickstart again when they change', false)
    .addOption(
      new Option(
        '--json',
        'one JSON object a line, for programs; docs/reference/timeline.md, which comes with vouch, has its form',
      ).default(false),
    )
    .action((flags: Flags) => run(flags))
}

async function run(flags: Flags): Promise<void> {
  const started = performance.now()
  const { createScreen } = await import('./screen.ts')
  const { isTTY, columns } = process.stdout
  const screen = createScreen({
    write: text => process.stdout.write(text),
    elapsedMs: () => performance.now() - started,
    color: isTTY && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    ...(isTTY && columns > 0 && { columns }),
    live: isTTY && process.env['TERM'] !== 'dumb',
    json: flags.json,
  })
  const stop = stopBySignal()
  // Whoever read what is told has gone (`| head`): there is nobody left to tell it to.
  process.stdout.on('error', () => stop.abort(new Error('nobody reads')))
  try {
    process.exitCode = exitCode('dev', (await live(flags, screen, stop)) ? 'held' : 'failed')
  } catch (error) {
    process.exitCode = exitCode('dev', stop.signal.aborted ? 'interrupted' : 'failed')
    if (!stop.signal.aborted) screen.line('failed', error instanceof Error ? error.message : String(error))
  }
}

/** The world from its first to its last moment. True when the proof held. */
async function live({ once, watch }: Flags, screen: Screen, stop: AbortController): Promise<boolean> {
  screen.chapter('world', 'A hub, three clusters and AWS, in one process')
  const opening = import('./world.ts').then(({ openDevWorld }) => openDevWorld())
  await using world = await screen.during(() => 'the API servers and AWS start', opening)
  const running: Promise<unknown>[] = []
  // Not `stop` itself: who looks at that one wants to know whether somebody interrupted us.
  const end = new AbortController()
  const signal = AbortSignal.any([stop.signal, end.signal])
  try {
    for (const { name: cluster, address } of [world.hub, world.edge, world.prod, world.stage]) {
      screen.line('done', `${address}   ${kinds[cluster] ?? ''}`, { cluster })
    }
    screen.line('done', `${world.awsAddress}    permissions enforced, signatures verified`, { cluster: 'AWS' })
    const { tellStory } = await import('./story.ts')
    const held = await tellStory(world, screen, signal, running)
    if (!once) await stayUp(world, screen, { watch, signal })
    return held
  } finally {
    end.abort(new Error('the end'))
    await Promise.allSettled(running)
  }
}

const kinds: Readonly<Record<string, string>> = {
  hub: 'where the operators run',
  edge: 'a cluster of our own',
  prod: 'an EKS cluster with Pod Identity',
  stage: 'an EKS cluster with its OIDC issuer',
}

interface Staying {
  readonly watch: boolean
  readonly signal: AbortSignal
}

async function stayUp(world: DevWorld, screen: Screen, { watch, signal }: Staying): Promise<void> {
  const [{ writeAccess }, { invitation }, { untilAborted }] = await Promise.all([
    import('./access.ts'),
    import('./invitation.ts'),
    import('#base'),
  ])
  const { exports, ...access } = await writeAccess(world)
  screen.block(invitation(exports, screen.columns))
  screen.chapter('after', 'What happens now')
  screen.line('done', 'it stays up until Ctrl-C', { access })
  const watching = watch ? import('./watch-files.ts').then(({ watchFiles }) => watchFiles(world, screen, signal)) : undefined
  const building = import('./dns/index.ts').then(({ buildOperand }) => buildOperand(screen, signal))
  await untilAborted(signal)
  await Promise.all([watching, building])
}
