import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, ManualClock } from '#base'
import { ToldTogether } from './told-together.ts'

function teller() {
  const clock = new ManualClock()
  const lines: unknown[] = []
  const log = createLogTo({ clock }, (_level, _message, fields) => lines.push(fields))
  return { clock, lines, told: new ToldTogether({ clock, log, message: 'm' }) }
}

const key = (name: string) => ({ namespace: 'ns', name })

test('the first goes out at once, and what follows within a second goes out together, once', async () => {
  const { clock, lines, told } = teller()
  told.tell(key('a'), 1)
  assert.deepEqual(lines.splice(0), [{ serviceAccounts: ['ns/a'], pods: 1 }])
  for (const [name, pods] of [
    ['b', 2],
    ['a', 1],
    ['b', 3],
  ] as const)
    told.tell(key(name), pods)
  await clock.advance(999)
  assert.deepEqual(lines, [])
  await clock.advance(1)
  assert.deepEqual(lines.splice(0), [{ serviceAccounts: ['ns/b', 'ns/a'], pods: 6 }])
  await clock.advance(5_000)
  assert.deepEqual(lines, [])
  told.tell(key('c'), 1)
  assert.deepEqual(lines, [{ serviceAccounts: ['ns/c'], pods: 1 }])
})

for (const [count, more] of [
  [20, {}],
  [21, { moreServiceAccounts: 1 }],
] as const)
  test(`of ${count} names twenty are told, and the rest is counted`, async () => {
    const { clock, lines, told } = teller()
    told.tell(key('first'), 1)
    const names = Array.from({ length: count }, (_, index) => `n${index}`)
    for (const name of names) told.tell(key(name), 1)
    await clock.advance(1_000)
    const serviceAccounts = names.slice(0, 20).map(name => `ns/${name}`)
    assert.deepEqual(lines[1], { serviceAccounts, pods: count, ...more })
  })

for (const [what, name, said] of [
  ['one name that is gathered', 'b', [{ serviceAccounts: ['ns/b'], pods: 1 }]],
  ['nothing that is gathered', undefined, []],
] as const)
  test(`at the end, with ${what}, that goes out, and nothing is waited for`, async () => {
    const { clock, lines, told } = teller()
    told.tell(key('a'), 1)
    if (name !== undefined) told.tell(key(name), 1)
    lines.splice(0)
    told.close()
    assert.deepEqual(lines, said)
    await clock.advance(5_000)
    assert.deepEqual(lines, said)
  })
