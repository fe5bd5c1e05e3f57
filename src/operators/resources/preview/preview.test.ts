// 9.3, 9.6: what would be done, and what is there already; neither writes anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { given, seededRandom } from '#base'
import type { KubeObject } from '#kube'
import { annotations } from '../api.ts'
import { type ResourcesOptions } from '../options.ts'
import { changes } from '../testing/changes.ts'
import { account, type ResourceWorld, region, resourceWorld, trust } from '../testing/world.ts'
import { ExportError, exportExisting } from './export-existing.ts'
import { type LiveReads, planManifests } from './plan-manifests.ts'

function optionsOf(world: ResourceWorld, services: readonly string[] = ['iam']): ResourcesOptions {
  const { clock, aws } = world
  const clients = new AwsClients({
    credentials: staticCredentials(aws.adminCredentials()),
    transport: inProcessTransport(aws.handle),
    clock,
    random: seededRandom(9),
  })
  return { services, aws: clients, home: { account, partition: 'aws', region }, nowMs: () => clock.now() }
}

function liveOf({ kube }: ResourceWorld): LiveReads {
  return { find: (type, key) => kube.find(type, key), list: async type => (await kube.list(type, {})).items }
}

const manifest = (
  kind: string,
  name: string,
  spec: object | undefined,
  notes: Readonly<Record<string, string>> = {},
): KubeObject =>
  ({
    apiVersion: 'iam.services.k8s.aws/v1alpha1',
    kind,
    metadata: { namespace: 'default', name, annotations: notes },
    ...given({ spec }),
  }) as KubeObject

const role = (more: object = {}): object => ({ name: 'reader', assumeRolePolicyDocument: trust(), ...more })
const signal = new AbortController().signal

test('vouch plan: create, update with its paths, replace, delete, nothing, and what is in the way; without a write [10.3.25]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  for (const name of ['same', 'changed', 'moved', 'going'])
    await world.create('Role', name, role({ name, description: 'old' }), {
      annotations: { [annotations.deletionProtection]: 'true' },
    })
  await world.advance(10_000)
  await world.client('iam').call('CreateRole', { RoleName: 'foreign', AssumeRolePolicyDocument: trust(), Description: 'theirs' })
  await world.remove('Role', 'going')
  await world.advance(10_000)
  world.aws.calls.clear()
  const before = JSON.stringify((await world.kube.list(world.typeOf('Role'), {})).items)
  const free = { [annotations.deletionProtection]: '' }
  const planned = await planManifests(
    optionsOf(world),
    [
      manifest('Role', 'new', role({ name: 'new', policyRefs: [] })),
      manifest('Role', 'same', role({ name: 'same', description: 'old' })),
      manifest('Role', 'changed', role({ name: 'changed', description: 'new', maxSessionDuration: 7_200 })),
      manifest('Role', 'moved', role({ name: 'moved', path: '/x/' }), { ...free, [annotations.allowReplace]: 'true' }),
      manifest('Role', 'going', role({ name: 'going', description: 'old' }), free),
      manifest('Role', 'foreign', role({ name: 'foreign' })),
      manifest('Role', 'waiting', role({ name: 'waiting', policyRefs: [{ from: { name: 'none' } }] })),
      manifest('Role', 'broken', role({ name: 'broken', maxSessionDuration: 2 ** 40 })),
      manifest('ConfigMap', 'other', {}),
    ],
    { live: liveOf(world), signal },
  )
  assert.deepEqual(
    planned.map(({ change }) => [change.name, change.verb]),
    [
      ['new', 'create'],
      ['same', 'none'],
      ['changed', 'update'],
      ['moved', 'replace'],
      ['going', 'delete'],
      ['foreign', 'blocked'],
      ['waiting', 'blocked'],
      ['broken', 'blocked'],
    ],
  )
  const detailsOf = (name: string): readonly string[] => planned.find(({ change }) => change.name === name)?.change.details ?? []
  assert.deepEqual(detailsOf('new'), [
    'spec.name: "new"',
    `spec.assumeRolePolicyDocument: ${JSON.stringify(trust())}`,
    'spec.policyRefs: []',
    `CreateRole in ${account}/${region}`,
  ])
  assert.deepEqual(detailsOf('changed'), [
    'spec.description: "old" -> "new"',
    'spec.maxSessionDuration: 3600 -> 7200',
    `UpdateRole in ${account}/${region}`,
  ])
  assert.match(detailsOf('foreign').join(), /Resource already exists.*it differs: spec\.description: "theirs" -> nothing/)
  assert.match(detailsOf('waiting').join(), /the referenced iam Policy default\/none does not exist/)
  assert.deepEqual(changes(world), [])
  assert.equal(JSON.stringify((await world.kube.list(world.typeOf('Role'), {})).items), before)
})

test('vouch export: manifests of what is there, which adopt it as it is [9.3]', async () => {
  await using world = resourceWorld({ asAdmin: true, services: ['iam', 's3', 'eks', 'acm', 'route53'] })
  const iam = world.client('iam')
  await iam.call('CreateRole', { RoleName: 'Reader_1', AssumeRolePolicyDocument: trust(), Description: 'reads' })
  await iam.call('CreateServiceLinkedRole', { AWSServiceName: 'eks.amazonaws.com' })
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] })
  await iam.call('CreatePolicy', { PolicyName: 'all', PolicyDocument })
  await world.client('s3').call('CreateBucket', {
    Bucket: 'data-1b2c',
    CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
  })
  await world.client('route53').call('CreateHostedZone', { Name: 'example.com.', CallerReference: 'x' })
  await world.client('acm').call('RequestCertificate', { DomainName: 'www.example.com', ValidationMethod: 'DNS' })
  await world.advance(10_000)
  world.aws.calls.clear()
  const options = optionsOf(world, ['iam', 's3', 'eks', 'acm', 'route53'])
  const all: KubeObject[] = []
  for (const kind of ['Role', 'Policy', 'Bucket', 'HostedZone', 'Certificate', 'Cluster'])
    for await (const object of exportExisting(options, { kind, namespace: 'default', with: {}, signal })) all.push(object)
  assert.deepEqual(changes(world), [])
  assert.deepEqual(
    all
      .map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`)
      .filter(name => !name.startsWith('Certificate') && !name.startsWith('HostedZone')),
    ['Role reader-1', 'Policy all', 'Bucket data-1b2c'],
  )
  assert.equal(all.length, 5)
  await assert.rejects(
    async () => {
      for await (const _ of exportExisting(options, { kind: 'PodIdentityAssociation', namespace: 'default', with: {}, signal }));
    },
    (error: Error) => error instanceof ExportError && error.message.includes('--with clusterName=VALUE'),
  )
  // Applied, they are taken over and nothing of them is changed but for the mark that says whose they are.
  world.start()
  for (const object of all) {
    const type = world.typeOf(object.kind)
    await world.kube.create(type, object)
  }
  await world.advance(60_000)
  for (const { kind, metadata } of all) {
    const held = await world.get(kind, metadata.name ?? '')
    assert.equal(held?.metadata.annotations?.[annotations.adopted], 'true', `${kind} ${JSON.stringify(held?.status)}`)
    const ready = held?.status?.conditions?.find(({ type }) => type === 'Ready')
    assert.equal(ready?.status, 'True', `${kind} ${JSON.stringify(held?.status)}`)
  }
  const done = [...new Set(changes(world))].toSorted()
  assert.deepEqual(
    done.filter(operation => !/Tag/.test(operation)),
    [],
    done.join(),
  )
  // From now on they are looked after: a second export would make two of each.
  const again: string[] = []
  const leftOut: string[] = []
  const kinds = ['roles', 'policy.iam', 'BUCKET']
  for (const kind of kinds) {
    const asked = { kind, namespace: 'default', with: {}, onManaged: (arn: string) => void leftOut.push(arn), signal }
    for await (const { metadata } of exportExisting(options, asked)) again.push(metadata.name ?? '')
  }
  assert.deepEqual([again, leftOut.length], [[], 3])
  const asAsked: string[] = []
  for (const kind of kinds)
    for await (const { metadata } of exportExisting(options, { kind, namespace: 'default', with: {}, managed: true, signal }))
      asAsked.push(metadata.name ?? '')
  assert.deepEqual(asAsked, ['reader-1', 'all', 'data-1b2c'])
})
