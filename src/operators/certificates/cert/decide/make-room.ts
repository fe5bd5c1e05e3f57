// Before another certificate's records are listed, those leave the list that ACM would tell of again or that somebody else has, and those that
// nobody needs leave their zone.
import { listedOf } from '../room.ts'
import type { Sighted } from '../seen.ts'
import type { CertSettings } from '../settings.ts'
import { listedTwice, removalsOf, stateOf, unsettled } from './deletion.ts'
import { type Verdict, verdict } from './verdict.ts'

/** `undefined` where there is room. */
export function makeRoom(seen: Sighted, settings: CertSettings): Verdict | undefined {
  const { crowd, claim } = seen
  if (crowd === undefined) return undefined
  const state = stateOf(seen)
  if (crowd.leaving.some(({ reference }) => reference === 'unsettled'))
    return verdict(17, state, { isAside: true, next: unsettled.next })
  if (crowd.leaving.some(({ reference }) => reference === 'unlisted'))
    return verdict(17, state, { isAside: true, next: listedTwice })
  const { actions, kept } = removalsOf(crowd.leaving, settings)
  const validationRecords = listedOf(claim.status?.validationRecords ?? [], crowd.asked)
  return verdict(17, state, { isAside: true, actions, status: { validationRecords }, events: kept, next: 'at-once' })
}
