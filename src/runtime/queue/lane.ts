// One lane of the work queue: first in, first out within a namespace, turn by turn between namespaces, so that a namespace with
// ten thousand claims cannot make the others wait for all of them.

/**
 * What is half done and goes on at once, so that of ten thousand new claims the first is ready soon; new and changed claims; then those
 * that try again; then those that are only looked at in case something drifted (P12).
 */
export type Lane = 'begun' | 'fresh' | 'retry' | 'drift'

/** Most urgent first. */
export const lanes: readonly Lane[] = ['begun', 'fresh', 'retry', 'drift']

export function moreUrgent(a: Lane, b: Lane): Lane {
  return lanes.indexOf(a) <= lanes.indexOf(b) ? a : b
}

interface Line<E> {
  readonly group: string
  readonly entries: E[]
  head: number
}

/** Entries are never taken out of the middle: one that was moved elsewhere is recognised by `isCurrent` and skipped. */
export class FairLane<E> {
  readonly #lines = new Map<string, Line<E>>()
  /** The groups that have entries, in the order of their turns. */
  readonly #turns: Line<E>[] = []
  #turnHead = 0

  push(group: string, entry: E): void {
    const line = this.#lines.get(group)
    if (line !== undefined) {
      line.entries.push(entry)
      return
    }
    const fresh: Line<E> = { group, entries: [entry], head: 0 }
    this.#lines.set(group, fresh)
    this.#turns.push(fresh)
  }

  /** The next entry whose turn it is. */
  shift(isCurrent: (entry: E) => boolean): E | undefined {
    while (this.#turnHead < this.#turns.length) {
      const line = this.#turns[this.#turnHead++] as Line<E>
      const entry = shiftLine(line, isCurrent)
      if (line.head < line.entries.length) this.#turns.push(line)
      else {
        this.#lines.delete(line.group)
        // The line stays among the turns that were taken for a while, and is to hold nothing there.
        line.entries.length = 0
      }
      this.#compact()
      if (entry !== undefined) return entry
    }
    return undefined
  }

  #compact(): void {
    if (this.#turnHead > 1_024 && this.#turnHead * 2 > this.#turns.length) {
      this.#turns.splice(0, this.#turnHead)
      this.#turnHead = 0
    }
  }
}

function shiftLine<E>(line: Line<E>, isCurrent: (entry: E) => boolean): E | undefined {
  while (line.head < line.entries.length) {
    const entry = line.entries[line.head++] as E
    // Half of a long array is waste: give it back, at a cost that is constant per entry.
    if (line.head > 1_024 && line.head * 2 > line.entries.length) {
      line.entries.splice(0, line.head)
      line.head = 0
    }
    if (isCurrent(entry)) return entry
  }
  return undefined
}
