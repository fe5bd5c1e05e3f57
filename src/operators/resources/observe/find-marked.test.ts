// What bears the mark of a claim, among all that a list names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { ownerTag, type Resource } from '../api.ts'
import type { ReadContext } from '../kinds/deviation.ts'
import type { Content, Values } from '../model/request.ts'
import { type Answer, answering } from '../testing/answers.ts'
import { type KindMadeUp, madeUpKind, map } from '../testing/made-up-kind.ts'
import { findMarked } from './find-marked.ts'

const parts: KindMadeUp = {
  spec: { Name: 'string', Zone: 'string', Tags: map('string') },
  settings: { tags: { path: 'Tags' } as never },
  operations: { create: 'CreateThing', readOne: 'GetThing', readMany: 'ListThings' },
  outputs: { ListThings: { Things: 'ThingList' } },
  required: { GetThing: ['Name'] },
  shapes: {
    ThingList: { type: 'list', member: { target: 'Thing' } },
    Thing: { type: 'structure', required: [], members: { Name: { target: 'String' }, Tags: { target: 'TagMap' } } },
    TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as never,
  },
}
const { tags: _, ...untagged } = parts.settings ?? {}

interface Asked {
  readonly kind?: KindMadeUp
  /** Tags that a read tells, by name. */
  readonly tagsOf?: Readonly<Record<string, object | 'gone' | 'absent'>>
  readonly spec?: object
}

async function searched(list: Answer, { kind = parts, tagsOf = {}, spec = {} }: Asked = {}) {
  const { caller, asked } = answering({ ListThings: list })
  const reads: unknown[] = []
  const read = ({ wanted }: ReadContext): Promise<Content | undefined> => {
    const name = String(wanted.spec['name'])
    reads.push(name)
    const tags = tagsOf[name] ?? {}
    if (tags === 'gone') return Promise.resolve(undefined)
    const absent = tags === 'absent'
    return Promise.resolve({
      spec: { ...wanted.spec, tags: absent ? { [ownerTag]: 'u1' } : tags },
      status: {},
      ...(absent ? { isAbsent: true as const } : {}),
    })
  }
  const model = madeUpKind(kind)
  const claim = { metadata: { uid: 'u1' } } as Resource
  const context = { model, deviation: { read }, claim, wanted: { spec, status: {} }, caller } as unknown as ReadContext
  const found = await findMarked(context)
  return {
    found: typeof found === 'string' ? found : found.spec['name'],
    reads,
    asked,
    spec: typeof found === 'string' ? {} : found.spec,
  }
}

const mine = { [ownerTag]: 'u1' }
const named = (Name: string, more: Values = {}): Values => ({ Name, ...more })
const pairs = (...tags: readonly (readonly [string, unknown])[]) => tags.map(([Key, Value]) => ({ Key, Value }))

for (const [what, element, isRead] of [
  ['tells no tags', named('a'), true],
  ['tells tags as null', named('a', { Tags: null }), true],
  ['tells the mark', named('a', { Tags: mine }), true],
  ['tells the mark among others', named('a', { TagList: pairs(['x', 'y'], [ownerTag, 'u1']) }), true],
  ['tells the mark of another', named('a', { Tags: { [ownerTag]: 'u2' } }), false],
  ['tells the mark of another in a list', named('a', { TagList: pairs([ownerTag, 'u2'], ['x', 'u1']) }), false],
  ['tells a mark without a value', named('a', { Tags: pairs([ownerTag, undefined]) }), false],
  ['tells a mark that is null', named('a', { Tags: { [ownerTag]: null } }), false],
  ['tells other tags', named('a', { Tags: { x: 'u1' } }), false],
  ['tells no tag', named('a', { Tags: [] }), false],
] as const)
  test(`what a list ${what} of is ${isRead ? 'read' : 'passed over'}`, async () =>
    assert.deepEqual((await searched({ Things: [element] })).reads, isRead ? ['a'] : []))

test('what is found bears the very mark, and is there', async () => {
  const tagsOf = { a: { [ownerTag]: 'u2' }, b: 'gone', c: 'absent', d: mine, e: mine } as const
  const things = { Things: ['a', 'b', 'c', 'd', 'e'].map(name => named(name)) }
  const { found, reads, spec } = await searched(things, { tagsOf, spec: { zone: 'z' } })
  assert.deepEqual([found, reads, spec['zone']], ['d', ['a', 'b', 'c', 'd'], 'z'])
  assert.equal((await searched(things)).found, 'not-there')
  assert.equal((await searched({ Things: [] })).found, 'not-there')
})

test('of a kind without tags all are read', async () => {
  const { reads } = await searched(
    { Things: [named('a', { Tags: { [ownerTag]: 'u2' } })] },
    { kind: { ...parts, settings: untagged } },
  )
  assert.deepEqual(reads, ['a'])
})

test('the search is given up after a hundred reads', async () => {
  const things = (count: number) => ({ Things: Array.from({ length: count }, (_each, index) => named(`n${index}`)) })
  assert.equal((await searched(things(100))).found, 'not-there')
  const { found, reads } = await searched(things(101))
  assert.deepEqual([found, reads.length], ['not-searched', 100])
})

test('a kind that nothing lists, or not without being told where, is not searched', async () => {
  const { readMany: _list, ...operations } = { readMany: '', ...parts.operations } as { readMany: string; create: string }
  assert.equal((await searched({}, { kind: { ...parts, operations } })).found, 'not-searched')
  const within = { ...parts, required: { ...parts.required, ListThings: ['Zone'] } }
  assert.equal((await searched({ Things: [] }, { kind: within })).found, 'not-searched')
  const { found, asked } = await searched({ Things: [] }, { kind: within, spec: { zone: 'z' } })
  assert.deepEqual([found, asked], ['not-there', [['ListThings', { Zone: 'z' }]]])
  const error = new AwsError({ service: 'x', operation: 'ListThings', code: 'Odd', message: 'odd', httpStatus: 500 })
  await assert.rejects(searched(error), error)
})
