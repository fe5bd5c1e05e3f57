// 9.7: cheap reads, by the calls that they save and by the changes that they notice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../api.ts'
import { changes } from '../testing/changes.ts'
import { type ResourceWorld, type ResourceWorldOptions, resourceWorld, trust } from '../testing/world.ts'

const hour = 3_600_000
const glanceSeconds = 600
const resyncSeconds = 3_600
const roleCount = 6

/** Roles at rest, each seen by the list once. */
async function atRest(options: ResourceWorldOptions = {}): Promise<ResourceWorld> {
  const world = resourceWorld({ kinds: ['Role', 'Policy'], cheapReadSeconds: glanceSeconds, resyncSeconds, ...options })
  world.start()
  for (let index = 0; index < roleCount; index++)
    await world.create('Role', `r${index}`, { name: `r${index}`, assumeRolePolicyDocument: trust(), description: 'reads' })
  await world.advance(2 * glanceSeconds * 1_000)
  world.aws.calls.clear()
  return world
}

function counted(world: ResourceWorld): Readonly<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const operation of world.calls()) found[operation] = (found[operation] ?? 0) + 1
  return found
}

test('cheap reads: at rest one list serves all, nothing is written, and each is still looked at in full once per resync [9.7]', async () => {
  const writes: string[] = []
  await using world = await atRest({
    throughKube: exchange => request => {
      if (request.method !== 'GET') writes.push(`${request.method} ${request.target}`)
      return exchange(request)
    },
  })
  writes.length = 0
  await world.advance(0.5 * hour)
  const calls = counted(world)
  assert.deepEqual(Object.keys(calls), ['ListRoles'])
  // Half an hour holds three periods of ten minutes, and a list is believed for half of one: without it these are 54 calls.
  assert.ok((calls['ListRoles'] ?? 0) >= 3 && (calls['ListRoles'] ?? 0) <= 7, `${calls['ListRoles']} lists`)
  assert.deepEqual(writes, [])
  await world.advance(0.7 * hour)
  const reads = counted(world)['GetRole'] ?? 0
  assert.ok(reads >= roleCount && reads <= 2 * roleCount, `${reads} full looks`)
  assert.deepEqual(writes, [])
})

test('cheap reads: what a list shows is put right within one and a half periods; what it hides, at the full look [9.7]', async () => {
  await using world = await atRest()
  const iam = world.client('iam')
  await iam.call('UpdateRole', { RoleName: 'r3', Description: 'writes' })
  await iam.call('DeleteRole', { RoleName: 'r5' })
  world.aws.calls.clear()
  await world.advance(1.6 * glanceSeconds * 1_000)
  assert.deepEqual(changes(world).toSorted(), ['CreateRole', 'UpdateRole'])
  assert.ok((counted(world)['GetRole'] ?? 0) <= 6, 'the others are not looked at')
  assert.equal((await world.condition('Role', 'r5', conditions.ready))?.status, 'True')
  // Roles are listed without their tags.
  await iam.call('TagRole', { RoleName: 'r4', Tags: [{ Key: 'stray', Value: 'x' }] })
  world.aws.calls.clear()
  await world.advance(0.25 * hour)
  assert.deepEqual(changes(world), [])
  await world.advance(hour)
  assert.deepEqual(changes(world), ['UntagRole'])
})

test('cheap reads: a changed manifest, annotation or selector is looked at in full at once [9.7]', async () => {
  await using world = await atRest()
  await world.patch('Role', 'r1', { spec: { description: 'writes' } })
  await world.settle()
  assert.deepEqual(changes(world), ['UpdateRole'])
  world.aws.calls.clear()
  await world.patch('Role', 'r2', { metadata: { annotations: { 'services.k8s.aws/reconcile-at': 'now' } } })
  await world.settle()
  assert.deepEqual(counted(world)['GetRole'], 1)
})

test('cheap reads: a list that is refused tells nothing and stops nothing; full looks go on [9.7]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'], cheapReadSeconds: glanceSeconds, resyncSeconds: 3_600 })
  const denied = { kind: 'error', code: 'AccessDenied', http: 403 } as const
  world.aws.faults.add({ match: { service: 'iam', operation: 'ListRoles' }, effect: denied })
  world.start()
  await world.create('Role', 'one', { name: 'one', assumeRolePolicyDocument: trust(), description: 'reads' })
  await world.settle()
  await world.client('iam').call('UpdateRole', { RoleName: 'one', Description: 'writes' })
  world.aws.calls.clear()
  await world.advance(1.2 * hour)
  assert.deepEqual(changes(world), ['UpdateRole'])
  const { status } = (await world.get('Role', 'one')) ?? {}
  const said = status?.conditions?.map(each => [each.type, each.status])
  assert.deepEqual(
    said?.filter(([type]) => type === conditions.recoverable),
    [],
  )
  assert.equal((await world.condition('Role', 'one', conditions.ready))?.status, 'True')
})

test('cheap reads: a list that would cost more than it saves is given up, and asked for no more than once in half a period [9.7]', async () => {
  // A list without an end, as that of a very large account.
  const page = (marker: number): string =>
    '<ListRolesResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><ListRolesResult><Roles/><IsTruncated>true</IsTruncated>' +
    `<Marker>${marker}</Marker></ListRolesResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></ListRolesResponse>`
  let pages = 0
  await using world = resourceWorld({
    kinds: ['Role', 'Policy'],
    cheapReadSeconds: glanceSeconds,
    throughAws: exchange => request => {
      const text = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      if (!text.includes('Action=ListRoles&')) return exchange(request)
      pages += 1
      return Promise.resolve({
        status: 200,
        headers: { 'content-type': 'text/xml' },
        body: new TextEncoder().encode(page(pages)),
      })
    },
  })
  world.start()
  await world.create('Role', 'one', { name: 'one', assumeRolePolicyDocument: trust() })
  await world.advance(2 * glanceSeconds * 1_000)
  world.aws.calls.clear()
  pages = 0
  await world.advance(hour)
  assert.deepEqual(world.calls(), [])
  // Six pages tell that it is too long.
  assert.ok(pages >= 6 * 5 && pages <= 6 * 7, `${pages} pages`)
})

test('cheap reads: buckets and policies are listed in their own way [9.7]', async () => {
  await using world = resourceWorld({
    services: ['iam', 's3'],
    kinds: ['Bucket', 'Policy', 'Role'],
    cheapReadSeconds: glanceSeconds,
  })
  world.start()
  const policyDocument = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"}]}'
  await world.create('Policy', 'read', { name: 'read', policyDocument })
  await world.create('Bucket', 'logs', { name: 'logs-of-ours' })
  await world.advance(3 * glanceSeconds * 1_000)
  world.aws.calls.clear()
  await world.advance(hour)
  assert.deepEqual(Object.keys(counted(world)).sort(), ['ListBuckets', 'ListPolicies'])
  const arn = (await world.get('Policy', 'read'))?.status?.ackResourceMetadata?.arn
  const other = policyDocument.replace('s3:*', 'sqs:*')
  await world.client('iam').call('CreatePolicyVersion', { PolicyArn: arn, PolicyDocument: other, SetAsDefault: true })
  await world.client('s3').call('DeleteBucket', { Bucket: 'logs-of-ours' })
  world.aws.calls.clear()
  await world.advance(1.6 * glanceSeconds * 1_000)
  assert.deepEqual(
    changes(world)
      .filter(operation => operation.startsWith('Create'))
      .toSorted(),
    ['CreateBucket', 'CreatePolicyVersion'],
  )
})
