// A new binding beside ACK's own controllers, as they were recorded: what they say on the way is no trouble, and is not told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventObject, events, type StoredObject, serviceAccounts } from '#kube'
import { roleKind } from '../api/kinds.ts'
import { recordedAck } from '../testing/recorded-ack.ts'
import { account, binding, keyIn, type RoleWorld, roleWorld, serviceAccount } from '../testing/role-world.ts'

const managed = { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }
const document = {
  policyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] },
}

/** Every status that the binding ever had, as far as `Ready` goes. */
async function live(world: RoleWorld, spec: object): Promise<{ readonly ready: readonly string[]; readonly ackWrites: number }> {
  const ack = recordedAck(world.client, { account, nowMs: () => world.clock.now() })
  const ready: string[] = []
  const look = async (): Promise<void> => {
    const { status } = await world.role('app1')
    const found = status?.conditions?.find(({ type }) => type === 'Ready')
    const said = found === undefined ? 'nothing' : `${found.status} ${found.reason}`
    if (ready.at(-1) !== said) ready.push(said)
  }
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.settle()
  world.passes.length = 0
  await world.client.create(roleKind.type, binding('app1', spec))
  await world.settle()
  const between = async (ms: number): Promise<void> => {
    await world.advance(ms)
    await look()
  }
  while (await ack.step(between)) await world.settle()
  await world.advance(200)
  await look()
  return { ready, ackWrites: ack.writes }
}

async function eventsOf(world: RoleWorld): Promise<readonly (StoredObject & EventObject)[]> {
  return (await world.client.list(events)).items as readonly (StoredObject & EventObject)[]
}

const statusWrites = (world: RoleWorld): number => world.writes().filter(({ subresource }) => subresource === 'status').length

for (const [delivery, spec, what, ours, acks] of [
  ['SelfHostedIRSA', managed, 'a managed policy', 4, 3],
  ['SelfHostedIRSA', document, 'a document', 6, 5],
  ['EKSIRSA', managed, 'a managed policy', 4, 3],
  ['EKSPodIdentity', managed, 'a managed policy', 4, 5],
] as const) {
  test(`${delivery} with ${what} beside ACK as recorded: Ready at the first word, in ${ours} writes and one event of ours [M4]`, async () => {
    await using world = await roleWorld({ delivery })
    const { ready, ackWrites } = await live(world, spec)
    assert.deepEqual(ready, ['nothing', 'True Ready'])
    const written = world.writes().map(({ verb, type, subresource }) => `${verb} ${type.plural}/${subresource ?? ''}`)
    assert.deepEqual([written.length, statusWrites(world), ackWrites], [ours, 1, acks], written.join(', '))
    const told = await eventsOf(world)
    assert.deepEqual(
      told.map(({ reason, source, reportingComponent, action, type }) => [
        type,
        reason,
        source.component,
        reportingComponent,
        action,
      ]),
      [['Normal', 'Ready', 'aws-workload-identity-operator', 'aws-workload-identity-operator', 'ConditionTransitioned']],
    )
    await world.client.delete(roleKind.type, keyIn('app1'))
    await world.converge()
    const all = (await eventsOf(world)).map(({ reason }) => reason).toSorted()
    assert.deepEqual(all, ['FinalizerRemoved', 'Ready', 'RoleARNEnds'])
  })
}
