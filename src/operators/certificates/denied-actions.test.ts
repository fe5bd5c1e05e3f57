// An account that denies each single action of the policy that `vouch rights` prints: the object says so, with the action that is to be allowed
// or in AWS' words; nothing is lost, nothing is requested twice, and all goes on once it is allowed. The table is the policy: a new action is
// tried as soon as it is printed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom } from '#base'
import type { StoredCondition } from '#kube'
import { cloudRights } from './manifests/cloud-rights.ts'
import { account, type CertWorld, certWorld, region, zoneName } from './testing/cert-world.ts'

const minuteMs = 60_000
const elsewhere = { name: 'acme.org', id: 'Z2', assumeRoleArn: 'arn:aws:iam::444455556666:role/zones' }
const rights = cloudRights({ zones: [{ name: zoneName, id: 'Z1' }, elsewhere], exports: true })
const actions = [...new Set(rights.flatMap(right => right.actions))]

/** Those that this life does not call, each with the test that has them denied: file and words. */
const elsewhereProven: Readonly<Record<string, readonly [file: string, words: string]>> = {
  'acm:ListCertificates': [
    'src/operators/certificates/cert/deletion.test.ts',
    'where nobody may look, the record stays and is told',
  ],
  'acm-pca:DescribeCertificateAuthority': ['test/certificates/rights.test.ts', 'without the one for it, it refuses'],
  'acm-pca:IssueCertificate': ['test/certificates/rights.test.ts', 'without the one for it, it refuses'],
  'acm-pca:GetCertificate': ['test/certificates/rights.test.ts', 'without the one for it, it refuses'],
}

interface Denial {
  readonly calls: () => number
  lift(): void
}

function deny(world: CertWorld, action: string): Denial {
  const operation = action.slice(action.indexOf(':') + 1)
  const message = `User: arn:aws:sts::111122223333:assumed-role/x is not authorized to perform: ${action}`
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message } as const
  const fault = world.aws.faults.add({ match: { operation }, effect })
  const result = 'AccessDeniedException'
  return { calls: () => world.aws.calls.count({ operation, result }), lift: () => fault.remove() }
}

const requested = (world: CertWorld): number => world.writes().filter(operation => operation === 'RequestCertificate').length

/** A role through which the zone is reached, as one of another account is. */
async function zoneRole({ aws, clock }: CertWorld): Promise<string> {
  const credentials = staticCredentials(aws.adminCredentials())
  const seams = { clock, random: seededRandom(9), transport: inProcessTransport(aws.handle) }
  const iam = createAwsClient({ model: serviceModel('iam'), region, credentials, ...seams })
  const Statement = [{ Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:root` }, Action: 'sts:AssumeRole' }]
  const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
  const { Role } = await iam.call('CreateRole', { RoleName: 'zones', AssumeRolePolicyDocument })
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'route53:*', Resource: '*' }],
  })
  await iam.call('PutRolePolicy', { RoleName: 'zones', PolicyName: 'zones', PolicyDocument })
  await clock.advance(minuteMs)
  return (Role as { readonly Arn: string }).Arn
}

/** All that the edit asks of AWS. */
function isCarriedOut(world: CertWorld): boolean {
  const written = world.writes()
  return ['AddTagsToCertificate', 'RemoveTagsFromCertificate', 'UpdateCertificateOptions', 'RenewCertificate'].every(operation =>
    written.includes(operation),
  )
}

/** In one condition, in words that say what is to be allowed, and without who we are. */
async function isTold(world: CertWorld, action: string): Promise<void> {
  const conditions: readonly StoredCondition[] = (await world.cert('api'))?.status?.conditions ?? []
  const telling = conditions.filter(({ message }) => /is not authorized to perform|allow [a-z0-9]+:\w+|denied/.test(message))
  assert.ok(telling.length > 0, `${action} is not told: ${JSON.stringify(conditions)}`)
  assert.doesNotMatch(JSON.stringify(conditions), /arn:aws:sts|111122223333/)
}

async function edit(world: CertWorld): Promise<void> {
  const spec = { tags: { team: null, cost: 'web' }, transparencyLogging: 'Disabled' }
  await world.change('api', { spec, metadata: { annotations: { 'acm.ops.example.dev/renew': 'now' } } })
}

for (const action of actions.filter(each => !(each in elsewhereProven)))
  test(`an account that denies ${action} is told so, loses nothing, and goes on once it is allowed [7.4 #43]`, async () => {
    await using world = certWorld()
    const zone = await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    const denial = deny(world, action)
    const zones = [action === 'sts:AssumeRole' ? { ...zone, assumeRoleArn: await zoneRole(world) } : zone]
    world.start({ zones, exportNamespaces: ['default'], looksAtZones: true })
    await world.apply('api', { deleteOnRemoval: true, tags: { team: 'shop' }, export: { secretName: 'api-tls' } })
    await world.advance(20 * minuteMs)
    const early = (await world.cert('api'))?.status
    if (denial.calls() > 0 && early?.certReady !== true) await isTold(world, action)
    if (early?.certReady === true) {
      await edit(world)
      await world.advance(20 * minuteMs)
      const { status } = (await world.cert('api')) ?? {}
      assert.deepEqual([status?.certReady, status?.certificateArn], [true, early.certificateArn], 'it stays good')
      if (denial.calls() > 0 && !isCarriedOut(world)) await isTold(world, action)
      await world.remove('api')
      await world.advance(20 * minuteMs)
      if ((await world.cert('api')) !== undefined) await isTold(world, action)
    }
    assert.ok(denial.calls() > 0, 'this life does not call it: name the test that has it denied')
    assert.ok(denial.calls() <= 40, `it is called ${denial.calls()} times within an hour`)
    denial.lift()
    if (early?.certReady !== true) {
      await world.until('api', 'Ready')
      await edit(world)
      await world.advance(20 * minuteMs)
      assert.equal((await world.cert('api'))?.status?.state, 'Ready')
      await world.remove('api')
    }
    await world.advance(130 * minuteMs)
    assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
    assert.equal(requested(world), 1)
  })

test('every action of the policy is denied in a test, and no other stands in the table [12.3]', () => {
  assert.ok(actions.length > 14, actions.join())
  assert.deepEqual(
    Object.keys(elsewhereProven).filter(action => !actions.includes(action)),
    [],
  )
  const missing = Object.entries(elsewhereProven).filter(
    ([, [file, words]]) => !readFileSync(join(import.meta.dirname, '../../..', file), 'utf8').includes(words),
  )
  assert.deepEqual(missing, [])
})
