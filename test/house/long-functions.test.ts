// Half of our functions are under five lines. A process of more than fifty has stages, and stages have names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSync } from 'oxc-parser'
import { sources } from './imports.ts'
import { functionsOf, linesMax, longOnes } from './long-functions.ts'

test(`no function has more than ${linesMax} lines, but for lists that say why`, () => {
  const own = [...sources].filter(([file]) => file.startsWith('src/') && !/\.(test|fixture|gen)\.ts$|\/testing\//.test(file))
  const all = own.flatMap(([file, source]) =>
    functionsOf(parseSync(file, source).program, source).map(({ name, lines }) => ({ name: `${file} ${name}`, lines })),
  )
  assert.ok(all.length > 10_000, `${all.length} functions were looked at`)
  const long = all.filter(({ lines }) => lines > linesMax)
  assert.deepEqual(
    long.filter(({ name }) => !Object.hasOwn(longOnes, name)),
    [],
    'give its stages names',
  )
  assert.deepEqual(
    Object.keys(longOnes).filter(name => long.every(each => each.name !== name)),
    [],
    'strike what is short by now from test/house/long-functions.ts',
  )
})

test('functions are counted by their own lines, under the name that they have', () => {
  const source = `export function a() {
  const b = () => {
    return 1
  }
  return { c: function () {}, d() {
    b()
  } }
}
class E {
  f = async () => 1
}
`
  assert.deepEqual(functionsOf(parseSync('x.ts', source).program, source), [
    { name: 'a', lines: 8 },
    { name: 'b', lines: 3 },
    { name: 'c', lines: 1 },
    { name: 'd', lines: 3 },
    { name: 'f', lines: 1 },
  ])
})
