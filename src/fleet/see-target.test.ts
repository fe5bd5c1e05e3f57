// Whether a target can be looked at: the three answers, and what each says of a read that failed [M6].
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespaces, serviceAccounts } from '#kube'
import { KubeError } from '#kube/client'
import { type Reads, Trouble } from '#runtime'
import type { EngagementState } from './engagement.ts'
import { asAway, seeTarget } from './see-target.ts'

const place = { cluster: 'a', types: [namespaces, serviceAccounts] }
const gone = 'RemoteClusterUnavailable'

function look(
  caches: { readonly behindMs: readonly number[]; readonly synced: readonly boolean[] } | undefined,
  state?: EngagementState,
) {
  const asked: string[] = []
  const at = (type: unknown): number => place.types.indexOf(type as typeof namespaces)
  const reads = caches && {
    behindMs: (type: unknown) => caches.behindMs[at(type)],
    isSynced: (type: unknown) => caches.synced[at(type)],
  }
  const world = { cluster: (name: string) => (name === 'a' ? reads : undefined) } as unknown as Reads
  const engagements = {
    stateOf: () => state ?? { kind: 'starting' as const },
    awaitBack: (cluster: string) => void asked.push(cluster),
  }
  const seen = seeTarget(world, place, state === undefined && caches === undefined ? undefined : engagements)
  return [seen.kind === 'reachable' ? seen.reads === reads && 'reachable' : seen, asked]
}

for (const [what, behindMs, synced, seen] of [
  ['whole caches', [0, 0], [true, true], 'reachable'],
  ['one that is behind for a minute', [0, 60_000], [true, true], 'reachable'],
  [
    'one that is not whole',
    [0, 0],
    [true, false],
    { kind: 'unknown', message: 'cluster a is being listed', lookAgainMs: 61_000 },
  ],
  [
    'one that is not whole and behind',
    [0, 20_000],
    [false, true],
    { kind: 'unknown', message: 'cluster a is being listed', lookAgainMs: 41_000 },
  ],
  [
    'one that is behind for longer',
    [60_001, 0],
    [true, true],
    {
      kind: 'away',
      reason: gone,
      message: 'cluster a does not answer; it is asked again all the time, see that its API server can be reached',
    },
  ],
] as const)
  test(`a target with ${what} is ${typeof seen === 'string' ? seen : seen.kind}, and waited for where it is not reachable [M6]`, () => {
    assert.deepEqual(look({ behindMs, synced }), [seen, seen === 'reachable' ? [] : ['a']])
  })

const later = (message: string) => ({ kind: 'unknown', message, lookAgainMs: 61_000 })

for (const [what, state, seen] of [
  ['is away', { kind: 'away', message: 'why' }, { kind: 'away', reason: gone, message: 'why' }],
  ['is starting', { kind: 'starting' }, later('cluster a is being connected')],
  ['is tried again', { kind: 'starting', message: 'tried' }, later('tried')],
  ['is engaged and joins', { kind: 'engaged', clusterUid: 'u' }, later('cluster a is being connected')],
] as const)
  test(`a target that is no member and ${what} is ${seen.kind} [M6]`, () => {
    assert.deepEqual(look(undefined, state), [seen, ['a']])
  })

test('without a fleet a target that is no member is not connected', () => {
  assert.deepEqual(look(undefined), [{ kind: 'away', reason: gone, message: 'cluster a is not connected' }, []])
})

const unanswered = { kind: 'unknown', message: 'cluster a did not answer a read; it is asked again', lookAgainMs: 2_000 }
const refused = (why: string) => ({
  kind: 'away',
  reason: gone,
  message: `cluster a refuses a read that the webhook needs: ${why}; grant the permissions of the manifests`,
})

for (const [what, error, seen] of [
  [
    'has to wait',
    new Trouble({ kind: 'wait', reason: 'R', message: 'later' }),
    { kind: 'unknown', message: 'later', lookAgainMs: 60_000 },
  ],
  ['has no answer', new KubeError('unreachable', 'no route'), unanswered],
  [
    'is refused',
    new KubeError('refused', 'forbidden', { httpStatus: 403 }),
    refused(new KubeError('refused', 'forbidden', { httpStatus: 403 }).reason),
  ],
  ['is a fault', new Error('fault'), unanswered],
] as const)
  test(`a read of a target that ${what} is ${seen.kind}`, () => {
    assert.deepEqual(asAway(error, 'a'), seen)
  })
