import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { readSchema } from '../node/node.ts'
import { estimateCost } from './estimate.ts'
import { rulesOf } from './rules.ts'

const text = { type: 'string', maxLength: 10 }
const schema: JsonObject = {
  type: 'object',
  properties: {
    a: { type: 'integer' },
    s: text,
    l: { type: 'array', maxItems: 5, items: text },
    n: { type: 'array', maxItems: 5, items: { type: 'integer' } },
    m: { type: 'object', maxProperties: 4, additionalProperties: text },
    b: { type: 'string', format: 'byte', maxLength: 20 },
    e: { type: 'string', enum: ['abc', 'abcdefghijkl'] },
    x: { 'x-kubernetes-int-or-string': true },
  },
}

function estimate(rule: string): number | string {
  const node = readSchema({ ...schema, 'x-kubernetes-validations': [{ rule }] })
  const [compiled] = rulesOf(node, false).rules
  assert.ok(compiled !== undefined)
  return compiled.rule.kind === 'compiled' ? estimateCost(compiled.rule.program) : compiled.rule.message
}

/** A field costs two: to name the object, and to go into it. A text of ten characters may have forty bytes. */
const rows: readonly (readonly [rule: string, cost: number])[] = [
  ['true', 0],
  ['self.a > 1', 3],
  ['self.a > 1 && self.a < 5 || true', 6],
  ['self.s == "abc"', 3],
  [`self.s == "${'x'.repeat(11)}"`, 4],
  [`self.s == "${'x'.repeat(50)}"`, 6],
  ['self.e == self.e', 6],
  ['self.x == self.x', 4 + 314_573],
  ['self.s.startsWith("ab")', 3],
  ['self.s.endsWith("abcdefghijk")', 4],
  ['self.s.contains("ab")', 6],
  ['self.s.contains("abcdefghijk")', 10],
  ['self.s.matches("a+b")', 7],
  ['self.s.matches("abcde")', 12],
  ['self.s.find("a+b") == ""', 8],
  ['self.s.indexOf("ab") > 1', 7],
  ['self.s.lastIndexOf("abcdefghijk") > 1', 11],
  ['self.s.lowerAscii() == "a"', 7],
  ['self.s + self.s == self.s + self.s', 8 + 16 + 8],
  ['self.a + self.a > 1', 6],
  ['self.a in [1, 2, 3]', 15],
  ['self.a in self.n', 9],
  ['self.a > 1 ? self.s == self.s : true', 3 + 8],
  ['self.a > 1 ? true : self.s == self.s', 3 + 8],
  ['(self.a > 1 ? self.s : "a") == self.s + self.s', 3 + 2 + 12 + 4],
  ['self.n.all(x, x > 0)', 2 + 5 * 5 + 2],
  ['self.n.exists(x, x > 0)', 2 + 5 * 6 + 2],
  ['self.n.exists_one(x, x > 0)', 2 + 5 * 4 + 2],
  ['self.n.map(x, x) == self.n', 4 + 5 * 13 + 2 + 1],
  ['self.n.map(x, x > 0, x) == self.n', 4 + 5 * 15 + 2 + 1],
  ['self.n.filter(x, x > 0) == self.n', 4 + 5 * 14 + 2 + 1],
  ['self.n.transformList(i, v, v) == self.n', 4 + 5 * 13 + 2 + 1],
  ['self.n.transformMap(i, v, v).size() == 1', 2 + 5 * 33 + 2 + 2],
  ['self.l.all(x, x == self.s)', 2 + 5 * (3 + 4 + 3) + 2],
  ['self.l.filter(x, true).all(x, x == self.s)', 2 + 5 * 12 + 2 + 5 * (3 + 4 + 3) + 2],
  ['self.l.map(x, x + x).all(x, x == self.s + self.s)', 2 + 5 * (2 + 8 + 12) + 2 + 5 * (1 + 12 + 8 + 3) + 2],
  ['self.m.all(k, k == self.s)', 2 + 4 * (1 + 2 + 1 + 3) + 2],
  ['self.m["a"] == self.s', 3 + 2 + 4],
  ['self.l[0] == self.s', 3 + 2 + 4],
  ['cel.bind(t, self.s, t == self.s)', 2 + (1 + 2 + 4) + 2],
  ['optional.of(self.a).optMap(x, x + 1).hasValue()', 2 + 1 + 2 + 2 + 1],
  ['{"a": self.a}.size() == 1', 30 + 2 + 1 + 1],
  ['[self.a, self.a].size() == 1', 10 + 4 + 1 + 1],
  ['[self.s, "a"].all(x, x == self.s)', 12 + 2 * (3 + 4 + 3) + 2],
  ['self.s.split(",").all(x, x == self.s)', 6 + 40 * (3 + 4 + 3) + 2],
  ['self.s.substring(1) == self.s', 12],
  ['self.s.trim() == self.s', 12],
  ['self.l.join() == self.s', 3 + 2 + 4],
  ['self.l.join() == self.l.join()', 6 + 20],
  ['self.s.replace("a", "bbb") == self.s.replace("a", "bbb")', 12 + 12],
  ['self.s.replace("a", "") == self.s.replace("a", "")', 12 + 4],
  ['sets.contains(self.n, self.n)', 4 + 26],
  ['sets.equivalent(self.n, self.n)', 4 + 26],
  ['self.n.sum() > 1', 2 + 5 + 1],
  ['self.n.isSorted()', 2 + 5],
  ['self.n.max() > 1', 2 + 5 + 1],
  ['string(self.s) == self.s', 4 + 4 + 4],
  ['bytes(self.s) == self.b', 2 + 4 + 2 + 2],
  ['quantity(self.s).isGreaterThan(quantity("1"))', 2 + 4 + 1 + 1],
  ['isQuantity(self.s)', 6],
  ['size(self.s) > 1', 4],
]

test('what a rule may cost at most is told by the sizes that its schema allows', () => {
  assert.deepEqual(
    rows.map(([rule]) => [rule, estimate(rule)]),
    rows,
  )
})

test('what nothing bounds is as large as a request', () => {
  const unbounded = (rule: string): number | string => {
    const node = readSchema({ type: 'object', properties: { s: { type: 'string' } }, 'x-kubernetes-validations': [{ rule }] })
    const [compiled] = rulesOf(node, false).rules
    return compiled?.rule.kind === 'compiled' ? estimateCost(compiled.rule.program) : 'refused'
  }
  const tenth = Math.ceil((3 * 1024 * 1024 - 2) / 10)
  assert.equal(unbounded('self.s == self.s'), 4 + tenth)
  assert.equal(unbounded('self.s.contains(self.s)'), 4 + tenth * tenth)
})
