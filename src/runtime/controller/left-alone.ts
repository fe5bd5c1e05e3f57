// Claims for which there was a reason to look, and which another replica works on: what was heard of them is kept, so that nothing is missed
// when they become this one's.
import { type ClaimKey, renderClaimKey } from '../claim-key.ts'
import { type Lane, moreUrgent } from '../queue/lane.ts'

interface Parked {
  readonly key: ClaimKey
  readonly lane: Lane
}

export class LeftAlone {
  readonly #parked = new Map<string, Parked>()

  park(key: ClaimKey, lane: Lane): void {
    const id = renderClaimKey(key)
    const before = this.#parked.get(id)
    this.#parked.set(id, { key, lane: before === undefined ? lane : moreUrgent(before.lane, lane) })
  }

  /** Those that are ours now; they are parked no more. */
  takeBack(isOurs: (key: ClaimKey) => boolean): readonly Parked[] {
    const back = [...this.#parked].filter(([, { key }]) => isOurs(key))
    for (const [id] of back) this.#parked.delete(id)
    return back.map(([, parked]) => parked)
  }
}
