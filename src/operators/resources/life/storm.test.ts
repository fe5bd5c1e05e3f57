// Storms: throttling, errors, answers that are lost after their effect, calls that never arrive, reads of an older state; drawn from a seed,
// while claims come, change and go. When the weather is over every claim is in step or gone, there is one resource for each and no other,
// and then nothing moves. `VOUCH_STORMS=200` takes more seeds; the failing one is named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../api.ts'
import { changes } from '../testing/changes.ts'
import { type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

const weather = [
  { effect: { kind: 'throttle' }, probability: 0.1 },
  { effect: { kind: 'error', code: 'ServiceFailure', http: 500 }, probability: 0.08 },
  { effect: { kind: 'error', code: 'ServiceUnavailable', http: 503 }, probability: 0.05 },
  { effect: { kind: 'timeout-before' }, probability: 0.05 },
  { effect: { kind: 'timeout-after' }, probability: 0.08 },
  { effect: { kind: 'stale-read', ageMs: 3_000 }, probability: 0.1 },
] as const

async function storm(seed: number): Promise<number> {
  await using world = resourceWorld({
    // Its faults would meet the making of a user as well.
    asAdmin: true,
    services: ['iam', 'route53', 's3'],
    kinds: ['Role', 'Policy', 'HostedZone', 'Bucket'],
    fieldExport: false,
    awsOptions: { seed: `storm-${seed}` },
  })
  for (const { effect, probability } of weather) world.aws.faults.add({ match: { probability }, effect })
  world.start()
  const document = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] })
  await world.create('Policy', 'read', { name: 'read', policyDocument: document })
  await world.create('Role', 'stays', {
    name: 'stays',
    assumeRolePolicyDocument: trust(),
    policyRefs: [{ from: { name: 'read' } }],
  })
  await world.create('Role', 'goes', { name: 'goes', assumeRolePolicyDocument: trust() })
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.create('Bucket', 'data', { name: 'data-1b2c', versioning: { status: 'Enabled' } })
  await world.advance(40_000 + seed * 1_000)
  await world.patch('Role', 'stays', { spec: { description: 'changed' } })
  await world.patch('HostedZone', 'zone', { spec: { hostedZoneConfig: { comment: 'changed' } } })
  await world.remove('Role', 'goes')
  await world.advance(60_000)
  const calls = world.aws.calls.count()
  world.aws.faults.clear()
  // The longest backoff of ours is five minutes.
  await world.advance(700_000)
  await checkSettled(world, seed)
  world.aws.calls.clear()
  await world.advance(120_000)
  assert.deepEqual(changes(world), [], `seed ${seed}: nothing changes at rest`)
  return calls
}

async function checkSettled(world: ResourceWorld, seed: number): Promise<void> {
  for (const [kind, name] of [
    ['Policy', 'read'],
    ['Role', 'stays'],
    ['HostedZone', 'zone'],
    ['Bucket', 'data'],
  ] as const) {
    const ready = await world.condition(kind, name, conditions.ready)
    assert.equal(ready?.status, 'True', `seed ${seed}: ${kind} ${name}: ${JSON.stringify((await world.get(kind, name))?.status)}`)
  }
  assert.equal(await world.get('Role', 'goes'), undefined, `seed ${seed}`)
  const names = async (service: 'iam' | 'route53' | 's3', operation: string, member: string, name: string) =>
    ((await world.client(service).call(operation))[member] as readonly Record<string, unknown>[]).map(each => each[name])
  assert.deepEqual(await names('iam', 'ListRoles', 'Roles', 'RoleName'), ['stays'], `seed ${seed}`)
  assert.deepEqual(await names('route53', 'ListHostedZones', 'HostedZones', 'Name'), ['example.com.'], `seed ${seed}`)
  assert.deepEqual(await names('s3', 'ListBuckets', 'Buckets', 'Name'), ['data-1b2c'], `seed ${seed}`)
}

test('after a storm each claim is in step or gone, with one resource each, and nothing moves [F4, F6, F7, F21, F22]', async context => {
  const seeds = Number(process.env['VOUCH_STORMS'] ?? '2')
  let calls = 0
  for (let seed = 1; seed <= seeds; seed++) calls += await storm(seed)
  context.diagnostic(`${seeds} storms, ${calls} calls of AWS in them`)
})
