// How a resource is looked up: by which operation, what counts as absent, and what is read beside it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { Deviation, ReadContext } from '../kinds/deviation.ts'
import type { Content, Values } from '../model/request.ts'
import { type Answer, answering } from '../testing/answers.ts'
import { type KindMadeUp, list, madeUpKind, map, structure } from '../testing/made-up-kind.ts'
import { readByModel, readResource } from './read-aws.ts'

const parts: KindMadeUp = {
  spec: { Name: 'string', Size: 'integer' },
  operations: { create: 'CreateThing', readOne: 'GetThing' },
  inputs: { CreateThing: { Name: 'String', Size: 'Integer' } },
  outputs: { GetThing: { Name: 'String', Size: 'Integer' } },
  required: { GetThing: ['Name'] },
}
const members = (names: Readonly<Record<string, string>>) =>
  ({
    type: 'structure',
    required: [],
    members: Object.fromEntries(Object.entries(names).map(([name, target]) => [name, { target }])),
  }) as never
const shapes = {
  ThingList: { type: 'list', member: { target: 'Thing' } },
  Thing: members({ Name: 'String', Size: 'Integer' }),
  Part: members({ Text: 'String' }),
  TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as never,
} as NonNullable<KindMadeUp['shapes']>

interface Asked {
  readonly kind?: KindMadeUp
  readonly deviation?: Deviation
  readonly answers?: Readonly<Record<string, Answer>>
  readonly spec?: object
  readonly metadata?: object
}

function contextOf({ kind = {}, deviation = {}, answers = {}, spec = { name: 'one' }, metadata = {} }: Asked) {
  const model = madeUpKind({ ...parts, ...kind })
  const { caller, asked } = answering(answers)
  const context = {
    model,
    deviation,
    claim: { metadata, spec },
    wanted: { spec, status: {} },
    caller,
    adopting: true,
    justMade: false,
  }
  return { context: context as unknown as ReadContext, asked }
}

async function readOf(given: Asked) {
  const { context, asked } = contextOf(given)
  const found = await readResource(context)
  return { found, spec: found?.spec, asked: asked.map(([operation]) => operation) }
}

const refusal = (code: string, httpStatus = 400): AwsError =>
  new AwsError({ service: 'madeup', operation: 'GetThing', code, message: code, httpStatus })
const gone = refusal('ThingNotFoundException', 404)
const one = { Name: 'one', Size: 3 }
const unasked = { spec: {}, status: {}, isAbsent: true, isUnasked: true }
const alone = (found: Content | undefined) => {
  if (found === undefined) return undefined
  const { told: _told, arn: _arn, ...rest } = found as Content & { told?: unknown }
  return rest
}

const { readOne: _read, ...unread } = { readOne: '', ...parts.operations } as { readOne: string; create: string }
const byList = { operations: { ...unread, readMany: 'ListThings' }, outputs: { ListThings: { Things: 'ThingList' } }, shapes }
const wrapped = { outputs: { GetThing: { Thing: 'Thing' } }, shapes }
const here = { spec: { name: 'one', size: 3 }, status: {} }

for (const [what, asked, found, calls] of [
  ['by its own operation', { answers: { GetThing: one } }, here, ['GetThing']],
  ['by nothing, without a name', { spec: {} }, unasked, []],
  ['and is gone', { answers: { GetThing: gone } }, undefined, ['GetThing']],
  [
    'by its attributes',
    { kind: { operations: { ...unread, getAttributes: 'GetThing' } }, answers: { GetThing: one } },
    here,
    ['GetThing'],
  ],
  [
    'in a list',
    { kind: byList, answers: { ListThings: [{ Things: [{ Name: 'x' }] }, { Things: [one] }] } },
    here,
    ['ListThings'],
  ],
  [
    'in a list that is told its name',
    { kind: { ...byList, required: { ListThings: ['Name'] } }, answers: { ListThings: { Things: [one] } } },
    here,
    ['ListThings'],
  ],
  ['in a list that lacks it', { kind: byList, answers: { ListThings: { Things: [{ Name: 'x' }] } } }, undefined, ['ListThings']],
  ['in a list, without a name', { kind: byList, spec: {} }, unasked, []],
  ['in a list that needs to be told where', { kind: { ...byList, required: { ListThings: ['Zone', 'Name'] } } }, unasked, []],
  ['in the one place of an answer', { kind: wrapped, answers: { GetThing: { Thing: one } } }, here, ['GetThing']],
  ['in the one place of an answer, which is empty', { kind: wrapped, answers: { GetThing: {} } }, undefined, ['GetThing']],
  [
    'in the one place of an answer, which is null',
    { kind: wrapped, answers: { GetThing: { Thing: null } } },
    undefined,
    ['GetThing'],
  ],
  [
    'in one of two places of an answer',
    { kind: { outputs: { GetThing: { Thing: 'Thing', Other: 'Part' } }, shapes }, answers: { GetThing: {} } },
    { spec: {}, status: {} },
    ['GetThing'],
  ],
  [
    'in an answer of one text',
    { kind: { outputs: { GetThing: { Size: 'String' } } }, answers: { GetThing: {} } },
    { spec: { name: 'one' }, status: {} },
    ['GetThing'],
  ],
  [
    'in an answer of nothing',
    { kind: { outputs: {} }, answers: { GetThing: {} } },
    { spec: { name: 'one' }, status: {} },
    ['GetThing'],
  ],
] as const)
  test(`a resource is looked up ${what}`, async () => {
    const answer = await readOf(asked as Asked)
    assert.deepEqual([alone(answer.found), answer.asked], [found, calls])
  })

test('a kind that nothing reads is told as such, and a read that fails is trouble', async () => {
  await assert.rejects(readOf({ kind: { operations: { create: 'CreateThing' } } }), {
    kind: 'stop',
    reason: 'NotImplemented',
    message: 'madeup/Thing has no operation that reads it',
  })
  await assert.rejects(readOf({ answers: { GetThing: refusal('AccessDenied', 403) } }), /AccessDenied/)
})

test('code of a kind that begins with the general read hears of no resource where none could be asked for', async () => {
  const { context } = contextOf({ spec: {} })
  assert.equal(await readByModel(context), undefined)
  const there = contextOf({ answers: { GetThing: one } })
  assert.deepEqual((await readByModel(there.context))?.spec, here.spec)
})

test('what a kind reads beside it is read of what is there only', async () => {
  const readMore = (_: ReadContext, found: Content): Promise<Content> =>
    Promise.resolve({ ...found, spec: { ...found.spec, more: true } })
  const more = (asked: Asked) => readOf({ ...asked, deviation: { readMore } }).then(({ spec }) => spec?.['more'])
  assert.deepEqual(
    [await more({ answers: { GetThing: one } }), await more({ answers: { GetThing: gone } }), await more({ spec: {} })],
    [true, undefined, undefined],
  )
})

test('a part that goes while it is read has the resource looked at again, and one that fails is trouble', async () => {
  const failing = (failure: Error) =>
    readOf({ answers: { GetThing: one }, deviation: { readMore: () => Promise.reject(failure) } })
  await assert.rejects(failing(gone), {
    kind: 'backoff',
    reason: 'NotVisibleYet',
    message: 'a part of the resource went while it was looked at',
  })
  await assert.rejects(failing(refusal('AccessDenied', 403)), /AccessDenied/)
})

const tagged: KindMadeUp = {
  spec: { Name: 'string', Tags: map('string') },
  settings: { tags: { path: 'Tags' } as never },
  operations: { create: 'CreateThing', readOne: 'GetThing', delete: 'DeleteThing' },
  inputs: { ListTagsForResource: { Name: 'String' } },
  outputs: { GetThing: { Name: 'String', DeletedDate: 'Timestamp' }, ListTagsForResource: { Tags: 'TagMap' } },
  required: { GetThing: ['Name'], ListTagsForResource: ['Name'] },
  shapes,
}
const telling = { ...tagged, outputs: { GetThing: { Name: 'String', Tags: 'TagMap' } } }

for (const [what, asked, tags, calls] of [
  [
    'that its read does not tell',
    { kind: tagged, answers: { GetThing: one, ListTagsForResource: { Tags: { a: 'b' } } } },
    { a: 'b' },
    2,
  ],
  ['that its read tells', { kind: telling, answers: { GetThing: { Name: 'one', Tags: { c: 'd' } } } }, { c: 'd' }, 1],
  ['of what is gone', { kind: tagged, answers: { GetThing: gone } }, undefined, 1],
  ['of what cannot be asked for', { kind: tagged, spec: {} }, undefined, 0],
] as const)
  test(`tags ${what} are ${calls === 2 ? 'asked for' : 'not asked for'}`, async () => {
    const answer = await readOf(asked as Asked)
    assert.deepEqual([answer.spec?.['tags'], answer.asked.length], [tags, calls])
  })

/** The first look finds it, and the next as many times as there are answers. */
function looks(...answers: readonly (Values | Error)[]): () => Values {
  const left = [...answers]
  return () => {
    const next = left.shift()
    if (next instanceof Error) throw next
    return next ?? {}
  }
}

test('a resource whose tags nobody has is looked at again, and waits for them unless it goes', async () => {
  const asking = (again: Values | Error, metadata: object = {}) =>
    readOf({ kind: tagged, metadata, answers: { GetThing: looks(one, again), ListTagsForResource: gone } })
  assert.equal((await asking(gone)).found, undefined)
  const deleted = (await asking({ ...one, DeletedDate: new Date(0) })).found
  assert.deepEqual([deleted?.isDeleted, deleted?.hasUntoldTags], [true, undefined])
  await assert.rejects(asking(one), { kind: 'backoff', reason: 'NotVisibleYet' })
  const { found, asked } = await asking(one, { deletionTimestamp: 'x' })
  assert.deepEqual([found?.hasUntoldTags, asked], [true, ['GetThing', 'ListTagsForResource', 'GetThing']])
  const denied = refusal('AccessDenied', 403)
  await assert.rejects(readOf({ kind: tagged, answers: { GetThing: one, ListTagsForResource: denied } }), denied)
})

const rules = { field: 'Rules', list: 'ListRules', entries: 'Rules', put: 'PutRule', delete: 'DeleteRule', key: 'Name' }
const whole: KindMadeUp = {
  ...parts,
  spec: { ...parts.spec, Text: 'string', Rules: list(structure('Rule')) },
  structures: { Rule: { Name: 'string' } },
  subResources: [rules as never],
  parts: [
    {
      operation: 'PutPart',
      fields: [{ field: 'Text', member: 'Text' }],
      read: { operation: 'GetPart', paths: { Text: 'Text' } },
    },
  ],
  inputs: { ...parts.inputs, PutPart: { Text: 'String' }, GetPart: { Name: 'String' }, PutRule: { Name: 'String' } },
  outputs: {
    GetThing: { Name: 'String', Size: 'Integer', DeletedDate: 'Timestamp' },
    GetPart: { Text: 'String' },
    ListRules: { Rules: 'Rules' },
  },
  shapes: { ...shapes, Rules: { type: 'list', member: { target: 'Rule' } }, Rule: members({ Name: 'String' }) },
}

test('parts and entries are read of what is there, and of nothing else', async () => {
  const answers = { GetThing: one, GetPart: { Text: 'long' }, ListRules: { Rules: [{ Name: 'r' }] } }
  const there = await readOf({ kind: whole, answers })
  assert.deepEqual(
    [there.spec?.['text'], there.spec?.['rules'], there.asked],
    ['long', [{ name: 'r' }], ['GetThing', 'GetPart', 'ListRules']],
  )
  assert.deepEqual((await readOf({ kind: whole, answers: { ...answers, GetThing: gone } })).asked, ['GetThing'])
  assert.deepEqual((await readOf({ kind: whole, answers, spec: {} })).asked, [])
  const deleted = await readOf({ kind: whole, answers: { ...answers, GetThing: { ...one, DeletedDate: new Date(0) } } })
  assert.deepEqual([deleted.found?.isDeleted, deleted.asked], [true, ['GetThing']])
  const { subResources: _entries, ...withParts } = whole
  assert.deepEqual((await readOf({ kind: withParts, answers })).asked, ['GetThing', 'GetPart'])
  const { parts: _parts, ...withEntries } = whole
  assert.deepEqual((await readOf({ kind: withEntries, answers })).asked, ['GetThing', 'ListRules'])
})

test('a part that fails is trouble of the whole', async () => {
  const answers = { GetThing: one, GetPart: refusal('AccessDenied', 403) }
  await assert.rejects(readOf({ kind: whole, spec: { name: 'one', text: 'x' }, answers }), /AccessDenied/)
})
