// Two proofs in one question: nothing is written unless both leases are held at that moment.
import type { Fence } from '../election/fence.ts'
import { openScope } from '../scope.ts'

export function bothFences(one: Fence, other: Fence): Fence {
  return {
    check: () => {
      one.check()
      other.check()
    },
    enter: async signal => {
      const first = await one.enter(signal)
      const second = await other.enter(signal).catch((error: unknown) => {
        first.leave()
        throw error
      })
      const scope = openScope({ parents: [first.signal, second.signal] })
      return {
        signal: scope.signal,
        leave: () => {
          scope.end()
          first.leave()
          second.leave()
        },
      }
    },
  }
}
