import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { troubleReasons } from '#runtime'
import { reasons } from '../../src/operators/resources/errors.ts'

const room = join(import.meta.dirname, '..', '..', 'src', 'operators', 'resources')
const sources = globSync('**/*.ts', { cwd: room })
  .filter(file => !file.endsWith('.gen.ts') && file !== 'errors.ts')
  .map(file => [file, readFileSync(join(room, file), 'utf8')] as const)
const own = new Set(Object.keys(reasons))

test('a claim is told no reason that is not in the closed list', () => {
  const known = new Set([...own, ...Object.keys(troubleReasons)])
  const given = sources.flatMap(([file, text]) =>
    [...text.matchAll(/kind: '(?:again|backoff|stop|wait)', reason: '(\w+)'/g)].map(match => `${file}: ${match[1]}`),
  )
  assert.ok(given.length > 5, 'the sources say their reasons in this form')
  assert.deepEqual(
    given.filter(reason => !known.has(reason.split(': ')[1] ?? '')),
    [],
  )
})

test('no reason of the list is there for nobody', () => {
  const errors = readFileSync(join(room, 'errors.ts'), 'utf8').split('} as const')[1] ?? ''
  const said = [errors, ...sources.map(([, text]) => text)].join('\n')
  assert.deepEqual(
    [...own].filter(reason => !said.includes(`'${reason}'`)),
    [],
  )
})
