import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, conditions } from '#operators/resources'
import { changes } from './changes.ts'
import { account, type ResourceWorld, resourceWorld, trust } from './world.ts'

const cluster = 'main'

async function withCluster(world: ResourceWorld): Promise<void> {
  const iam = world.client('iam')
  await iam.call('CreateRole', { RoleName: 'cluster', AssumeRolePolicyDocument: trust('eks.amazonaws.com') })
  const roleArn = `arn:aws:iam::${account}:role/cluster`
  await world
    .client('eks')
    .call('CreateCluster', { name: cluster, roleArn, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } })
  await world.advance(1_000)
  await world.client('iam').call('CreateRole', { RoleName: 'other', AssumeRolePolicyDocument: trust('pods.eks.amazonaws.com') })
}

test('7.5 PodIdentityAssociation: waits for its role, is made, changes its role without being made anew, and goes', async () => {
  await using world = resourceWorld({ services: ['iam', 'eks'], kinds: ['Role', 'Policy', 'PodIdentityAssociation', 'Cluster'] })
  await withCluster(world)
  world.start()
  const spec = { clusterName: cluster, namespace: 'team', serviceAccount: 'app', roleRef: { from: { name: 'reader' } } }
  await world.create('PodIdentityAssociation', 'app', spec)
  await world.settle()
  assert.equal((await world.condition('PodIdentityAssociation', 'app', conditions.references))?.status, 'Unknown')
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust('pods.eks.amazonaws.com') })
  // 10.3.13: within two seconds of its readiness.
  await world.advance(2_000)
  const made = await world.get('PodIdentityAssociation', 'app')
  assert.equal(
    (await world.condition('PodIdentityAssociation', 'app', conditions.ready))?.status,
    'True',
    JSON.stringify(made?.status),
  )
  assert.equal((await world.condition('PodIdentityAssociation', 'app', conditions.references))?.status, 'True')
  assert.equal(made?.status?.ackResourceMetadata?.arn, made?.status?.['associationARN'])
  assert.equal(made?.spec?.['roleARN'], undefined)
  world.aws.calls.clear()
  await world.patch('PodIdentityAssociation', 'app', { spec: { roleRef: null, roleARN: `arn:aws:iam::${account}:role/other` } })
  await world.advance(2_000)
  assert.deepEqual(changes(world), ['UpdatePodIdentityAssociation'])
  world.aws.calls.clear()
  await world.patch('PodIdentityAssociation', 'app', { spec: { tags: { team: 'blue' } } })
  await world.advance(2_000)
  assert.deepEqual(changes(world), ['TagResource'])
  await world.patch('PodIdentityAssociation', 'app', { spec: { serviceAccount: 'another' } })
  await world.settle()
  assert.equal((await world.condition('PodIdentityAssociation', 'app', conditions.terminal))?.reason, 'NotUpdatable')
  await world.remove('PodIdentityAssociation', 'app')
  await world.advance(30_000)
  assert.equal(await world.get('PodIdentityAssociation', 'app'), undefined)
})

test('10.4 PodIdentityAssociation: adopted by cluster, namespace and service account', async () => {
  await using world = resourceWorld({ services: ['eks'], kinds: ['PodIdentityAssociation', 'Cluster'] })
  await withCluster(world)
  const roleArn = `arn:aws:iam::${account}:role/other`
  await world
    .client('eks')
    .call('CreatePodIdentityAssociation', { clusterName: cluster, namespace: 'team', serviceAccount: 'app', roleArn })
  world.start()
  const metadata = { annotations: { [annotations.adoptionPolicy]: 'adopt-or-create' } }
  await world.create(
    'PodIdentityAssociation',
    'app',
    { clusterName: cluster, namespace: 'team', serviceAccount: 'app', roleARN: roleArn },
    metadata,
  )
  await world.advance(10_000)
  const adopted = await world.get('PodIdentityAssociation', 'app')
  assert.equal(adopted?.metadata.annotations?.[annotations.adopted], 'true')
  assert.equal(
    (await world.condition('PodIdentityAssociation', 'app', conditions.ready))?.status,
    'True',
    JSON.stringify(adopted?.status),
  )
  assert.equal(changes(world).filter(operation => operation === 'CreatePodIdentityAssociation').length, 1)
})

test('10.4 Certificate: validation records in the status, the order of names is no difference', async () => {
  await using world = resourceWorld({ services: ['acm'] })
  world.start()
  const subjectAlternativeNames = ['a.example.com', 'b.example.com']
  await world.create('Certificate', 'web', { domainName: 'a.example.com', subjectAlternativeNames })
  await world.advance(70_000)
  const certificate = await world.get('Certificate', 'web')
  assert.equal(
    (await world.condition('Certificate', 'web', conditions.ready))?.status,
    'True',
    JSON.stringify(certificate?.status),
  )
  assert.equal(certificate?.status?.['status'], 'PENDING_VALIDATION')
  const validations = certificate?.status?.['domainValidations'] as readonly { resourceRecord: { type_: string } }[] | undefined
  assert.equal(validations?.[0]?.resourceRecord.type_, 'CNAME')
  world.aws.calls.clear()
  await world.patch('Certificate', 'web', { spec: { subjectAlternativeNames: subjectAlternativeNames.toReversed() } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), [])
  await world.remove('Certificate', 'web')
  await world.advance(10_000)
  assert.equal(await world.get('Certificate', 'web'), undefined)
})
