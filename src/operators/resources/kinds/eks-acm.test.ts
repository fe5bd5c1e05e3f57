import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { HttpFailure, issueCertificate } from '#base'
import { type KubeObject, secrets } from '#kube'
import { annotations, conditions } from '../api.ts'
import { changes } from '../testing/changes.ts'
import { account, type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

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

test('PodIdentityAssociation: waits for its role, is made, changes its role without being made anew, and goes [7.5]', async () => {
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

test('Certificate: one that a single read does not find any more is not requested a second time [S3, S26]', async () => {
  await using world = resourceWorld({ services: ['acm'] })
  await world.client('acm').call('RequestCertificate', { DomainName: 'other.example.com' })
  world.start()
  await world.advance(60_000)
  await world.create('Certificate', 'web', { domainName: 'a.example.com' })
  await world.advance(200_000)
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
  // As of a moment before the certificate was requested.
  const match = { service: 'acm', operation: 'DescribeCertificate' }
  world.aws.faults.add({ match, times: 1, effect: { kind: 'stale-read', ageMs: 220_000 } })
  world.aws.calls.clear()
  await world.patch('Certificate', 'web', { spec: { tags: [{ key: 'team', value: 'blue' }] } })
  await world.advance(60_000)
  assert.deepEqual(changes(world), ['AddTagsToCertificate'])
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
})

test('PodIdentityAssociation: adopted by cluster, namespace and service account [10.4]', async () => {
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

test('Certificate: validation records in the status, the order of names is no difference [10.4]', async () => {
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

const opaque = (name: string, data: Readonly<Record<string, string>> = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { namespace: 'default', name },
    data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')])),
  }) as KubeObject

async function secretData(world: ResourceWorld, name: string): Promise<Readonly<Record<string, string>>> {
  const found = await world.kube.find<KubeObject & { data?: Record<string, string> }>(secrets, { namespace: 'default', name })
  return Object.fromEntries(
    Object.entries(found?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  )
}

const validated = { annotations: { 'acm.services.k8s.aws/validate-with-hosted-zone': 'zone' } }

test('Certificate: validated through the zone that its annotation names, issued, and exported with its key [7.6, 10.4]', async () => {
  await using world = resourceWorld({
    services: ['acm', 'route53'],
    kinds: ['Certificate', 'HostedZone', 'RecordSet'],
    secrets: ['default/web-tls'],
  })
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.create(
    'Certificate',
    'web',
    {
      domainName: 'example.com',
      subjectAlternativeNames: ['*.example.com', 'www.example.com'],
      exportTo: { name: 'web-tls', key: 'tls.crt' },
    },
    validated,
  )
  await world.advance(600_000)
  const records = await world.kube.list(world.typeOf('RecordSet'), { namespace: 'default' })
  // A domain and its wildcard share their record.
  assert.equal(records.items.length, 2)
  assert.equal((await world.get('Certificate', 'web'))?.status?.['status'], 'ISSUED')
  // The Secret must exist; until then nothing is exported, and the claim says what it waits for.
  assert.equal(
    (await world.condition('Certificate', 'web', conditions.terminal))?.message,
    'kubernetes secret not found: default/web-tls',
  )
  assert.equal(world.aws.calls.count({ operation: 'ExportCertificate' }), 0)
  await world.kube.create(secrets, opaque('web-tls', { other: 'kept' }))
  await world.advance(70_000)
  const held = await secretData(world, 'web-tls')
  assert.deepEqual(Object.keys(held).sort(), ['other', 'tls.crt', 'tls.key'])
  const certificate = new X509Certificate(held['tls.crt'] ?? '')
  assert.ok(certificate.checkPrivateKey(createPrivateKey(held['tls.key'] ?? '')))
  // The certificate itself, the authority that signed it, and the root above that.
  assert.equal((held['tls.crt'] ?? '').match(/BEGIN CERTIFICATE/g)?.length, 3)
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
  await world.advance(300_000)
  assert.equal(world.aws.calls.count({ operation: 'ExportCertificate' }), 1)
  // A Secret that lost its key gets it again.
  await world.kube.patch(secrets, { namespace: 'default', name: 'web-tls' }, 'merge', { data: { 'tls.key': null } })
  await world.advance(70_000)
  assert.ok((await secretData(world, 'web-tls'))['tls.key']?.includes('PRIVATE KEY'))
})

test('Certificate: a renewed certificate is exported again, and one of another namespace only when that is allowed [7.6]', async () => {
  await using world = resourceWorld({
    services: ['acm', 'route53'],
    kinds: ['Certificate', 'HostedZone', 'RecordSet'],
    secrets: ['default/web-tls', 'kube-system/web-tls'],
  })
  world.start()
  await world.kube.create(secrets, opaque('web-tls'))
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  const exportTo = { name: 'web-tls', key: 'crt' }
  await world.create('Certificate', 'web', { domainName: 'example.com', exportTo }, validated)
  await world.create(
    'Certificate',
    'far',
    { domainName: 'far.example.com', exportTo: { ...exportTo, namespace: 'kube-system' } },
    validated,
  )
  await world.advance(600_000)
  assert.match(
    (await world.condition('Certificate', 'far', conditions.terminal))?.message ?? '',
    /kube-system\/web-tls is in another namespace/,
  )
  const first = (await secretData(world, 'web-tls'))['crt'] ?? ''
  assert.ok(first.includes('BEGIN CERTIFICATE'))
  const arn = (await world.get('Certificate', 'web'))?.status?.ackResourceMetadata?.arn
  await world.client('acm').call('RenewCertificate', { CertificateArn: arn })
  await world.advance(200_000)
  assert.equal(world.aws.calls.count({ operation: 'ExportCertificate' }), 2)
  const serials = [first, (await secretData(world, 'web-tls'))['crt'] ?? ''].map(pem => new X509Certificate(pem).serialNumber)
  assert.notEqual(serials[0], serials[1])
})

const newKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

test('Certificate: an imported one takes new content under its ARN, and refuses other options [7.6, 10.4]', async () => {
  const keys = { a: newKey(), bb: newKey() }
  const keyOf = (seed: 'a' | 'bb'): string => keys[seed]
  const pem = (seed: 'a' | 'bb'): string =>
    issueCertificate({
      subject: { commonName: 'import.example.com' },
      key: keyOf(seed),
      names: { dns: ['import.example.com'] },
      usage: 'server',
      validFrom: Date.UTC(2020, 0, 1),
      validUntil: Date.UTC(2049, 0, 1),
      serial: Uint8Array.of(seed.length),
    })
  await using world = resourceWorld({ services: ['acm'], secrets: ['default/pair'] })
  world.start()
  await world.kube.create(secrets, opaque('pair', { crt: pem('a'), key: keyOf('a') }))
  const [certificate, privateKey] = [
    { name: 'pair', key: 'crt' },
    { name: 'pair', key: 'key' },
  ]
  await world.create('Certificate', 'mine', { certificate, privateKey })
  await world.advance(70_000)
  const imported = await world.get('Certificate', 'mine')
  assert.equal(imported?.status?.['type_'], 'IMPORTED', JSON.stringify(imported?.status))
  assert.equal((await world.condition('Certificate', 'mine', conditions.ready))?.status, 'True')
  world.aws.calls.clear()
  await world.kube.patch(
    secrets,
    { namespace: 'default', name: 'pair' },
    'merge',
    opaque('pair', { crt: pem('bb'), key: keyOf('bb') }),
  )
  await world.advance(140_000)
  assert.deepEqual(changes(world), ['ImportCertificate'])
  assert.equal(
    world.aws.calls.last({ operation: 'ImportCertificate' })?.parameters['CertificateArn'],
    imported?.status?.ackResourceMetadata?.arn,
  )
  world.aws.calls.clear()
  await world.patch('Certificate', 'mine', { spec: { options: { certificateTransparencyLoggingPreference: 'ENABLED' } } })
  await world.advance(5_000)
  const terminal = await world.condition('Certificate', 'mine', conditions.terminal)
  assert.deepEqual([terminal?.status, terminal?.reason], ['True', 'NotUpdatable'])
  assert.match(terminal?.message ?? '', /Spec\.Options/)
  await world.create('Certificate', 'both', { certificate, privateKey, domainName: 'import.example.com' })
  await world.advance(5_000)
  assert.match(
    (await world.condition('Certificate', 'both', conditions.terminal))?.message ?? '',
    /domainName belong to a request/,
  )
  assert.deepEqual(changes(world), [])
})

test('Certificate: options that can change are changed by the call that is there for it [7.6]', async () => {
  await using world = resourceWorld({ services: ['acm', 'route53'], kinds: ['Certificate', 'HostedZone', 'RecordSet'] })
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.create('Certificate', 'web', { domainName: 'example.com' }, validated)
  await world.advance(600_000)
  world.aws.calls.clear()
  await world.patch('Certificate', 'web', { spec: { options: { certificateTransparencyLoggingPreference: 'DISABLED' } } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), ['UpdateCertificateOptions'])
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
})

test('found by simulation: a certificate whose request got no answer goes with its claim, though nobody was told its ARN', async () => {
  await using world = resourceWorld({
    services: ['acm'],
    kinds: ['Certificate'],
    throughAws: exchange => async request => {
      const isRequest = String(request.headers['x-amz-target']).endsWith('RequestCertificate')
      // Once it takes hold and the answer is lost; afterwards nothing arrives any more.
      if (isRequest && requests++ > 0) throw new HttpFailure('unreachable', 'nobody is there')
      const answer = await exchange(request)
      if (isRequest) throw new HttpFailure('reset', 'the answer is lost')
      return answer
    },
  })
  let requests = 0
  world.start()
  await world.create('Certificate', 'web', { domainName: 'a.example.com', keyAlgorithm: 'EC_prime256v1' })
  await world.settle()
  assert.ok(requests > 0)
  await world.remove('Certificate', 'web')
  await world.advance(300_000)
  assert.equal(await world.get('Certificate', 'web'), undefined)
  const left = await world.client('acm').call('ListCertificates', { Includes: { keyTypes: ['EC_prime256v1'] } })
  assert.deepEqual(left['CertificateSummaryList'], [])
})

test('a request that got no answer is repeated under its token, so that ACM makes no second certificate while its lists lag [6.4]', async () => {
  await using world = resourceWorld({
    services: ['acm'],
    kinds: ['Certificate'],
    throughAws: exchange => async request => {
      const target = String(request.headers['x-amz-target'])
      if (target.endsWith('ListCertificates'))
        return { status: 200, headers: {}, body: new TextEncoder().encode('{"CertificateSummaryList":[]}') }
      const answer = await exchange(request)
      if (target.endsWith('RequestCertificate') && requests++ === 0) throw new HttpFailure('reset', 'the answer is lost')
      return answer
    },
  })
  let requests = 0
  const first = world.start()
  await world.create('Certificate', 'web', { domainName: 'a.example.com' })
  await world.settle()
  await first.stop()
  world.start()
  await world.advance(300_000)
  assert.equal((await world.condition('Certificate', 'web', conditions.ready))?.status, 'True')
  assert.ok(requests > 1, `${requests} requests`)
  const { CertificateSummaryList } = await world.client('acm').call('ListCertificates')
  assert.equal((CertificateSummaryList as unknown[]).length, 1)
})
