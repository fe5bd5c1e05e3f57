// Writes whose answer was lost. They may have taken hold, and the cache cannot tell: it has no version to wait for. Before the claim is
// decided on again each of them is looked up on the server, and what is found there has to be in the cache first (P6). Otherwise a claim
// that was deleted meanwhile is released while the copy that it just made is on its way into the cache (S6).
import type { Target } from '../plan/target.ts'
import { placeOf } from '../plan/target.ts'
import type { WriteRecord, Writer } from '../plan/writer.ts'

export class LostWrites {
  readonly #byClaim = new Map<string, Map<string, WriteRecord>>()

  /** Remembers those of a pass's writes of which nobody knows whether they took hold. */
  remember(id: string, writes: readonly WriteRecord[]): void {
    for (const write of writes) {
      if (write.result !== 'lost') continue
      const lost = this.#byClaim.get(id) ?? new Map<string, WriteRecord>()
      lost.set(placeOf(write.cluster, write.type, write.key), write)
      this.#byClaim.set(id, lost)
    }
  }

  /** Looks them up; the writer holds the claim for what is found. Rejects, and forgets nothing, while the server cannot be asked. */
  async settle(id: string, writer: Writer, targetOf: (cluster: string | undefined) => Target | undefined): Promise<void> {
    const lost = this.#byClaim.get(id)
    if (lost === undefined) return
    for (const [place, { cluster, type, key }] of lost) {
      const target = targetOf(cluster)
      // Whether a write arrived at a cluster that is no longer followed concerns nobody.
      if (target !== undefined) await writer.awaitFound(target, type, key)
      lost.delete(place)
    }
    this.#byClaim.delete(id)
  }
}
