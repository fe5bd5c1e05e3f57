// What is refused of a certificate, compared, read and sent.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { annotations, ownerTag, type Resource } from '../../api.ts'
import { textOf } from '../../model/convert.ts'
import type { Content, Values } from '../../model/request.ts'
import { renderIntent } from '../../ownership/intent-text.ts'
import { type Answer, answering } from '../../testing/answers.ts'
import { modelOf } from '../../testing/parts.ts'
import type { SyncContext } from '../deviation.ts'
import { acmCertificate as deviation } from './certificate.ts'
import { acmExport } from './export.ts'
import { validateWithZone, validationRecords } from './validation.ts'

const model = modelOf('acm', 'Certificate')
const content = (spec: object, more: object = {}): Content => ({ spec, status: {}, ...more }) as Content
const claimOf = (spec: object = {}, more: object = {}): Resource =>
  ({ metadata: { namespace: 'apps', name: 'x', uid: 'u', ...more }, spec }) as unknown as Resource
const imported = { certificate: 'c', privateKey: 'k' }
const options = (count: number) => ({ domainValidationOptions: Array.from({ length: count }, () => ({ domainName: 'a' })) })

for (const [what, spec, refused] of [
  ['a request', { domainName: 'a', ...options(5) }, undefined],
  ['a request without a name', {}, 'required field missing: domainName'],
  [
    'a request with too many options',
    { domainName: 'a', ...options(6) },
    'a public certificate takes at most 5 domainValidationOptions',
  ],
  ['a private one with many options', { domainName: 'a', certificateAuthorityARN: 'ca', ...options(6) }, undefined],
  ['an import', { ...imported, keyAlgorithm: 'RSA_2048' }, undefined],
  ['an import without a key', { certificate: 'c' }, 'an imported certificate needs privateKey'],
  ['an import with a name', { ...imported, domainName: 'a' }, 'certificate is imported: domainName belong to a request'],
  [
    'an import that requests as well',
    { ...imported, domainName: 'a', exportTo: {} },
    'certificate is imported: domainName, exportTo belong to a request',
  ],
] as const)
  test(`${what} is ${refused === undefined ? 'taken' : 'refused'}`, () =>
    assert.equal(deviation.refuse?.({ wanted: content(spec), claim: claimOf(spec) } as never), refused))

test('an import fills in nothing of a request, and its options cannot change', () => {
  const [ours, theirs] = [claimOf(imported), claimOf()]
  assert.deepEqual(
    [deviation.late?.(ours), deviation.late?.(theirs)],
    [[], ['DomainValidationOptions', 'SubjectAlternativeNames']],
  )
  assert.deepEqual([deviation.neverLate?.(ours, 'X'), deviation.neverLate?.(theirs, 'X')], [true, false])
  const once = { ...theirs, status: { type_: 'IMPORTED' } } as unknown as Resource
  const asked = { ...theirs, status: { type_: 'AMAZON_ISSUED' } } as unknown as Resource
  assert.deepEqual(
    [ours, theirs, once, asked].map(claim => deviation.unchangeableOf?.(claim)),
    [['Options'], [], ['Options'], []],
  )
})

const same = (field: string, wanted: unknown, latest: unknown) => deviation.same?.[field]?.(wanted, latest, {} as never)

for (const [field, what, wanted, latest, isSame] of [
  ['SubjectAlternativeNames', 'none that are asked for', undefined, ['a'], true],
  ['SubjectAlternativeNames', 'another order and case', ['B', 'a'], ['a', 'b'], true],
  ['SubjectAlternativeNames', 'the name itself, which is not asked for', ['b'], ['a', 'b'], true],
  ['SubjectAlternativeNames', 'one less', ['b'], ['a', 'b', 'c'], false],
  ['SubjectAlternativeNames', 'one more', ['a', 'b', 'd'], ['a', 'b'], false],
  ['DomainName', 'none that is asked for', undefined, 'a', true],
  ['DomainName', 'the same', 'a', 'a', true],
  ['DomainName', 'another', 'a', 'b', false],
  ['Options', 'one of those that there are', { a: '1' }, { a: '1', b: '2' }, true],
  ['Options', 'one of two that differs', { a: '1', b: '1' }, { a: '1', b: '2' }, false],
  ['Options', 'none', undefined, { a: '1' }, true],
  ['Options', 'one that objects have', { toString: '1' }, {}, false],
  ['CertificateARN', 'any', 'a', 'b', true],
  ['CertificateAuthorityARN', 'none that is asked for', undefined, 'ca', true],
  ['CertificateAuthorityARN', 'another', 'a', 'b', false],
] as const)
  test(`${field} with ${what} ${isSame ? 'is as it is wanted' : 'differs'}`, () =>
    assert.equal(same(field, wanted, latest), isSame))

const state = (status: object, strictSync = true) => deviation.state?.(content({}, { status }), { strictSync })

for (const [what, found, expected] of [
  ['issued', state({ status: 'ISSUED' }), { synced: true, message: '' }],
  ['without use', state({ status: 'INACTIVE' }), { synced: true, message: '' }],
  ['pending', state({ status: 'PENDING_VALIDATION' }), { synced: false, message: 'the certificate waits for its validation' }],
  [
    'failed',
    state({ status: 'FAILED', failureReason: 'CAA_ERROR' }),
    { synced: false, terminal: true, message: 'the certificate is FAILED: CAA_ERROR' },
  ],
  ['revoked', state({ status: 'REVOKED' }), { synced: false, terminal: true, message: 'the certificate is REVOKED' }],
  ['told nothing of', state({}), { synced: false, terminal: true, message: 'the certificate is in no known state' }],
  ['pending, where it is enough to be asked for', state({ status: 'PENDING_VALIDATION' }, false), undefined],
] as const)
  test(`a certificate that is ${what} is ${expected === undefined ? 'as it is' : expected.synced ? 'in step' : 'not in step'}`, () =>
    assert.deepEqual(found, expected))

const token = 'a-b-'.repeat(20)
const create = (input: Values, spec: object, wanted: object = spec) =>
  deviation.create?.(input, { wanted: content(wanted), claim: claimOf(spec), model, token } as never)

test('a request is validated by DNS, under a token that ACM takes, and exportable where it is asked for', () => {
  const common = { ValidationMethod: 'DNS', IdempotencyToken: 'ab'.repeat(16) }
  assert.deepEqual(create({ DomainName: 'a' }, { domainName: 'a' }), { DomainName: 'a', ...common })
  const exporting = { domainName: 'a', exportTo: { name: 's' } }
  assert.deepEqual(create({ Options: { x: 'y' } }, exporting), { Options: { x: 'y', Export: 'ENABLED' }, ...common })
  assert.deepEqual(create({}, { ...exporting, certificateAuthorityARN: 'ca' }), common)
})

test('an import sends what is given and no more, with its tags', () => {
  const call = create({}, imported, {
    ...imported,
    certificateChain: 'h',
    certificateARN: 'arn',
    tags: [{ key: 'a', value: 'b' }],
  }) as { input: Values }
  const { Certificate, CertificateChain, PrivateKey, ...rest } = call.input
  const read = (value: unknown): string => (typeof value === 'string' ? value : new TextDecoder().decode(value as Uint8Array))
  assert.deepEqual([Certificate, CertificateChain, PrivateKey].map(read), ['c', 'h', 'k'])
  assert.deepEqual(rest, { CertificateArn: 'arn', Tags: [{ Key: 'a', Value: 'b' }] })
  const plain = create({}, imported) as { input: Values }
  assert.deepEqual(Object.keys(plain.input), ['Certificate', 'PrivateKey'])
})

const tags = (...keys: readonly string[]) => keys.map(key => ({ key, value: 'x' }))
function sync(wanted: object, latest: object, more: Partial<SyncContext> = {}) {
  const context = { model, wanted: content(wanted), latest: content(latest, { arn: 'arn' }), isNew: false, delta: [], ...more }
  return (deviation.sync?.(context as never) ?? []).map(({ operation, input }) => [
    operation,
    input['CertificateArn'],
    input['Tags'],
  ])
}

test('a certificate gets its tags and its new content, and nothing while it is new', () => {
  assert.deepEqual(sync({ tags: tags('a') }, { tags: tags('a') }), [])
  assert.deepEqual(sync({ tags: tags('a') }, {}, { isNew: true }), [])
  assert.deepEqual(sync({ tags: tags('a') }, { tags: tags('b') }), [
    ['RemoveTagsFromCertificate', 'arn', [{ Key: 'b' }]],
    ['AddTagsToCertificate', 'arn', [{ Key: 'a', Value: 'x' }]],
  ])
  for (const path of ['Spec.Certificate', 'Spec.CertificateChain', 'Spec.PrivateKey'])
    assert.deepEqual(sync({ ...imported, tags: tags('a') }, { tags: tags('a') }, { delta: [path, 'Spec.Other'] }), [
      ['ImportCertificate', 'arn', undefined],
    ])
})

const DescribeCertificate = {
  Certificate: { CertificateArn: 'arn', DomainName: 'a', KeyAlgorithm: 'RSA-2048', Status: 'ISSUED' },
}
const ofUs = { Tags: [{ Key: ownerTag, Value: 'u' }] }
const begun = { annotations: { [annotations.createIntent]: renderIntent({ token: 't', atMs: 0, prints: [] }) } }
const list = (...held: readonly (readonly [arn: string, domain: string])[]) => ({
  CertificateSummaryList: held.map(([CertificateArn, DomainName]) => ({ CertificateArn, DomainName })),
})

async function read(wanted: Content, claim: Resource, answers: Readonly<Record<string, Answer>> = {}) {
  const { caller, asked } = answering({
    DescribeCertificate,
    ListTagsForCertificate: { Tags: [{ Key: 'a', Value: 'b' }] },
    ...answers,
  })
  const found = await deviation.read?.({ model, deviation, wanted, claim, caller } as never)
  return { found, asked: asked.map(([operation, input]) => `${operation} ${textOf(input['CertificateArn'] ?? '')}`.trim()) }
}

test('a certificate is read with its tags, and its algorithm as manifests spell it', async () => {
  const { found, asked } = await read(content({}, { arn: 'arn' }), claimOf())
  assert.deepEqual(
    [found?.arn, found?.spec['keyAlgorithm'], found?.spec['tags']],
    ['arn', 'RSA_2048', [{ key: 'a', value: 'b' }]],
  )
  assert.deepEqual(asked, ['DescribeCertificate arn', 'ListTagsForCertificate arn'])
  const { found: plain } = await read(content({}, { arn: 'arn' }), claimOf(), {
    DescribeCertificate: { Certificate: { DomainName: 'a' } },
  })
  assert.deepEqual([plain?.arn, 'keyAlgorithm' in (plain?.spec ?? {})], ['arn', false])
})

const tagged: Answer = ({ CertificateArn }) => (CertificateArn === 'c2' ? ofUs : {})

for (const [what, wanted, claim, asked] of [
  ['nothing was begun', content({ domainName: 'a' }), claimOf(), []],
  [
    'its request got no answer',
    content({ domainName: 'a' }),
    claimOf({}, begun),
    [
      'ListCertificates',
      'ListTagsForCertificate c1',
      'ListTagsForCertificate c2',
      'DescribeCertificate c2',
      'ListTagsForCertificate arn',
    ],
  ],
  [
    'its import got no answer',
    content({}),
    claimOf({}, begun),
    [
      'ListCertificates',
      'ListTagsForCertificate c1',
      'ListTagsForCertificate c0',
      'ListTagsForCertificate c2',
      'DescribeCertificate c2',
      'ListTagsForCertificate arn',
    ],
  ],
  ['its request made nothing', content({ domainName: 'z' }), claimOf({}, begun), ['ListCertificates']],
] as const)
  test(`of a certificate without an ARN, ${what}: ${asked.length} questions`, async () => {
    const lists = [list(['c1', 'a'], ['c0', 'b']), list(['c2', 'a'])]
    const { asked: questions } = await read(wanted, claim, { ListCertificates: lists, ListTagsForCertificate: tagged })
    assert.deepEqual(questions, asked)
    assert.deepEqual([deviation.findsByList?.(wanted), deviation.findsByList?.(content({}, { arn: 'arn' }))], [true, false])
  })

const target = (exportTo: object | undefined, namespace = 'apps') =>
  acmExport.target(claimOf(exportTo === undefined ? {} : { exportTo }, { namespace }))

test('a certificate is exported where its manifest says, beside itself where it says no namespace', () => {
  assert.deepEqual(target({ name: 's', key: 'k' }), { namespace: 'apps', name: 's', key: 'k' })
  assert.deepEqual(target({ name: 's', key: 'k', namespace: '' }), { namespace: 'apps', name: 's', key: 'k' })
  assert.deepEqual(target({ name: 's', key: 'k', namespace: 'other' }), { namespace: 'other', name: 's', key: 'k' })
  assert.deepEqual([target({ name: 's' }), target({ key: 'k' }), target(undefined)], [undefined, undefined, undefined])
})

test('what is issued and not imported has a version of its own, which is its serial number', () => {
  const version = (status: object) => acmExport.version(content({}, { status: { status: 'ISSUED', serial: '01', ...status } }))
  assert.deepEqual(
    [version({}), version({ status: 'EXPIRED' }), version({ type_: 'IMPORTED' }), version({ serial: undefined })],
    ['01', undefined, undefined, undefined],
  )
})

for (const [what, certificate, chain, joined] of [
  ['ends its lines', 'c\n', 'h', 'c\nh'],
  ['does not end its lines', 'c', 'h', 'c\nh'],
  ['has no chain', 'c\n', undefined, 'c\n'],
  ['is empty', '', 'h', 'h'],
] as const)
  test(`a certificate that ${what} is exported as ${JSON.stringify(joined)}, with its key opened`, async () => {
    let sent = ''
    const call = (_operation: string, input: Values): Promise<Values> => {
      sent = new TextDecoder().decode(input['Passphrase'] as Uint8Array)
      const { privateKey } = generateKeyPairSync('ec', {
        namedCurve: 'P-256',
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: sent },
      })
      return Promise.resolve({ Certificate: certificate, CertificateChain: chain, PrivateKey: privateKey })
    }
    const random = { bytes: (count: number) => new Uint8Array(count) } as never
    const made = await acmExport.fetch(call, { latest: content({}, { arn: 'arn' }), key: 'tls.crt', random })
    assert.equal(made['tls.crt'], joined)
    assert.match(String(made['tls.key']), /^-----BEGIN PRIVATE KEY-----/)
    // ACM takes 4 to 128 characters.
    assert.equal(sent.length, 48)
  })

const validation = (zone: string, name: string) => {
  const metadata = { namespace: 'apps', name: 'x'.repeat(250), annotations: { [validateWithZone]: zone } }
  const domainValidations = [{ validationMethod: 'DNS', resourceRecord: { name, type_: 'CNAME', value: 'v.' } }]
  const [record] =
    validationRecords({ metadata } as unknown as Resource, content({}, { status: { status: 'ISSUED', domainValidations } })) ?? []
  return record as unknown as { readonly metadata: { readonly name: string }; readonly spec: object }
}

test('a validation record stands in the zone by its id or its object, under the whole name, for minutes', () => {
  const common = { name: '_1.a.com.', recordType: 'CNAME', ttl: 300, resourceRecords: [{ value: 'v.' }] }
  assert.deepEqual(validation('Z1', '_1.a.com').spec, { hostedZoneID: 'Z1', ...common })
  assert.deepEqual(validation('/hostedzone/Z1', '_1.a.com.').spec, { hostedZoneID: '/hostedzone/Z1', ...common })
  assert.deepEqual(validation('my-zone', '_1.a.com.').spec, { hostedZoneRef: { from: { name: 'my-zone' } }, ...common })
  const { name } = validation('Z1', '_1.a.com').metadata
  assert.match(name, /^x{240}-[0-9a-f]{8}$/)
  assert.notEqual(validation('Z1', '_2.a.com').metadata.name, name)
})
