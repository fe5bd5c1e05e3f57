import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PatchObject } from './patch.ts'
import { findDecodeTrouble, findReviewTrouble } from './pod-shape.ts'

const inContainer = (more: PatchObject): PatchObject => ({ spec: { containers: [{ name: 'a' }, { name: 'b', ...more }] } })

for (const [trouble, pod] of [
  ['metadata is a string, not an object', { metadata: 'x' }],
  ['metadata is a list, not an object', { metadata: [] }],
  ['metadata.name is a number, not a string', { metadata: { name: 1 } }],
  ['metadata.generateName is a boolean, not a string', { metadata: { generateName: true } }],
  ['metadata.labels is a list, not an object', { metadata: { labels: [] } }],
  ['metadata.labels is a number, not a string', { metadata: { labels: { a: 'x', b: 1 } } }],
  ['metadata.annotations is an object, not a string', { metadata: { annotations: { a: {} } } }],
  ['spec is a list, not an object', { spec: [] }],
  ['spec.serviceAccountName is an object, not a string', { spec: { serviceAccountName: {} } }],
  ['spec.nodeSelector is a string, not an object', { spec: { nodeSelector: 'x' } }],
  ['spec.volumes is an object, not a list', { spec: { volumes: {} } }],
  ['spec.volumes is a string, not an object', { spec: { volumes: [null, {}, 'x'] } }],
  ['spec.volumes.name is a number, not a string', { spec: { volumes: [null, { name: 'v' }, { name: 1 }] } }],
  ['spec.initContainers is a string, not a list', { spec: { initContainers: 'x' } }],
  ['spec.initContainers.name is a number, not a string', { spec: { initContainers: [{ name: 1 }] } }],
  ['spec.containers is a list, not an object', { spec: { containers: [[]] } }],
  ['spec.containers.name is a number, not a string', { spec: { containers: [{ name: 1 }] } }],
  ['spec.containers.env is an object, not a list', inContainer({ env: {} })],
  ['spec.containers.env.name is a number, not a string', inContainer({ env: [{ name: 'A' }, { name: 1 }] })],
  ['spec.containers.volumeMounts.name is a number, not a string', inContainer({ volumeMounts: [{ name: 1 }] })],
  ['spec.containers.volumeMounts.mountPath is a number, not a string', inContainer({ volumeMounts: [{ mountPath: 1 }] })],
  ['spec.containers.volumeDevices.name is a number, not a string', inContainer({ volumeDevices: [{ name: 1 }] })],
] as const satisfies readonly (readonly [string, PatchObject])[])
  test(`of a pod whose ${trouble}, that is told`, () => {
    assert.equal(findDecodeTrouble(pod), `json: cannot decode: ${trouble}`)
  })

test('a pod fits in which all is what it should be, and one in which all is null or missing', () => {
  const container = {
    name: 'a',
    env: [{ name: 'A', value: 'x' }, null],
    volumeMounts: [{ name: 'v', mountPath: '/v' }],
    volumeDevices: [{ name: 'b' }],
  }
  const metadata = { name: 'p', generateName: 'p-', labels: { a: 'x', b: null }, annotations: { c: 'y' } }
  const spec = { serviceAccountName: 'app', nodeSelector: { d: 'z' }, volumes: [{ name: 'v' }, null] }
  for (const pod of [
    { metadata, spec: { ...spec, initContainers: [container], containers: [container, null] } },
    { metadata: null, spec: null },
    {
      metadata: { name: null, labels: null, annotations: null },
      spec: { volumes: null, initContainers: null, containers: null },
    },
    { spec: { containers: [{ name: null, env: null, volumeMounts: null, volumeDevices: null }] } },
    {},
  ])
    assert.equal(findDecodeTrouble(pod), undefined, JSON.stringify(pod))
})

for (const [trouble, review] of [
  ['apiVersion is a number, not a string', { apiVersion: 1 }],
  ['kind is a list, not a string', { kind: [] }],
  ['request is a string, not an object', { request: 'x' }],
  ['request.uid is a number, not a string', { request: { uid: 1 } }],
  ['request.requestSubResource is a number, not a string', { request: { requestSubResource: 1 } }],
  ['request.kind is a string, not an object', { request: { kind: 'Pod' } }],
  ['request.requestResource is a number, not a string', { request: { requestResource: { group: 1 } } }],
  ['request.dryRun is a string, not true or false', { request: { dryRun: 'true' } }],
] as const satisfies readonly (readonly [string, PatchObject])[])
  test(`of a review whose ${trouble}, that is told`, () => {
    assert.equal(findReviewTrouble(review), `json: cannot decode: ${trouble}`)
  })

test('a review fits in which all is what it should be, and one in which all is null or missing', () => {
  const kind = { group: '', version: 'v1', kind: 'Pod' }
  const request = { uid: 'u', name: 'p', namespace: 'ns', operation: 'CREATE', kind, requestKind: kind, dryRun: false }
  for (const review of [
    { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request },
    { apiVersion: null, kind: null, request: { uid: null, kind: null, dryRun: null } },
    { request: null },
    {},
  ])
    assert.equal(findReviewTrouble(review), undefined, JSON.stringify(review))
})
