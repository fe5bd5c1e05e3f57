import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './program.ts'
import { type CelType, intType, listOf, stringType } from './types.ts'
import { BudgetExceeded, CelList, type CelValue, EvalError } from './values.ts'

function run(source: string, self: CelValue, type: CelType = intType): CelValue {
  const compiled = compile(source, new Map([['self', type]]))
  assert.equal(compiled.kind, 'compiled', compiled.kind === 'refused' ? compiled.message : '')
  return compiled.kind === 'compiled' ? compiled.program.run([self], { cost: 0, costMax: 1_000_000 }) : null
}

function refusal(source: string, type: CelType = intType): string {
  const compiled = compile(source, new Map([['self', type]]))
  return compiled.kind === 'refused' ? compiled.message : 'compiled'
}

test('values, logic, loops and libraries work together', () => {
  const rows: readonly (readonly [string, CelValue])[] = [
    ['self > 3 && self < 10', true],
    ['[1, 2, 3].map(x, x * 2).filter(x, x > 2).sum()', 10n],
    ['[1, 2].all(i, v, v == i + 1)', true],
    ['{"a": 1}.transformList(k, v, k + string(v))[0]', 'a1'],
    ['{"a": 1}.?b.orValue(7)', 7n],
    ['optional.of(self).optMap(x, x + 1).value()', 6n],
    ['quantity("1Gi").isGreaterThan(quantity("1G"))', true],
    ['ip("10.0.0.1").family()', 4n],
    ['cidr("10.0.0.0/8").containsIP("10.1.2.3")', true],
    ['url("https://a.b:8080/x").getPort()', '8080'],
    ['semver("1.2.3").isLessThan(semver("1.10.0"))', true],
    ['semver("1.0.0-alpha").compareTo(semver("1.0.0-alpha"))', 0n],
    ['semver("1.0.0-2.b").compareTo(semver("1.0.0-2.a"))', 1n],
    ['semver("1.0.0-2").compareTo(semver("1.0.0-10"))', -1n],
    ['semver("1.0.0-10").compareTo(semver("1.0.0-a"))', -1n],
    ['semver("1.0.0-a").compareTo(semver("1.0.0-b"))', -1n],
    ['semver("1.0.0-a").compareTo(semver("1.0.0-a.1"))', -1n],
    ['semver("1.0.0-a").compareTo(semver("1.0.0"))', -1n],
    ['format.dns1123Label().validate("a_b").hasValue()', true],
    ['sets.contains([1, 2], [1])', true],
    ['"%s is %d".format(["x", self])', 'x is 5'],
    ['duration("90m") > duration("1h")', true],
    ['timestamp("2024-03-10T10:00:00Z").getHours("America/New_York")', 6n],
    ['false && [1][5] == 1', false],
    ['[1][5] == 1 || true', true],
  ]
  for (const [source, wanted] of rows) assert.deepEqual(run(source, 5n), wanted, source)
})

test('mistakes are told with their line and a mark', () => {
  assert.equal(
    refusal('self > "a"'),
    `ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(int, string)'\n | self > "a"\n | .....^`,
  )
  assert.equal(
    refusal('true &&\n  nope'),
    "ERROR: <input>:2:3: undeclared reference to 'nope' (in container '')\n |   nope\n | ..^",
  )
  assert.match(refusal('self.matches("(")', stringType), /invalid matches argument/)
  assert.match(refusal('self.all(x, y)', listOf(stringType)), /undeclared reference to 'y'/)
})

test('failures at run time are errors of their own kind', () => {
  assert.throws(() => run('1 / (self - 5) == 0', 5n), EvalError)
  assert.throws(() => run('self + 9223372036854775807 > 0', 5n), /integer overflow/)
  assert.throws(() => run('{"a": 1}["b"] == 1', 5n), /no such key: b/)
})

test('a budget stops a loop in the middle [#170]', () => {
  const list = new CelList(Array.from({ length: 2_000 }, (_, i) => BigInt(i)))
  const compiled = compile('self.all(a, self.all(b, a + b >= 0))', new Map([['self', listOf(intType)]]))
  assert.equal(compiled.kind, 'compiled')
  if (compiled.kind !== 'compiled') return
  const meter = { cost: 0, costMax: 100_000 }
  assert.throws(() => compiled.program.run([list], meter), BudgetExceeded)
  assert.ok(meter.cost > 100_000 && meter.cost < 100_100)
})
