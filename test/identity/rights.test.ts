// The rights of the manifests on the embedded server: enough for the whole life of the operator, and none that it can do without. The same
// is shown on a real server in test/real/identity-rights.real.test.ts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type HttpExchange, seededRandom, silentLog } from '#base'
import { namespaces, type Right, renderRbac } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { Metrics, webhookHost } from '#runtime'
import { guardedMetrics } from '../../src/cli/operator/guarded-metrics.ts'
import { hubDefaults, rightsOfHub } from '../../src/cli/testing/commands.ts'
import { admissionHandlers, admissionPaths } from '../../src/operators/identity/admission/handlers.ts'
import { roleKind } from '../../src/operators/identity/api.ts'
import { hubRights, targetRights } from '../../src/operators/identity/manifests/rights.ts'
import { managedLabels } from '../../src/operators/identity/target/kinds.ts'
import { liveThrough, makeEksCluster, runtimeNamespace, selfHosted } from '../../src/operators/identity/testing/life.ts'
import { type Asked, covers, type Recorder, recorder } from '../../src/operators/identity/testing/recorder.ts'
import { directly, type RoomWorld, region, roomWorld } from '../../src/operators/identity/testing/room-world.ts'

const own = hubDefaults.namespace
const hubUser = userOf(own, 'vouch')
const targetUser = userOf('vouch-remote', 'vouch')

function userOf(namespace: string, name: string) {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated']
  return { username: `system:serviceaccount:${namespace}:${name}`, groups }
}

/** Not asked for by a request of its own: needed so that others are let through, which only a real server checks in full. */
const implied: readonly (readonly [string, string])[] = [
  ['awsworkloadidentityconfigs/finalizers', 'update'],
  ['awsserviceaccountroles/finalizers', 'update'],
  // To give the webhook this right, one has to have it.
  ['serviceaccounts', 'get'],
  // Leases: shown with the election itself, in test/real.
  ['leases', 'get'],
  ['leases', 'list'],
  ['leases', 'watch'],
  ['leases', 'create'],
  ['leases', 'update'],
]

function unused(rights: readonly Right[], { asked }: Recorder): readonly string[] {
  return rights.flatMap(right =>
    right.verbs.flatMap(verb =>
      (right.names ?? [undefined]).flatMap(name => {
        if (implied.some(([resource, other]) => resource === right.resource && other === verb)) return []
        const one = { ...right, verbs: [verb], ...(name === undefined ? {} : { names: [name] }) }
        const others = without(rights, right, verb)
        // A server that streams lists is asked to watch only; one that does not is asked to list first.
        const as = (request: Asked): Asked => (verb === 'list' && request.verb === 'watch' ? { ...request, verb } : request)
        const needs = [...asked.values()]
          .map(as)
          .filter(request => covers(one, request) && !others.some(other => covers(other, request)))
        return needs.length > 0
          ? []
          : [`${verb} ${right.group}/${right.resource} ${name ?? ''} ${right.within?.join() ?? ''}`.trim()]
      }),
    ),
  )
}

function without(rights: readonly Right[], right: Right, verb: string): readonly Right[] {
  return rights.map(other => (other === right ? { ...other, verbs: other.verbs.filter(one => one !== verb) } : other))
}

function awsClient({ aws, clock }: RoomWorld, service: 'iam' | 'eks') {
  const credentials = staticCredentials(aws.adminCredentials())
  const random = seededRandom(5)
  return createAwsClient({
    model: serviceModel(service),
    region,
    credentials,
    transport: inProcessTransport(aws.handle),
    clock,
    random,
  })
}

for (const writer of ['children', 'direct'] as const) {
  test(`the rights of the manifests are those that a whole life takes, in both directions: ${writer} [X10, S23]`, async () => {
    await using world = roomWorld()
    const target = await world.addCluster(selfHosted, { publish: false, withoutWebhookNamespace: true })
    await target.client.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: runtimeNamespace, labels: managedLabels },
    })
    await makeEksCluster(service => awsClient(world, service))
    const onHubRights = (await rightsOfHub({ ...hubDefaults, args: [`--aws-writer=${writer}`] })).flatMap(({ rights }) => rights)
    const onTargetRights = targetRights(runtimeNamespace)
    await grant(world.client, onHubRights, { namespace: own, name: 'vouch' })
    await grant(target.client, onTargetRights, { namespace: 'vouch-remote', name: 'vouch' })
    const onHub = recorder()
    const onTarget = recorder()
    const remote = createKubeClient({
      clock: world.clock,
      address: 'target',
      exchange: onTarget.through(target.server.as(targetUser)),
    })
    const exchange = onHub.through(world.hub.as(hubUser))
    const run = world.start({
      through: () => exchange,
      clientOf: ({ metadata }) => (metadata.name === selfHosted ? remote : undefined),
      rotation: { propagationMs: 1_000, graceMs: 1_000 },
      ...(writer === 'direct' ? directly(world) : {}),
    })
    await liveThrough({
      hub: world.client,
      target: target.client,
      region,
      hasAskedSigner: () => [...onTarget.asked.values()].some(({ resource }) => resource === 'serviceaccounts/token'),
      publish: (name, properties) => world.publish(name, properties),
      until: async (what, isSo) => {
        for (let step = 0; step < 240; step++) {
          if (await isSo()) return
          await world.advance(step < 5 ? 300 : 15_000)
        }
        throw new Error(
          `it never came about: ${what}; refused: ${[...new Set([...onHub.forbidden, ...onTarget.forbidden])].join(', ')}`,
        )
      },
    })
    await run.stop()
    await serveBeside(world, exchange)
    assert.deepEqual([...new Set(onHub.forbidden)], [], 'what the hub refused')
    assert.deepEqual([...new Set(onTarget.forbidden)], [], 'what the target refused')
    assert.deepEqual(unused(onHubRights, onHub), [], 'rights on the hub that nothing needs')
    assert.deepEqual(unused(onTargetRights, onTarget), [], 'rights on a target that nothing needs')
  })
}

test('no right to read, change or delete Secrets is without their names, on the hub and on a target [X10]', async () => {
  for (const rights of [
    hubRights({ awsWriter: 'children' }),
    hubRights({ awsWriter: 'direct' }),
    targetRights(runtimeNamespace),
  ]) {
    const nameless = rights.filter(({ group, resource, names }) => group === '' && resource === 'secrets' && names === undefined)
    assert.deepEqual(
      nameless.flatMap(({ verbs }) => verbs),
      ['create'],
    )
  }
})

async function grant(client: KubeClient, rights: readonly Right[], account: { namespace: string; name: string }): Promise<void> {
  for (const at of [own, runtimeNamespace, account.namespace]) {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: at } }
    if ((await client.find(namespaces, { namespace: '', name: at })) === undefined) await client.create(namespaces, object)
  }
  for (const object of renderRbac({ name: 'vouch', rights, account, labels: {} })) {
    const plural = `${object.kind.toLowerCase()}s`
    const namespaced = !object.kind.startsWith('Cluster')
    await client.create({ group: 'rbac.authorization.k8s.io', version: 'v1', kind: object.kind, plural, namespaced }, object)
  }
}

/** What serves beside the controllers asks with the same account. */
async function serveBeside(world: RoomWorld, exchange: HttpExchange): Promise<void> {
  const client = createKubeClient({ clock: world.clock, address: 'hub', exchange })
  const host = webhookHost({ clock: world.clock, log: silentLog, metrics: new Metrics(), routes: admissionHandlers(client) })
  const request = {
    uid: 'u',
    kind: {},
    resource: { ...roleKind.type, resource: roleKind.type.plural },
    operation: 'CREATE',
    namespace: 'default',
    userInfo: {},
  }
  const object = { spec: { serviceAccount: { namespace: 'a', name: 'b' } } }
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: { ...request, object } }
  const headers = { 'content-type': 'application/json' }
  await host({ method: 'POST', target: admissionPaths.role, headers, body: Buffer.from(JSON.stringify(review)) })
  const metrics = guardedMetrics(client, world.clock, () => Promise.resolve({ status: 200, headers: {}, body: null }))
  await metrics({ method: 'GET', target: '/metrics', headers: { authorization: `Bearer ${world.hub.adminToken}` }, body: null })
}
