// 6.17, 9.14: what `kubectl describe` shows of a resource's life.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventObject, events } from '#kube'
import { annotations, conditions } from '../api.ts'
import { account, type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

const kinds = ['Role', 'Policy']
const role = (more: object = {}): object => ({ name: 'reader', assumeRolePolicyDocument: trust(), ...more })

async function told(world: ResourceWorld): Promise<readonly string[]> {
  const { items } = await world.kube.list<EventObject>(events, { namespace: 'default' })
  return items.map(({ type, reason, message, involvedObject, count }) =>
    [type, reason, involvedObject.name, message, ...(count === 1 ? [] : [count])].join(' | '),
  )
}

test('events: made, changed with its paths, changed by somebody else, gone [9.14]', async () => {
  await using world = resourceWorld({ kinds, resyncSeconds: 600 })
  world.start()
  await world.create('Role', 'reader', role({ description: 'reads' }))
  await world.advance(1_000)
  const made = `Normal | Created | reader | made in account ${account}, region eu-west-1`
  assert.deepEqual(await told(world), [made])
  await world.patch('Role', 'reader', { spec: { description: 'reads all', maxSessionDuration: 7_200 } })
  await world.advance(1_000)
  const changed = 'Normal | Updated | reader | Spec.Description, Spec.MaxSessionDuration'
  assert.deepEqual((await told(world)).toSorted(), [made, changed])
  await world.client('iam').call('UpdateRole', { RoleName: 'reader', Description: 'writes', MaxSessionDuration: 7_200 })
  await world.advance(700_000)
  const drift = 'Warning | DriftDetected | reader | somebody else had changed Spec.Description; it was changed back'
  assert.deepEqual((await told(world)).toSorted(), [made, changed, drift])
  // The same again raises its count.
  await world.client('iam').call('UpdateRole', { RoleName: 'reader', Description: 'writes', MaxSessionDuration: 7_200 })
  await world.advance(700_000)
  assert.deepEqual((await told(world)).toSorted(), [made, changed, `${drift} | 2`])
  await world.remove('Role', 'reader')
  await world.advance(5_000)
  assert.ok((await told(world)).includes('Normal | Deleted | reader | the resource is gone'))
})

test('events: what stands in the way is told once, and adoption is told [9.14]', async () => {
  await using world = resourceWorld({ kinds })
  await world.client('iam').call('CreateRole', { RoleName: 'old', AssumeRolePolicyDocument: trust() })
  world.start()
  await world.create('Role', 'broken', role({ name: 'broken', assumeRolePolicyDocument: '{}' }))
  await world.create('Role', 'old', undefined, {
    annotations: { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"old"}' },
  })
  await world.create('Role', 'planned', role({ name: 'planned' }), { annotations: { [annotations.plan]: 'true' } })
  await world.advance(900_000)
  const said = (await told(world)).toSorted()
  assert.equal(said.length, 3, said.join('\n'))
  assert.equal(said[0], `Normal | Adopted | old | taken over arn:aws:iam::${account}:role/old`)
  assert.equal(said[1], 'Normal | Updated | old | Spec.Tags')
  assert.match(said[2] ?? '', /^Warning \| Terminal \| broken \| .*MalformedPolicyDocument/)
})

test('a refusal is told with its request id, of the first time for as long as it is the same one; events are counted without it [9.12]', async () => {
  await using world = resourceWorld({ kinds })
  const denied = { kind: 'error', code: 'AccessDenied', http: 403 } as const
  world.aws.faults.add({ match: { service: 'iam', operation: 'CreateRole' }, effect: denied })
  const { passes } = world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  const said = await world.condition('Role', 'reader', conditions.recoverable)
  assert.match(said?.message ?? '', /^IAM CreateRole: AccessDenied.* \(request id [0-9a-f-]{36}\)$/)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.message, said?.message)
  assert.deepEqual(await told(world), [`Warning | Recoverable | reader | ${said?.message.replace(/ \(.*/, '')}`])
  const writes = (): number => passes.flatMap(pass => pass.writes).length
  const [wrote, tried] = [writes(), world.aws.calls.count({ operation: 'CreateRole' })]
  await world.advance(3_600_000)
  assert.ok(world.aws.calls.count({ operation: 'CreateRole' }) > tried + 3)
  assert.equal(writes(), wrote)
  assert.deepEqual(await world.condition('Role', 'reader', conditions.recoverable), said)
})

test('events that are switched off are none, and cost nothing', async () => {
  await using world = resourceWorld({ kinds, events: false })
  const { passes } = world.start()
  await world.create('Role', 'reader', role())
  await world.create('Role', 'broken', role({ name: 'broken', assumeRolePolicyDocument: '{}' }))
  await world.advance(5_000)
  assert.deepEqual(await told(world), [])
  assert.equal(passes.flatMap(({ writes }) => writes).filter(({ type }) => type.kind === 'Event').length, 0)
})
