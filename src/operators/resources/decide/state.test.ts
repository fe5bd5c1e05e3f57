// What a resource's own state allows, as configs ask for it and as services say it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KindModel } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { madeUpKind, structure } from '../testing/made-up-kind.ts'
import { gateOf, isEnded, isSyncedByConfig, transientState } from './state.ts'

const content = (status: object, spec: object = {}): Content => ({ spec: { ...spec }, status: { ...status } })

test('a gate is closed by a state that it does not name, and open where there is none [6.4]', () => {
  const gate = { when: [{ path: 'Status.Status', in: ['ACTIVE', 'STOPPED'] }], requeueAfterSeconds: 7 }
  assert.deepEqual(gateOf(gate, content({ status: 'CREATING' })), { state: 'CREATING', afterMs: 7_000 })
  const open = ['ACTIVE', 'STOPPED', undefined, null].map(status => gateOf(gate, content({ status })))
  assert.deepEqual(open, [undefined, undefined, undefined, undefined])
  assert.equal(gateOf(undefined, content({ status: 'CREATING' })), undefined)
  const two = { ...gate, when: [...gate.when, { path: 'Spec.Mode.Size', in: ['3'] }] }
  assert.equal(gateOf(two, content({ status: 'ACTIVE' }, { mode: { size: 3 } })), undefined)
  assert.deepEqual(gateOf(two, content({ status: 'ACTIVE' }, { mode: { size: 4 } })), { state: '4', afterMs: 7_000 })
  assert.equal(gateOf(two, content({ status: 'ACTIVE' }, { mode: 'x' })), undefined, 'the path leads nowhere')
})

test('a config calls a resource in step when every state is one that it names [6.4]', () => {
  const synced = [
    { path: 'Status.Status', in: ['ACTIVE'] },
    { path: 'Status.Health', in: ['OK'] },
  ]
  const kind = madeUpKind({ settings: { synced }, status: { Status: 'string', Health: 'string' } })
  const is = (status: object, of = kind): boolean => isSyncedByConfig(of, content(status))
  assert.equal(is({ status: 'ACTIVE', health: 'OK' }), true)
  assert.equal(is({ status: 'ACTIVE', health: 'BAD' }), false)
  assert.equal(is({ status: 'ACTIVE' }), false)
  assert.equal(is({ status: 'ACTIVE', health: null }), false)
  assert.equal(is({}, madeUpKind({})), true)
})

test('a state is told under the name of the kind, too, and says that more is to come [6.4]', () => {
  const kind = madeUpKind({ status: { ThingState: 'string', Count: 'integer' } })
  const at = (state: unknown, of: KindModel = kind): string | undefined => transientState(of, content({ thingState: state }))
  for (const state of ['CREATING', 'pending', 'In-Progress', 'IN_PROGRESS', 'UPDATE_IN_PROGRESS']) assert.equal(at(state), state)
  assert.deepEqual([at('ACTIVE'), at('CREATED'), at(undefined), at(3)], [undefined, undefined, undefined, undefined])
  const structured = madeUpKind({ status: { State: structure('State') } })
  assert.equal(transientState(structured, content({ state: { name: 'pending' } })), undefined)
  const two = madeUpKind({ status: { Status: 'string', State: 'string' } })
  assert.equal(transientState(two, content({ status: 'ACTIVE', state: 'updating' })), 'updating')
})

test('what says that it is deleted is gone, and what lies idle only after our own call [6.7]', () => {
  const kind = madeUpKind({ status: { Status: 'string', State: 'string' } })
  const ended = (status: string, afterDelete: boolean): boolean => isEnded(kind, content({ status, state: 'x' }), { afterDelete })
  for (const status of ['DELETED', 'terminated']) assert.deepEqual([ended(status, true), ended(status, false)], [true, true])
  assert.deepEqual([ended('INACTIVE', true), ended('INACTIVE', false)], [true, false])
  assert.deepEqual([ended('ACTIVE', true), ended('DELETING', true)], [false, false])
})
