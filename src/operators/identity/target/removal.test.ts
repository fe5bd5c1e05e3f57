// What is deleted of the runtime on a target, in which order, and what stays.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Action } from '#runtime'
import type { Found, RuntimeObjects } from './found.ts'
import { decideRuntimeRemoval } from './removal.ts'
import { runtimeSlots } from './runtime.ts'

const absent: Found = { kind: 'absent' }
const none = Object.fromEntries(Object.keys(runtimeSlots).map(slot => [slot, absent])) as unknown as RuntimeObjects

function found(kind: 'ours' | 'foreign', slot: keyof RuntimeObjects, metadata: object = {}): Partial<RuntimeObjects> {
  const [type, name] = runtimeSlots[slot]
  const namespace = type.namespaced ? { namespace: 'hooks' } : {}
  return { [slot]: { kind, object: { kind: type.kind, metadata: { ...namespace, name, ...metadata } } } }
}

const isGoing = { deletionTimestamp: '2026-01-01T00:00:00Z' }

const removalOf = (objects: Partial<RuntimeObjects>): ReturnType<typeof decideRuntimeRemoval> =>
  decideRuntimeRemoval({
    kind: 'reachable',
    cluster: 'wlc-a',
    namespace: 'hooks',
    namespaceObject: undefined,
    objects: { ...none, ...objects },
  })

const nameOf = (action: Action): string => {
  if (action.kind === 'together') return `(${action.branches.map(branch => branch.map(nameOf).join(' ')).join(', ')})`
  assert.ok(action.kind === 'delete' && action.precondition === 'any-version' && action.cluster === 'wlc-a')
  return `${action.type.kind} ${action.object.metadata.name}`
}

const name = 'pod-identity-webhook'
const theirs = (what: string): string =>
  `${what} exists and is not ours; delete it, or give it the labels app.kubernetes.io/managed-by=aws-workload-identity-operator and aws.identity.appthrust.io/runtime=self-hosted-webhook`

for (const [what, objects, deletes, gone, blocked] of [
  ['of nothing', {}, [], true, undefined],
  [
    'of the configuration, two others and one that goes',
    {
      ...found('ours', 'webhook'),
      ...found('ours', 'caSecret'),
      ...found('ours', 'deployment'),
      ...found('ours', 'service', isGoing),
    },
    [`MutatingWebhookConfiguration ${name}`, `(Secret ${name}-ca, Deployment ${name})`],
    false,
    undefined,
  ],
  ['of a configuration alone', found('ours', 'webhook'), [`MutatingWebhookConfiguration ${name}`], false, undefined],
  ['of what goes already', found('ours', 'webhook', isGoing), [], false, undefined],
  ['of one that goes already', found('ours', 'service', isGoing), [], false, undefined],
  [
    'of objects of somebody else in the namespace',
    { ...found('foreign', 'caSecret'), ...found('foreign', 'deployment'), ...found('foreign', 'service') },
    [],
    true,
    undefined,
  ],
  ['of a role of somebody else', found('foreign', 'clusterRole'), [], false, theirs(`ClusterRole ${name}`)],
  [
    'of a role of somebody else and a Secret of ours',
    { ...found('foreign', 'clusterRoleBinding'), ...found('ours', 'servingSecret') },
    [`(Secret ${name})`],
    false,
    theirs(`ClusterRoleBinding ${name}`),
  ],
  [
    'of a configuration of somebody else and a Secret of ours',
    { ...found('foreign', 'webhook'), ...found('ours', 'servingSecret') },
    [],
    false,
    theirs(`MutatingWebhookConfiguration ${name}`),
  ],
] as const)
  test(`the removal ${what} ${deletes.length === 0 ? 'deletes nothing' : `deletes ${deletes.join(', then ')}`}${gone ? ', and is done' : ''} [7.8, M14]`, () => {
    const { actions, ...said } = removalOf(objects)
    assert.deepEqual(actions.map(nameOf), deletes)
    const why = blocked === undefined ? {} : { blocked: { reason: 'RemoteRuntimeUnmanaged', message: blocked } }
    assert.deepEqual(said, { gone, ...why })
  })

test('the removal from a cluster that is away is blocked, never assumed [P5]', () => {
  const away = { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'gone' } as const
  const blocked = { reason: 'RemoteClusterUnavailable', message: 'gone' }
  assert.deepEqual(decideRuntimeRemoval(away), { actions: [], gone: false, blocked })
})
