import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awsKeys, awsSpec, dnsWorld } from '../testing/dns-world.ts'

const aws = { credentials: { name: 'dns-creds' } }
const asked: Readonly<Record<string, readonly [spec: object, says: RegExp]>> = {
  'zones that are to be found by the role': [{ zones: [], zoneDiscovery: { mode: 'AssumedRole' } }, /name them in spec\.zones/],
  'zones of the platform': [{ zones: [], zoneDiscovery: { mode: 'PlatformDNS' } }, /name them in spec\.zones/],
  'a deletion that takes the records along': [{ zones: ['Z1'], operand: { cleanup: true } }, /operand\.cleanup is not built yet/],
  'questions to IAM': [{ zones: ['Z1'], preflight: { simulate: true } }, /preflight\.simulate is not built yet/],
  'a binding as identity': [
    {
      zones: ['Z1'],
      provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'Binding', bindingRef: { namespace: 'edge', name: 'dns' } } } },
    },
    /use IRSA/,
  ],
}

for (const [what, [spec, says]] of Object.entries(asked))
  test(`who asks for ${what} is told that it is not built, and no operand starts`, async () => {
    await using world = dnsWorld()
    world.start()
    await world.secret('dns-creds', awsKeys)
    await world.create(awsSpec(spec), 'blue', 'v1beta2')
    await world.settle()
    assert.equal(await world.deployment(), undefined)
    assert.match(JSON.stringify(await world.dns('blue')), says)
    assert.match((await world.said())['Available'] ?? '', /^False\//)
  })

test('zones that are named are used, whatever is to be discovered', async () => {
  await using world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(
    awsSpec({ zones: ['Z1'], zoneDiscovery: { mode: 'AssumedRole' }, provider: { type: 'AWS', aws } }),
    'blue',
    'v1beta2',
  )
  await world.settle()
  assert.ok((await world.deployment()) !== undefined)
})
