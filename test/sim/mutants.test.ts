import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { mutants } from './mutants.ts'
import { subjects } from './subjects.ts'

const root = join(import.meta.dirname, '..', '..')

test('each defect has a name of its own, its text stands in its file exactly once, and whoever hunts it exists', () => {
  const texts = new Map<string, string>()
  const textOf = (file: string): string => {
    const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
    texts.set(file, text)
    return text
  }
  const stale = mutants
    .filter(({ file, find }) => textOf(file).split(find).length !== 2)
    .map(({ id, file }) => `${id} in ${file}`)
  assert.deepEqual(stale, [], 'what was changed has to be broken in another way')
  assert.equal(new Set(mutants.map(({ id }) => id)).size, mutants.length)
  for (const { controllers = [] } of mutants) for (const name of controllers) assert.ok(name in subjects, name)
})
