// Shapes that none of the compared services has: what the SDK reads of them is the same as of any other.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation, ServiceModel, Shape } from '../../model/service-model.ts'
import { Tuples } from './tuples.ts'

const shapes: Readonly<Record<string, Shape>> = {
  Text: { type: 'string' },
  Sparse: { type: 'list', member: { target: 'Text' }, sparse: true },
  Dense: { type: 'list', member: { target: 'Text' } },
  SparseMap: { type: 'map', key: { target: 'Text' }, value: { target: 'Text' }, sparse: true },
  Structures: { type: 'list', member: { target: 'Inner' } },
  Inner: { type: 'structure', members: {}, required: [] },
  Refused: { type: 'structure', members: {}, required: [], error: { code: 'Old.Code', fault: 'client' } },
  Missing: { type: 'structure', members: {}, required: [], error: { code: 'Old.Missing', fault: 'client', httpStatus: 404 } },
  Plain: { type: 'structure', members: {}, required: [], error: { code: 'Plain', fault: 'server', httpStatus: 500 } },
}
const model = { id: 'Made Up', apiVersion: '1', protocol: 'query', endpointPrefix: 'x', signingName: 'x', operations: {}, shapes }
const tuples = new Tuples(model as unknown as ServiceModel)
const made = (name: string): unknown[] => tuples.shape(name) as unknown as unknown[]

test('a list or a map that may have gaps says so', () => {
  assert.deepEqual(made('Sparse')[3], { sparse: 1 })
  assert.deepEqual(made('SparseMap')[3], { sparse: 1 })
  assert.equal(made('Structures')[3], 0)
  assert.equal(typeof made('Dense'), 'number')
})

test('an error of the query protocol is known by the code it had there, and is the caller’s where no status is told', () => {
  assert.deepEqual(made('Refused')[3], { error: 'client', awsQueryError: ['Old.Code', 400] })
  assert.deepEqual(made('Missing')[3], { error: 'client', httpError: 404, awsQueryError: ['Old.Missing', 404] })
  assert.deepEqual(made('Plain')[3], { error: 'server', httpError: 500 })
})

test('an operation says whether it may be repeated', () => {
  const operation = (more: Partial<Operation>): object => {
    const http = { method: 'POST', uri: '/', code: 200 } as const
    return tuples.operation({ name: `Do${Object.keys(more).join()}`, http, errors: [], ...more }).traits as object
  }
  assert.deepEqual(operation({ idempotent: true }), { idempotent: 1 })
  assert.deepEqual(operation({ hostPrefix: 'data.' }), { endpoint: ['data.'] })
  assert.deepEqual(operation({}), {})
})
