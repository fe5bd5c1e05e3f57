// What is counted, and that nothing in it tells an object, a zone or an account from another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployments } from '#kube'
import type { Deployment } from '../operand/deployment.ts'
import { answerOf, awsKeys, awsSpec, type DnsWorld, dnsWorld, operandNamespace } from '../testing/dns-world.ts'
import { roleArn, twoAccounts } from '../testing/two-accounts.ts'

function valuesOf({ metrics }: DnsWorld, name: string): Readonly<Record<string, number>> {
  const family = metrics.snapshot().find(each => each.name === `externaldns_operator_${name}`)
  return Object.fromEntries((family?.points ?? []).map(point => [labelled(point), point.value]))
}

function labelled({ labels }: { readonly labels: Readonly<Record<string, string>> }): string {
  return Object.values(labels).join(' ')
}

test('every metric is there with its labels, and no label names an object, a zone or an account', async () => {
  await using accounts = await twoAccounts()
  const { world } = accounts
  await accounts.create({ arn: roleArn })
  assert.match(await answerOf(world.create({ ...awsSpec(), zones: ['', ''] }, 'bad', 'v1beta2')), /a zone is empty/)
  assert.deepEqual(valuesOf(world, 'instances'), { 'AWS True': 1 })
  assert.deepEqual(valuesOf(world, 'webhook_requests_total'), { allowed: 1, denied: 1 })
  assert.deepEqual(valuesOf(world, 'preflight_total'), {
    'CredentialsValid success': 1,
    'RoleAssumable success': 1,
    'ZonesAccessible success': 1,
  })
  assert.ok((valuesOf(world, 'reconcile_total')['externaldns success'] ?? 0) > 0)
  assert.ok('externaldns' in valuesOf(world, 'reconcile_duration_seconds'))
  assert.ok('v1beta2 v1beta1 success' in valuesOf(world, 'conversion_total'))
  const shown = world.metrics
    .expose()
    .split('\n')
    .filter(line => line.startsWith('externaldns_operator_'))
    .join('\n')
  assert.doesNotMatch(shown, new RegExp(`blue|${accounts.zone}|\\d{12}`))
})

test('a Deployment that was changed is counted, one that was made is not', async () => {
  await using world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec())
  await world.settle()
  assert.deepEqual(valuesOf(world, 'deployment_updates_total'), { '': 0 })
  const key = { namespace: operandNamespace, name: 'external-dns-blue' }
  const held = await world.client.get<Deployment & { metadata: { uid: string; resourceVersion: string; name: string } }>(
    deployments,
    key,
  )
  await world.client.update(deployments, { ...held, spec: { ...held.spec, replicas: 3 } })
  await world.settle()
  assert.deepEqual(valuesOf(world, 'deployment_updates_total'), { '': 1 })
})

test('an object that is not Available is counted as such, and one that is gone no more', async () => {
  await using world = dnsWorld()
  world.start()
  await world.create(awsSpec())
  await world.settle()
  assert.deepEqual(valuesOf(world, 'instances'), { 'AWS False': 1 })
  const { kinds } = await import('../api/kinds.ts')
  await world.client.delete(kinds.v1beta1.type, { namespace: '', name: 'blue' })
  await world.settle()
  assert.deepEqual(valuesOf(world, 'instances'), {})
})
