// What looks as a manifest asks for: counted before it is made, and told from what was there before afterwards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { Resource } from '../api.ts'
import type { Equipment } from '../equipment.ts'
import type { ReadContext } from '../kinds/deviation.ts'
import type { Values } from '../model/request.ts'
import { countedAs } from '../ownership/alike.ts'
import { type OwnershipRecord, recordCondition } from '../ownership/ownership-record.ts'
import type { Notes } from '../seen/notes.ts'
import type { Adoption } from '../seen/seen.ts'
import { type Answer, answering } from '../testing/answers.ts'
import { type KindMadeUp, madeUpKind } from '../testing/made-up-kind.ts'
import { rulesOf } from '../testing/situation.ts'
import { countAlike } from './count-alike.ts'

/** Nothing marks what is made of it, and AWS chooses its id. */
const parts: KindMadeUp = {
  spec: { Size: 'integer', Zone: 'string' },
  status: { Id: 'string' },
  operations: { create: 'CreateThing', readOne: 'GetThing', readMany: 'ListThings' },
  inputs: { CreateThing: { Size: 'Integer' }, GetThing: { Id: 'String' } },
  required: { GetThing: ['Id'] },
  outputs: { ListThings: { Things: 'ThingList' }, GetThing: { Id: 'String', Size: 'Integer' } },
  shapes: {
    ThingList: { type: 'list', member: { target: 'Thing' } },
    Thing: { type: 'structure', required: [], members: { Id: { target: 'String' }, Size: { target: 'Integer' } } },
  },
}
const model = madeUpKind(parts)
const things = (...ids: readonly string[]): Values => ({ Things: ids.map(Id => ({ Id, Size: 1 })) })
const counted = (id: string): string => countedAs({ spec: {}, status: { id } })
const refusal = (code: string): AwsError =>
  new AwsError({ service: 'x', operation: 'ListThings', code, message: code, httpStatus: 400 })
const intent = { token: 't', atMs: 0, prints: [] }
const intended = (before?: readonly string[]): OwnershipRecord => ({
  kind: 'intended',
  intent,
  identity: {},
  ...(before === undefined ? {} : { before: before.map(counted) }),
})

interface Asked {
  readonly list?: Answer
  readonly kind?: KindMadeUp
  readonly record?: OwnershipRecord
  readonly adoption?: Adoption
  readonly notes?: Notes
  readonly metadata?: object
  readonly others?: readonly object[]
  readonly spec?: object
  readonly read?: Answer
}

async function countOf(asked: Asked) {
  const { list = things('a', 'b'), kind, record = { kind: 'none' }, notes = {}, metadata, others = [], spec, read } = asked
  const of = kind === undefined ? model : madeUpKind(kind)
  const conditions = [recordCondition(record)].filter(each => each !== undefined)
  const claim = { metadata: { uid: 'u1', ...metadata }, status: { conditions } } as unknown as Resource
  const { caller, asked: calls } = answering({
    ListThings: list,
    GetThing: read ?? (({ Id }: Values) => ({ Id, Size: 1, Color: 'red' })),
  })
  const rules = rulesOf({ model: of, deviation: {} })
  const wanted = { spec: { size: 1, ...spec }, status: {}, arn: undefined }
  const context = { ...rules, claim, wanted, caller, adopting: false, justMade: false } as unknown as ReadContext
  const seen = { adoption: asked.adoption ?? { kind: 'none' }, notes, wanted } as never
  const found = await countAlike(rules as Equipment, context, {
    seen,
    absent: { kind: 'absent' },
    others: () => others as readonly Resource[],
  })
  return { found, lists: calls.filter(([operation]) => operation === 'ListThings').length, calls }
}

const absent = { kind: 'absent' } as const
const searched = { kind: 'absent', isSearched: true } as const
const alike = (...ids: readonly string[]) => ({ kind: 'absent', alike: ids.map(counted) }) as const
const has = (id: string, uid = 'u2'): object => ({ metadata: { uid }, status: { id } })
const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const many = (count: number): Values => things(...Array.from({ length: count }, (_, index) => `i${index}`))
const { readMany: _, ...unlisted } = model.kind.operations

const rows: readonly (readonly [what: string, asked: Asked, found: object, lists: number])[] = [
  ['nothing is on record', {}, alike('a', 'b'), 1],
  [
    'others are of another size',
    {
      list: {
        Things: [
          { Id: 'a', Size: 2 },
          { Id: 'b', Size: 1 },
        ],
      },
    },
    alike('b'),
    1,
  ],
  ['there is nothing', { list: things() }, alike(), 1],
  ['it adopts', { adoption: { kind: 'adopt', identifiers: { spec: {}, status: {} } } }, absent, 0],
  [
    'it has a name',
    { kind: { ...parts, required: { GetThing: ['Name'] }, spec: { Name: 'string' } }, spec: { name: 'x' } },
    absent,
    0,
  ],
  ['it goes', { metadata: going }, absent, 0],
  ['nothing lists them', { kind: { ...parts, operations: unlisted } }, absent, 0],
  ['there are a hundred', { list: many(100) }, alike(...Array.from({ length: 100 }, (_, index) => `i${index}`)), 1],
  ['there are more than a hundred', { list: many(101) }, absent, 1],
  ['the list is denied', { list: refusal('AccessDenied') }, absent, 1],
  ['the list is not authorized', { list: refusal('NotAuthorizedException') }, absent, 1],
  ['the list needs to be told where', { kind: { ...parts, required: { ...parts.required, ListThings: ['Zone'] } } }, absent, 0],
  [
    'its list is told where',
    { kind: { ...parts, required: { ...parts.required, ListThings: ['Zone'] } }, spec: { zone: 'z' } },
    alike('a', 'b'),
    1,
  ],
  ['its record counts nothing', { record: intended() }, absent, 0],
  ['its call never went out', { record: intended([]), notes: { unsent: { token: 't', atMs: 0 } } }, absent, 0],
  ['another call never went out', { record: intended(['a', 'b']), notes: { unsent: { token: 'x', atMs: 0 } } }, searched, 1],
  ['its call was refused', { record: intended([]), notes: { refusedIntent: 't' } }, absent, 0],
  ['another call was refused', { record: intended(['a', 'b']), notes: { refusedIntent: 'x' } }, searched, 1],
  ['nothing came since', { record: intended(['a', 'b']) }, searched, 1],
  ['nothing came since, and it goes', { record: intended(['a', 'b']), metadata: going }, searched, 1],
  ['nothing can be counted any more', { record: intended(['a']), list: refusal('AccessDenied') }, absent, 1],
  ['what came since has another claim', { record: intended(['a']), others: [has('a'), has('b')] }, searched, 1],
  ['what came since was gone at once', { record: intended(['a']), read: refusal('ResourceNotFoundException') }, absent, 1],
]
for (const [what, asked, found, lists] of rows)
  test(`where ${what}, ${'alike' in found ? 'what looks alike is counted' : 'nothing is counted'}`, async () => {
    const answer = await countOf(asked)
    assert.deepEqual([answer.found, answer.lists], [found, lists])
  })

for (const [what, others] of [
  ['nobody has', []],
  ['only its own claim has', [has('b', 'u1')]],
  ['nobody has on record', [{ metadata: { uid: 'u2' }, status: {} }, { metadata: { uid: 'u3' } }]],
] as const)
  test(`the one that came since and ${what} is what our call made`, async () => {
    const { found, calls } = await countOf({ record: intended(['a']), others, spec: { zone: 'z' } })
    assert.ok(found.kind === 'present')
    assert.deepEqual([found.isNew, found.content.status['id'], calls.at(-1)], [true, 'b', ['GetThing', { Id: 'b' }]])
  })

test('of several that came since none is taken, and they are named', async () => {
  const { found } = await countOf({ record: intended([]) })
  assert.ok(found.kind === 'failed')
  const { kind, reason, message } = found.trouble
  assert.deepEqual([kind, reason], ['backoff', 'OutcomeUnknown'])
  assert.match(message, /several that it may have made are there: a, b; say which by/)
})

test('a resource is known by its ARN where it has one, to claims as well', async () => {
  const arns = {
    ...parts,
    shapes: {
      ...parts.shapes,
      Thing: {
        type: 'structure',
        required: [],
        members: { Id: { target: 'String' }, Size: { target: 'Integer' }, Arn: { target: 'String' } },
      },
    },
  } as KindMadeUp
  const list = { Things: ['a', 'b', 'c'].map(Id => ({ Id, Size: 1, Arn: `arn:${Id}` })) }
  const holding = (arn: string) => ({ metadata: { uid: 'u2' }, status: { ackResourceMetadata: { arn }, id: 'c' } })
  const taken = await countOf({ record: intended([]), kind: arns, list, others: [holding('arn:a')] })
  assert.ok(taken.found.kind === 'failed')
  assert.match(taken.found.trouble.message, /are there: arn:b, arn:c;/)
})

const someone = { metadata: { uid: 'u2' }, status: { id: 'b', group: 'other' } }

for (const [what, kind, list, isFound] of [
  [
    'by its ARN',
    { inputs: { ...parts.inputs, GetThing: { ThingArn: 'String' } }, required: { GetThing: ['ThingArn'] } },
    { Things: [{ Arn: 'arn:b', Size: 1 }] },
    true,
  ],
  ['by a field of its spec', { required: { GetThing: ['Zone'] } }, { Things: [{ Zone: 'b', Size: 1 }] }, true],
  [
    'by two ids, of which another claim has one',
    { status: { Id: 'string', Group: 'string' }, required: { GetThing: ['Id', 'Group'] } },
    { Things: [{ Id: 'b', Group: 'g', Size: 1 }] },
    true,
  ],
  ['by what no list tells', { required: { GetThing: ['Id', 'Token'] } }, things('x'), false],
] as const)
  test(`the one that came since is ${isFound ? 'found' : 'not found'} where it is read ${what}`, async () => {
    const asked = { kind: { ...parts, ...kind } as KindMadeUp, list, others: [someone], record: intended([]) }
    const { found } = await countOf(asked)
    assert.equal(found.kind, isFound ? 'present' : 'absent')
  })

test('a list that fails is trouble', () => assert.rejects(countOf({ list: refusal('Throttling') }), /Throttling/))
