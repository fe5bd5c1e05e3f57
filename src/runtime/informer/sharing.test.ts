import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { StoredObject } from '#kube'
import { Sharing } from './sharing.ts'

interface Told extends StoredObject {
  readonly status?: unknown
}

function object(name: string, more: object = {}, fieldsV1: object = { 'f:spec': { 'f:name': {} } }): Told {
  const managedFields = [{ manager: 'ours', operation: 'Apply', time: '2026-01-01T00:00:00Z', fieldsV1 }]
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '1', managedFields }
  return JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'Thing', metadata, ...more })) as Told
}

const fieldSetOf = ({ metadata }: Told): unknown => metadata.managedFields?.[0]?.fieldsV1

test('equal field sets of two objects are one thing afterwards, other ones are not', () => {
  const sharing = new Sharing()
  const [first, second, other] = [object('a'), object('b'), object('c', {}, { 'f:spec': { 'f:path': {} } })]
  assert.notEqual(fieldSetOf(first), fieldSetOf(second))
  for (const each of [first, second, other]) assert.equal(sharing.within(each), each)
  assert.equal(fieldSetOf(first), fieldSetOf(second))
  assert.notDeepEqual(fieldSetOf(other), fieldSetOf(first))
})

test('a field set that many have stays shared however many others come between', () => {
  const sharing = new Sharing()
  const first = sharing.within(object('first'))
  for (let index = 0; index < 2_000; index++) {
    sharing.within(object('other', {}, { 'f:spec': { [`f:field-${index}`]: {} } }))
    if (index % 100 === 0) sharing.within(object('like it'))
  }
  assert.equal(fieldSetOf(sharing.within(object('last'))), fieldSetOf(first))
})

test('whatever an object says, it says the same afterwards', () => {
  const sharing = new Sharing()
  const check = fc.property(fc.jsonValue(), fc.jsonValue(), (status, fields) => {
    const told = object('odd', { status }, { 'f:status': fields })
    const before = JSON.stringify(told)
    assert.equal(JSON.stringify(sharing.within(told)), before)
  })
  fc.assert(check, { seed: 1, numRuns: 500 })
})

test('what is frozen is left alone, and an object deeper than any stack does no harm', () => {
  const frozen: Told = { ...object('frozen'), status: Object.freeze({ phase: 'Bound' }) }
  assert.deepEqual(new Sharing().within(frozen).status, { phase: 'Bound' })
  let deep: unknown = 'bottom'
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  const told: Told = { ...object('deep'), status: deep }
  assert.equal(new Sharing().within(told).status, deep)
})
