// Looks records up in a zone: few of them one by one, many by a list of the zone. What such a list does not reach in time is looked up by
// itself, and so is what should be there: a list that lacks it proves nothing.
import { given } from '#base'
import type { Settled } from '#cloud'
import type { Values } from '../../model/request.ts'
import { structuresOf } from '../calls.ts'
import type { Caller } from '../deviation.ts'
import { dnsName } from './ids.ts'

export const listing = 'ListResourceRecordSets'

export interface WantedRecord {
  readonly name: string
  readonly type: unknown
  readonly setIdentifier: unknown
  /** The record was seen before, so that a list which leaves it out is not believed at once. */
  readonly isExpected: boolean
}

/** Up to so many are looked up one by one. */
const singlesMax = 2

type Found = Settled<Values | undefined>

export async function findRecords(
  questions: readonly WantedRecord[],
  caller: Caller,
  HostedZoneId: string,
): Promise<readonly Found[]> {
  const alone = (wanted: WantedRecord): Promise<Found> => settle(() => findAlone(wanted, caller, HostedZoneId))
  if (questions.length <= singlesMax) return Promise.all(questions.map(alone))
  const { held, isWhole } = await readZone(questions, caller, HostedZoneId)
  const found: Found[] = []
  for (const wanted of questions) {
    const value = held.get(keyOf(wanted.name, wanted.type, wanted.setIdentifier))
    found.push(value !== undefined || (isWhole && !wanted.isExpected) ? { ok: true, value } : await alone(wanted))
  }
  return found
}

/** Fewer pages than lookups one by one would be calls. */
async function readZone(
  questions: readonly WantedRecord[],
  caller: Caller,
  HostedZoneId: string,
): Promise<{ readonly held: ReadonlyMap<string, Values>; readonly isWhole: boolean }> {
  const held = new Map<string, Values>()
  const missing = new Set(questions.map(({ name, type, setIdentifier }) => keyOf(name, type, setIdentifier)))
  let pages = 0
  for await (const page of caller.pages(listing, { HostedZoneId })) {
    for (const value of structuresOf(page['ResourceRecordSets'])) {
      const key = keyOf(value['Name'], value['Type'], value['SetIdentifier'])
      held.set(key, value)
      missing.delete(key)
    }
    pages += 1
    if (page['IsTruncated'] === true && (missing.size === 0 || pages >= questions.length / 2)) return { held, isWhole: false }
  }
  return { held, isWhole: true }
}

function keyOf(name: unknown, type: unknown, setIdentifier: unknown): string {
  return JSON.stringify([dnsName(name), type, setIdentifier ?? ''])
}

async function findAlone(
  { name, type, setIdentifier }: WantedRecord,
  caller: Caller,
  HostedZoneId: string,
): Promise<Values | undefined> {
  const start = {
    HostedZoneId,
    StartRecordName: name,
    StartRecordType: type,
    ...given({ StartRecordIdentifier: setIdentifier }),
  }
  for await (const page of caller.pages(listing, start)) {
    for (const value of structuresOf(page['ResourceRecordSets'])) {
      if (dnsName(value['Name']) !== dnsName(name)) return undefined
      if (value['Type'] === type && (value['SetIdentifier'] ?? undefined) === setIdentifier) return value
    }
  }
  return undefined
}

async function settle(read: () => Promise<Values | undefined>): Promise<Found> {
  try {
    return { ok: true, value: await read() }
  } catch (error) {
    return { ok: false, error }
  }
}
