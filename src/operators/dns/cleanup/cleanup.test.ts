// Records that go with their object: by one last run of the operand, which nothing writes beside.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject, StoredObject } from '#kube'
import { endedJob } from '../../../kube/ended-job.fixture.ts'
import { kinds } from '../api/kinds.ts'
import type { Container } from '../operand/deployment.ts'
import { awsKeys, awsSpec, type DnsWorld, dnsWorld, operandNamespace } from '../testing/dns-world.ts'
import { type CleanupJob, jobs } from './job.ts'

const key = { namespace: operandNamespace, name: 'external-dns-blue-cleanup' }

type Job = CleanupJob & { readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } } }

const jobOf = (world: DnsWorld): Promise<(Job & StoredObject) | undefined> => world.find<Job & StoredObject>(jobs, key)
const isThere = async (world: DnsWorld, name = 'blue'): Promise<boolean> =>
  (await world.find(kinds.v1beta2.type, { namespace: '', name })) !== undefined

async function going(more: object = {}): Promise<DnsWorld> {
  const world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(
    awsSpec({ zones: ['ZAAAAAAAAAAAA1'], operand: { cleanup: true }, intervalSeconds: 120, ...more }),
    'blue',
    'v1beta2',
  )
  await world.settle()
  assert.notEqual(await world.deployment(), undefined)
  await remove(world)
  return world
}

async function remove(world: DnsWorld): Promise<void> {
  await world.client.delete(kinds.v1beta2.type, { namespace: '', name: 'blue' })
  await world.settle()
  await world.advance(60_000)
}

async function finish(world: DnsWorld, type: 'Complete' | 'Failed', message = ''): Promise<void> {
  await world.client.patch(jobs, key, 'merge', endedJob(type, message), { subresource: 'status' })
  await world.settle()
}

async function available(world: DnsWorld): Promise<string> {
  const { status } = await world.dns()
  return status?.conditions?.find(({ type }) => type === 'Available')?.message ?? ''
}

test('the operand ends, runs once more over nothing, and then the object goes', async () => {
  await using world = await going({ ownership: { policy: 'UpsertOnly' } })
  assert.equal(await world.deployment(), undefined)
  const [container] = (await jobOf(world))?.spec.template.spec.containers ?? []
  const { args = [] } = container ?? {}
  assert.deepEqual(
    args.filter(text => /^--(once|policy|label-filter|interval|zone-id-filter|txt-owner-id)/.test(text)),
    [
      '--txt-owner-id=external-dns-blue',
      '--zone-id-filter=ZAAAAAAAAAAAA1',
      '--policy=sync',
      '--label-filter=externaldns.olm.openshift.io/cleanup,!externaldns.olm.openshift.io/cleanup',
      '--once',
    ],
  )
  assert.ok(await isThere(world))
  assert.equal(await available(world), 'The records are being taken away.')
  await finish(world, 'Complete')
  assert.equal(await isThere(world), false)
})

test('the end of a run that was not for this object lets nothing go', async () => {
  await using world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'example.com/c:1' }] } }
  await world.client.create(jobs, { apiVersion: 'batch/v1', kind: 'Job', metadata: key, spec: { template } } as KubeObject)
  await world.client.patch(jobs, key, 'merge', endedJob('Complete'), { subresource: 'status' })
  await world.create(awsSpec({ zones: ['ZAAAAAAAAAAAA1'], operand: { cleanup: true } }), 'blue', 'v1beta2')
  await world.settle()
  await remove(world)
  assert.ok(await isThere(world))
  assert.match(await available(world), /^The Job of an earlier object of this name is in the way/)
  await world.client.delete(jobs, key, { propagationPolicy: 'Background' } as never)
  await world.advance(60_000)
  assert.equal(await available(world), 'The records are being taken away.')
  await finish(world, 'Complete')
  assert.equal(await isThere(world), false)
})

test('a last run that fails holds the object and says how to let it go', async () => {
  await using world = await going()
  await finish(world, 'Failed', 'BackoffLimitExceeded')
  assert.equal(
    await available(world),
    'the run that takes the records away failed: BackoffLimitExceeded. Mend that and delete the Job, or set spec.operand.cleanup to false to let the object go and leave its records.',
  )
  await world.client.delete(jobs, key, { propagationPolicy: 'Background' } as never)
  await world.settle()
  assert.equal((await jobOf(world))?.status?.conditions, undefined)
  await world.client.patch(kinds.v1beta2.type, { namespace: '', name: 'blue' }, 'merge', {
    spec: { operand: { cleanup: false } },
  })
  await world.settle()
  assert.equal(await isThere(world), false)
})

test('records are not taken away while another object writes under the same owner id', async () => {
  await using world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  const ownership = { ownerID: 'shared' }
  const domains = (name: string): object => ({ domains: [{ filterType: 'Include', matchType: 'Exact', name }] })
  await world.create(awsSpec({ ownership, ...domains('a.org'), operand: { cleanup: true } }), 'blue', 'v1beta2')
  await world.create(awsSpec({ ownership, ...domains('b.org') }), 'other', 'v1beta2')
  await world.settle()
  await remove(world)
  assert.match(await available(world), /^nothing can take the records away: other writes records under the same owner id\./)
  assert.equal(await jobOf(world), undefined)
  await world.client.delete(kinds.v1beta2.type, { namespace: '', name: 'other' })
  await world.settle()
  await world.advance(60_000)
  assert.notEqual(await jobOf(world), undefined)
})

test('without the wish an object goes at once and its records stay', async () => {
  await using world = await going({ operand: { cleanup: false } })
  assert.deepEqual([await isThere(world), await jobOf(world)], [false, undefined])
})

test('a wish that is taken back takes the hold on the object back', async () => {
  await using world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec({ operand: { cleanup: true } }), 'blue', 'v1beta2')
  await world.settle()
  assert.deepEqual((await world.dns()).metadata.finalizers, ['externaldns.olm.openshift.io/cleanup'])
  await world.client.patch(kinds.v1beta2.type, { namespace: '', name: 'blue' }, 'merge', { spec: { operand: null } })
  await world.settle()
  assert.equal((await world.dns()).metadata.finalizers, undefined)
})
