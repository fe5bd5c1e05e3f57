import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals, schemaOf } from '../../testing/refusals.ts'

const atLeast0 = 'must be greater than or equal to 0'
const unlike = '`selector` does not match template `labels`'
const template = { metadata: { labels: { app: 'w', tier: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const pods = (spec: JsonObject): JsonObject => ({ template: { ...template, spec: { ...template.spec, ...spec } } })

const controller = (spec: JsonObject, name = 'r'): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ReplicationController',
  metadata: { name },
  spec,
})

const rows: readonly (readonly [what: string, spec: JsonObject, ...told: string[]])[] = [
  ['a template', { template }],
  ['a template and some of its labels', { replicas: 0, minReadySeconds: 0, selector: { app: 'w' }, template }],
  [
    'nothing but counts below nothing',
    { replicas: -1, minReadySeconds: -1 },
    `spec.minReadySeconds: Invalid value: -1: ${atLeast0}`,
    'spec.selector: Required value',
    `spec.replicas: Invalid value: -1: ${atLeast0}`,
    'spec.template: Required value',
  ],
  [
    'other labels',
    { selector: { app: 'v' }, template },
    `spec.template.metadata.labels: Invalid value: {"app":"w","tier":"x"}: ${unlike}`,
  ],
  [
    'a template that says nothing',
    { selector: { app: 'w' }, template: {} },
    `spec.template.metadata.labels: Invalid value: null: ${unlike}`,
    'spec.template.spec.containers: Required value',
  ],
  [
    'pods that end',
    pods({ restartPolicy: 'Never', activeDeadlineSeconds: 5 }),
    'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported',
  ],
  [
    'pods that do something else',
    pods({ restartPolicy: 'Again' }),
    'spec.template.spec.restartPolicy: Unsupported value: "Again": supported values: "Always", "OnFailure", "Never"',
    'spec.template.spec.restartPolicy: Unsupported value: "Again": supported values: "Always"',
  ],
]

for (const [what, spec, ...told] of rows)
  test(`a ReplicationController with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(controller(spec)), told)
    assert.deepEqual(refusals(controller(spec), { old: controller({ template }) }), [...told, ...told])
    assert.deepEqual(refusals(controller(spec), { old: controller({ template }), subresource: 'status' }), [])
  })

test('a new ReplicationController is warned of a name that its pods could not have', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'ReplicationController' })
  const why = 'this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended'
  const long = controller({ template }, `${'a'.repeat(64)}.b`)
  assert.deepEqual(validate(long).warnings, [`metadata.name: ${why}: [must be no more than 63 characters must not contain dots]`])
  assert.deepEqual(validate(long, { old: long }).warnings, [])
  assert.deepEqual(validate(controller({ template })).warnings, [])
})

const revision = (content: JsonObject): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'ControllerRevision',
  metadata: { name: 'r' },
  ...content,
})

const revisions: readonly (readonly [content: JsonObject, ...told: string[]])[] = [
  [{ revision: 0, data: {} }],
  [{ revision: -1 }, `revision: Invalid value: -1: ${atLeast0}`, 'data: Required value: data is mandatory'],
  [{ data: [1] }, 'data: Required value: data must be a valid JSON object'],
  [{ data: 'x' }, 'data: Required value: data must be a valid JSON object'],
]

for (const [content, ...told] of revisions)
  test(`a ControllerRevision with ${JSON.stringify(content)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(revision(content)), told)
  })

const stays = 'field is immutable'
const changedRevisions: readonly (readonly [content: JsonObject, ...told: string[]])[] = [
  [{ revision: 2, data: { b: 1, a: [2] } }],
  [{ revision: -1, data: { b: 1, a: [2] } }, `revision: Invalid value: -1: ${atLeast0}`],
  [{}, `data: Invalid value: null: ${stays}`],
  [{ data: { b: 1, a: 2 } }, `data: Invalid value: {"b":1,"a":2}: ${stays}`],
]

for (const [content, ...told] of changedRevisions)
  test(`that a ControllerRevision changes to ${JSON.stringify(content)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(revision(content), { old: revision({ data: { a: [2], b: 1 } }) }), told)
  })

test('the counts of a ReplicationController are none below nothing, and none greater than its pods', () => {
  const told = (status: JsonObject): readonly string[] =>
    refusals({ ...controller({ template }), status }, { old: controller({ template }), subresource: 'status' })
  assert.deepEqual(
    told({ replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 0 }),
    [],
  )
  assert.deepEqual(told({ replicas: -1, observedGeneration: -1, readyReplicas: -2, availableReplicas: 5 }), [
    `status.replicas: Invalid value: -1: ${atLeast0}`,
    `status.readyReplicas: Invalid value: -2: ${atLeast0}`,
    `status.observedGeneration: Invalid value: -1: ${atLeast0}`,
    'status.fullyLabeledReplicas: Invalid value: 0: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 5: cannot be greater than status.replicas',
    'status.availableReplicas: Invalid value: 5: cannot be greater than readyReplicas',
  ])
})
