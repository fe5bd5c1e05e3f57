// The cases about the API, its defaults and its webhook, each over an API server that asks the webhook.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { kinds } from '../api/kinds.ts'
import { answerOf, awsKeys, awsSpec, type DnsWorld, dnsWorld, openShift } from '../testing/dns-world.ts'

const arn = 'arn:aws:iam::111122223333:role/dns'
const route = { type: 'OpenShiftRoute' }
const denied = (message: string): string => `admission webhook "vexternaldns.kb.io" denied the request: ${message}`
const aws = (more: object = {}): object => ({ type: 'AWS', aws: more })

const onOpenShift = (): DnsWorld => dnsWorld({ platform: openShift })

/** The warnings of a request, which its client is told. */
async function warningsOf(
  world: DnsWorld,
  spec: object,
  name = 'warned',
  version: 'v1beta1' | 'v1beta2' = 'v1beta1',
): Promise<string> {
  const said: string[] = []
  const object = { apiVersion: kinds[version].apiVersion, kind: 'ExternalDNS', metadata: { name }, spec }
  await world.client.create<KubeObject>(kinds[version].type, object, { onWarning: text => said.push(text) })
  return said.join('\n')
}

test('on OpenShift a role alone is enough, and the Secret has the empty name [#1]', async () => {
  await using world = onOpenShift()
  const { spec } = await world.create({ provider: aws({ assumeRole: { arn } }), source: route })
  assert.deepEqual(spec.provider.aws, { assumeRole: { arn }, credentials: { name: '' } })
})

test('on plain Kubernetes a role alone is refused [#2]', async () => {
  await using world = dnsWorld()
  const answer = await answerOf(world.create({ provider: aws({ assumeRole: { arn } }), source: route }))
  assert.equal(answer, denied('credentials secret must be specified when provider type is AWS'))
})

test('on OpenShift nothing has to be said of AWS, and nothing is made up [#3]', async () => {
  await using world = onOpenShift()
  const { spec } = await world.create({ provider: { type: 'AWS' }, source: route })
  assert.deepEqual(spec.provider, { type: 'AWS' })
})

test('what is no ARN is refused in its exact words, also when it is empty [#4, #6]', async () => {
  await using world = onOpenShift()
  for (const bad of ['arn:aws:iam:bad123456789012:role/foo', '']) {
    const answer = await answerOf(world.create({ provider: aws({ assumeRole: { arn: bad } }), source: route }))
    assert.equal(answer, denied(`arn "${bad}" is not a valid AWS ARN`))
  }
})

test('an ARN of something else is warned of, and refused in the newest version [#5]', async () => {
  await using world = onOpenShift()
  const spec = { provider: aws({ assumeRole: { arn: 'arn:aws:s3:::x' } }), source: route }
  assert.match(await warningsOf(world, spec), /"arn:aws:s3:::x" is not the ARN of an IAM role/)
  assert.match(await answerOf(world.create(spec, 'new', 'v1beta2')), /assumeRole\.arn.*Invalid value/)
})

test('a role on another provider is still checked, and is no argument of it [#7]', async () => {
  await using world = onOpenShift()
  const spec = (value: string): object => ({ provider: { type: 'Azure', aws: { assumeRole: { arn: value } } }, source: route })
  assert.equal(await answerOf(world.create(spec('foo'))), denied('arn "foo" is not a valid AWS ARN'))
  world.start()
  await world.create(spec(arn))
  await world.secret('external-dns-credentials-blue', { 'azure.json': '{}' }, 'external-dns')
  await world.settle()
  const args = (await world.deployment())?.spec.template.spec.containers.flatMap(container => container.args ?? []) ?? []
  assert.ok(args.length > 0 && !args.some(argument => argument.startsWith('--aws')), args.join(' '))
})

test('patterns are RE2: what is none is refused with the part that is wrong, and flags within are taken [#8, #9]', async () => {
  await using world = onOpenShift()
  const spec = (pattern: string): object => ({
    provider: aws(),
    source: route,
    domains: [{ filterType: 'Include', matchType: 'Pattern', pattern }],
  })
  const cause = 'invalid pattern for "Pattern" match type: error parsing regexp:'
  assert.equal(await answerOf(world.create(spec('(.*\\.test.com'))), denied(`${cause} missing closing ): \`(.*\\.test.com\``))
  assert.equal(await answerOf(world.create(spec('(?!x)'))), denied(`${cause} invalid or unsupported Perl syntax: \`(?!\``))
  assert.equal(await answerOf(world.create(spec('(?i)foo'))), 'allowed')
})

test('a name that looks like a pattern is a name [#10]', async () => {
  await using world = onOpenShift()
  const domains = [{ filterType: 'Include', matchType: 'Exact', name: '(.*)\\.test\\.com' }]
  assert.equal(await answerOf(world.create({ provider: aws(), source: route, domains })), 'allowed')
})

test('all that is wrong is said in one answer, of the domains the first [#11]', async () => {
  await using world = dnsWorld()
  const domains = [
    { filterType: 'Include', matchType: 'Exact' },
    { filterType: 'Include', matchType: 'Pattern' },
  ]
  assert.equal(
    await answerOf(world.create({ provider: aws(), source: { type: 'Service' }, domains })),
    denied(
      '["Name" cannot be empty when match type is "Exact", "fqdnTemplate" must be specified when "hostnameAnnotation" is "Ignore", credentials secret must be specified when provider type is AWS]',
    ),
  )
})

test('the source CRD is refused for new objects, and one that has it already is told in its status [#12]', async () => {
  const spec = { provider: aws(), source: { type: 'CRD', hostnameAnnotation: 'Allow' } }
  const old = { apiVersion: kinds.v1beta1.apiVersion, kind: 'ExternalDNS', metadata: { name: 'old' }, spec }
  await using world = dnsWorld({ platform: openShift })
  assert.equal(await answerOf(world.create(spec)), denied('CRD source is not implemented'))
  const stored = await seed(world, old)
  const labelled = { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } }
  assert.equal(await answerOf(world.client.update(kinds.v1beta1.type, labelled)), 'allowed')
  world.start()
  await world.settle()
  const { status } = await world.dns('old')
  const available = status?.conditions?.find(({ type }) => type === 'Available')
  assert.deepEqual([available?.reason, available?.message], ['InvalidSpec', 'unsupported source type: "CRD"'])
})

/** An object from before the webhook. */
async function seed(world: DnsWorld, object: KubeObject): Promise<KubeObject> {
  const { validatingWebhookConfigurations: type } = await import('#kube')
  const key = { namespace: '', name: 'vouch' }
  const configuration = await world.client.get(type, key)
  await world.client.delete(type, key)
  const stored = await world.client.create(kinds.v1beta1.type, object)
  const { resourceVersion: _version, uid: _uid, ...metadata } = configuration.metadata
  await world.client.create<KubeObject>(type, { ...configuration, metadata })
  return stored
}

test('a Service needs a template where its annotation is ignored; a Route does not [#13, #14]', async () => {
  await using world = onOpenShift()
  const service = (hostnameAnnotation: string): object => ({ provider: aws(), source: { type: 'Service', hostnameAnnotation } })
  const refused = denied('"fqdnTemplate" must be specified when "hostnameAnnotation" is "Ignore"')
  assert.equal(await answerOf(world.create(service('Ignore'), 'a')), refused)
  assert.equal(await answerOf(world.create(service('Allow'), 'b')), 'allowed')
  assert.equal(await answerOf(world.create({ provider: aws(), source: route }, 'c')), 'allowed')
})

test('Infoblox without a port is refused, on OpenShift as well [#15]', async () => {
  await using world = onOpenShift()
  const infoblox = { credentials: { name: 'x' }, gridHost: 'h', wapiPort: 0, wapiVersion: '2' }
  const message = '"WAPIVersion", "WAPIPort", "GridHost" and credentials file must be specified when provider is Infoblox'
  assert.equal(await answerOf(world.create({ provider: { type: 'Infoblox', infoblox }, source: route })), denied(message))
})

test('the schema refuses an eleventh zone and an interval out of bounds [#16, #17]', async () => {
  await using world = onOpenShift()
  const zones = Array.from({ length: 11 }, (_, index) => `Z${index}`)
  assert.match(
    await answerOf(world.create({ provider: aws(), source: route, zones })),
    /spec\.zones: Too many: 11: must have at most 10/,
  )
  for (const intervalSeconds of [0, 59, 3601])
    assert.match(await answerOf(world.create({ provider: aws(), source: route, intervalSeconds })), /spec\.intervalSeconds/)
  assert.equal(await answerOf(world.create({ provider: aws(), source: route, zones: zones.slice(1) })), 'allowed')
})

test('types of Services are filled in where there is an object for them, and nowhere else [#18]', async () => {
  await using world = onOpenShift()
  const source = { type: 'Service', hostnameAnnotation: 'Allow' }
  const filled = await world.create({ provider: aws(), source: { ...source, service: {} } }, 'a')
  assert.deepEqual(filled.spec.source.service, { serviceType: ['LoadBalancer'] })
  assert.equal((await world.create({ provider: aws(), source }, 'b')).spec.source.service, undefined)
})

test('names that cannot be labels and zones that come twice are refused in the newest version and warned of before [#21, #22]', async () => {
  await using world = onOpenShift()
  const spec = { provider: aws(), source: route, zones: ['ZAAAAAAAAAAAA1', 'ZAAAAAAAAAAAA1'] }
  const long = `${'a'.repeat(60)}.example.com`
  assert.match(await warningsOf(world, spec, long), /cannot be the value of a label[\s\S]*|more than once/)
  const answer = await answerOf(world.create(spec, long, 'v1beta2'))
  assert.match(answer, /zone "ZAAAAAAAAAAAA1" is there more than once/)
  assert.match(answer, /cannot be the value of a label/)
})

test('a dry run is judged and leaves nothing [#23]', async () => {
  await using world = dnsWorld()
  const object = { apiVersion: kinds.v1beta1.apiVersion, kind: 'ExternalDNS', metadata: { name: 'dry' }, spec: awsSpec() }
  await world.client.create<KubeObject>(kinds.v1beta1.type, object, { dryRun: true })
  assert.equal(await world.find(kinds.v1beta1.type, { namespace: '', name: 'dry' }), undefined)
  const bad = { ...object, spec: { provider: aws(), source: route } }
  assert.match(
    await answerOf(world.client.create<KubeObject>(kinds.v1beta1.type, bad, { dryRun: true })),
    /credentials secret must be/,
  )
})

test('without its webhook an object is judged when it is looked at [#96]', async () => {
  await using world = dnsWorld({ settings: { servesWebhooks: false }, withoutWebhooks: true })
  const { validatingWebhookConfigurations: type } = await import('#kube')
  await world.client.delete(type, { namespace: '', name: 'vouch' })
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create({ ...awsSpec(), domains: [{ filterType: 'Include', matchType: 'Pattern', pattern: '(' }] })
  await world.settle()
  const { status } = await world.dns()
  const available = status?.conditions?.find(condition => condition.type === 'Available')
  assert.equal(available?.reason, 'InvalidSpec')
  assert.equal(await world.deployment(), undefined)
})
