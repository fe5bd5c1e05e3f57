// Where the milliseconds and the bytes of one binding go: what each process computes, and what is asked of the API servers.
import type { Traffic } from './access.ts'
import { each } from './print.ts'
import type { Counts } from './tally.ts'

export interface Spent {
  readonly own: Counts
  readonly ack: Counts
  /** Milliseconds of processor time by process, since the bindings were begun. */
  readonly cpu: Readonly<Record<string, number>>
}

export function printBudget({ own, ack, cpu }: Spent, bindings: number): void {
  const shares = Object.entries(cpu).map(([who, ms]) => `${who} ${each(ms, bindings)}`)
  console.log(`    the budget of one binding. Processor time in ms: ${shares.join(', ')}`)
  console.log('      calls  ms waited  kB sent  kB received')
  const rows: readonly (readonly [string, Traffic])[] = [
    ['us, hub', own.hub],
    ['us, target', own.target],
    ['resources operator', ack.hub],
  ]
  for (const [who, { calls }] of rows) {
    const costly = Object.entries(calls).sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [what, { count, waitedMs, sentBytes, receivedBytes }] of costly) {
      const columns = [count / bindings, waitedMs / bindings, sentBytes / bindings / 1_000, receivedBytes / bindings / 1_000]
      if (columns.every(value => value < 0.05)) continue
      const cells = columns.map((value, index) => value.toFixed(1).padStart([11, 11, 9, 13][index] ?? 0))
      console.log(`${cells.join('')}  ${who}: ${what}`)
    }
  }
}
