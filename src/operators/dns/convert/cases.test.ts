// The cases about versions, each over an API server that has objects converted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { KubeError } from '#kube/client'
import { type ExternalDns, kinds } from '../api/kinds.ts'
import { type ApiVersionName, annotations, group } from '../api/names.ts'
import { answerOf, awsSpec, type DnsWorld, dnsWorld, openShift } from '../testing/dns-world.ts'
import { convert } from './convert.ts'
import { answerReview } from './review.ts'

const arn = 'arn:aws:iam::111122223333:role/dns'
const source = { type: 'OpenShiftRoute' }

const onOpenShift = (): DnsWorld => dnsWorld({ platform: openShift })

/** Reads it in one version, changes it, and writes it in that version. */
async function edit(
  world: DnsWorld,
  version: ApiVersionName,
  change: (dns: ExternalDns) => ExternalDns = dns => dns,
): Promise<void> {
  const read = await world.dns('blue', version)
  await world.client.update(kinds[version].type, change(read))
}

test('no credentials are an empty name in older versions, and none again in the newest [#24, #25]', async () => {
  await using world = onOpenShift()
  await world.create({ provider: { type: 'AWS', aws: { assumeRole: { arn } } }, source }, 'blue', 'v1beta2')
  const older = await world.dns('blue', 'v1beta1')
  assert.deepEqual(older.spec.provider.aws, { assumeRole: { arn }, credentials: { name: '' } })
  await edit(world, 'v1beta1')
  assert.deepEqual((await world.dns('blue', 'v1beta2')).spec.provider.aws, { assumeRole: { arn } })
})

test('a name is a name in every version [#26]', async () => {
  await using world = onOpenShift()
  await world.create({ provider: { type: 'AWS', aws: { credentials: { name: 'x' } } }, source })
  for (const version of ['v1beta2', 'v1alpha1', 'v1beta1'] as const)
    assert.deepEqual((await world.dns('blue', version)).spec.provider.aws, { credentials: { name: 'x' } })
})

test('an empty name in the newest version converts, and is refused where it would be stored [#27]', async () => {
  const spec = { provider: { type: 'AWS', aws: { credentials: { name: '' } } }, source }
  const object: KubeObject & { readonly spec: object } = { ...bare('v1beta2'), spec }
  assert.deepEqual(Reflect.get(convert(object, 'v1beta2', 'v1beta1'), 'spec'), spec)
  await using world = onOpenShift()
  assert.match(await answerOf(world.create(spec, 'blue', 'v1beta2')), /credentials\.name/)
})

function bare(version: ApiVersionName): KubeObject {
  return { apiVersion: `${group}/${version}`, kind: 'ExternalDNS', metadata: { name: 'blue' } }
}

const withRole = { provider: { type: 'AWS', aws: { assumeRole: { arn, externalID: 'abc' } } }, source, intervalSeconds: 120 }

test('a client of the oldest version that edits a label takes nothing away [#28, 19.10]', async () => {
  await using world = onOpenShift()
  await world.create(withRole, 'blue', 'v1beta2')
  const before = await world.dns('blue', 'v1beta2')
  await edit(world, 'v1alpha1', dns => ({ ...dns, metadata: { ...dns.metadata, labels: { a: 'b' } } }))
  const after = await world.dns('blue', 'v1beta2')
  assert.deepEqual([after.spec, after.metadata.labels], [before.spec, { a: 'b' }])
})

test('what belonged to another provider is dropped with it [#29]', async () => {
  await using world = onOpenShift()
  await world.create(withRole, 'blue', 'v1beta2')
  const provider = { type: 'GCP', gcp: { credentials: { name: 'x' } } }
  await edit(world, 'v1alpha1', dns => ({ ...dns, spec: { ...dns.spec, provider } }))
  assert.deepEqual((await world.dns('blue', 'v1beta2')).spec.provider, provider)
})

test('what belonged to another provider is dropped also where the object that held it stays [#29]', async () => {
  await using world = onOpenShift()
  await world.create(withRole, 'blue', 'v1beta2')
  const provider = { type: 'GCP', aws: { credentials: { name: 'left' } }, gcp: { credentials: { name: 'x' } } }
  await edit(world, 'v1alpha1', dns => ({ ...dns, spec: { ...dns.spec, provider } }))
  assert.deepEqual((await world.dns('blue', 'v1beta2')).spec.provider, provider)
})

test('under an object that a client of the oldest version took away nothing comes back [#30]', async () => {
  await using world = onOpenShift()
  await world.create(withRole, 'blue', 'v1beta2')
  await edit(world, 'v1alpha1', dns => ({ ...dns, spec: { ...dns.spec, provider: { type: 'AWS' } } }))
  const { spec } = await world.dns('blue', 'v1beta2')
  assert.deepEqual([spec.provider, spec.intervalSeconds], [{ type: 'AWS' }, 120])
})

test('an annotation that is damaged is told of and dropped [#31]', () => {
  const told: string[] = []
  for (const text of [
    '',
    '{',
    '[]',
    '{"v":"v9","h":"","f":{}}',
    '{"v":"v1beta2","h":""}',
    '{"v":"v1beta2","h":"","f":{"/metadata/name":"x"}}',
  ]) {
    const metadata = { name: 'blue', annotations: { [annotations.conversionData]: text, a: 'b' } }
    const object = { ...bare('v1beta1'), metadata, spec: { provider: { type: 'AWS' }, source } }
    const shown = convert(object, 'v1beta1', 'v1beta2', { onDamaged: ({ metadata: { name = '' } }) => told.push(name) })
    assert.deepEqual(shown.metadata.annotations, { a: 'b' })
  }
  assert.equal(told.length, 6)
})

test('two hundred objects of one review come back in their order, and one bad object fails all and is named [#32]', () => {
  const objects = Array.from({ length: 200 }, (_, index) => ({
    ...bare('v1beta2'),
    metadata: { name: `n${index}` },
    spec: awsSpec(),
  }))
  const ask = (all: readonly unknown[]) =>
    answerReview(
      { uid: 'u', desiredAPIVersion: `${group}/v1beta1`, objects: all },
      () => {},
      () => {},
    )
  const { convertedObjects, result } = ask(objects)
  assert.equal(result.status, 'Success')
  assert.deepEqual(
    convertedObjects.map(({ metadata }) => metadata.name),
    objects.map(({ metadata }) => metadata.name),
  )
  const bad = ask([...objects, { ...bare('v1beta2'), kind: 'Other', metadata: { name: 'odd' } }])
  assert.equal(bad.result.status, 'Failure')
  assert.match(bad.result.message ?? '', /object 200 \(odd\)/)
  const unknown = answerReview(
    { uid: 'u', desiredAPIVersion: `${group}/v9`, objects: [] },
    () => {},
    () => {},
  )
  assert.equal(unknown.result.status, 'Failure')
})

for (const stored of ['v1beta1', 'v1beta2'] as const)
  test(`while nobody converts what is stored as ${stored}, other versions cannot be read and the operator works on [#33]`, async () => {
    await using world = dnsWorld({ withoutWebhooks: true, settings: { servesWebhooks: false, storageVersion: stored } })
    const { validatingWebhookConfigurations: type } = await import('#kube')
    await world.client.delete(type, { namespace: '', name: 'vouch' })
    world.start()
    await world.secret('dns-creds', { credentials: '[default]' })
    await world.create(awsSpec({ operand: { cleanup: true } }), 'blue', stored)
    await world.settle()
    await assert.rejects(world.dns('blue', 'v1alpha1'), error => error instanceof KubeError && error.httpStatus === 500)
    const { status } = await world.dns('blue', stored)
    assert.equal(status?.conditions?.find(condition => condition.type === 'Available')?.status, 'True')
  })

test('a Service that names no types means one in the newest version and all in those before, whoever reads it in between', async () => {
  await using world = onOpenShift()
  const bareService = { provider: { type: 'AWS' }, source: { type: 'Service', hostnameAnnotation: 'Allow' } }
  await world.secret('external-dns-credentials-old', { credentials: 'x' }, 'external-dns')
  world.start()
  for (const [name, version] of [
    ['old', 'v1beta1'],
    ['new', 'v1beta2'],
  ] as const) {
    await world.create(bareService, name, version)
    await world.settle()
  }
  await world.secret('externaldns-cloud-credentials', { credentials: 'x' })
  await world.settle()
  const read = await world.dns('old', 'v1beta2')
  await world.client.update(kinds.v1beta2.type, read)
  await world.settle()
  const types = async (name: string): Promise<readonly string[]> =>
    ((await world.deployment(name))?.spec.template.spec.containers[0]?.args ?? []).filter(text =>
      text.startsWith('--service-type'),
    )
  assert.deepEqual([await types('old'), await types('new')], [[], ['--service-type-filter=LoadBalancer']])
})

test('what a later release stored in the newest version is readable by this one in every version [#34]', async () => {
  const spec = { credentials: { name: 'x' }, assumeRole: { arn, externalID: 'id' } }
  const stored = { ...awsSpec({ provider: { type: 'AWS', aws: spec } }) }
  const object = { apiVersion: `${group}/v1beta2`, kind: 'ExternalDNS', metadata: { name: 'blue', uid: 'u' }, spec: stored }
  const converted = ['v1beta1', 'v1alpha1', 'v1beta2'].map(version => {
    const request = { uid: '1', desiredAPIVersion: `${group}/${version}`, objects: [object] }
    const answer = answerReview(
      request,
      () => undefined,
      () => undefined,
    )
    assert.equal(answer.result.status, 'Success')
    const [shown] = answer.convertedObjects
    return Reflect.get(Object(Reflect.get(Object(shown), 'spec')), 'provider').aws
  })
  assert.deepEqual(converted, [{ credentials: { name: 'x' }, assumeRole: { arn } }, { credentials: { name: 'x' } }, spec])
})
