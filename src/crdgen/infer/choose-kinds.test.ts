import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNone } from './choose-kinds.ts'
import { inferSmall, structure } from './model.fixture.ts'

test('a service without kinds says why in one sentence: the nearest reason first', () => {
  const looped = { Loop: structure({ Again: 'Loop' }) }
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
