import assert from 'node:assert/strict'
import { test } from 'node:test'
import { castsIn, castsLeft } from './casts.ts'
import { roomOf, sources } from './imports.ts'

test('casts only become fewer, in every room', () => {
  const counted: Record<string, number> = {}
  for (const [file, source] of sources) {
    if (/\.(test|fixture|gen)\.ts$|\/testing\//.test(file)) continue
    const count = castsIn(source)
    if (count > 0) counted[roomOf(file)] = (counted[roomOf(file)] ?? 0) + count
  }
  const grown = Object.entries(counted).filter(([room, count]) => count > (castsLeft[room] ?? 0))
  assert.deepEqual(grown, [], 'a parser, a guard or a better type takes the place of a cast')
  const shrunk = Object.entries(castsLeft).filter(([room, count]) => count > (counted[room] ?? 0) + slack)
  assert.deepEqual(shrunk, [], 'write the smaller number down in test/house/casts.ts')
})

/** So many may go before somebody has to write it down: rooms are worked on side by side. */
const slack = 5

test('casts are counted in code, and not in comments, texts and imports', () => {
  const source = `import { a as b } from 'c'
import type {
  d as e,
} from 'f'
// as g
const h = i as J // as k
const l = 'm as n' as const
const o = [p as Q, r[0] as S, f() as { t: u }, \`v as w \${x as Y} as z\`]
/* as a */
export const all = \${'' as B}`
  assert.equal(castsIn(source), 6)
})
