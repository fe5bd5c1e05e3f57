import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjects } from '../subjects.ts'
import { locate } from './locate.ts'
import { mutants } from './mutants.ts'

test('each defect has a name of its own, its text stands in one place, and whoever hunts it exists', () => {
  const stale = mutants.filter(mutant => locate(mutant) === undefined).map(({ id, file }) => `${id} in ${file}`)
  assert.deepEqual(stale, [], 'what was changed has to be broken in another way')
  assert.equal(new Set(mutants.map(({ id }) => id)).size, mutants.length)
  for (const { controllers = [] } of mutants) for (const name of controllers) assert.ok(name in subjects, name)
})

test('a defect is found where its text has moved to, and not where it stands twice or nowhere', () => {
  const find = 'export const engineSubjects'
  const moved = { file: 'src/runtime/no-longer-here.ts', find: 'export class WorkQueue' }
  assert.equal(locate(moved), 'src/runtime/queue/work-queue.ts')
  assert.equal(locate({ ...moved, file: 'src/runtime/index.ts' }), 'src/runtime/queue/work-queue.ts')
  assert.equal(locate({ ...moved, find }), undefined)
  assert.equal(locate({ ...moved, find: 'return' }), undefined)
})
