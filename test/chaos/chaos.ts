// Minutes of chaos, and then the question what is left of it. People use the platform all the while, one of them with bad intentions; replicas
// die, roads are cut, AWS fails. Then everything heals: claims must become as they ask, in AWS and in the cluster; all are deleted, and nothing
// of theirs may be left. The order of deeds follows from the seed; what comes of it also depends on how fast the machine is.
import { type Random, seededRandom, systemClock } from '#base'
import { leaks, unready, wrongInAws } from './compare.ts'
import { claimTypes, hostileActs, playDeploymentController, teamActs } from './people.ts'
import { type Platform, startPlatform } from './platform.ts'
import { faultsOf } from './weather.ts'

export interface ChaosOptions {
  readonly forMs: number
  readonly seed: string
  readonly say: (line: string) => void
}

export interface ChaosResult {
  /** What is left or wrong, each a sentence; empty when all is well. */
  readonly troubles: readonly string[]
  readonly counts: ReadonlyMap<string, number>
}

/** How long healed operators have: a leader that was stopped keeps its lease for a while, and delays have grown. */
const healedMsMax = 420_000
const progressMs = 10_000

export async function runChaos({ forMs, seed, say }: ChaosOptions): Promise<ChaosResult> {
  const platform = await startPlatform()
  const counts = new Map<string, number>()
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  const stop = new AbortController()
  const deployed = keepDeploying(platform, stop.signal)
  let troubles: readonly string[] | undefined
  try {
    say(`two kube-apiservers, two replicas and AWS are up; logs in ${platform.folder}`)
    await misbehave(platform, { forMs, random: seededRandom(seed), count, say: () => say(renderCounts(counts)) })
    say(`healed; claims have ${healedMsMax / 1_000} s to become as they ask`)
    const wrong = await settles(platform, () => wrongNow(platform), say)
    await deleteAll(platform)
    say('all claims are deleted; what is left?')
    const left = await settles(platform, () => leaks(platform), say)
    const crashes = platform.replicas.flatMap(replica => replica.crashes)
    troubles = [...wrong, ...left, ...crashes]
    return { troubles, counts }
  } finally {
    stop.abort()
    await deployed
    await platform.close({ keepLogs: troubles?.length !== 0 })
  }
}

interface Mischief {
  readonly forMs: number
  readonly random: Random
  readonly count: (what: string) => void
  readonly say: () => void
}

async function misbehave(platform: Platform, { forMs, random, count, say }: Mischief): Promise<void> {
  const untilMs = systemClock.monotonicMs() + forMs
  const ends: { atMs: number; end: () => void }[] = []
  let saidMs = systemClock.monotonicMs()
  while (systemClock.monotonicMs() < untilMs) {
    const nowMs = systemClock.monotonicMs()
    for (const due of ends.filter(({ atMs }) => atMs <= nowMs)) ends.splice(ends.indexOf(due), 1)[0]?.end()
    if (nowMs - saidMs >= progressMs) {
      say()
      saidMs = nowMs
    }
    if (random.float() < 0.15) {
      const faults = faultsOf(platform, random)
      const fault = faults[random.integer(faults.length)]
      if (fault !== undefined) ends.push({ atMs: nowMs + 1_000 + random.integer(20_000), end: fault.strike() })
      count(fault?.name ?? 'nothing')
    }
    const deed = random.float() < 0.3 ? hostileActs : teamActs
    // Two of them may want the same name: one is refused.
    count(await deed(platform, random).catch(() => 'refused'))
    await systemClock.sleep(100 + random.integer(400))
  }
  for (const { end } of ends) end()
  heal(platform)
}

function heal({ roads, replicas, aws }: Platform): void {
  aws.faults.clear()
  for (const road of Object.values(roads)) {
    road.silence(false)
    road.refuse(false)
    road.delay(0)
    road.reset()
  }
  for (const replica of replicas) {
    replica.resume()
    replica.start()
  }
}

async function wrongNow(platform: Platform): Promise<readonly string[]> {
  const found = await unready(platform)
  return found.length > 0 ? found : await wrongInAws(platform)
}

/** Asks until there is nothing to say any more, or for too long. A replica that ended for its lost lease is started again, as a kubelet would. */
async function settles(
  { replicas }: Platform,
  ask: () => Promise<readonly string[]>,
  say: (line: string) => void,
): Promise<readonly string[]> {
  const untilMs = systemClock.monotonicMs() + healedMsMax
  for (let turn = 0; ; turn++) {
    for (const replica of replicas) replica.start()
    const found = await ask()
    if (found.length === 0 || systemClock.monotonicMs() > untilMs) return found
    if (turn % 10 === 9) say(`${found.length} to go, such as ${found[0]}`)
    await systemClock.sleep(1_000)
  }
}

async function deleteAll({ hub }: Platform): Promise<void> {
  for (const type of claimTypes)
    for (const { metadata } of (await hub.list(type)).items)
      await hub.delete(type, { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }).catch(() => undefined)
}

async function keepDeploying({ cluster }: Platform, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await playDeploymentController(cluster).catch(() => undefined)
    await systemClock.sleep(1_000, signal).catch(() => undefined)
  }
}

export function renderCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([what, count]) => `${what} ${count}`).join(', ')
}
