// Many Certs at once on a cloud that refuses what is above its published limits: how near the time comes to what the limits allow.
import { type Cert, certKind } from '#operators/certificates'
import type { Running } from '#runtime'
import { type CertWorld, certWorld, zoneName } from '../../src/operators/certificates/testing/cert-world.ts'
import { each } from '../identity/print.ts'
import { CallTally } from './call-tally.ts'
import { driveFor, driveUntil } from './drive.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

export async function measureMany(count: number): Promise<void> {
  const began = performance.now()
  await using world = certWorld({ knobs: { throttling: 'published' } })
  await world.zone(zoneName)
  const tally = new CallTally(world.clock)
  const running = world.start({ throughAws: tally.through, workers: 10, settings: { requestsPerDayMax: 2 * count } })
  await driveFor(world, minuteMs)
  tally.calls.length = 0
  const startMs = world.clock.monotonicMs()
  for (let index = 0; index < count; index++) await world.apply(`cert-${index}`, { keyAlgorithm: 'EC_prime256v1' })
  const look = readyMs(world, running, count)
  await driveUntil(world, () => look() !== undefined, dayMs)
  const tookSeconds = (world.clock.monotonicMs() - startMs) / 1_000
  const { bucket, seconds } = slowest(tally)
  console.log(
    `\n${count} Certs at once on a cloud with its published limits: the last is Ready after ${tookSeconds.toFixed(0)} s of its time; the calls that were made take the ${bucket} ${seconds.toFixed(0)} s, so it is ${percent(tookSeconds / seconds - 1)} above what the limits allow; ${tally.throttled} calls throttled`,
  )
  const operations = [...new Set(tally.calls.map(({ operation }) => operation))]
  console.log(
    `calls a Cert to Ready: ${operations.map(operation => `${operation} ${each(tally.of(operation), count)}`).join(', ')} (${((performance.now() - began) / 1_000).toFixed(0)} s of this machine)`,
  )
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/** The bucket that takes longest for the calls that were made, by the rates that are kept by default. */
function slowest(tally: CallTally): { readonly bucket: string; readonly seconds: number } {
  const rows = [
    { bucket: 'bucket of ACM', seconds: (tally.ofService('acm') - 10) / 5 },
    { bucket: 'bucket of RequestCertificate', seconds: (tally.of('RequestCertificate') - 3) / 2.5 },
    { bucket: 'bucket of the zone', seconds: (tally.ofService('route53') - 5) / 3 },
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
