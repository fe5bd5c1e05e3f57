// Who wants to be woken when a cluster is back. Of ten thousand claims of a cluster only those look again that were told it was away: the
// others saw what they needed.
import { renderKey } from '#kube'
import type { Engagements, Waiter } from './engagement.ts'

/** What a pass for this claim asks: whoever is told there that a cluster is away is woken alone when it is back. */
export function engagementsFor(waiter: Waiter, all: Engagements | undefined): Engagements | undefined {
  return (
    all && {
      stateOf: cluster => all.stateOf(cluster),
      sameClusterAs: cluster => all.sameClusterAs?.(cluster),
      awaitBack: cluster => all.awaitBack(cluster, waiter),
    }
  )
}

export class Waiters {
  readonly #of = new Map<string, 'everyone' | Map<string, Waiter>>()

  /** Without a waiter: everyone whom the cluster concerns. */
  add(cluster: string, waiter?: Waiter): void {
    const waiting = this.#of.get(cluster)
    if (waiter === undefined) this.#of.set(cluster, 'everyone')
    else if (waiting === undefined) this.#of.set(cluster, new Map([[idOf(waiter), waiter]]))
    else if (waiting !== 'everyone') waiting.set(idOf(waiter), waiter)
  }

  has(cluster: string): boolean {
    return this.#of.has(cluster)
  }

  /** They wait no longer. */
  take(cluster: string): 'everyone' | readonly Waiter[] {
    const waiting = this.#of.get(cluster)
    this.#of.delete(cluster)
    return waiting === 'everyone' ? waiting : [...(waiting?.values() ?? [])]
  }
}

function idOf({ controller, key }: Waiter): string {
  return `${controller} ${renderKey(key)}`
}
