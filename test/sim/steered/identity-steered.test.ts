import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ServiceAccountRoleReplicaSet as ReplicaSet, replicaSetKind } from '#operators/identity/api'
import { type Effect, replay } from '#simulator'
import { holdsUnderFaults } from '../run-sim.fixture.ts'
import { identitySteeredSubject } from './identity-steered.ts'

const amount = { controller: 'identity-steered', seconds: 10, least: 12, singles: 4, isRandomOnly: true }
holdsUnderFaults('a rollout that is tried again, taken back and paused keeps what each of these promises, under faults', amount)

test('without faults the steered rollout stops, is tried again, is taken back and is paused, in this order', async () => {
  const story: string[] = []
  const tell = ({ after, by }: Effect): undefined => {
    if (by === 'user' || after?.kind !== replicaSetKind.type.kind) return
    for (const { type, status } of (after as ReplicaSet & typeof after).status?.conditions ?? []) {
      const said = `${type} ${status}`
      if (type.startsWith('Rollout') && story.findLast(line => line.startsWith(type)) !== said) story.push(said)
    }
  }
  const invariants = [...identitySteeredSubject.invariants, { code: 'story', check: tell }]
  const result = await replay({ ...identitySteeredSubject, invariants }, { seed: 'clean', faults: [], departures: [] })
  assert.equal(result.violation, undefined)
  assert.deepEqual(story, [
    'RolloutStopped True',
    'RolloutStopped False',
    'RolloutRetried True',
    'RolloutRetried False',
    'RolloutRolledBack True',
    'RolloutRolledBack False',
    'RolloutRetried True',
    'RolloutRetried False',
    'RolloutPaused True',
    'RolloutPaused False',
  ])
})
