// Which one resource a lookup means, among all that a list names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { ReadContext } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import type { FoundByLookup, Lookup } from '../seen/notes.ts'
import { type Answer, answering } from '../testing/answers.ts'
import { madeUpKind, map } from '../testing/made-up-kind.ts'
import { lookUp } from './lookup-search.ts'

const model = madeUpKind({
  spec: { Name: 'string', Tags: map('string') },
  settings: { tags: { path: 'Tags' } as never },
  operations: { create: 'CreateThing', readOne: 'GetThing', readMany: 'ListThings' },
  outputs: { ListThings: { Names: 'NameList' } },
  required: { GetThing: ['Name'] },
  shapes: { NameList: { type: 'list', member: { target: 'String' } } },
})

interface Asked extends Partial<Lookup> {
  /** By name; absent ones are gone since the list was taken. */
  readonly tagsOf?: Readonly<Record<string, object | 'gone' | 'absent'>>
  readonly held?: FoundByLookup
  readonly needs?: readonly string[]
  readonly list?: Answer
}

async function looked(names: readonly string[], { tagsOf = {}, held, needs, list, ...asked }: Asked = {}) {
  const { caller, asked: calls } = answering({ ListThings: list ?? { Names: names } })
  const reads: string[] = []
  const read = ({ wanted }: ReadContext): Promise<Content | undefined> => {
    const name = String(wanted.spec['name'])
    reads.push(name)
    const tags = tagsOf[name] ?? {}
    if (tags === 'gone') return Promise.resolve(undefined)
    return Promise.resolve({ spec: { name, tags }, status: {}, ...(tags === 'absent' ? { isAbsent: true } : {}) } as Content)
  }
  const kind = needs === undefined ? model : madeUpKind({ operations: model.kind.operations, required: { ListThings: needs } })
  const context = { model: kind, deviation: { read }, caller } as unknown as Omit<ReadContext, 'wanted'>
  const answer = await lookUp(context, { text: 't', name: undefined, tags: {}, given: {}, ...asked }, held)
  const found = answer.kind === 'found' ? String(answer.content.spec['name']) : answer.kind === 'none' ? 'none' : answer.message
  return { found, reads, lists: calls.length }
}

const several = (first: string, second: string): string => `several resources fit the lookup, such as ${first} and ${second}`
for (const [names, name, found] of [
  [['app'], 'app', 'app'],
  [['app', 'App'], 'app', 'app'],
  [['app', 'apps'], 'app*', several('app', 'apps')],
  [['xapp', 'app'], 'app*', 'app'],
  [['xapp', 'appx'], '*app', 'xapp'],
  [['a-b'], 'a*b', 'a-b'],
  [['ab'], 'a*b', 'ab'],
  [['aba'], 'ab*ba', 'none'],
  [['abba'], 'ab*ba', 'abba'],
  [['a-m-z'], 'a*m*z', 'a-m-z'],
  [['amz'], 'a*m*z', 'amz'],
  [['a-z'], 'a*m*z', 'none'],
  [['m-a-z'], 'm*m*z', 'none'],
  [['abcz'], 'a*bc*cz', 'none'],
  [['abccz'], 'a*bc*cz', 'abccz'],
  [['axbxc'], 'a*b*x*c', 'axbxc'],
  [['axxbc'], 'a*b*x*c', 'none'],
  [['example.com.'], 'example.com', 'example.com.'],
  [['example.comx'], 'example.com', 'none'],
  [['example.com'], 'example.com.', 'none'],
  [['.example.com.'], '*.com', '.example.com.'],
  [['ab'], '*a*', 'ab'],
  [['x'], '*', 'x'],
  [['any'], undefined, 'any'],
  [[], undefined, 'none'],
] as const)
  test(`of ${names.join(', ') || 'nothing'}, ${name ?? 'no name'} means ${found}`, async () =>
    assert.equal((await looked(names, { name })).found, found))

test('tags tell resources apart that the name fits, each by a read', async () => {
  const tagsOf = { a: { team: 'red' }, b: { team: 'blue', tier: 'one' }, c: {}, d: 'gone', e: 'absent' } as const
  assert.deepEqual(await looked(['a', 'b', 'c', 'd', 'e', 'xb'], { name: '*', tags: { team: 'blue' }, tagsOf }), {
    found: 'b',
    reads: ['a', 'b', 'c', 'd', 'e', 'xb'],
    lists: 1,
  })
  assert.equal((await looked(['b'], { tags: { team: 'blue', tier: 'two' }, tagsOf })).found, 'none')
  assert.equal((await looked(['d', 'e', 'c'], { tagsOf })).found, 'c')
})

test('no more than a hundred resources that the name fits are read', async () => {
  const tagsOf = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`n${index}`, 'gone' as const]))
  const names = Object.keys(tagsOf)
  assert.deepEqual((await looked(names, { tagsOf })).found, "the lookup's name fits more than 100 resources: narrow it")
  const all = await looked([...names.slice(0, 100), 'x'], { name: 'n*', tagsOf })
  assert.deepEqual([all.found, all.reads.length], ['none', 100])
})

const identifiers: Content = { spec: { name: 'b' }, status: {} }
for (const [what, held, tagsOf, found, lists] of [
  ['was found before', { text: 't', identifiers }, {}, 'b', 0],
  ['was found by another lookup', { text: 'other', identifiers }, {}, 'a', 1],
  ['was found before and is gone', { text: 't', identifiers }, { b: 'gone' }, 'a', 1],
] as const)
  test(`what ${what} is ${lists === 0 ? 'read directly' : 'looked for'}`, async () => {
    const answer = await looked(['a'], { name: 'a', held, tagsOf })
    assert.deepEqual([answer.found, answer.lists], [found, lists])
  })

test('a list that needs to be told where says so, and a list that fails is trouble', async () => {
  assert.equal(
    (await looked([], { needs: ['ClusterName', 'Zone'] })).found,
    'ListThings needs ClusterName, Zone: say it in the lookup, "with": {"ClusterName": "…"}',
  )
  assert.equal((await looked([], { given: { nothing: 'x' } })).found, 'ListThings takes no nothing')
  const error = new AwsError({ service: 'x', operation: 'ListThings', code: 'Odd', message: 'odd', httpStatus: 500 })
  await assert.rejects(looked([], { list: error }), error)
})
