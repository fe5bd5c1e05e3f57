// M1, L2: whatever the fields say, a binding comes to rest, and a look at it afterwards writes nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { serviceAccounts } from '#kube'
import { roleKind } from '../api/kinds.ts'
import { binding, keyIn, type RoleWorld, roleWorld, serviceAccount } from '../testing/role-world.ts'

const operatorConfigs = {
  group: 'aws.identity.appthrust.io',
  version: 'v1alpha1',
  kind: 'AWSWorkloadIdentityOperatorConfig',
  plural: 'awsworkloadidentityoperatorconfigs',
  namespaced: false,
}

const arn = fc.stringMatching(/^[A-Za-z0-9+=,.@_-]{1,20}$/).map(name => `arn:aws:iam::aws:policy/${name}`)
const resource = fc.oneof(fc.constant('*'), fc.string({ maxLength: 12 }), fc.constant('<>&\u2028'))
const statement = fc.record(
  {
    Effect: fc.constantFrom('Allow', 'Deny'),
    Action: fc.oneof(fc.constant('s3:GetObject'), fc.array(fc.constantFrom('s3:*', 'sqs:SendMessage'), { minLength: 1 })),
    Resource: fc.oneof(resource, fc.array(resource, { minLength: 1, maxLength: 3 })),
    Condition: fc.dictionary(
      fc.constantFrom('StringEquals', 'Bool', 'NumericLessThan'),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.oneof(resource, fc.boolean(), fc.integer())),
      { maxKeys: 2 },
    ),
  },
  { requiredKeys: ['Effect', 'Action'] },
)
const document = fc.record(
  { Version: fc.constant('2012-10-17'), Statement: fc.array(statement, { maxLength: 3 }), '10': fc.integer() },
  { requiredKeys: ['Version', 'Statement'] },
)
const spec = fc.oneof(
  fc.uniqueArray(arn, { minLength: 1, maxLength: 10 }).map(policyARNs => ({ policyARNs })),
  document.map(policyDocument => ({ policyDocument })),
  document.map(policyDocument => ({ policyARNs: [], policyDocument })),
)
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,30}[a-z0-9](\.[a-z0-9]{1,5})?$/)
const options = fc.record({
  delivery: fc.constantFrom('SelfHostedIRSA', 'EKSIRSA', 'EKSPodIdentity'),
  hasBoundary: fc.boolean(),
  bindings: fc.uniqueArray(fc.record({ name, spec }), {
    minLength: 1,
    maxLength: 4,
    // Two whose names differ in a dot only want one association (14.1 L6).
    selector: ({ name: one }) => one.replaceAll('.', '-'),
  }),
})

test('every combination of fields comes to rest: no write for hours, for a touch of the claim, or for a restart', async () => {
  await fc.assert(
    fc.asyncProperty(options, async ({ delivery, hasBoundary, bindings }) => {
      await using world = await roleWorld({ delivery: delivery as 'SelfHostedIRSA' })
      const boundary = { spec: { permissionsBoundaryARN: 'arn:aws:iam::123456789012:policy/boundary' } }
      if (hasBoundary) await world.client.patch(operatorConfigs, { namespace: '', name: 'default' }, 'merge', boundary)
      for (const one of bindings) {
        await world.targetClient.create(serviceAccounts, serviceAccount(one.name))
        await world.client.create(roleKind.type, binding(one.name, one.spec))
      }
      await world.converge()
      await world.advance(5_000)
      await world.converge()
      for (const one of bindings) assert.equal(await readyOf(world, one.name), 'True', one.name)
      world.passes.length = 0
      for (const one of bindings) {
        await world.client.patch(roleKind.type, keyIn(one.name), 'merge', { metadata: { annotations: { touched: 'yes' } } })
      }
      await world.advance(90 * 60_000)
      await world.restart()
      await world.converge()
      assert.ok(world.passes.length >= 2 * bindings.length, 'they were looked at')
      assert.deepEqual(world.writes(), [])
    }),
    { numRuns: 6 },
  )
})

async function readyOf(world: RoleWorld, binding: string): Promise<string | undefined> {
  return (await world.role(binding)).status?.conditions?.find(({ type }) => type === 'Ready')?.status
}
