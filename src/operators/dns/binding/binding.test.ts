// Identity from our own AWSServiceAccountRole: waited for, made where that is asked for, and never another's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '#kube'
import { renderIdentityCrds, roleKind, type ServiceAccountRole } from '../../identity/api.ts'
import { kinds } from '../api/kinds.ts'
import { awsSpec, type DnsWorld, dnsWorld, operandNamespace } from '../testing/dns-world.ts'

const key = { namespace: operandNamespace, name: 'dns' }
const account = { namespace: operandNamespace, name: 'external-dns-blue' }
const roleARN = 'arn:aws:iam::111122223333:role/awi-dns'

function spec(ref: object = {}, more: object = {}): object {
  const bindingRef = { ...key, ...ref }
  return awsSpec({
    zones: ['ZAAAAAAAAAAAA1'],
    provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'Binding', bindingRef }, ...more } },
  })
}

async function worldWith(object: object, withKind = true): Promise<DnsWorld> {
  const world = dnsWorld(withKind ? { objects: renderIdentityCrds() } : {})
  world.start()
  await world.create(object, 'blue', 'v1beta2')
  await world.settle()
  return world
}

const bindingOf = (world: DnsWorld): Promise<ServiceAccountRole | undefined> => world.find<ServiceAccountRole>(roleKind.type, key)

async function say(world: DnsWorld, status: 'True' | 'False', reason: string, more: object = {}): Promise<void> {
  const held = await bindingOf(world)
  const condition = {
    type: 'Ready',
    status,
    reason,
    message: 'as the operator of identities says',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: held?.metadata.generation,
  }
  await world.client.patch(
    roleKind.type,
    key,
    'merge',
    { status: { conditions: [condition], ...more } },
    { subresource: 'status' },
  )
  await world.settle()
}

async function valid(world: DnsWorld): Promise<Condition | undefined> {
  return (await world.dns()).status?.conditions?.find(({ type }) => type === 'CredentialsValid')
}

test('a binding that is not there is asked for by name, and the operand starts once it is ready', async () => {
  await using world = await worldWith(spec())
  const missing = await valid(world)
  assert.deepEqual([missing?.status, missing?.reason], ['False', 'BindingNotFound'])
  assert.match(
    missing?.message ?? '',
    /AWSServiceAccountRole external-dns\/dns is not there: make it for the ServiceAccount external-dns\/external-dns-blue/,
  )
  assert.equal((await world.said()).Available, 'False/AuthenticationFailed')
  await world.client.create(roleKind.type, roleKind.make(key, { serviceAccount: account, policyDocument: { a: 'b' } }))
  await world.settle()
  assert.equal((await valid(world))?.reason, 'BindingNotReady')
  await say(world, 'False', 'ConfigNotReady')
  assert.equal((await valid(world))?.reason, 'ConfigNotReady')
  assert.equal(await world.deployment(), undefined)
  await say(world, 'True', 'Ready', { roleARN })
  const containers = (await world.deployment())?.spec.template.spec.containers ?? []
  assert.equal(containers.length, 1)
  assert.equal(containers[0]?.env, undefined)
  assert.equal((await world.said()).CredentialsValid, 'Unknown/NotChecked')
})

test('a binding that stops being ready leaves the operand as it is', async () => {
  await using world = await worldWith(spec())
  await world.client.create(roleKind.type, roleKind.make(key, { serviceAccount: account, policyDocument: { a: 'b' } }))
  await say(world, 'True', 'Ready', { roleARN })
  const before = (await world.deployment())?.metadata.resourceVersion
  await say(world, 'False', 'Throttled')
  assert.equal((await world.deployment())?.metadata.resourceVersion, before)
  assert.equal((await valid(world))?.reason, 'Throttled')
})

test('a binding of another ServiceAccount is no identity of this operand', async () => {
  await using world = await worldWith(spec())
  const other = { ...account, name: 'external-dns-other' }
  await world.client.create(roleKind.type, roleKind.make(key, { serviceAccount: other, policyDocument: { a: 'b' } }))
  await say(world, 'True', 'Ready', { roleARN })
  assert.equal((await valid(world))?.reason, 'BindingSubjectMismatch')
  assert.equal(await world.deployment(), undefined)
})

test('on wish the binding is made for that ServiceAccount and those zones, follows the zones, and goes with its object', async () => {
  await using world = await worldWith(spec({ create: true }))
  const made = await bindingOf(world)
  assert.deepEqual(made?.spec.serviceAccount, account)
  const changes = (binding: ServiceAccountRole | undefined): unknown =>
    (binding?.spec.policyDocument as { Statement?: readonly { Resource?: unknown }[] } | undefined)?.Statement?.[0]?.Resource
  assert.deepEqual(changes(made), ['arn:aws:route53:::hostedzone/ZAAAAAAAAAAAA1'])
  const dns = await world.dns('blue', 'v1beta2')
  await world.client.update(kinds.v1beta2.type, { ...dns, spec: { ...dns.spec, zones: ['ZBBBBBBBBBBBB2'] } })
  await world.settle()
  assert.deepEqual(changes(await bindingOf(world)), ['arn:aws:route53:::hostedzone/ZBBBBBBBBBBBB2'])
  await world.advance(60_000)
  world.writes()
  await world.advance(3_600_000)
  assert.deepEqual(world.writes(), [])
  await world.client.delete(kinds.v1beta2.type, { namespace: '', name: 'blue' })
  await world.settle()
  await world.advance(60_000)
  assert.equal(await bindingOf(world), undefined)
})

test('with a role to assume the binding that is made may assume it, and nothing else', async () => {
  const arn = 'arn:aws:iam::999988887777:role/dns'
  await using world = await worldWith(spec({ create: true }, { assumeRole: { arn } }))
  assert.deepEqual((await bindingOf(world))?.spec.policyDocument, {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['sts:AssumeRole'], Resource: [arn] }],
  })
})

test('a binding of somebody else is used as it is, and never changed', async () => {
  await using world = dnsWorld({ objects: renderIdentityCrds() })
  const policyDocument = { own: 'words' }
  await world.client.create(roleKind.type, roleKind.make(key, { serviceAccount: account, policyDocument }))
  world.start()
  await world.create(spec({ create: true }), 'blue', 'v1beta2')
  await say(world, 'True', 'Ready', { roleARN })
  assert.deepEqual((await bindingOf(world))?.spec.policyDocument, policyDocument)
  assert.notEqual(await world.deployment(), undefined)
})

test('an author of objects has no binding made where the operator was not told to make any', async () => {
  await using world = await worldWith(spec({ create: true, namespace: 'kube-system' }))
  const available = (await world.dns()).status?.conditions?.find(({ type }) => type === 'Available')
  assert.deepEqual(
    [available?.reason, available?.message],
    [
      'InvalidSpec',
      'bindingRef.create: bindings are made in the namespaces of --binding-namespaces (external-dns), and kube-system is none of them: make the binding yourself',
    ],
  )
  assert.deepEqual((await world.client.list(roleKind.type)).items, [])
})

test('a cluster without the operator of identities, or another kind of binding, is told in words', async () => {
  await using without = await worldWith(spec(), false)
  assert.equal((await valid(without))?.reason, 'BindingKindMissing')
  await using other = await worldWith(spec({ kind: 'Other', apiVersion: 'example.com/v1' }))
  const available = (await other.dns()).status?.conditions?.find(({ type }) => type === 'Available')
  assert.match(
    available?.message ?? '',
    /bindingRef names the kind Other of example\.com\/v1: AWSServiceAccountRole of .* is the one that is known/,
  )
})
