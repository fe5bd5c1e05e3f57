import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const level = (spec: JsonObject, name = 'x'): JsonObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name },
  spec,
})
const reject = { limitResponse: { type: 'Reject' } }
const limited = (content: JsonObject): JsonObject => ({ type: 'Limited', limited: { ...reject, ...content } })
const queues = (queuing: JsonObject): JsonObject => limited({ limitResponse: { type: 'Queue', queuing } })
const response = 'spec.limited.limitResponse'
const queuing = `${response}.queuing`
const types = 'supported values: "Exempt", "Limited"'
const onlyExempt = "must be 'Exempt' if and only if `name` is 'exempt'"
const entropy = (queueCount: number, handSize: number): string =>
  `${queuing}.handSize: Invalid value: ${handSize}: required entropy bits of deckSize ${queueCount} and handSize ${handSize} should not be greater than 60`

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [limited({})],
  [limited({ nominalConcurrencyShares: 0, lendablePercent: 100, borrowingLimitPercent: 0 })],
  [{ type: 'Free', limited: {} }, `spec.type: Unsupported value: "Free": ${types}`],
  [{}, `spec.type: Unsupported value: "": ${types}`],
  [
    { type: 'Limited', exempt: {} },
    'spec.exempt: Forbidden: must be nil if the type is Limited',
    'spec.limited: Required value: must not be empty when type is Limited',
  ],
  [
    { type: 'Exempt', limited: {}, exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 } },
    `spec.type: Invalid value: "Exempt": ${onlyExempt}`,
    'spec.limited: Forbidden: must be nil if the type is not Limited',
    'spec.exempt.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
    'spec.exempt.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
  ],
  [
    limited({ nominalConcurrencyShares: -1, limitResponse: {}, lendablePercent: -1, borrowingLimitPercent: -1 }),
    'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
    `${response}.type: Unsupported value: "": supported values: "Queue", "Reject"`,
    'spec.limited.lendablePercent: Invalid value: -1: must be between 0 and 100, inclusive',
    'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
  ],
  [
    limited({ limitResponse: { type: 'Queue' } }),
    `${queuing}: Required value: must not be empty if limited.limitResponse.type is Limited`,
  ],
  [
    limited({ limitResponse: { type: 'Reject', queuing: {} } }),
    `${queuing}: Forbidden: must be nil if limited.limitResponse.type is not Limited`,
  ],
  [queues({})],
  [queues({ queues: 10_000_000, handSize: 1 })],
  [queues({ queues: 10_000_001, handSize: 1 }), `${queuing}.queues: Invalid value: 10000001: must not be greater than 10000000`],
  [
    queues({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
    `${queuing}.queueLengthLimit: Invalid value: -1: must be positive`,
    `${queuing}.queues: Invalid value: -1: must be positive`,
    `${queuing}.handSize: Invalid value: -1: must be positive`,
  ],
  [queues({ queues: 8 })],
  [queues({ queues: 7 }), `${queuing}.handSize: Invalid value: 8: should not be greater than queues (7)`],
  [queues({ queues: 181, handSize: 8 })],
  [queues({ queues: 182, handSize: 8 }), entropy(182, 8)],
  [queues({ queues: 64, handSize: 10 })],
  [queues({ queues: 64, handSize: 11 }), entropy(64, 11)],
  [queues({ queues: 20, handSize: 20 }), entropy(20, 20)],
]

for (const [spec, ...told] of rows)
  test(`a level with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(level(spec)), told)
  })

const shownLimits = (content: string): string =>
  `{"Type":"Limited","Limited":{"NominalConcurrencyShares":${content},"LendablePercent":0,"BorrowingLimitPercent":null},"Exempt":null}`

test('the levels that every cluster has are what they are, but for what the exempt one lends', () => {
  assert.deepEqual(refusals(level({ type: 'Exempt' }, 'exempt')), [])
  assert.deepEqual(refusals(level({ type: 'Exempt', exempt: { lendablePercent: 50 } }, 'exempt')), [])
  assert.deepEqual(refusals(level(limited({ nominalConcurrencyShares: 5 }), 'catch-all')), [])
  const of = (name: string): string => `spec of '${name}' must equal the fixed value`
  assert.deepEqual(refusals(level(limited({}), 'catch-all')), [
    `spec: Invalid value: ${shownLimits('30,"LimitResponse":{"Type":"Reject","Queuing":null}')}: ${of('catch-all')}`,
  ])
  assert.deepEqual(refusals(level(queues({}), 'catch-all')), [
    `spec: Invalid value: ${shownLimits('30,"LimitResponse":{"Type":"Queue","Queuing":{"Queues":64,"HandSize":8,"QueueLengthLimit":50}}')}: ${of('catch-all')}`,
  ])
  assert.deepEqual(refusals(level({ type: 'Free', exempt: { nominalConcurrencyShares: 3 } }, 'exempt')), [
    `spec.type: Invalid value: "Free": ${onlyExempt}`,
    `spec.type: Unsupported value: "Free": ${types}`,
    'spec: Invalid value: {"Type":"Free","Limited":null,"Exempt":{"NominalConcurrencyShares":3,"LendablePercent":0}}: spec of \'exempt\' except the \'spec.exempt\' field must equal the fixed value',
  ])
})

test('where zero means nothing it is made what is meant', () => {
  const defaulted = (object: JsonObject): JsonObject => {
    const schema = schemaOf(object)
    return schema.applyDefaults(schema.decode(object).object)['spec'] as JsonObject
  }
  assert.deepEqual(defaulted(level(queues({ queues: 0, handSize: 3 })))['limited'], {
    nominalConcurrencyShares: 30,
    lendablePercent: 0,
    limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 3, queueLengthLimit: 50 } },
  })
  const flow = { apiVersion: 'flowcontrol.apiserver.k8s.io/v1', kind: 'FlowSchema', spec: { matchingPrecedence: 0 } }
  assert.equal(defaulted(flow)['matchingPrecedence'], 1000)
})
