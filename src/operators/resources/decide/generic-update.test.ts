// What the kind's own update is sent for: what it takes and the manifest speaks of, or spoke of; the rest is refused, left or AWS's own choice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deviation } from '../kinds/deviation.ts'
import { type Circumstances, present, situationOf } from '../testing/situation.ts'
import { type GenericUpdate, genericUpdate } from './generic-update.ts'

const alone: Deviation = {}

function updated(circumstances: Circumstances, paths: readonly string[]): GenericUpdate {
  const situation = situationOf({ deviation: alone, ...circumstances })
  const { inAws } = situation.seen
  assert.equal(inAws.kind, 'present')
  return genericUpdate(situation, inAws.content, paths)
}

const operations = ({ calls }: GenericUpdate): readonly string[] => calls.map(({ operation }) => operation)
/** The manifest spoke of the description, and of nothing that the update takes since. */
const takenOut: Circumstances = {
  spec: { maxSessionDuration: undefined },
  metadata: { generation: 2 },
  seen: { inAws: present({ description: 'old' }), notes: { given: ['description'] } },
}
const described = ['Spec.Description']

test('where nothing differs, nothing is asked [6.4]', () => {
  assert.deepEqual(updated({}, []), { calls: [], left: [], held: [], ordered: [] })
})

test('what the manifest speaks of is sent with the name of the resource [10.3.3]', () => {
  const { calls, refused } = updated({ spec: { description: 'new' } }, described)
  assert.deepEqual(
    calls.map(({ input }) => [input['RoleName'], input['Description']]),
    [['one', 'new']],
  )
  assert.equal(refused, undefined)
})

test('what no operation takes is refused where the manifest speaks of it, and held where it does not [6.4]', () => {
  const told = updated({}, ['Spec.Path', ...described])
  assert.deepEqual(told.held, ['Spec.Path'])
  assert.equal(told.refused, 'UpdateRole does not change Spec.Path')
  const untold = updated({ spec: { path: undefined } }, ['Spec.Path'])
  assert.deepEqual([untold.held, untold.refused, operations(untold)], [['Spec.Path'], undefined, []])
})

test('what the manifest never spoke of is AWS’s own choice [6.4]', () => {
  const never: Circumstances = { ...takenOut, seen: { inAws: present({ description: 'old' }), notes: { given: ['name'] } } }
  assert.deepEqual(operations(updated(never, described)), [])
  assert.deepEqual(operations(updated({ ...takenOut, metadata: { generation: 1 } }, described)), [], 'nobody changed it yet')
})

test('a call that only names the resource is not sent, unless code of the kind completes it [6.4]', () => {
  assert.deepEqual(operations(updated(takenOut, described)), [])
  assert.deepEqual(operations(updated({ ...takenOut, spec: {} }, described)), ['UpdateRole'], 'it says the duration')
  const completed: Deviation = { update: input => ({ ...input, Description: '' }) }
  assert.deepEqual(operations(updated({ ...takenOut, deviation: completed }, described)), ['UpdateRole'])
})
