import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extendedModel, type ModelAdditions, onFirstUse } from './extended-model.ts'
import type { Operation, ServiceModel, Shape } from './service-model.ts'

const operation = (name: string): Operation => ({ name, http: { method: 'POST', uri: '/', code: 200 }, errors: [] })

const model = {
  shapes: {
    Box: { type: 'structure', members: { Size: { target: 'Known' } }, required: [] },
    Known: { type: 'string' },
    Colour: { type: 'string', enum: ['red', 'green'] },
    List: { type: 'list', member: { target: 'Known' } },
  } satisfies Record<string, Shape>,
  operations: { Open: operation('Open') },
} as unknown as ServiceModel

const shapes = (additions: ModelAdditions): ServiceModel['shapes'] => extendedModel(model, additions).shapes

test('a structure has the members that were added to it, and those that the model has by itself', () => {
  const members = { Box: { Size: { target: 'Other' }, Lid: { target: 'Known' } } }
  assert.deepEqual(shapes({ members })['Box'], {
    type: 'structure',
    members: { Size: { target: 'Known' }, Lid: { target: 'Known' } },
    required: [],
  })
})

test('members are added to structures alone', () => {
  const Lid = { target: 'Known' }
  assert.deepEqual(shapes({ members: { List: { Lid }, Known: { Lid }, Missing: { Lid } } }), model.shapes)
})

test('an enumeration has each value once, and a text that has none takes no values', () => {
  const values = { Colour: ['green', 'blue'], Known: ['x'], List: ['x'], Box: ['x'], Missing: ['x'] }
  assert.deepEqual(shapes({ values }), { ...model.shapes, Colour: { type: 'string', enum: ['red', 'green', 'blue'] } })
})

test('shapes and operations are added where the model has none of that name', () => {
  const extended = extendedModel(model, {
    shapes: { Known: { type: 'integer' }, New: { type: 'integer' } },
    operations: { Open: operation('Other'), Close: operation('Close') },
  })
  assert.deepEqual(extended.shapes, { ...model.shapes, New: { type: 'integer' } })
  assert.deepEqual(extended.operations, { Open: operation('Open'), Close: operation('Close') })
})

test('a value that is made on its first use is made once, be it nothing', () => {
  let made = 0
  const value = onFirstUse(() => {
    made++
    return undefined
  })
  assert.equal(made, 0)
  assert.deepEqual([value(), value(), made], [undefined, undefined, 1])
})
