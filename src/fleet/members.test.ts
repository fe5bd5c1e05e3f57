// The facts about clusters that are engaged, and which profile leads to a name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Access } from './access.ts'
import { bySeniority, chooseProfile } from './choose.ts'
import type { ClusterProfile } from './cluster-profile.ts'
import { type FleetMember, isSenior, Members } from './members.ts'
import { profileOf } from './testing/profiles.ts'

type Metadata = Partial<ClusterProfile['metadata']>

function profile(name: string, metadata: Metadata = {}, healthy = true): ClusterProfile {
  const said = {
    status: healthy ? 'True' : 'False',
    reason: 'Said',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const
  const made = profileOf(name, { status: { conditions: [{ type: 'ControlPlaneHealthy', ...said }] } })
  return { ...made, metadata: { ...made.metadata, ...metadata } }
}

function member(name: string, clusterUid: string): FleetMember {
  const way = { fingerprint: name, client: {} as FleetMember['way']['client'], isOurs: true }
  return { profile: profile(name), way, clusterUid, verifiedAt: 0 }
}

test('a name of which nothing is known is starting; one that fails is so for its patience, and then away with the reason', () => {
  const members = new Members(1_000)
  assert.deepEqual(members.state('a', 0), { kind: 'starting' })
  assert.equal(members.fail('a', 'first', 500), 1)
  assert.deepEqual(members.state('a', 1_499), { kind: 'starting', message: 'first' })
  assert.deepEqual(members.state('a', 1_500), { kind: 'away', message: 'first' })
  assert.equal(members.fail('a', 'second', 1_400), 2)
  assert.deepEqual(members.state('a', 1_499), { kind: 'starting', message: 'second' })
  assert.deepEqual(members.state('a', 1_500), { kind: 'away', message: 'second' })
  assert.deepEqual([...members.away], [['a', 'second']])
})

test('what is engaged is that and nothing else, and tries that failed before do not count', () => {
  const members = new Members(1_000)
  members.fail('a', 'first', 0)
  members.engage('a', member('a', 'uid'))
  assert.deepEqual([members.state('a', 9_999), members.away.size], [{ kind: 'engaged', clusterUid: 'uid' }, 0])
  members.forget('a')
  assert.deepEqual([members.state('a', 0), members.fail('a', 'again', 0)], [{ kind: 'starting' }, 1])
})

test('what is refused is away until it is tried, engaged or forgotten', () => {
  const members = new Members(1_000)
  members.engage('a', member('a', 'uid'))
  members.refuse('a', 'why')
  assert.deepEqual([members.state('a', 0), members.names, members.get('a')], [{ kind: 'away', message: 'why' }, [], undefined])
  members.fail('a', 'failed', 0)
  assert.deepEqual(members.state('a', 0), { kind: 'starting', message: 'failed' })
})

test('another name that leads to the same cluster is its rival, itself is none; for whose sake it was refused holds while that is engaged', () => {
  const members = new Members(1_000)
  members.engage('b', member('b', 'one'))
  members.engage('c', member('c', 'two'))
  assert.deepEqual(
    [members.rivalOf('a', 'one')?.[0], members.rivalOf('b', 'one'), members.rivalOf('a', 'three')],
    ['b', undefined, undefined],
  )
  assert.deepEqual(members.names, ['b', 'c'])
  members.refuse('a', 'why', 'b')
  members.refuse('d', 'why')
  assert.deepEqual([members.refusedFor('a'), members.refusedFor('d'), members.refusedFor('c')], ['b', undefined, undefined])
  members.forget('b')
  assert.equal(members.refusedFor('a'), undefined)
})

const older = { creationTimestamp: '2026-01-01T00:00:00Z' }
const newer = { creationTimestamp: '2026-01-02T00:00:00Z' }

for (const [what, one, other] of [
  ['the older', profile('z', older), profile('a', newer)],
  [
    'of one age that of the first namespace',
    profile('z', { ...older, namespace: 'a' }),
    profile('a', { ...older, namespace: 'b' }),
  ],
  ['of one namespace the first by name', profile('a', older), profile('b', older)],
] as const)
  test(`of two profiles ${what} comes first`, () => {
    assert.deepEqual([bySeniority(one, other) < 0, bySeniority(other, one) > 0], [true, true])
    assert.deepEqual([isSenior(one, other), isSenior(other, one), isSenior(one, one)], [true, false, false])
  })

const way: Access = { kind: 'access', provider: 'p', kubeconfig: '', passedEnv: [], fingerprint: 'f' }
const open = (): Access => way

/** Who leads to wlc-a, or why nobody does. */
function chosen(
  profiles: readonly ClusterProfile[],
  accessOf: (profile: ClusterProfile) => Access = open,
  mayName = (_profile: ClusterProfile): boolean => true,
): string {
  const choice = chooseProfile('wlc-a', profiles, accessOf, mayName)
  return choice.kind === 'profile' ? choice.profile.metadata.name : `${choice.absent ? 'absent: ' : ''}${choice.message}`
}

const nobody = 'absent: no ClusterProfile leads to cluster wlc-a; publish one'
const ill = "does not say ControlPlaneHealthy=True; see the cluster's agent and its manager"

for (const [what, profiles, said] of [
  ['none', [], nobody],
  ['one of another name', [profile('a', { labels: {} })], nobody],
  ['one that is being deleted', [profile('a', { deletionTimestamp: '2026-01-01T00:00:00Z' })], nobody],
  ['the oldest of two', [profile('a', newer), profile('b', older)], 'b'],
  ['the one of two that is healthy', [profile('a', newer), profile('b', older, false)], 'a'],
  [
    'two that are ill',
    [profile('b', older, false), profile('a', older, false)],
    `ClusterProfile inventory/a, inventory/b ${ill}`,
  ],
] as const)
  test(`to a cluster leads, of its profiles, ${what}: ${said}`, () => {
    assert.equal(chosen(profiles), said)
  })

test('a profile that may not have the name is none', () => {
  assert.equal(
    chosen([profile('a', older), profile('b', newer)], open, ({ metadata }) => metadata.name === 'b'),
    'b',
  )
  assert.equal(
    chosen([profile('a')], open, () => false),
    nobody,
  )
})

test('the first profile that offers a way leads; where none does, the first says why', () => {
  const profiles = [profile('a', older), profile('b', newer)]
  assert.equal(
    chosen(profiles, ({ metadata }) => (metadata.name === 'b' ? way : { kind: 'none', message: 'why a' })),
    'b',
  )
  assert.equal(
    chosen(profiles, ({ metadata }) => ({ kind: 'none', message: `why ${metadata.name}` })),
    'why a',
  )
})
