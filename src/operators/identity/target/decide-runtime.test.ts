// What is written on a target and said of its webhook, from what was seen there; and what is seen of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#base'
import type { ResourceType, StoredCondition, StoredObject } from '#kube'
import { type Action, type Outcome, type Reads, Trouble } from '#runtime'
import { pooledKeys } from '../testing/keys.fixture.ts'
import type { drawn } from '../testing/runtime-objects.fixture.ts'
import {
  absent,
  asWanted,
  ca,
  changed,
  earlier,
  foreign,
  image,
  labelsButOne,
  made,
  namespace,
  ours,
  up,
} from '../testing/runtime-objects.fixture.ts'
import type { Found, RuntimeObjects } from './found.ts'
import { runtimeLabels } from './kinds.ts'
import { newObject, webhookConfiguration } from './objects.ts'
import {
  decideRuntime,
  observeRuntime,
  type RuntimeDecision,
  type RuntimeSeen,
  type RuntimeWanted,
  runtimeFailure,
  runtimeSlots,
} from './runtime.ts'

const day = 86_400_000
const name = 'pod-identity-webhook'
const notAfter = '2027-01-01T00:00:00Z'
const isGoing = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const namespaceWith = (metadata: object = {}): StoredObject =>
  ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, ...metadata } }) as StoredObject

interface Given {
  readonly objects?: Partial<RuntimeObjects>
  readonly namespaceObject?: StoredObject | undefined
  readonly wanted?: Partial<RuntimeWanted>
  readonly now?: number
  readonly keys?: typeof drawn
}

function decide(given: Given = {}): RuntimeDecision {
  const { objects, wanted, now = made + day, keys } = given
  const namespaceObject = 'namespaceObject' in given ? given.namespaceObject : namespaceWith()
  const seen = { kind: 'reachable', cluster: 'wlc-a', namespace, namespaceObject, objects: { ...asWanted, ...objects } } as const
  return decideRuntime({ ...seen, ...(keys && { drawn: keys }) }, { image, ...wanted }, now)
}

const nameOf = (action: Action): string => {
  if (action.kind === 'together') return `(${action.branches.map(branch => branch.map(nameOf).join(' ')).join(', ')})`
  assert.ok('cluster' in action && action.cluster === 'wlc-a')
  if (action.kind === 'patch') return `patch ${action.type.kind}`
  return 'object' in action ? `${action.kind} ${action.object.kind}` : action.kind
}
const writesOf = ({ actions }: RuntimeDecision): string => actions.map(nameOf).join('; ')
const saidBy = ({ condition }: RuntimeDecision): string => `${condition.status}/${condition.reason}: ${condition.message}`
const lookOf = ({ next }: RuntimeDecision): string => (next.kind === 'look-again' ? `${next.afterMs} ms: ${next.why}` : next.kind)

const runs = 'True/WebhookRuntimeSynced: the webhook runs in cluster wlc-a'
const lags = `Deployment hooks/${name} has not been taken up yet`
const lagging = `False/WebhookDeploymentObservedGenerationLag: ${lags}`
const unlabelled = { metadata: { labels: labelsButOne } }
const withStatus = (status: object): Found => changed(asWanted.deployment, { status })
const trustsEarlier = ours(newObject(webhookConfiguration(namespace, earlier.certificate)))
const otherImage = { image: 'webhook:2' }
const rows: readonly (readonly [what: string, given: Given, writes: string, said: string])[] = [
  ['all is as it is wanted', {}, '', runs],
  ['there is no Deployment', { objects: { deployment: absent } }, 'create Deployment', lagging],
  ['there is no configuration', { objects: { webhook: absent } }, 'create MutatingWebhookConfiguration', runs],
  [
    'there is neither, and the Deployment comes first',
    { objects: { webhook: absent, deployment: absent } },
    'create Deployment',
    lagging,
  ],
  [
    'Pods serve, though not all, and are called already',
    { objects: { deployment: withStatus({ ...up, observedGeneration: 0 }) } },
    '',
    `${runs}; ${lags}`,
  ],
  [
    'Pods serve, though not all, and nobody calls them yet',
    { objects: { deployment: withStatus({ ...up, observedGeneration: 0 }), webhook: absent } },
    '',
    lagging,
  ],
  [
    'no Pod serves',
    { objects: { deployment: withStatus({ ...up, availableReplicas: 0 }) } },
    '',
    `False/WebhookDeploymentReplicasUnavailable: Deployment hooks/${name} has fewer Pods available than it wants; its events and Pods say why`,
  ],
  ['another image is wanted', { wanted: otherImage }, 'update Deployment', `${runs}; ${lags}`],
  [
    'another image is wanted and nobody calls yet',
    { wanted: otherImage, objects: { webhook: absent } },
    'update Deployment',
    lagging,
  ],
  [
    'another image is wanted of a Deployment that goes',
    { wanted: otherImage, objects: { deployment: changed(asWanted.deployment, { metadata: isGoing }) } },
    '',
    runs,
  ],
  ['more replicas are wanted', { wanted: { replicas: 2 } }, 'update Deployment', `${runs}; ${lags}`],
  ['as many replicas are wanted as are meant by default', { wanted: { replicas: 1 } }, '', runs],
  ['one object lacks a label', { objects: { service: changed(asWanted.service, unlabelled) } }, 'update Service', runs],
  [
    'two objects lack something, and neither waits for the other',
    { objects: { service: changed(asWanted.service, unlabelled), clusterRole: absent } },
    '(create ClusterRole, update Service)',
    runs,
  ],
  [
    'an object that lacks something goes',
    { objects: { service: changed(asWanted.service, { metadata: { ...unlabelled.metadata, ...isGoing } }) } },
    '',
    runs,
  ],
  [
    'the ServiceAccount lacks a label',
    { objects: { serviceAccount: changed(asWanted.serviceAccount, unlabelled) } },
    'patch ServiceAccount',
    runs,
  ],
  [
    'the ServiceAccount lacks a label and goes',
    { objects: { serviceAccount: changed(asWanted.serviceAccount, { metadata: { ...unlabelled.metadata, ...isGoing } }) } },
    '',
    runs,
  ],
  ['there is no ServiceAccount', { objects: { serviceAccount: absent } }, 'create ServiceAccount', runs],
  ['a namespace of others has none of our labels', { namespaceObject: namespaceWith({ labels: { mine: 'too' } }) }, '', runs],
  ['a namespace of ours lacks a label', { namespaceObject: namespaceWith({ labels: labelsButOne }) }, 'update Namespace', runs],
  ['a namespace of ours has all labels', { namespaceObject: namespaceWith({ labels: runtimeLabels }) }, '', runs],
  [
    'the configuration trusts another authority: trust comes before what is served',
    { objects: { webhook: trustsEarlier, servingSecret: changed(asWanted.servingSecret, unlabelled) } },
    'update MutatingWebhookConfiguration; update Secret',
    runs,
  ],
  [
    'there is no namespace',
    { namespaceObject: undefined, objects: { deployment: absent } },
    '',
    'False/RemoteNamespaceBootstrapPending: namespace hooks does not exist in cluster wlc-a; create it, the runtime follows at once',
  ],
  [
    'the namespace goes',
    { namespaceObject: namespaceWith(isGoing), objects: { deployment: absent } },
    '',
    'False/RemoteNamespaceBootstrapPending: namespace hooks is being deleted in cluster wlc-a; create it, the runtime follows at once',
  ],
  [
    'somebody else has two of the names',
    {
      objects: {
        deployment: absent,
        service: foreign({ metadata: { namespace, name } }),
        clusterRole: foreign({ metadata: { name } }),
      },
    },
    '',
    `False/RemoteRuntimeUnmanaged: ClusterRole ${name}, Service hooks/${name} exists and is not ours; delete it, or give it the labels app.kubernetes.io/managed-by=aws-workload-identity-operator and aws.identity.appthrust.io/runtime=self-hosted-webhook`,
  ],
  [
    'somebody else has one of the names',
    { objects: { caSecret: foreign({ metadata: { namespace, name: 'x' } }) } },
    '',
    'False/RemoteRuntimeUnmanaged: Secret hooks/x exists and is not ours; delete it, or give it the labels app.kubernetes.io/managed-by=aws-workload-identity-operator and aws.identity.appthrust.io/runtime=self-hosted-webhook',
  ],
  [
    'keys are needed and were not drawn',
    { objects: { caSecret: absent } },
    '',
    'False/WebhookRuntimeUnavailable: certificates are being made',
  ],
  [
    'the Deployment selects other Pods',
    {
      objects: {
        service: absent,
        deployment: changed(asWanted.deployment, { spec: { selector: { matchLabels: { app: 'x' } } } }),
      },
    },
    'create Service',
    `False/WebhookRuntimeApplyFailed: Deployment hooks/${name} selects other Pods, which cannot be changed; delete it and it is made anew`,
  ],
]

for (const [what, given, writes, said] of rows)
  test(`where ${what}, ${writes === '' ? 'nothing is written' : writes} [13.9]`, () => {
    const decision = decide(given)
    assert.deepEqual([writesOf(decision), saidBy(decision)], [writes, said])
    assert.equal(decision.certificateNotAfter, /Pending|Unmanaged|being made/.test(said) ? undefined : notAfter)
  })

test('what is written of a ServiceAccount are its labels, bound to what was seen', () => {
  const { actions } = decide({ objects: { serviceAccount: changed(asWanted.serviceAccount, unlabelled) } })
  const [type] = runtimeSlots.serviceAccount
  const seen = { uid: 'u', resourceVersion: '7' }
  const body = { metadata: { labels: runtimeLabels } }
  assert.deepEqual(actions, [{ kind: 'patch', cluster: 'wlc-a', type, key: { namespace, name }, patch: 'merge', body, ...seen }])
})

test('a new Deployment has as many replicas as are wanted', () => {
  for (const replicas of [undefined, 3]) {
    const { actions } = decide({ objects: { deployment: absent }, wanted: { ...(replicas && { replicas }) } })
    const [action] = actions as unknown as readonly [{ readonly object: { readonly spec: { readonly replicas: number } } }]
    assert.equal(action.object.spec.replicas, replicas ?? 1)
  }
})

const ends = made + 365 * day
for (const [what, given, look] of [
  ['at rest', {}, '3600000 ms: certificates are looked at within 1h0m0s'],
  ['ten minutes before the renewal', { now: ends - 30 * day - 600_000 }, '600000 ms: certificates are looked at within 10m0s'],
  [
    'where an earlier authority can be forgotten in five minutes',
    {
      now: made,
      objects: { webhook: ours(newObject(webhookConfiguration(namespace, `${ca.certificate}${earlier.certificate}`))) },
    },
    '300000 ms: certificates are looked at within 5m0s',
  ],
  ['while Pods come up', { objects: { deployment: absent } }, '30000 ms: the Deployment is awaited'],
  [
    'while Pods come up, just before the renewal',
    { now: ends - 30 * day - 20_000, objects: { deployment: withStatus({ ...up, availableReplicas: 0 }) } },
    '30000 ms: the Deployment is awaited',
  ],
  ['where keys are to be drawn', { objects: { caSecret: absent } }, '1000 ms: keys are drawn with the next look'],
] as readonly (readonly [string, Given, string])[])
  test(`the next look ${what}`, () => assert.equal(lookOf(decide(given)), look))

const said = (status: 'True' | 'False'): StoredCondition => ({
  type: 'WebhookRuntimeReady',
  status,
  reason: 'AsItWas',
  message: 'as it was',
  lastTransitionTime: '2026-01-01T00:00:00Z',
})
const unknown = (lookAgainMs: number): RuntimeSeen => ({ kind: 'unknown', message: 'being listed', lookAgainMs })
const away: RuntimeSeen = { kind: 'away', reason: 'RemoteClusterUnavailable', message: 'gone' }
for (const [what, seen, current, condition, look] of [
  ['of which nothing is known yet keeps what is True', unknown(61_000), said('True'), 'True/AsItWas: as it was', 61_000],
  [
    'of which nothing is known yet is not there where nothing was True',
    unknown(61_000),
    said('False'),
    'False/RemoteClusterUnavailable: being listed',
    30_000,
  ],
  ['of which nothing is known for a moment', unknown(10_000), undefined, 'False/RemoteClusterUnavailable: being listed', 10_000],
  ['that is away', away, said('True'), 'False/RemoteClusterUnavailable: gone', 30_000],
] as const)
  test(`a cluster ${what} [M6]`, () => {
    const { next, ...decision } = decideRuntime(seen, { image, current }, made)
    assert.deepEqual([decision.actions, saidBy({ ...decision, next })], [[], condition])
    assert.deepEqual(next.kind === 'look-again' && [next.afterMs, next.why], [look, seen.kind !== 'reachable' && seen.message])
  })

const failed = (cluster: string, kind: 'soon' | 'backoff' | 'stop', reason: string): Outcome => ({
  kind: 'failed',
  action: { kind: 'create', cluster } as unknown as Action,
  trouble: new Trouble({ kind, reason, message: `it is ${reason}` }),
})
for (const [what, outcomes, told] of [
  ['nothing failed', [], undefined],
  ['a write was refused', [failed('wlc-a', 'stop', 'Forbidden')], 'WebhookRuntimeApplyFailed: cluster wlc-a: it is Forbidden'],
  ['a write was refused elsewhere', [failed('wlc-b', 'stop', 'Forbidden')], undefined],
  [
    'somebody else has the name',
    [failed('wlc-a', 'stop', 'OwnedByAnother')],
    'RemoteRuntimeUnmanaged: cluster wlc-a: it is OwnedByAnother',
  ],
  ['somebody else was quicker', [failed('wlc-a', 'soon', 'Conflict')], undefined],
  [
    'somebody else was quicker and then a write was refused',
    [failed('wlc-a', 'soon', 'Conflict'), failed('wlc-a', 'stop', 'Forbidden')],
    'WebhookRuntimeApplyFailed: cluster wlc-a: it is Forbidden',
  ],
  ['the caches begin', [failed('wlc-a', 'backoff', 'CacheStarting')], undefined],
  ['another leads', [failed('wlc-a', 'backoff', 'NotLeader')], undefined],
] as const)
  test(`where ${what}, ${told === undefined ? 'nothing is said' : 'that is said'}`, () => {
    const condition = runtimeFailure(outcomes, 'wlc-a')
    assert.equal(condition && `${condition.reason}: ${condition.message}`, told)
    if (condition !== undefined) assert.deepEqual([condition.type, condition.status], ['WebhookRuntimeReady', 'False'])
  })

/** A target whose caches hold what is ours, and whose server holds the rest. */
function targetWith(cached: Partial<RuntimeObjects>, served: Partial<RuntimeObjects> = {}, namespaces: readonly object[] = []) {
  const asked: string[] = []
  const [cachedNamespace, servedNamespace] = namespaces
  const pick = (from: Partial<RuntimeObjects>, type: ResourceType, key: { namespace: string; name: string }): unknown => {
    const slot = Object.entries(runtimeSlots).find(([, [of, named]]) => of === type && named === key.name)?.[0]
    const one = slot === undefined ? undefined : from[slot as keyof RuntimeObjects]
    assert.equal(key.namespace, type.namespaced ? namespace : '')
    return one !== undefined && one.kind !== 'absent' ? one.object : undefined
  }
  const target = {
    follow: async () => {},
    behindMs: () => 0,
    isSynced: () => true,
    find: (type: ResourceType, key: { namespace: string; name: string }) =>
      type.kind === 'Namespace' ? cachedNamespace : pick(cached, type, key),
    read: async (type: ResourceType, key: { namespace: string; name: string }) => {
      asked.push(`${type.kind} ${key.name}`)
      return type.kind === 'Namespace' ? servedNamespace : pick(served, type, key)
    },
  }
  return { target, asked }
}

function observe(target: object | undefined, signal = new AbortController().signal): Promise<RuntimeSeen> {
  const world = { cluster: (cluster: string) => (cluster === 'wlc-a' ? target : undefined) } as unknown as Reads
  const tools = { signal, clock: { now: () => made + day }, keys: pooledKeys(2), random: seededRandom(1) }
  return observeRuntime(world, { cluster: 'wlc-a', namespace }, tools)
}

test('at rest all is seen in the caches, the server is not asked and no keys are drawn [M2]', async () => {
  const { target, asked } = targetWith(asWanted, {}, [namespaceWith()])
  const seen = await observe(target)
  assert.deepEqual(seen, { kind: 'reachable', cluster: 'wlc-a', namespace, namespaceObject: namespaceWith(), objects: asWanted })
  assert.deepEqual(asked, [])
})

test('what the caches do not hold is asked of the server, but for ServiceAccounts; who has no labels of ours is somebody else', async () => {
  const { serviceAccount: _account, clusterRole: _role, caSecret: _secret, ...rest } = asWanted
  const theirs = { apiVersion: 'v1', kind: 'ClusterRole', metadata: { name } }
  const { target, asked } = targetWith(rest, { clusterRole: ours(theirs), serviceAccount: asWanted.serviceAccount })
  const seen = await observe(target)
  assert.ok(seen.kind === 'reachable')
  assert.deepEqual(asked, [`Secret ${name}-ca`, `ClusterRole ${name}`])
  assert.deepEqual(seen.objects, { ...asWanted, serviceAccount: absent, clusterRole: foreign(theirs), caSecret: absent })
  assert.match(seen.drawn?.caKey ?? '', /PRIVATE KEY/, 'keys are drawn for the authority that is not there')
})

for (const [what, labels, isRead] of [
  ['without our labels', {}, false],
  ['with all our labels', runtimeLabels, false],
  ['that lacks one of our labels', labelsButOne, true],
] as const)
  test(`a namespace ${what} is ${isRead ? 'read whole, to be put right' : 'seen in the cache'}`, async () => {
    const whole = namespaceWith({ labels, annotations: { whole: 'yes' } })
    const { target } = targetWith(asWanted, {}, [namespaceWith({ labels }), whole])
    const seen = await observe(target)
    assert.deepEqual(seen.kind === 'reachable' && seen.namespaceObject, isRead ? whole : namespaceWith({ labels }))
  })

test('caches that begin to be filled with this look are waited for', async () => {
  const { target } = targetWith(asWanted, {}, [namespaceWith()])
  let isFollowed = false
  const follow = async (): Promise<void> => {
    await Promise.resolve()
    isFollowed = true
  }
  assert.equal((await observe({ ...target, follow, isSynced: () => isFollowed })).kind, 'reachable')
})

test('of a cluster that is not connected nothing is known, nor of one whose server answers with a fault', async () => {
  assert.deepEqual(await observe(undefined), {
    kind: 'away',
    reason: 'RemoteClusterUnavailable',
    message: 'cluster wlc-a is not connected',
  })
  const { target } = targetWith({})
  const failing = { ...target, read: () => Promise.reject(new Error('no')) }
  const seen = await observe(failing)
  assert.deepEqual(
    [seen.kind, 'message' in seen && seen.message],
    ['unknown', 'cluster wlc-a did not answer a read; it is asked again'],
  )
})

test('a look that is ended is told as ended, and not as a cluster that does not answer', async () => {
  const ending = new AbortController()
  const { target } = targetWith({})
  const reason = new Error('the process ends')
  const read = (): Promise<never> => {
    ending.abort(reason)
    return Promise.reject(new Error('no'))
  }
  await assert.rejects(observe({ ...target, read }, ending.signal), reason)
})
