// Certificates of ACM as they are asked for, listed, tagged and changed: what is taken, what is refused, and what is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Asked, asked, at, each } from './asked.ts'

const DomainName = 'a.example.com'
const request = ({ acm }: Pick<Asked, 'acm'>, more: object = {}, save?: string): Promise<unknown> =>
  acm('RequestCertificate', { DomainName, ValidationMethod: 'DNS', ...more }, save)

async function detail(more: object): Promise<unknown> {
  const world = asked()
  const made = await request(world, more, 'made')
  if (Array.isArray(made)) return made
  return at(await world.acm('DescribeCertificate', { CertificateArn: { $ref: 'made.CertificateArn' } }), 'Certificate')
}

const options = (DomainName: string, ValidationDomain: string): object => ({
  ValidationMethod: 'EMAIL',
  DomainValidationOptions: [{ DomainName, ValidationDomain }],
})
const optionFault = (text: string): readonly unknown[] => ['InvalidDomainValidationOptionsException', 400, text]
const refusals: readonly (readonly [what: string, input: object, refused: unknown])[] = [
  ['a name of 64 characters', { DomainName: `${'a'.repeat(52)}.example.com` }, undefined],
  ['a name of 65 characters', { DomainName: `${'a'.repeat(53)}.example.com` }, 'ValidationException'],
  ['a long name beside it', { SubjectAlternativeNames: [`${'a'.repeat(60)}.example.com`] }, undefined],
  [
    'an algorithm of imports',
    { KeyAlgorithm: 'RSA_1024' },
    ['ValidationException', 400, 'Encryption Algorithm RSA_1024 is not supported in us-east-1 region'],
  ],
  [
    'a large key',
    { KeyAlgorithm: 'RSA_4096' },
    ['ValidationException', 400, 'Encryption Algorithm RSA_4096 is not supported in 123456789012 region'],
  ],
  ['a curve', { KeyAlgorithm: 'EC_secp384r1' }, undefined],
  ['mail to the domain itself', options(DomainName, DomainName), undefined],
  ['mail to the domain above', options('A.example.com', 'Example.com'), undefined],
  [
    'mail to another domain',
    options(DomainName, 'example.net'),
    optionFault(`Validation domain example.net must be the same as or a superdomain of ${DomainName}.`),
  ],
  [
    'mail to half a label',
    options(DomainName, 'xample.com'),
    optionFault(`Validation domain xample.com must be the same as or a superdomain of ${DomainName}.`),
  ],
  [
    'mail of a name that is not asked for',
    options('b.example.com', 'example.com'),
    optionFault('The domain validation option for b.example.com is for no domain name of the request.'),
  ],
]
for (const [what, input, refused] of refusals) {
  test(`a certificate with ${what}: ${refused === undefined ? 'requested' : 'refused'}`, async () => {
    const answer = await detail(input)
    if (refused === undefined) assert.equal(at(answer, 'Type'), 'AMAZON_ISSUED')
    else if (typeof refused === 'string') assert.equal(at(answer, 0), refused)
    else assert.deepEqual(answer, refused)
  })
}

const shown: readonly (readonly [input: object, path: readonly (string | number)[], value: unknown])[] = [
  [{}, ['KeyAlgorithm'], 'RSA-2048'],
  [{}, ['SignatureAlgorithm'], 'SHA256WITHRSA'],
  [{}, ['Subject'], `CN=${DomainName}`],
  [{}, ['Options'], { CertificateTransparencyLoggingPreference: 'ENABLED', Export: 'DISABLED' }],
  [
    { Options: { CertificateTransparencyLoggingPreference: 'DISABLED' } },
    ['Options', 'CertificateTransparencyLoggingPreference'],
    'DISABLED',
  ],
  [{ Options: { Export: 'ENABLED' } }, ['Options', 'Export'], 'ENABLED'],
  [{}, ['RenewalEligibility'], 'INELIGIBLE'],
  [{}, ['InUseBy'], []],
  [{ ManagedBy: 'CLOUDFRONT' }, ['ManagedBy'], 'CLOUDFRONT'],
  [{}, ['ManagedBy'], undefined],
  [{}, ['DomainValidationOptions', 0, 'ValidationMethod'], 'DNS'],
  [{}, ['DomainValidationOptions', 0, 'ValidationEmails'], undefined],
  [{}, ['DomainValidationOptions', 0, 'ResourceRecord', 'Type'], 'CNAME'],
  [{ ValidationMethod: undefined }, ['DomainValidationOptions', 0, 'ValidationMethod'], 'EMAIL'],
  [options(DomainName, 'example.com'), ['DomainValidationOptions', 0, 'ResourceRecord'], undefined],
  [options(DomainName, 'example.com'), ['DomainValidationOptions', 0, 'ValidationDomain'], 'example.com'],
  [options(DomainName, 'example.com'), ['DomainValidationOptions', 0, 'ValidationEmails', 0], 'admin@example.com'],
  [{ DomainName: '*.Example.com' }, ['DomainName'], '*.example.com'],
  [{ SubjectAlternativeNames: ['b.example.com', DomainName] }, ['SubjectAlternativeNames'], [DomainName, 'b.example.com']],
]
for (const [input, path, value] of shown) {
  test(`${JSON.stringify(input)} is shown with ${path.join(' ')} ${JSON.stringify(value)}`, async () => {
    assert.deepEqual(at(await detail(input), ...path), value)
  })
}

test('ten names are enough, and the quota says how many', async () => {
  const world = asked({ knobs: { quotas: { namesPerCertificate: 2 } } })
  assert.equal(at(await request(world, { SubjectAlternativeNames: ['b.example.com', DomainName] }), 0), undefined)
  assert.deepEqual(await request(world, { SubjectAlternativeNames: ['b.example.com', 'c.example.com'] }), [
    'LimitExceededException',
    400,
    'Certificate has too many domains.',
  ])
})

test('certificates are bounded by what is there and by what was asked for within a year', async () => {
  const world = asked({ knobs: { quotas: { certificates: 2, certificatesPerYear: 3 } } })
  await request(world, {}, 'one')
  await request(world)
  assert.deepEqual(await request(world), ['LimitExceededException', 400, 'Error: you have reached your limit of 2 certificates.'])
  const remove = (name: string): Promise<unknown> =>
    world.acm('DeleteCertificate', { CertificateArn: { $ref: `${name}.CertificateArn` } })
  assert.deepEqual(await remove('one'), {})
  await request(world, {}, 'three')
  await remove('three')
  const year = ['LimitExceededException', 400, 'Error: you have reached your limit of 3 certificates in the last year.']
  assert.deepEqual(await request(world), year)
  await world.clock.advance(365 * 86_400_000 - 1)
  assert.deepEqual(await request(world), year)
  await world.clock.advance(1)
  assert.equal(at(await request(world), 0), undefined)
})

test('a token finds its certificate for an hour, while it is there', async () => {
  const world = asked()
  const arn = async (more: object): Promise<number> => {
    await request(world, more)
    return each(await world.acm('ListCertificates'), 'CertificateSummaryList', 'CertificateArn').length
  }
  const IdempotencyToken = 'token'
  assert.deepEqual(
    [await arn({ IdempotencyToken }), await arn({ IdempotencyToken }), await arn({}), await arn({ IdempotencyToken: 'other' })],
    [1, 1, 2, 3],
  )
  await world.clock.advance(3_599_999)
  assert.equal(await arn({ IdempotencyToken }), 3)
  await world.clock.advance(1)
  assert.equal(await arn({ IdempotencyToken }), 4)
  await request(world, { IdempotencyToken: 'gone' }, 'gone')
  await world.acm('DeleteCertificate', { CertificateArn: { $ref: 'gone.CertificateArn' } })
  assert.equal(await arn({ IdempotencyToken: 'gone' }), 5)
})

test('certificates are listed by age, state, key and origin, in pages', async () => {
  const world = asked()
  for (const [name, more] of [
    ['a', {}],
    ['b', { KeyAlgorithm: 'EC_prime256v1' }],
    ['c', { Options: { Export: 'ENABLED' } }],
    ['d', { ManagedBy: 'CLOUDFRONT' }],
  ] as const) {
    await request(world, { DomainName: `${name}.example.com`, ...more })
    await world.clock.advance(1_000)
  }
  const list = async (input: object = {}): Promise<string> => {
    const names = each(await world.acm('ListCertificates', input), 'CertificateSummaryList', 'DomainName') as string[]
    return names.map(name => name[0]).join('')
  }
  const all = { keyTypes: ['RSA_2048', 'EC_prime256v1'] }
  for (const [input, expected] of [
    [{}, 'acd'],
    [{ Includes: all }, 'abcd'],
    [{ Includes: { keyTypes: ['EC_prime256v1'] } }, 'b'],
    [{ Includes: { exportOption: 'ENABLED' } }, 'c'],
    [{ Includes: { exportOption: 'DISABLED' } }, 'ad'],
    [{ Includes: { managedBy: 'CLOUDFRONT' } }, 'd'],
    [{ Includes: { keyUsage: ['ANY'] } }, ''],
    [{ CertificateStatuses: ['PENDING_VALIDATION'] }, 'acd'],
    [{ CertificateStatuses: ['ISSUED'] }, ''],
    [{ SortBy: 'CREATED_AT', SortOrder: 'DESCENDING' }, 'dca'],
    [{ SortBy: 'CREATED_AT', SortOrder: 'ASCENDING' }, 'acd'],
    [{ MaxItems: 3 }, 'acd'],
    [{ MaxItems: 2 }, 'ac'],
  ] as const)
    assert.equal(await list(input), expected, JSON.stringify(input))
  const NextToken = at(await world.acm('ListCertificates', { MaxItems: 2 }), 'NextToken')
  assert.equal(await list({ MaxItems: 2, NextToken }), 'd')
  const invalid = ['ValidationException', 400, 'The NextToken is invalid.']
  assert.deepEqual(await world.acm('ListCertificates', { NextToken, CertificateStatuses: ['ISSUED'] }), invalid)
  assert.deepEqual(await world.acm('ListCertificates', { SortBy: 'CREATED_AT' }), [
    'ValidationException',
    400,
    'SortBy and SortOrder must be given together.',
  ])
})

test('a tag is taken away by its key, or only with its value', async () => {
  const { acm } = asked()
  await request({ acm }, { Tags: [{ Key: 'a', Value: '1' }] }, 'made')
  const one = { CertificateArn: { $ref: 'made.CertificateArn' } }
  const keys = async (): Promise<unknown> => each(await acm('ListTagsForCertificate', one), 'Tags', 'Key')
  await acm('AddTagsToCertificate', { ...one, Tags: [{ Key: 'b', Value: '2' }, { Key: 'c' }] })
  await acm('RemoveTagsFromCertificate', {
    ...one,
    Tags: [
      { Key: 'a', Value: 'other' },
      { Key: 'b', Value: '2' },
    ],
  })
  assert.deepEqual(await keys(), ['a', 'c'])
  await acm('RemoveTagsFromCertificate', { ...one, Tags: [{ Key: 'a' }] })
  assert.deepEqual(await keys(), ['c'])
})

test('what is not issued can neither be changed, exported, renewed nor revoked', async () => {
  const { acm } = asked()
  await request({ acm }, { ValidationMethod: 'EMAIL' }, 'made')
  const one = { CertificateArn: { $ref: 'made.CertificateArn' } }
  const code = async (operation: string, more: object = {}): Promise<unknown> => at(await acm(operation, { ...one, ...more }), 0)
  assert.equal(await code('UpdateCertificateOptions', { Options: { Export: 'ENABLED' } }), 'InvalidStateException')
  assert.equal(await code('GetCertificate'), 'RequestInProgressException')
  assert.equal(await code('ExportCertificate', { Passphrase: { $bytes: 'pass' } }), 'ValidationException')
  assert.equal(await code('RenewCertificate'), 'ValidationException')
  assert.equal(await code('RevokeCertificate', { RevocationReason: 'KEY_COMPROMISE' }), 'ConflictException')
  const mail = { Domain: 'A.example.com', ValidationDomain: DomainName }
  assert.equal(await code('ResendValidationEmail', mail), undefined)
  assert.equal(
    await code('ResendValidationEmail', { ...mail, ValidationDomain: 'example.com' }),
    'InvalidDomainValidationOptionsException',
  )
  assert.equal(
    await code('ResendValidationEmail', { ...mail, Domain: 'b.example.com' }),
    'InvalidDomainValidationOptionsException',
  )
  await request({ acm }, {}, 'dns')
  const refused = await acm('ResendValidationEmail', { CertificateArn: { $ref: 'dns.CertificateArn' }, ...mail })
  assert.equal(at(refused, 0), 'InvalidStateException')
})

test('the account says how many days before its end it warns', async () => {
  const { acm } = asked()
  const days = async (): Promise<unknown> => at(await acm('GetAccountConfiguration'), 'ExpiryEvents', 'DaysBeforeExpiry')
  const put = (more: object): Promise<unknown> => acm('PutAccountConfiguration', { IdempotencyToken: 't', ...more })
  assert.equal(await days(), 45)
  await put({ ExpiryEvents: { DaysBeforeExpiry: 10 } })
  await put({ ExpiryEvents: {} })
  await put({})
  assert.equal(await days(), 10)
})

for (const arn of ['x', 'arn:aws:acm:us-east-1:123456789012:key/x']) {
  test(`${arn.slice(0, 20)} is no ARN of a certificate`, async () => {
    const CertificateArn = arn.padEnd(20, 'x')
    const answer = await asked().acm('DescribeCertificate', { CertificateArn })
    assert.ok(['InvalidArnException', 'ValidationException'].includes(String(at(answer, 0))), JSON.stringify(answer))
  })
}

for (const place of ['eu-west-1:123456789012', 'us-east-1:210987654321']) {
  test(`a certificate of ${place} is not found from elsewhere`, async () => {
    const CertificateArn = `arn:aws:acm:${place}:certificate/12345678-1234-1234-1234-123456789012`
    assert.deepEqual(await asked().acm('DescribeCertificate', { CertificateArn }), [
      'ResourceNotFoundException',
      400,
      `Could not find certificate arn:aws:acm:${place}:certificate/<uuid>.`,
    ])
  })
}
