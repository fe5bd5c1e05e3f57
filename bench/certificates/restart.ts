// A restart with thousands of Certs that are Ready, and a few that are not: who comes first, how fast AWS is asked, and what is written.
import { ManualClock, seededRandom, silentLog } from '#base'
import type { KubeClient } from '#kube/client'
import { certKind, createCertificatesOperator, Zones } from '#operators/certificates'
import { createManager, type Running, runManager } from '#runtime'
import { driveUntil } from './drive.ts'
import { certOf, readyCerts, versionsOf } from './ready-certs.ts'
import { type ReadyCloud, readyCloud, zone } from './ready-cloud.ts'

const hourMs = 3_600_000

export async function measureRestart(count: number, urgentCount: number): Promise<void> {
  const clock = new ManualClock()
  const { server, admin } = await readyCerts(count, clock)
  const cloud = readyCloud(clock, clock.now())
  const world = { clock, server }
  // What a first life leaves in the status is no matter here: it has no limits.
  const first = start(admin, clock, cloud, { rates: undefined })
  await driveUntil(world, allLookedAt(first, count), hourMs)
  await first.stop()
  for (let index = count; index < count + urgentCount; index++) await admin.create(certKind.type, certOf(index))
  const before = await versionsOf(admin)
  cloud.calls.length = 0
  const beganMs = clock.monotonicMs()
  const second = start(admin, clock, cloud, {})
  await driveUntil(world, allLookedAt(second, count + urgentCount), 4 * hourMs)
  const tookMs = clock.monotonicMs() - beganMs
  const after = await versionsOf(admin)
  await second.stop()
  await server.close()
  const written = [...before].filter(([name, version]) => Number(name.slice(5)) < count && after.get(name) !== version).length
  const requests = cloud.calls.filter(({ operation }) => operation === 'RequestCertificate')
  const urgentMs = (requests.at(-1)?.atMs ?? Number.NaN) - beganMs
  const ofAcm = cloud.calls.filter(({ operation }) => operation !== 'ListResourceRecordSets')
  const allowedMs = ((ofAcm.length - 10) / 5) * 1_000
  console.log(
    `\nrestart with ${count} Certs that are Ready and ${urgentCount} that are not: ${requests.length} urgent ones are asked for within ${seconds(urgentMs)}, all are looked at after ${seconds(tookMs)} (${seconds(allowedMs)} is what the bucket of ACM allows for ${ofAcm.length} calls); at most ${busiest(ofAcm)} calls in a second, of 10 at once and 5 a second; ${written} of the others are written`,
  )
}

function start(
  client: KubeClient,
  clock: ManualClock,
  { clients }: ReadyCloud,
  layers: NonNullable<Parameters<typeof createCertificatesOperator>[0]['layers']>,
): Running {
  const seams = { clock, random: seededRandom(1), log: silentLog }
  const options = { seams, clients, region: 'eu-west-1', zones: new Zones([zone]), layers, workers: 10 }
  const { controllers } = createCertificatesOperator(options)
  const passes: Running['passes'] = []
  const manager = createManager({ client, seams, controllers, identity: 'bench', onPass: record => void passes.push(record) })
  return { manager, passes, stop: runManager(manager, clock, () => Promise.resolve()) }
}

/** Each counts once, however often it was looked at. */
function allLookedAt({ passes }: Running, count: number): () => boolean {
  const seen = new Set<string>()
  let taken = 0
  return () => {
    for (; taken < passes.length; taken++) seen.add(passes[taken]?.key.name ?? '')
    return seen.size >= count
  }
}

function busiest(calls: ReadyCloud['calls']): number {
  let most = 0
  for (let first = 0, last = 0; last < calls.length; last++) {
    while ((calls[last]?.atMs ?? 0) - (calls[first]?.atMs ?? 0) >= 1_000) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
