// Which parts of a resource AWS is asked for, each by its own operation, and what a part that is not there means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { conditions, type Resource } from '../api.ts'
import type { Deviation, ReadContext } from '../kinds/deviation.ts'
import type { KindModel } from '../model/kind-model.ts'
import { type Answer, answering } from '../testing/answers.ts'
import { type KindMadeUp, madeUpKind } from '../testing/made-up-kind.ts'
import { partsToRead, readParts } from './read-parts.ts'

const parts: KindMadeUp = {
  spec: { Name: 'string', Text: 'string', Mode: 'string', Untold: 'string' },
  parts: [
    {
      operation: 'PutPart',
      fields: [
        { field: 'Text', member: 'Text' },
        { field: 'Mode', member: 'Mode' },
      ],
      read: { operation: 'GetPart', paths: { Text: 'Text', Mode: 'Mode', Nothing: 'Nothing' } },
    },
    { operation: 'PutUntold', fields: [{ field: 'Untold', member: 'Untold' }] },
  ],
  inputs: { PutPart: { Text: 'String', Mode: 'String' }, PutUntold: { Untold: 'String' } },
  outputs: { GetPart: { Text: 'String', Mode: 'String' } },
  required: { GetPart: ['Name'] },
}
const model = madeUpKind(parts)
const within = madeUpKind({ ...parts, required: { GetPart: ['Name', 'Zone'] } })

interface Asked {
  readonly wanted?: object
  readonly found?: object
  readonly adopting?: boolean
  readonly metadata?: object
  /** Fields of which an earlier manifest had something sent. */
  readonly sent?: readonly string[]
  readonly staying?: readonly string[]
  readonly spoken?: readonly string[]
  readonly answer?: Answer
  readonly deviation?: Deviation
  readonly kind?: KindModel
}

async function readOf(asked: Asked) {
  const {
    wanted = {},
    found = { name: 'one' },
    adopting = false,
    metadata = {},
    sent,
    spoken,
    answer,
    deviation = {},
    kind = model,
  } = asked
  const { caller, asked: calls } = answering({ GetPart: answer ?? { Text: 't', Mode: 'm' } })
  const note = { type: conditions.sent, status: 'True', reason: 'Sent' }
  const message = JSON.stringify(Object.fromEntries((sent ?? []).map(name => [name, 'print'])))
  const claim = { metadata, status: { conditions: sent === undefined ? [] : [{ ...note, message }] } } as unknown as Resource
  const context = {
    model: kind,
    deviation,
    claim,
    adopting,
    wanted: { spec: wanted, status: {} },
    spoken,
    caller,
  } as unknown as ReadContext
  const { spec } = await readParts(context, { spec: found as never, status: {} })
  return { spec, calls: calls.map(([operation, input]) => `${operation} ${String(input['Name'])}`) }
}

const asIs = { name: 'one', text: 'before', mode: 'before' }
for (const [what, asked, spec] of [
  ['nobody speaks of', {}, asIs],
  ['the manifest speaks of', { wanted: { text: 'x' } }, { ...asIs, text: 't' }],
  ['the manifest speaks of both', { wanted: { text: 'x', mode: '' } }, { ...asIs, text: 't', mode: 'm' }],
  ['the manifest says null of', { wanted: { text: null } }, asIs],
  ['an earlier manifest had sent', { sent: ['Mode'] }, { ...asIs, mode: 'm' }],
  ['the manifest spoke of when it was in step', { spoken: ['mode'] }, { ...asIs, mode: 'm' }],
  ['the manifest spoke of otherwise', { spoken: ['other'] }, asIs],
  ['stand in what is taken over', { adopting: true }, { ...asIs, text: 't', mode: 'm' }],
  ['stand in what goes', { adopting: true, metadata: { deletionTimestamp: 'x' } }, asIs],
  ['the code of the kind looks after', { adopting: true, deviation: { own: ['Text'] } }, { ...asIs, mode: 'm' }],
  ['are all looked after by the code of the kind', { adopting: true, deviation: { own: ['Text', 'Mode'] } }, asIs],
  ['are not there', { adopting: true, answer: {} }, { name: 'one' }],
] as const)
  test(`parts that ${what} are ${spec === asIs ? 'left as they are' : 'read'}`, async () => {
    const answer = await readOf({ found: asIs, ...asked })
    assert.deepEqual([answer.spec, answer.calls], [spec, spec === asIs ? [] : ['GetPart one']])
  })

const refusal = (code: string, httpStatus = 400): AwsError =>
  new AwsError({ service: 'madeup', operation: 'GetPart', code, message: code, httpStatus })
const gone = refusal('ResourceNotFoundException', 404)
const nameless = refusal('NoSuchPartConfiguration')
const wordy = new AwsError({
  service: 'madeup',
  operation: 'GetPart',
  code: 'ValidationException',
  message: 'The part does not exist',
  httpStatus: 400,
})
const denied = refusal('AccessDenied', 403)

for (const [what, asked, spec] of [
  ['that is not there is none', { wanted: { text: 'x' }, answer: gone }, { name: 'one', mode: 'before' }],
  ['that is not there in words only is none', { wanted: { text: 'x' }, answer: wordy }, { name: 'one', mode: 'before' }],
  [
    'that is not there by the name of the error is none',
    { wanted: { text: 'x' }, answer: nameless },
    { name: 'one', mode: 'before' },
  ],
  ['that may not be read stays as it is where nobody asks for it', { adopting: true, answer: denied }, asIs],
  ['that may not be read and was only spoken of stays as it is', { spoken: ['text'], answer: denied }, asIs],
  ['that stands within what is not known yet stays as it is', { wanted: { text: 'x' }, kind: within }, asIs],
  ['that cannot be asked for yet stays as it is', { wanted: { text: 'x' }, found: { text: 'before' } }, { text: 'before' }],
] as const)
  test(`a part ${what}`, async () => assert.deepEqual((await readOf({ found: asIs, ...asked } as Asked)).spec, spec))

for (const [what, asked] of [
  ['that the manifest speaks of', { wanted: { text: 'x' } }],
  ['of which something was sent', { sent: ['Text'] }],
  ['that the manifest speaks of, beside one that it spoke of before,', { wanted: { text: 'x' }, spoken: ['mode'] }],
] as const)
  test(`a part ${what} and that may not be read is trouble`, () =>
    assert.rejects(readOf({ found: asIs, answer: denied, ...asked }), /AccessDenied/))

test('parts that nothing reads, and fields that are none, are no parts to read', () =>
  assert.deepEqual(
    partsToRead(model, {}).map(({ operation, fields }) => [operation, fields.map(({ field }) => field.camel)]),
    [['GetPart', ['Text', 'Mode']]],
  ))
