// AWS Private CA from an authority without a certificate to one that ACM uses, and all that stands in between.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { AwsError, serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { ManualClock, requestCertificate, seededRandom, systemKeys } from '#base'
import { type Aws, type AwsOptions, createAws } from '#emulator'

const [own, other] = ['123456789012', '210987654321'] as const
const region = 'eu-west-1'
const dayMs = 86_400_000
type Values = Readonly<Record<string, unknown>>

interface World {
  readonly aws: Aws
  readonly clock: ManualClock
  readonly acm: AwsClient
  readonly pca: AwsClient
  client(service: 'acm' | 'acm-pca' | 'iam', who?: Parameters<typeof staticCredentials>[0]): AwsClient
}

function world(options: AwsOptions = {}): World {
  const clock = new ManualClock(Date.UTC(2026, 5, 1, 12))
  const aws = createAws({ seed: 'pca', clock, region, accounts: [own, other], ...options })
  const client: World['client'] = (service, who = aws.adminCredentials()) =>
    createAwsClient({
      model: serviceModel(service),
      region,
      credentials: staticCredentials(who),
      transport: inProcessTransport(aws.handle),
      clock,
      random: seededRandom(1),
    })
  return { aws, clock, acm: client('acm'), pca: client('acm-pca'), client }
}

async function refused(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    assert.ok(error instanceof AwsError, String(error))
    return error.code
  }
  return 'not refused'
}

const bytes = (text: unknown): Uint8Array => Buffer.from(text as string)
const template = (name: string): string => `arn:aws:acm-pca:::template/${name}/V1`
const acmGrant = { Principal: 'acm.amazonaws.com', Actions: ['IssueCertificate', 'GetCertificate', 'ListPermissions'] }

async function created(pca: AwsClient, more: Values = {}): Promise<string> {
  const Subject = { CommonName: 'Acme Root', Organization: 'Acme', Country: 'DE' }
  const made = await pca.call('CreateCertificateAuthority', {
    CertificateAuthorityConfiguration: { KeyAlgorithm: 'RSA_2048', SigningAlgorithm: 'SHA256WITHRSA', Subject },
    CertificateAuthorityType: 'ROOT',
    ...more,
  })
  return made['CertificateAuthorityArn'] as string
}

interface Asked {
  readonly csr: unknown
  readonly named?: string
  readonly algorithm?: string
  readonly days?: number
}

async function issued(
  pca: AwsClient,
  arn: string,
  { csr, named, algorithm = 'SHA256WITHRSA', days = 365 }: Asked,
): Promise<Values> {
  const { CertificateArn } = await pca.call('IssueCertificate', {
    CertificateAuthorityArn: arn,
    Csr: bytes(csr),
    SigningAlgorithm: algorithm,
    Validity: { Type: 'DAYS', Value: days },
    ...(named !== undefined && { TemplateArn: template(named) }),
  })
  return await pca.call('GetCertificate', { CertificateAuthorityArn: arn, CertificateArn })
}

/** A root of ten years that works. */
async function activeRoot(pca: AwsClient, more: Values = {}, algorithm = 'SHA256WITHRSA'): Promise<string> {
  const arn = await created(pca, more)
  const { Csr } = await pca.call('GetCertificateAuthorityCsr', { CertificateAuthorityArn: arn })
  const { Certificate } = await issued(pca, arn, { csr: Csr, named: 'RootCACertificate', algorithm, days: 3650 })
  await pca.call('ImportCertificateAuthorityCertificate', { CertificateAuthorityArn: arn, Certificate: bytes(Certificate) })
  return arn
}

async function statusOf(pca: AwsClient, arn: string): Promise<unknown> {
  const { CertificateAuthority } = await pca.call('DescribeCertificateAuthority', { CertificateAuthorityArn: arn })
  return (CertificateAuthority as Values)['Status']
}

function opensslVerifies(root: string, above: string, leaf: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'pca-'))
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const untrusted = above === '' ? [] : ['-untrusted', file('above.pem', above)]
  const args = [
    'verify',
    '-x509_strict',
    '-no_check_time',
    '-CAfile',
    file('root.pem', root),
    ...untrusted,
    file('leaf.pem', leaf),
  ]
  try {
    return execFileSync('openssl', args, { encoding: 'utf8' }).replaceAll(folder, '').trim()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('a root signs itself and an authority below it, and what that one signs is verified by openssl up to the root', async () => {
  const { pca } = world()
  const root = await activeRoot(pca)
  const configuration = {
    KeyAlgorithm: 'EC_secp384r1',
    SigningAlgorithm: 'SHA384WITHECDSA',
    Subject: { CommonName: 'Acme Issuing' },
  }
  const below = await created(pca, {
    CertificateAuthorityType: 'SUBORDINATE',
    CertificateAuthorityConfiguration: configuration,
  })
  assert.equal(await statusOf(pca, below), 'PENDING_CERTIFICATE')
  const { Csr } = await pca.call('GetCertificateAuthorityCsr', { CertificateAuthorityArn: below })
  const signed = await issued(pca, root, { csr: Csr, named: 'SubordinateCACertificate_PathLen0', days: 1800 })
  const parts = { Certificate: bytes(signed['Certificate']), CertificateChain: bytes(signed['CertificateChain']) }
  await pca.call('ImportCertificateAuthorityCertificate', { CertificateAuthorityArn: below, ...parts })
  assert.deepEqual([await statusOf(pca, root), await statusOf(pca, below)], ['ACTIVE', 'ACTIVE'])
  const key = await systemKeys.generateEc()
  const csr = requestCertificate({ subject: { commonName: 'db.corp' }, key, names: { dns: ['db.corp'] } })
  const leaf = await issued(pca, below, { csr, algorithm: 'SHA384WITHECDSA' })
  const { Certificate: rootPem } = await pca.call('GetCertificateAuthorityCertificate', { CertificateAuthorityArn: root })
  assert.equal(
    opensslVerifies(rootPem as string, signed['Certificate'] as string, leaf['Certificate'] as string),
    '/leaf.pem: OK',
  )
  assert.equal(leaf['CertificateChain'], `${signed['Certificate'] as string}${rootPem as string}`)
  const read = new X509Certificate(leaf['Certificate'] as string)
  assert.deepEqual([read.subject, read.issuer, read.subjectAltName], ['CN=db.corp', 'CN=Acme Issuing', 'DNS:db.corp'])
  assert.equal(new X509Certificate(rootPem as string).subject, 'C=DE\nO=Acme\nCN=Acme Root')
})

test('creation takes its time, and so does a signature', async () => {
  const { aws, pca } = world({ profile: 'async' })
  const arn = await created(pca)
  assert.equal(await statusOf(pca, arn), 'CREATING')
  assert.equal(
    await refused(pca.call('GetCertificateAuthorityCsr', { CertificateAuthorityArn: arn })),
    'RequestInProgressException',
  )
  await aws.settle()
  assert.equal(await statusOf(pca, arn), 'PENDING_CERTIFICATE')
  const { Csr } = await pca.call('GetCertificateAuthorityCsr', { CertificateAuthorityArn: arn })
  assert.equal(await refused(issued(pca, arn, { csr: Csr, named: 'RootCACertificate' })), 'RequestInProgressException')
})

test('what is wrong is refused with the code that AWS has for it', async () => {
  const { pca, clock } = world()
  const root = await activeRoot(pca)
  const pending = await created(pca, { CertificateAuthorityType: 'SUBORDINATE' })
  const key = await systemKeys.generateEc()
  const csr = requestCertificate({ subject: { commonName: 'a' }, key })
  const { Certificate } = await issued(pca, root, { csr })
  const of = (arn: string, more: Values = {}): Values => ({ CertificateAuthorityArn: arn, ...more })
  const absent = root.replace(/[^/]+$/, '00000000-0000-4000-8000-000000000000')
  const cases: readonly (readonly [string, Promise<unknown>])[] = [
    ['ResourceNotFoundException', pca.call('DescribeCertificateAuthority', of(absent))],
    ['ResourceNotFoundException', pca.call('GetCertificate', of(root, { CertificateArn: `${root}/certificate/00` }))],
    ['InvalidStateException', issued(pca, pending, { csr })],
    ['InvalidStateException', pca.call('GetCertificateAuthorityCertificate', of(pending))],
    ['InvalidStateException', pca.call('UpdateCertificateAuthority', of(pending, { Status: 'ACTIVE' }))],
    ['InvalidStateException', pca.call('DeleteCertificateAuthority', of(root))],
    ['InvalidStateException', pca.call('RestoreCertificateAuthority', of(root))],
    ['MalformedCSRException', issued(pca, root, { csr: 'nonsense' })],
    ['ValidationException', issued(pca, root, { csr, days: 4000 })],
    ['InvalidArgsException', issued(pca, root, { csr, algorithm: 'SHA256WITHECDSA' })],
    ['InvalidArgsException', issued(pca, root, { csr, named: 'RootCACertificate' })],
    ['InvalidArgsException', issued(pca, root, { csr, named: 'CodeSigningCertificate' })],
    [
      'CertificateMismatchException',
      pca.call('ImportCertificateAuthorityCertificate', of(root, { Certificate: bytes(Certificate) })),
    ],
    [
      'MalformedCertificateException',
      pca.call('ImportCertificateAuthorityCertificate', of(root, { Certificate: bytes('none') })),
    ],
    ['ValidationException', pca.call('CreatePermission', of(root, { ...acmGrant, Principal: 'ec2.amazonaws.com' }))],
    ['ResourceNotFoundException', pca.call('DeletePermission', of(root, { Principal: 'acm.amazonaws.com' }))],
    ['ResourceNotFoundException', pca.call('GetPolicy', { ResourceArn: root })],
    ['InvalidPolicyException', pca.call('PutPolicy', { ResourceArn: root, Policy: '{}' })],
    ['InvalidNextTokenException', pca.call('ListPermissions', of(root, { NextToken: 'forged' }))],
    ['InvalidTagException', pca.call('TagCertificateAuthority', of(root, { Tags: [{ Key: 'aws:a' }] }))],
  ]
  assert.deepEqual(
    await Promise.all(cases.map(async ([, call]) => await refused(call))),
    cases.map(([code]) => code),
  )
  await pca.call('CreatePermission', of(root, acmGrant))
  assert.equal(await refused(pca.call('CreatePermission', of(root, acmGrant))), 'PermissionAlreadyExistsException')
  await clock.advance(3651 * dayMs)
  assert.equal(await statusOf(pca, root), 'EXPIRED')
  assert.equal(await refused(issued(pca, root, { csr })), 'InvalidStateException')
})

test('an authority that was switched off is deleted, restored, and gone after its time; tags and lists tell of it', async () => {
  const { pca, clock } = world()
  const arn = await activeRoot(pca, { Tags: [{ Key: 'team', Value: 'a' }] })
  const of = (more: Values = {}): Values => ({ CertificateAuthorityArn: arn, ...more })
  await pca.call('TagCertificateAuthority', of({ Tags: [{ Key: 'cost', Value: '1' }] }))
  await pca.call('UntagCertificateAuthority', of({ Tags: [{ Key: 'team', Value: 'b' }, { Key: 'cost' }] }))
  assert.deepEqual((await pca.call('ListTags', of()))['Tags'], [{ Key: 'team', Value: 'a' }])
  await pca.call('UpdateCertificateAuthority', of({ Status: 'DISABLED' }))
  await pca.call('DeleteCertificateAuthority', of({ PermanentDeletionTimeInDays: 7 }))
  assert.equal(await statusOf(pca, arn), 'DELETED')
  await pca.call('RestoreCertificateAuthority', of())
  assert.equal(await statusOf(pca, arn), 'DISABLED')
  await pca.call('DeleteCertificateAuthority', of({ PermanentDeletionTimeInDays: 7 }))
  await clock.advance(8 * dayMs)
  assert.equal(await refused(statusOf(pca, arn)), 'ResourceNotFoundException')
  const arns = [await created(pca), await created(pca), await created(pca)]
  const first = await pca.call('ListCertificateAuthorities', { MaxResults: 2 })
  const second = await pca.call('ListCertificateAuthorities', { MaxResults: 2, NextToken: first['NextToken'] })
  const listed = [first, second].flatMap(page => (page['CertificateAuthorities'] as readonly Values[]).map(({ Arn }) => Arn))
  assert.deepEqual(new Set(listed), new Set(arns))
})

test('one token makes one authority and one certificate', async () => {
  const { pca } = world()
  const [first, again] = [await created(pca, { IdempotencyToken: 'a' }), await created(pca, { IdempotencyToken: 'a' })]
  assert.equal(first, again)
  assert.notEqual(await created(pca, { IdempotencyToken: 'b' }), first)
})

async function requested(acm: AwsClient, arn: string, more: Values = {}): Promise<string> {
  const made = await acm.call('RequestCertificate', { DomainName: 'db.corp', CertificateAuthorityArn: arn, ...more })
  return made['CertificateArn'] as string
}

async function outcome({ aws }: World, acm: AwsClient, CertificateArn: string): Promise<readonly unknown[]> {
  await aws.settle()
  const { Status, FailureReason } = (await acm.call('DescribeCertificate', { CertificateArn }))['Certificate'] as Values
  return [Status, FailureReason]
}

test('ACM has its certificate signed by the authority: the chain is that of the authority', async () => {
  const here = world()
  const arn = await activeRoot(here.pca)
  const CertificateArn = await requested(here.acm, arn)
  assert.deepEqual(await outcome(here, here.acm, CertificateArn), ['ISSUED', undefined])
  const { Certificate, CertificateChain } = await here.acm.call('GetCertificate', { CertificateArn })
  const { Certificate: root } = await here.pca.call('GetCertificateAuthorityCertificate', { CertificateAuthorityArn: arn })
  assert.equal(CertificateChain, root)
  assert.equal(opensslVerifies(root as string, '', Certificate as string), '/leaf.pem: OK')
})

test('an authority that is not there, not active, or ends too soon issues nothing', async () => {
  const here = world()
  const { acm, pca } = here
  const active = await activeRoot(pca)
  const absent = active.replace(/[^/]+$/, '00000000-0000-4000-8000-000000000000')
  const pending = await created(pca)
  const disabled = await activeRoot(pca)
  await pca.call('UpdateCertificateAuthority', { CertificateAuthorityArn: disabled, Status: 'DISABLED' })
  const outcomes = await Promise.all(
    [absent, pending, disabled].map(async arn => await outcome(here, acm, await requested(acm, arn))),
  )
  assert.deepEqual(outcomes, [
    ['FAILED', 'PCA_RESOURCE_NOT_FOUND'],
    ['FAILED', 'PCA_INVALID_STATE'],
    ['FAILED', 'PCA_INVALID_STATE'],
  ])
  await here.clock.advance(3600 * dayMs)
  assert.deepEqual(await outcome(here, acm, await requested(acm, active)), ['FAILED', 'PCA_INVALID_DURATION'])
})

async function user(here: World, name: string, statements: readonly Values[]): Promise<Parameters<typeof staticCredentials>[0]> {
  const iam = here.client('iam')
  await iam.call('CreateUser', { UserName: name })
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: statements })
  await iam.call('PutUserPolicy', { UserName: name, PolicyName: 'rights', PolicyDocument })
  const { AccessKey } = await iam.call('CreateAccessKey', { UserName: name })
  const { AccessKeyId, SecretAccessKey } = AccessKey as { readonly AccessKeyId: string; readonly SecretAccessKey: string }
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey }
}

test('whoever may not have the authority sign gets a certificate only where it lets ACM in; renewal needs that in any case', async () => {
  const here = world({ enforce: 'full' })
  const arn = await activeRoot(here.pca)
  const acmOnly = { Effect: 'Allow', Action: 'acm:*', Resource: '*' }
  const mayIssue = { Effect: 'Allow', Action: 'acm-pca:IssueCertificate', Resource: arn }
  const without = here.client('acm', await user(here, 'without', [acmOnly]))
  const with_ = here.client('acm', await user(here, 'with', [acmOnly, mayIssue]))
  assert.deepEqual(await outcome(here, without, await requested(without, arn)), ['FAILED', 'PCA_ACCESS_DENIED'])
  const kept = await requested(with_, arn)
  assert.deepEqual(await outcome(here, with_, kept), ['ISSUED', undefined])
  const renewal = async (): Promise<readonly unknown[]> => {
    await here.acm.call('RenewCertificate', { CertificateArn: kept })
    const detail = (await here.acm.call('DescribeCertificate', { CertificateArn: kept }))['Certificate'] as Values
    const { RenewalStatus, RenewalStatusReason } = detail['RenewalSummary'] as Values
    return [RenewalStatus, RenewalStatusReason]
  }
  assert.deepEqual(await renewal(), ['FAILED', 'PCA_ACCESS_DENIED'])
  await here.pca.call('CreatePermission', { CertificateAuthorityArn: arn, ...acmGrant })
  assert.deepEqual(await renewal(), ['SUCCESS', undefined])
  assert.deepEqual(await outcome(here, without, await requested(without, arn)), ['ISSUED', undefined])
})

test('another account uses the authority by its policy, and renews with a role of its own', async () => {
  const here = world({ enforce: 'full' })
  const { aws, pca } = here
  const arn = await activeRoot(pca)
  const acm = here.client('acm', aws.adminCredentials(other))
  const theirs = here.client('acm-pca', aws.adminCredentials(other))
  assert.deepEqual(await outcome(here, acm, await requested(acm, arn)), ['FAILED', 'PCA_ACCESS_DENIED'])
  assert.equal(await refused(statusOf(theirs, arn)), 'AccessDeniedException')
  const Action = ['acm-pca:IssueCertificate', 'acm-pca:DescribeCertificateAuthority', 'acm-pca:DeleteCertificateAuthority']
  const Statement = [{ Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${other}:root` }, Action, Resource: arn }]
  await pca.call('PutPolicy', { ResourceArn: arn, Policy: JSON.stringify({ Version: '2012-10-17', Statement }) })
  assert.equal(await statusOf(theirs, arn), 'ACTIVE')
  assert.equal(
    await refused(theirs.call('DeleteCertificateAuthority', { CertificateAuthorityArn: arn })),
    'AccessDeniedException',
  )
  const CertificateArn = await requested(acm, arn)
  assert.deepEqual(await outcome(here, acm, CertificateArn), ['ISSUED', undefined])
  const reason = async (): Promise<unknown> => {
    await acm.call('RenewCertificate', { CertificateArn })
    const detail = (await acm.call('DescribeCertificate', { CertificateArn }))['Certificate'] as Values
    return (detail['RenewalSummary'] as Values)['RenewalStatusReason']
  }
  assert.equal(await reason(), 'SLR_NOT_FOUND')
  await here.client('iam', aws.adminCredentials(other)).call('CreateServiceLinkedRole', { AWSServiceName: 'acm.amazonaws.com' })
  assert.equal(await reason(), undefined)
})
