import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InferError } from '../infer-error.ts'
import { chooseKinds, whyNone } from './choose-kinds.ts'
import { inferSmall, structure } from './model.fixture.ts'

const looped = { Loop: structure({ Again: 'Loop' }) }

test('a service without kinds says why in one sentence: the nearest reason first', () => {
  for (const [model, config, why] of [
    [{ operations: {} }, '', /^the model has no operations$/],
    [{ operations: { GetThing: [{ Name: 'String' }, {}] } }, '', /^no operation is called Create/],
    [{ operations: { BatchCreateThings: [{ Name: 'String' }] } }, '', /^no operation is called Create/],
    [{ operations: { CreateThings: [{ Name: 'String' }] } }, '', /^CreateThings make no single resource$/],
    [
      { operations: { CreateThing: [{ Name: 'String' }] } },
      'ignore:\n  resource_names: [Thing]\n',
      /^the config leaves out Thing$/,
    ],
    [{ operations: { CreateThing: [{ Loop: 'Loop' }] }, shapes: looped }, '', /^all of Thing are refused$/],
  ] as const)
    assert.match(whyNone(inferSmall(model, config)), why)
})

const name = { Name: 'String' }
const service = inferSmall(
  {
    operations: {
      CreateApple: [name],
      CreatePear: [name],
      CreateDNSName: [name],
      CreateKnot: [{ Loop: 'Loop' }],
      CreateStone: [name],
    },
    shapes: looped,
  },
  'ignore:\n  resource_names: [Stone]\nresources:\n  Pear:\n    shortNames: [pr]\n',
)

for (const [wanted, chosen] of [
  [[], ['Apple', 'DNSName', 'Pear']],
  [
    ['pear', 'Apple'],
    ['Apple', 'Pear'],
  ],
  [['APPLES'], ['Apple']],
  [['pr'], ['Pear']],
  [['dnsname'], ['DNSName']],
] as const)
  test(`asked for ${wanted.join(' and ') || 'nothing'}, ${chosen.join(', ')} are the kinds, in the order of the service`, () =>
    assert.deepEqual(
      chooseKinds(service, wanted).map(({ kind }) => kind),
      chosen,
    ))

for (const [wanted, message] of [
  ['Aple', 'small has no kind "Aple"; did you mean "Apple"?'],
  ['Zebra', 'small has no kind "Zebra"; it has Apple, DNSName, Pear'],
  ['STONE', 'STONE: left out by ignore.resource_names'],
  ['knot', /^Knot: .*Loop/],
] as const)
  test(`asked for ${wanted}, it says why that is no kind`, () =>
    assert.throws(() => chooseKinds(service, [wanted]), { constructor: InferError, code: 'no-kind', message }))

test('asked for nothing of a service without kinds, it says why there are none', () =>
  assert.throws(() => chooseKinds(inferSmall({ operations: {} })), {
    constructor: InferError,
    code: 'no-kind',
    message: 'small: no kind: the model has no operations',
  }))
