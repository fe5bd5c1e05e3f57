import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShapingFlag } from '#runtime'
import { conditionOf, type Setting, settingsOf, variablesOf } from './conditions.ts'
import { evaluate } from './evaluate.fixture.ts'

const shaping: readonly ShapingFlag[] = [
  { kind: 'list', flag: 'services', items: ['iam', 's3'] },
  { kind: 'choice', flag: 'writer', values: ['children', 'direct'] },
  { kind: 'namespaces', flag: 'watch', everywhere: '' },
]
const settings = settingsOf(shaping)
const when = (is: (holds: ReadonlySet<string>) => boolean): string =>
  conditionOf(
    settings,
    settings.map(({ holds }) => is(holds)),
    variablesOf(shaping),
  )

test('every combination is tried once, and an empty list is none', () => {
  assert.equal(settings.length, 3 * 2 * 3)
  assert.equal(new Set(settings.map(({ args }) => args.join(' '))).size, settings.length)
  assert.ok(!settings.some(({ args }) => args.includes('--services=')))
})

const rows: readonly (readonly [what: string, is: (holds: ReadonlySet<string>) => boolean, expected: string])[] = [
  ['always there', () => true, 'true'],
  ['never there', () => false, 'false'],
  ['with one service', holds => holds.has('services_s3'), '$v.services_s3'],
  ['unless written directly', holds => !holds.has('writer_direct'), '(not $v.writer_direct)'],
  [
    'with one service and not the other, which is then the only one',
    holds => holds.has('services_iam') && !holds.has('services_s3'),
    '(and $v.services_iam (not $v.services_s3))',
  ],
  [
    'in exactly one namespace',
    holds => holds.has('watch_some') && !holds.has('watch_many'),
    '(and $v.watch_some (not $v.watch_many))',
  ],
]
for (const [what, is, expected] of rows) {
  test(`a condition says no more than what it depends on: ${what}`, () => {
    assert.equal(when(is), expected)
  })
}

test('a condition is true in the settings where the part is present and in no other', () => {
  for (let seed = 1; seed < 200; seed++) {
    const isPresent = (setting: Setting): boolean => (setting.args.join().length * seed * 2_654_435_761) % 7 > 3
    const present = settings.map(isPresent)
    const expression = conditionOf(settings, present, variablesOf(shaping))
    assert.deepEqual(
      settings.map(({ holds }) => evaluate(expression, holds)),
      present,
    )
  }
})
