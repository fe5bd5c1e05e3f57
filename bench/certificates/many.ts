// Many Certs at once on a cloud that refuses what is above its published limits: how near the time comes to what the limits allow.
import { type Cert, certKind } from '#operators/certificates'
import type { Running } from '#runtime'
import { type CertWorld, certWorld, zoneName } from '../../src/operators/certificates/testing/cert-world.ts'
import { each } from '../identity/print.ts'
import { CallTally, type CountedCall } from './call-tally.ts'
import { driveFor, driveUntil } from './drive.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

export async function measureMany(count: number): Promise<void> {
  const began = performance.now()
  await using world = certWorld({ knobs: { throttling: 'published' } })
  await world.zone(zoneName)
  const tally = new CallTally(world.clock)
  const running = world.start({
    throughAws: tally.through,
    workers: 10,
    settings: { requestsPerDayMax: 2 * count, sharesRequests: false },
  })
  await driveFor(world, minuteMs)
  tally.calls.length = 0
  const startMs = world.clock.monotonicMs()
  for (let index = 0; index < count; index++) await world.apply(`cert-${index}`, { keyAlgorithm: 'EC_prime256v1' })
  const look = readyMs(world, running, count)
  await driveUntil(world, () => look() !== undefined, dayMs)
  const tookSeconds = (world.clock.monotonicMs() - startMs) / 1_000
  const use = slowest(tally)
  const { bucket, seconds, beganMs, endedMs } = use
  const busySeconds = (endedMs - beganMs) / 1_000
  console.log(
    `\n${count} Certs at once on a cloud with its published limits: the calls that were made take the ${bucket} ${seconds.toFixed(0)} s at least, and took ${busySeconds.toFixed(0)} s from its first call to its last change, ${percent(busySeconds / seconds - 1)} above what the limits allow; ${tally.throttled} calls throttled`,
  )
  const { full, fullUntil, unused } = excessOf(use)
  console.log(
    `of the ${(busySeconds - seconds).toFixed(1)} s above, the bucket was full for ${full.toFixed(1)} s, for the last time ${fullUntil.toFixed(0)} s after its first call: ACM had told too few records until then; what was left in it at the end is ${unused.toFixed(1)} s`,
  )
  console.log(
    `the last is Ready after ${tookSeconds.toFixed(0)} s of its time: ${((beganMs - startMs) / 1_000).toFixed(0)} s before that first call and ${(tookSeconds - (endedMs - startMs) / 1_000).toFixed(0)} s after that last change are what ACM and the DNS take for one Cert, and the looks at them`,
  )
  const operations = [...new Set(tally.calls.map(({ operation }) => operation))]
  console.log(
    `calls a Cert to Ready: ${operations.map(operation => `${operation} ${each(tally.of(operation), count)}`).join(', ')} (${((performance.now() - began) / 1_000).toFixed(0)} s of this machine)`,
  )
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

interface Use {
  readonly bucket: string
  /** By the rate that is kept by default. */
  readonly seconds: number
  readonly beganMs: number
  readonly endedMs: number
  readonly rate: Rate
  /** When its calls were made. */
  readonly atMs: readonly number[]
}

interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** In seconds. */
interface Excess {
  readonly full: number
  /** After the first call. */
  readonly fullUntil: number
  readonly unused: number
}

/**
 * What the time above the least possible consists of: a bucket that is full gains nothing, and what it holds at the end nobody took.
 * Counted by filling and emptying the bucket again with the calls that were made.
 */
function excessOf({ rate: { perSecond, burst }, atMs, beganMs }: Use): Excess {
  let [held, lastMs, full, fullUntilMs] = [burst, beganMs, 0, beganMs]
  for (const at of atMs) {
    const gained = held + ((at - lastMs) / 1_000) * perSecond
    if (gained > burst) {
      full += (gained - burst) / perSecond
      fullUntilMs = at
    }
    held = Math.min(burst, gained) - 1
    lastMs = at
  }
  return { full, fullUntil: (fullUntilMs - beganMs) / 1_000, unused: held / perSecond }
}

/** The bucket that takes longest for its calls until its last change: looks that follow wait for the cloud, and not for the bucket. */
function slowest({ calls }: CallTally): Use {
  const use = (bucket: string, isOf: (call: CountedCall) => boolean, rate: Rate): Use => {
    const all = calls.filter(isOf)
    const until = all.slice(0, all.findLastIndex(({ operation }) => /^(?:Request|Change)/.test(operation)) + 1)
    const seconds = (until.length - rate.burst) / rate.perSecond
    return {
      bucket,
      seconds,
      beganMs: until[0]?.atMs ?? 0,
      endedMs: until.at(-1)?.atMs ?? 0,
      rate,
      atMs: until.map(({ atMs }) => atMs),
    }
  }
  const rows = [
    use('bucket of ACM', ({ service }) => service === 'acm', { perSecond: 5, burst: 10 }),
    use('bucket of RequestCertificate', ({ operation }) => operation === 'RequestCertificate', { perSecond: 2.5, burst: 3 }),
    use('bucket of the zone', ({ service }) => service === 'route53', { perSecond: 3, burst: 5 }),
  ]
  return rows.reduce((most, row) => (row.seconds > most.seconds ? row : most))
}

/** The moment at which the last one was Ready, or nothing yet: looked at once a second. */
function readyMs({ clock }: CertWorld, { manager }: Running, count: number): () => number | undefined {
  let lookedMs = 0
  return () => {
    if (clock.monotonicMs() - lookedMs < 1_000) return undefined
    lookedMs = clock.monotonicMs()
    return manager.world.list<Cert>(certKind.type).filter(({ status }) => status?.state === 'Ready').length === count
      ? lookedMs
      : undefined
  }
}
