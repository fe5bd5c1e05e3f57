// Calls of AWS for one Cert, to Ready and in a day at rest, beside what two other designs make of the same day by their own rules.
import { certWorld, zoneName } from '../../src/operators/certificates/testing/cert-world.ts'
import { CallTally } from './call-tally.ts'
import { driveFor } from './drive.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The seed's design: Ready is looked at every hour by one DescribeCertificate, and its memory of five minutes never holds until then. */
const seed = { lookMs: hourMs, callsALook: 1 }
/** ACK's controller for ACM: it looks again after 60 s, with DescribeCertificate and ListTagsForCertificate, and writes no record. */
const ack = { lookMs: 60_000, callsALook: 2 }

export async function measureCalls(): Promise<void> {
  await using world = certWorld()
  await world.zone(zoneName)
  const tally = new CallTally(world.clock)
  world.start({ throughAws: tally.through })
  await driveFor(world, 60_000)
  tally.calls.length = 0
  await world.apply('api')
  await driveFor(world, hourMs)
  const toReady = tally.calls.map(({ operation }) => operation)
  tally.calls.length = 0
  const before = (await world.cert('api'))?.metadata.resourceVersion
  await driveFor(world, dayMs)
  const ours = tally.calls.length
  const isUntouched = (await world.cert('api'))?.metadata.resourceVersion === before
  const perDay = ({ lookMs, callsALook }: typeof seed): number => (dayMs / lookMs) * callsALook
  console.log(`\ncalls of AWS in the first hour of a Cert, which is Ready in it: ${toReady.length} (${toReady.join(', ')})`)
  console.log(
    `a day at rest: ${ours} calls and ${isUntouched ? 'no write' : 'a write of the object'}; by the rules of the seed's design ${perDay(seed)} (${ratio(ours, perDay(seed))} of it), by ACK's ${perDay(ack)} (${ratio(ours, perDay(ack))} of it)`,
  )
}

function ratio(ours: number, theirs: number): string {
  return `${(ours / theirs).toFixed(2)}x`
}
