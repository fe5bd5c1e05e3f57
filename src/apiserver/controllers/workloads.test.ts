import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { type Answer, answerTo, type Conditions, type Fields, type TokenAnswer } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const deployment = (image: string): object => ({
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image }] } },
  },
})
const selfSubjectReviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews'

interface UserStatus {
  readonly userInfo: { readonly username: string; readonly extra: Readonly<Record<string, readonly string[]>> }
}
type SelfSubjectReview = Answer<Fields, UserStatus>
type Deployment = Answer<
  Fields,
  Conditions & { readonly readyReplicas: number; readonly replicas: number; readonly updatedReplicas: number }
>

interface PodSpec {
  readonly nodeName: string
  readonly containers: readonly { readonly image: string }[]
  readonly volumes: readonly { readonly name: string }[]
}
interface ContainerStatus {
  readonly state: { readonly waiting: { readonly reason: string } }
}
type Pod = Answer<PodSpec, Conditions & { readonly containerStatuses: readonly ContainerStatus[] }>

const path = '/apis/apps/v1/namespaces/default/deployments'

test('a deployment rolls out, is scaled and updated [#204]', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock })
  await server.settle()
  await answerTo(server, 'POST', path, deployment('a:1'))
  await server.settle()
  const first = await answerTo<Deployment>(server, 'GET', `${path}/web`)
  assert.equal(first.status.readyReplicas, 3)
  assert.deepEqual(
    first.status.conditions.map(condition => condition.reason),
    ['MinimumReplicasAvailable', 'NewReplicaSetAvailable'],
  )
  await answerTo(server, 'PATCH', `${path}/web/scale`, { spec: { replicas: 1 } }, { type: 'application/merge-patch+json' })
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${path}/web`)).status.replicas, 1)
  await answerTo(
    server,
    'PATCH',
    `${path}/web`,
    { spec: { template: { spec: { containers: [{ name: 'c', image: 'a:2' }] } } } },
    { type: 'application/strategic-merge-patch+json' },
  )
  await server.settle()
  const updated = await answerTo(server, 'GET', `${path}/web`)
  assert.equal(updated.metadata.annotations['deployment.kubernetes.io/revision'], '2')
  assert.equal(updated.status.updatedReplicas, 1)
  const pods = await answerTo<Pod>(server, 'GET', '/api/v1/namespaces/default/pods')
  assert.deepEqual(
    pods.items.map(pod => pod.spec.containers[0]?.image),
    ['a:2'],
  )
  await server.close()
  assert.equal(clock.pendingCount(), 0)
})

test('a pod waits for its Secret [#205]', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock })
  await server.settle()
  const pods = '/api/v1/namespaces/default/pods'
  await answerTo(server, 'POST', pods, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'a:1' }], volumes: [{ name: 's', secret: { secretName: 'later' } }] },
  })
  await server.settle()
  const waiting = await answerTo<Pod>(server, 'GET', `${pods}/p`)
  assert.equal(waiting.status.containerStatuses[0]?.state.waiting.reason, 'ContainerCreating')
  await answerTo(server, 'POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'later' } })
  await clock.advance(1_000)
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${pods}/p`)).status.phase, 'Running')
  await server.close()
})

test('a pod gets its token volume, and a token bound to it authenticates with its name [#206]', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock() })
  await server.settle()
  const pods = '/api/v1/namespaces/default/pods'
  const pod = await answerTo<Pod>(server, 'POST', pods, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'a:1' }] },
  })
  assert.match(pod.spec.volumes[0]?.name ?? '', /^kube-api-access-/)
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: pod.metadata.uid }
  const made = await answerTo<TokenAnswer>(server, 'POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
    spec: { boundObjectRef },
  })
  const { token } = made.status
  const review = await answerTo<SelfSubjectReview>(server, 'POST', selfSubjectReviews, {}, { token })
  assert.equal(review.status.userInfo.username, 'system:serviceaccount:default:default')
  assert.deepEqual(review.status.userInfo.extra['authentication.kubernetes.io/pod-name'], ['p'])
  await server.close()
})

type Node = Answer<{ readonly taints?: readonly { readonly key: string; readonly effect: string }[] }>

test('the taint of a new node goes when the node is ready, and its pods wait for that', async () => {
  const server = createApiServer({ seed: 1, clock: new ManualClock() })
  await server.settle()
  const taintsOf = async (name: string): Promise<string[]> => {
    await server.settle()
    const { spec } = await answerTo<Node>(server, 'GET', `/api/v1/nodes/${name}`)
    return (spec.taints ?? []).map(({ key, effect }) => `${key}:${effect}`)
  }
  assert.deepEqual(await taintsOf('embedded-node-0'), [], 'the pretend kubelet has said that it is ready')
  await answerTo(server, 'POST', '/api/v1/nodes', { metadata: { name: 'other', labels: { disk: 'fast' } } })
  assert.deepEqual(await taintsOf('other'), ['node.kubernetes.io/not-ready:NoSchedule'])
  const spec = { nodeSelector: { disk: 'fast' }, containers: [{ name: 'c', image: 'example.com/app:1' }] }
  await answerTo(server, 'POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'p' }, spec })
  await server.settle()
  const pod = '/api/v1/namespaces/default/pods/p'
  const waiting = (await answerTo<Pod>(server, 'GET', pod)).status.conditions[0]
  assert.deepEqual([waiting?.type, waiting?.status, waiting?.reason], ['PodScheduled', 'False', 'Unschedulable'])
  assert.equal(
    waiting?.message,
    "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.",
  )
  const say = (status: string): Promise<unknown> =>
    answerTo(
      server,
      'PATCH',
      '/api/v1/nodes/other/status',
      { status: { conditions: [{ type: 'Ready', status }] } },
      { type: 'application/merge-patch+json' },
    )
  await say('True')
  assert.deepEqual(await taintsOf('other'), [])
  assert.equal((await answerTo(server, 'GET', pod)).spec.nodeName, 'other')
  await say('Unknown')
  assert.deepEqual(await taintsOf('other'), [
    'node.kubernetes.io/unreachable:NoSchedule',
    'node.kubernetes.io/unreachable:NoExecute',
  ])
  await server.close()
})

test('a claim that is used by a pod outlives its deletion until the pod is gone; a volume that is not bound does not', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock })
  await server.settle()
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims'
  const pods = '/api/v1/namespaces/default/pods'
  const volumes = '/api/v1/persistentvolumes'
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
  for (const name of ['used', 'idle']) await answerTo(server, 'POST', claims, { metadata: { name }, spec })
  await answerTo(server, 'POST', volumes, {
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/v' } },
  })
  await answerTo(server, 'POST', pods, {
    metadata: { name: 'p' },
    spec: {
      containers: [{ name: 'c', image: 'a:1' }],
      volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'used' } }],
    },
  })
  await server.settle()
  for (const path of [`${claims}/used`, `${claims}/idle`, `${volumes}/v`]) await answerTo(server, 'DELETE', path)
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${claims}/idle`)).reason, 'NotFound')
  assert.equal((await answerTo(server, 'GET', `${volumes}/v`)).reason, 'NotFound')
  assert.deepEqual((await answerTo(server, 'GET', `${claims}/used`)).metadata.finalizers, ['kubernetes.io/pvc-protection'])
  await answerTo(server, 'DELETE', `${pods}/p`, { gracePeriodSeconds: 0 })
  await server.settle()
  assert.equal((await answerTo(server, 'GET', `${claims}/used`)).reason, 'NotFound')
  await server.close()
})
