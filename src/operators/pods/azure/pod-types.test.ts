import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PatchObject } from '../patch.ts'
import { podTypeTrouble } from './pod-types.ts'

for (const [found, field, wanted, pod] of [
  ['string', 'PodSpec.spec.hostNetwork', 'bool', { spec: { hostNetwork: 'true' } }],
  ['number', 'PodSpec.spec.priority', 'int', { spec: { priority: 1.5 } }],
  ['string', 'PodSpec.spec.terminationGracePeriodSeconds', 'int', { spec: { terminationGracePeriodSeconds: '30' } }],
  ['object', 'PodSpec.spec.tolerations', 'list', { spec: { tolerations: {} } }],
  ['array', 'PodSpec.spec.affinity', 'object', { spec: { affinity: [] } }],
  ['number', 'PodSpec.spec.schedulerName', 'string', { spec: { schedulerName: 1 } }],
  ['bool', 'ObjectMeta.metadata.generation', 'int', { metadata: { generation: true } }],
  ['string', 'ObjectMeta.metadata.finalizers', 'list', { metadata: { finalizers: 'x' }, spec: null }],
  ['number', 'Container.spec.containers.tty', 'bool', { spec: { containers: [{ name: 'a', tty: true }, { tty: 1 }] } }],
  ['array', 'Container.spec.initContainers.image', 'string', { spec: { initContainers: [null, { image: [] }] } }],
] as const satisfies readonly (readonly [string, string, string, PatchObject])[])
  test(`a pod with ${JSON.stringify(pod)} does not fit, and the field is named as upstream names it`, () => {
    const said = `json: cannot unmarshal ${found} into Go struct field ${field} of type ${wanted}`
    assert.equal(podTypeTrouble(pod), said)
  })

test('what is wrong with the parts that are read is told before all others', () => {
  const pod = { metadata: { generation: true }, spec: { containers: 'x' } }
  assert.equal(podTypeTrouble(pod), 'json: cannot decode: spec.containers is a string, not a list')
})

test('fields of their types fit, and so do null and what nobody knows', () => {
  const container = { name: 'a', tty: false, image: 'i', ports: [], resources: {}, stdin: null, later: 1, toString: 1 }
  for (const pod of [
    {},
    { metadata: null, spec: null },
    { metadata: { uid: 'u', generation: 1, ownerReferences: [], later: 1 } },
    { spec: { hostNetwork: true, priority: 0, affinity: {}, tolerations: [], schedulerName: '', hostname: null, later: 'x' } },
    { spec: { containers: [container], initContainers: [container, null] } },
  ])
    assert.equal(podTypeTrouble(pod), undefined, JSON.stringify(pod))
})
