// Cases of the catalogue that need the whole room: what one server refuses, and what goes on all the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpExchange, HttpRequest, HttpResponse } from '#base'
import { clusterProfileKind } from '#fleet'
import { clusterRoles, type KubeObject, serviceAccounts } from '#kube'
import { annotations, configKind, roleKind } from './api.ts'
import { policyKind } from './children/kinds.ts'
import { renderDocumentSet } from './documents/publication.ts'
import { issuerOf } from './testing/chain.ts'
import { attributesOf } from './testing/recorder.ts'
import { directly, type RoomWorld, region, roomWorld, told } from './testing/room-world.ts'

const minute = 60_000
const selfHosted = { type: 'SelfHostedIRSA', region } as const
const runtime = { namespace: '', name: 'pod-identity-webhook' }

async function cluster(world: RoomWorld, name = 'wlc-a'): Promise<void> {
  await world.addCluster(name, { issuer: issuerOf(name) })
  await world.makeConfig(name, selfHosted)
}

/** A server that answers so to some requests. */
function refusing(
  isMeant: (request: HttpRequest) => boolean,
  code: number,
  reason: string,
): (exchange: HttpExchange) => HttpExchange {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: `no: ${reason}` }
  const answer = (): HttpResponse => ({
    status: code,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(status)),
  })
  return exchange => async request => (isMeant(request) ? answer() : exchange(request))
}

test('without an issuer or a key there is no set of documents, so S3 is asked nothing [13.3 #64]', () => {
  const key = { keyId: 'k', modulus: 'AQ', exponent: 'AQAB' }
  assert.equal(renderDocumentSet('', [key]), undefined)
  assert.equal(renderDocumentSet('https://issuer.example', []), undefined)
})

test('a conflict over the finalizer loses nothing, and nothing is made before it is there [13.4 #66]', async () => {
  await using world = roomWorld()
  await cluster(world)
  let conflicts = 3
  const early: string[] = []
  const isHold = (request: HttpRequest): boolean => {
    const asked = attributesOf(request)
    if (conflicts > 0 && asked?.verb === 'create' && asked.resource !== 'events') early.push(asked.resource)
    return asked?.verb === 'patch' && asked.resource === 'awsworkloadidentityconfigs' && conflicts-- > 0
  }
  const run = world.start({ through: refusing(isHold, 409, 'Conflict') })
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
  const first = run.passes.flatMap(({ writes }) => writes).find(({ type }) => type.kind !== 'Event')
  assert.deepEqual(early, [])
  assert.equal(first?.type.kind, configKind.type.kind, 'the finalizer is the first write')
})

test('the runtime fails and the issuer does not: what is known of the issuer is said [13.4 #86]', async () => {
  await using world = roomWorld()
  await cluster(world)
  const isDeployment = (request: HttpRequest): boolean =>
    attributesOf(request)?.resource === 'deployments' && attributesOf(request)?.verb === 'create'
  world.start({ throughTarget: refusing(isDeployment, 403, 'Forbidden') })
  await world.advance(minute)
  const config = await world.config('wlc-a')
  const said = told(config)
  assert.deepEqual(
    [said.IssuerReady, said.WebhookRuntimeReady, said.Ready],
    ['True Ready', 'False WebhookRuntimeApplyFailed', 'False WebhookRuntimeApplyFailed'],
  )
  assert.ok(config?.status?.oidcProviderARN !== undefined && config.status.selfHostedIssuer?.publication !== undefined)
})

test('a cluster that answers nothing but errors is unavailable, and the issuer goes on [13.4 #89]', async () => {
  await using world = roomWorld()
  await cluster(world)
  world.start({ throughTarget: refusing(() => true, 500, 'InternalError') })
  await world.advance(3 * minute)
  const said = told(await world.config('wlc-a'))
  assert.deepEqual([said.IssuerReady, said.WebhookRuntimeReady], ['True Ready', 'False RemoteClusterUnavailable'])
})

test('an object of the whole cluster that lost its labels blocks the deletion; by force it stays and the Config goes [13.5 #105]', async () => {
  await using world = roomWorld()
  await cluster(world)
  world.start()
  await world.advance(5_000)
  const target = world.targets.get('wlc-a')?.client
  assert.ok(target !== undefined)
  await target.patch(clusterRoles, runtime, 'merge', { metadata: { labels: null } })
  await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-a')).DeletionBlocked, 'True RemoteRuntimeUnmanaged')
  const body = { metadata: { annotations: { [annotations.forceDelete]: 'true' } } }
  await world.client.patch(configKind.type, { namespace: 'wlc-a', name: 'default' }, 'merge', body)
  await world.advance(10 * minute)
  assert.equal(await world.config('wlc-a'), undefined)
  assert.ok((await target.find(clusterRoles, runtime)) !== undefined)
})

test('a Config goes where the kind of its provider is not installed [13.5 #116]', async () => {
  await using world = roomWorld({ withoutCrds: ['openidconnectproviders.iam.services.k8s.aws'] })
  world.ack.down.add('OpenIDConnectProvider')
  await world.addCluster('wlc-a')
  const issuerURL = 'https://oidc.eks.us-east-1.amazonaws.com/id/EXAMPLE'
  await world.makeConfig('wlc-a', { type: 'EKSIRSA', region, eksIRSA: { issuerURL, oidcProvider: { management: 'Managed' } } })
  world.start()
  await world.advance(minute)
  assert.match(told(await world.config('wlc-a')).IssuerReady ?? '', /^False /)
  await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
  await world.advance(minute)
  assert.equal(await world.config('wlc-a'), undefined)
})

test('one ServiceAccount name in two clusters is two ServiceAccounts [13.6 #120]', async () => {
  await using world = roomWorld()
  for (const name of ['wlc-a', 'wlc-b']) await cluster(world, name)
  world.start()
  for (const name of ['wlc-a', 'wlc-b']) await world.makeRole(name, 'app')
  await world.advance(minute)
  for (const name of ['wlc-a', 'wlc-b']) assert.equal(told(await world.role(name, 'app')).Ready, 'True Ready', name)
})

test('a policy that the server refuses is said of the policy; other bindings are unharmed [13.6 #128]', async () => {
  await using world = roomWorld()
  await cluster(world)
  const isPolicy = (request: HttpRequest): boolean => {
    const asked = attributesOf(request)
    return asked?.resource === policyKind.type.plural && ['create', 'patch'].includes(asked.verb)
  }
  world.start({ through: refusing(isPolicy, 403, 'Forbidden') })
  const policyDocument = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] }
  await world.makeRole('wlc-a', 'document', { policyARNs: undefined, policyDocument } as never)
  await world.makeRole('wlc-a', 'app')
  await world.advance(minute)
  const said = told(await world.role('wlc-a', 'document'))
  assert.deepEqual([said.PolicyReady, said.Ready], ['False ChildApplyFailed', 'False ChildApplyFailed'])
  assert.equal(told(await world.role('wlc-a', 'app')).Ready, 'True Ready')
})

test('a ClusterProfile without the label wakes no binding, and none is ever asked for by its name [13.6 #142, 13.10 #223]', async () => {
  await using world = roomWorld()
  await cluster(world)
  const asked: string[] = []
  const run = world.start({
    through: exchange => request => {
      const one = attributesOf(request)
      if (one?.resource === clusterProfileKind.type.plural) asked.push(one.verb)
      return exchange(request)
    },
  })
  await world.makeRole('wlc-a', 'app')
  await world.advance(minute)
  run.passes.length = 0
  const metadata = { namespace: 'inventory', name: 'nobody' }
  await world.client.create(clusterProfileKind.type, {
    apiVersion: clusterProfileKind.apiVersion,
    kind: clusterProfileKind.type.kind,
    metadata,
    spec: { clusterManager: { name: 'ocm' } },
  } as KubeObject)
  await world.advance(5_000)
  const roles = run.passes.filter(({ controller }) => controller === roleKind.type.kind)
  assert.deepEqual(roles, [])
  assert.deepEqual(
    [...new Set(asked)].filter(verb => !['list', 'watch'].includes(verb)),
    [],
  )
})

test('an annotation that came to nothing, since a call before it was refused, is not said to be there [S8]', async () => {
  await using world = roomWorld()
  await cluster(world)
  world.start(directly(world))
  await world.makeRole('wlc-a', 'app', { policyARNs: ['arn:aws:iam::aws:policy/ThereIsNoSuchThing'] })
  await world.makeRole('wlc-a', 'other')
  await world.advance(minute)
  const said = told(await world.role('wlc-a', 'app'))
  assert.deepEqual([said.RoleReady, said.Ready], ['False ACKResourceNotSynced', 'False WaitingForACK'])
  const account = await world.targets.get('wlc-a')?.client.get(serviceAccounts, { namespace: 'default', name: 'app' })
  const isAnnotated = account?.metadata.annotations?.['eks.amazonaws.com/role-arn'] !== undefined
  assert.equal(said.ServiceAccountAnnotationReady?.startsWith('True') ?? false, isAnnotated, said.ServiceAccountAnnotationReady)
  assert.notEqual(said.ServiceAccountAnnotationReady, 'True AnnotationRepaired', 'nobody changed anything')
  assert.equal(told(await world.role('wlc-a', 'other')).Ready, 'True Ready')
})
