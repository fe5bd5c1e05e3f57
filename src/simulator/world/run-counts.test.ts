import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloudName } from './cloud.ts'
import { RunCounts } from './run-counts.ts'
import type { Flight } from './wire.ts'

function flight(method: string, target: string, server = 'hub'): Flight {
  const request = { method, target, headers: {}, body: null }
  const label = `p0 ${server} ${method} ${target}`
  const state = { state: 'sent', response: undefined, apply: undefined, deliver: undefined, settle: () => {} } as const
  const sender = { id: 1, process: 'p0', epoch: 1, sentAtMs: 0, sentWorldMs: 0, sentStep: 0 }
  return { ...sender, target: server, request, mutating: method !== 'GET', label, ...state }
}

const maps = '/api/v1/namespaces/a/configmaps'
const lease = '/apis/coordination.k8s.io/v1/namespaces/a/leases/l'

test('reads of objects count, writes, renewals of the lease and watches do not', () => {
  const counts = new RunCounts()
  counts.sent(flight('GET', `${maps}/b`))
  counts.sent(flight('PUT', `${maps}/b`))
  counts.sent(flight('GET', lease))
  counts.sent({ ...flight('GET', maps), label: `p0 hub GET ${maps}?watch` })
  assert.equal(counts.reads, 1)
})

test('a write that failed is counted for its object, a call to AWS for all of them, and a renewal is not in vain', () => {
  const counts = new RunCounts()
  counts.failed(flight('PUT', `${maps}/b`))
  counts.failed(flight('GET', `${maps}/b`))
  counts.failed(flight('PUT', lease))
  counts.failed(flight('POST', '/', cloudName))
  assert.equal(counts.retriesOf('hub', `${maps}/b`), 1)
  assert.equal(counts.retriesOf('hub', `${maps}/c`), 0)
  assert.equal(counts.retriesOf(cloudName, 'whatever'), 1)
  assert.equal(counts.callsInVain, 3)
})

test('faults and invariants are counted by code', () => {
  const counts = new RunCounts()
  counts.struck('F1')
  counts.struck('F1')
  counts.checked('S2')
  assert.deepEqual([[...counts.faults], [...counts.invariants]], [[['F1', 2]], [['S2', 1]]])
})
