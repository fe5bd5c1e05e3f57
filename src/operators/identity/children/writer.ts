// How a child comes about: as an object that ACK reads, which is the default, or by calls of our own (direct/). Whoever wants a child
// says what it is to be and what was seen of it, and does not know which.
import type { Act, Action, OwnAction, Reads, Watch } from '#runtime'
import { applyChild } from './apply.ts'
import type { Child } from './child.ts'
import type { ChildKind } from './kinds.ts'
import { type ChildPlace, type ChildState, findChild, readChild, standsForOther } from './state.ts'

export interface WantedPlace extends ChildPlace {
  /** Where the resource is, for kinds that are somewhere. */
  readonly region?: string
}

export interface ChildWriter {
  find(place: WantedPlace, world: Reads, signal: AbortSignal): Promise<ChildState>
  /** Nothing for a stranger's, or for one that has to be gone first. */
  apply(child: Child, state: ChildState, region?: string): readonly Action<OwnAction>[]
  /** Nothing for what is not there, not ours, or on its way already. */
  remove(kind: ChildKind, state: ChildState, place: Pick<WantedPlace, 'key' | 'region' | 'parent'>): readonly Action<OwnAction>[]
  /** Whether an action is one that `act` carries out. */
  isOwn(action: Action<OwnAction>): boolean
  readonly act?: Act<OwnAction>
  /** Whether there are objects to be looked through. */
  readonly keepsObjects: boolean
  /** What wakes a parent when its children change. */
  watches(kinds: readonly ChildKind[], toClaims: Watch['toClaims']): readonly Watch[]
}

export const childObjects: ChildWriter = {
  find: async (place, world, signal) => readChild(await findChild(world, place.kind, place.key, signal), place),
  apply: (child, state) => (standsForOther(state) ? [] : applyChild(child, state.object)),
  remove: (kind, state) => {
    const { object } = state
    return object === undefined || state.owned !== 'ours' || state.stage === 'going' || standsForOther(state)
      ? []
      : [{ kind: 'delete', type: kind.type, object, precondition: 'any-version' }]
  },
  isOwn: () => false,
  keepsObjects: true,
  watches: (kinds, toClaims) => kinds.map(({ type }) => ({ type, optional: true, toClaims })),
}
