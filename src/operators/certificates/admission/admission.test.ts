// The webhook's checks with their exact words, what it never blocks, and what becomes of what it cannot judge.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import { type AdmissionRequest, Metrics } from '#runtime'
import type { Cert, CertSpec } from '../api.ts'
import { certSeen } from '../testing/cert-seen.fixture.ts'
import { admitCert } from './admit.ts'
import { admissionPath, certWebhooks } from './handler.ts'
import type { AdmissionRules, AdmissionSeen } from './seen.ts'

const zones = [
  { name: 'k8s.example.com', id: 'Z1' },
  { name: 'example.org', id: 'Z2' },
]
const rules: AdmissionRules = { allowsCrossZone: true, anyPrivateName: false, publishes: true }

function cert(spec: Partial<CertSpec> = {}, more: Partial<Cert['metadata']> = {}, status?: Cert['status']): Cert {
  const { claim } = certSeen({ spec, metadata: more, ...given({ status }) })
  assert.ok(claim !== undefined)
  return claim
}

interface Given {
  readonly spec?: Partial<CertSpec>
  readonly before?: Cert
  readonly others?: readonly Cert[]
  readonly rules?: Partial<AdmissionRules>
  readonly metadata?: Partial<Cert['metadata']>
  readonly seen?: Partial<AdmissionSeen>
}

function judge({ spec, before, others = [], rules: more, metadata, seen }: Given): {
  denied?: string
  warnings?: readonly string[]
} {
  const all: AdmissionSeen = { registry: { zones }, privateZones: new Set(), others, forbidden: () => [], ...seen }
  const answer = admitCert({ cert: cert(spec, metadata), before }, all, { ...rules, ...more })
  if (answer.kind === 'deny') return { denied: answer.message }
  return answer.warnings === undefined ? {} : { warnings: answer.warnings }
}

const other = cert({}, { namespace: 'shop', name: 'other', uid: 'uid-2' })
const words = '(lowercase letters, digits and hyphens, at most 63 characters)'
const configured = 'configured zones: k8s.example.com, example.org'
const dns = (name: string): string => `${name}.k8s.example.com`
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => dns(`n${index}`))
const immutable = 'immutable after a certificate was requested; create a new Cert instead'
const requested = { state: 'Ready', certificateArn: 'arn:aws:acm:eu-west-1:111122223333:certificate/1' }

const refusals: readonly (readonly [what: string, given: Given, message: string, code: string])[] = [
  [
    'upper case in the service',
    { spec: { serviceName: 'Api' } },
    `spec.serviceName: "Api" is not a valid RFC 1123 label ${words}`,
    '#2',
  ],
  ['a hyphen at the end', { spec: { serviceName: 'a-' } }, `spec.serviceName: "a-" is not a valid RFC 1123 label ${words}`, '#5'],
  ['no environment', { spec: { environment: '' } }, `spec.environment: "" is not a valid RFC 1123 label ${words}`, '#6'],
  [
    'a joined label that is too long',
    { spec: { serviceName: 'a'.repeat(63) } },
    `spec: generated name "${'a'.repeat(63)}-prod.k8s.example.com" is too long: label 68 of 63, name 84 of 64`,
    '#3',
  ],
  [
    'a generated name of 65 octets',
    { spec: { serviceName: 'a'.repeat(29), environment: 'b'.repeat(19) } },
    `spec: generated name "${'a'.repeat(29)}-${'b'.repeat(19)}.k8s.example.com" is too long: label 49 of 63, name 65 of 64`,
    '#4',
  ],
  ['a tag of AWS', { spec: { tags: { 'aws:x': 'y' } } }, 'spec.tags[aws:x]: keys that begin with "aws:" are not taken', '6.4'],
  [
    'a tag that is an owner’s mark',
    { spec: { tags: { 'acm.ops.example.dev/uid': 'y' } } },
    'spec.tags[acm.ops.example.dev/uid]: keys that begin with "acm.ops.example.dev/" are not taken',
    '6.4',
  ],
  ['a tag without a key', { spec: { tags: { '': 'y' } } }, 'spec.tags[]: a key has 1 to 128 characters', '6.4'],
  [
    'a tag with a long value',
    { spec: { tags: { a: 'y'.repeat(257) } } },
    'spec.tags[a]: a value has at most 256 characters',
    '6.4',
  ],
  [
    'too many tags',
    { spec: { tags: Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`k${index}`, ''])) } },
    'spec.tags: 41 tags, at most 40 are taken',
    '6.4',
  ],
  [
    'a target without a name',
    { spec: { publish: [{ kind: 'Ingress', primary: false }] } },
    'spec.publish[0]: a target has a name or a selector, and not both',
    '6.4',
  ],
  [
    'a ConfigMap by its labels',
    { spec: { publish: [{ kind: 'ConfigMap', selector: { a: 'b' }, primary: false }] } },
    'spec.publish[0]: a ConfigMap has a name',
    '6.4',
  ],
  [
    'a Gateway without its listener',
    { spec: { publish: [{ kind: 'Gateway', name: 'a', primary: false }] } },
    'spec.publish[0].listener: required for the kind Gateway',
    '6.4',
  ],
  [
    'a listener of an Ingress',
    { spec: { publish: [{ kind: 'Ingress', name: 'a', listener: 'x', primary: false }] } },
    'spec.publish[0].listener: only for the kind Gateway',
    '6.4',
  ],
  [
    'a configuration without its port',
    { spec: { publish: [{ kind: 'LoadBalancerConfiguration', name: 'a', primary: false }] } },
    'spec.publish[0].protocolPort: required for the kind LoadBalancerConfiguration',
    '6.4',
  ],
  [
    'one place twice',
    {
      spec: {
        publish: [
          { kind: 'Ingress', name: 'a', primary: false },
          { kind: 'Ingress', name: 'a', primary: true },
        ],
      },
    },
    'spec.publish[1]: the same place as spec.publish[0]',
    '6.4',
  ],
  [
    'a wildcard in the middle',
    { spec: { subjectAlternativeNames: ['a.*.example.org'] } },
    'spec.subjectAlternativeNames[0]: "a.*.example.org" is not a valid DNS name: a wildcard stands only as the whole first label',
    '#9',
  ],
  [
    'a primary name of 65 octets',
    { spec: { domainName: dns('a'.repeat(49)) } },
    `spec.domainName: "${dns('a'.repeat(49))}" is not a valid DNS name: it has 65 octets, more than 64`,
    '#12',
  ],
  [
    'a name too many',
    { spec: { subjectAlternativeNames: many(100) } },
    'spec.subjectAlternativeNames: 101 names, ACM allows at most 100 per certificate',
    '#14',
  ],
  [
    'two zones where one is allowed',
    { spec: { subjectAlternativeNames: ['a.example.org'] }, rules: { allowsCrossZone: false } },
    'spec.subjectAlternativeNames[0]: "a.example.org" belongs to zone "example.org" but the certificate uses zone "k8s.example.com"; all names must be in one zone',
    '6.4',
  ],
  [
    'a name in no zone',
    { spec: { domainName: 'api.other.net' } },
    `spec.domainName: no configured zone matches "api.other.net"; ${configured}`,
    '#23',
  ],
  [
    'a name beside the zone',
    { spec: { domainName: 'api.notexample.org' } },
    `spec.domainName: no configured zone matches "api.notexample.org"; ${configured}`,
    '#17',
  ],
  ['a zone nobody knows', { spec: { dnsZone: { id: 'Z9' } } }, 'spec.dnsZone: zone "Z9" is not configured', '6.4'],
  [
    'id and name of two zones',
    { spec: { dnsZone: { id: 'Z1', name: 'example.org' } } },
    'spec.dnsZone: id "Z1" and name "example.org" are different zones',
    '#20',
  ],
  [
    'a name outside the zone it names',
    { spec: { dnsZone: { name: 'example.org' }, domainName: dns('api') } },
    `spec.domainName: "${dns('api')}" is not inside zone "example.org"`,
    '#21',
  ],
  ['a name that is taken', { others: [other] }, `certificate for ${dns('api-prod')} already exists: shop/other`, '#27'],
  [
    'a name that is being given back',
    { others: [cert({}, { namespace: 'shop', name: 'other', uid: 'uid-2', deletionTimestamp: '2026-05-02T00:00:00Z' })] },
    `certificate for ${dns('api-prod')} already exists: shop/other (being deleted)`,
    '#30',
  ],
  [
    'another service once a certificate is there',
    { spec: { serviceName: 'web' }, before: cert({}, {}, requested) },
    `spec.serviceName: ${immutable}`,
    '#36',
  ],
  [
    'another key',
    { spec: { keyAlgorithm: 'EC_prime256v1' }, before: cert({}, {}, requested) },
    `spec.keyAlgorithm: ${immutable}`,
    '6.4',
  ],
  [
    'another key as the word goes that it may be replaced',
    {
      spec: { keyAlgorithm: 'EC_prime256v1' },
      before: cert({}, { annotations: { 'acm.ops.example.dev/allow-replace': 'true' } }, requested),
    },
    `spec.keyAlgorithm: ${immutable}`,
    '6.4',
  ],
  [
    'another environment once a certificate is there',
    { spec: { environment: 'test' }, before: cert({}, {}, requested) },
    `spec.environment: ${immutable}`,
    '6.4',
  ],
  [
    'another name once a certificate is there',
    { spec: { domainName: dns('other') }, before: cert({}, {}, requested) },
    `spec.domainName: ${immutable}`,
    '6.4',
  ],
  [
    'another issuer once a certificate is on its way',
    {
      spec: {
        issuer: { type: 'PrivateCA', certificateAuthorityArn: 'arn:aws:acm-pca:eu-west-1:111122223333:certificate-authority/1' },
      },
      before: cert({}, {}, { pendingCertificateArn: requested.certificateArn }),
    },
    `spec.issuer: ${immutable}`,
    '6.4',
  ],
  [
    'another environment in upper case',
    { spec: { environment: 'Prod' } },
    `spec.environment: "Prod" is not a valid RFC 1123 label ${words}`,
    '#6',
  ],
  [
    'a hyphen at the beginning',
    { spec: { serviceName: '-a' } },
    `spec.serviceName: "-a" is not a valid RFC 1123 label ${words}`,
    '#5',
  ],
  [
    'a name of one label',
    { spec: { domainName: 'localhost' } },
    'spec.domainName: "localhost" is not a valid DNS name: it has fewer than two labels',
    '#10',
  ],
  [
    'an underscore',
    { spec: { domainName: dns('a_b') } },
    `spec.domainName: "${dns('a_b')}" is not a valid DNS name: the label "a_b" has other characters than letters, digits and hyphens`,
    '#11',
  ],
  [
    'a wildcard that is part of a label',
    { spec: { domainName: dns('*foo') } },
    `spec.domainName: "${dns('*foo')}" is not a valid DNS name: a wildcard stands only as the whole first label`,
    '#9',
  ],
  [
    'a further name of 254 octets',
    { spec: { subjectAlternativeNames: [`${'a.'.repeat(119)}${dns('b')}`] } },
    `spec.subjectAlternativeNames[0]: "${'a.'.repeat(119)}${dns('b')}" is not a valid DNS name: it has 255 octets, more than 253`,
    '#13',
  ],
  [
    'the zone that completes its name, once a certificate is there',
    {
      spec: { dnsZone: { name: 'example.org' } },
      before: cert({ dnsZone: { name: 'k8s.example.com' } }, {}, requested),
    },
    `spec.dnsZone: ${immutable}`,
    '6.4',
  ],
  [
    'a private zone',
    { seen: { privateZones: new Set(['Z1']) } },
    `spec.issuer: "${dns('api-prod')}" lies in the private zone "k8s.example.com", where nobody outside sees a validation record`,
    '6.4',
  ],
  [
    'a policy',
    { seen: { forbidden: (_, { names }) => names.map(({ name }) => `policy "p": namespace "team" may not request "${name}"`) } },
    `policy "p": namespace "team" may not request "${dns('api-prod')}"`,
    '#117',
  ],
  [
    'everything at once',
    { spec: { serviceName: 'A', environment: 'B', subjectAlternativeNames: ['x'] } },
    `spec.serviceName: "A" is not a valid RFC 1123 label ${words}; spec.environment: "B" is not a valid RFC 1123 label ${words}; spec.subjectAlternativeNames[0]: "x" is not a valid DNS name: it has fewer than two labels`,
    '#39',
  ],
]

for (const [what, given, message, code] of refusals)
  test(`the webhook refuses ${what}, in these words [${code}]`, () => {
    assert.deepEqual(judge(given), { denied: message })
  })

const admissions: readonly (readonly [what: string, given: Given, warnings: readonly string[] | undefined, code: string])[] = [
  [
    'publishing a certificate that goes with its object',
    { spec: { deleteOnRemoval: true, publish: [{ kind: 'Ingress', name: 'a', primary: false }] } },
    ['spec.deleteOnRemoval: with spec.publish the certificate goes only once nothing that has its ARN uses it'],
    '6.7',
  ],
  [
    'publishing where that is switched off',
    { rules: { publishes: false }, spec: { publish: [{ kind: 'Ingress', name: 'a', primary: false }] } },
    ['spec.publish: this operator runs without --enable-publishing and writes the ARN nowhere'],
    '6.7',
  ],
  ['two words', {}, undefined, '#1'],
  ['a name of 64 octets', { spec: { serviceName: 'a'.repeat(29), environment: 'b'.repeat(18) } }, undefined, '#4'],
  ['hyphens in the middle', { spec: { serviceName: 'a--b' } }, undefined, '#5'],
  ['a wildcard', { spec: { domainName: '*.k8s.example.com' } }, undefined, '#8'],
  ['65 octets as a further name', { spec: { subjectAlternativeNames: [dns('a'.repeat(49))] } }, undefined, '#12'],
  [
    'a hundred names of which one is the primary one',
    { spec: { subjectAlternativeNames: [...many(99), dns('api-prod')] } },
    [
      `spec.subjectAlternativeNames: "${dns('api-prod')}" is the primary name already`,
      '100 names: ACM allows 10 until the quota is raised',
    ],
    '#15',
  ],
  ['names of two zones', { spec: { subjectAlternativeNames: ['a.example.org'] } }, undefined, '16.1'],
  [
    'another spelling of the generated name',
    { spec: { domainName: dns('api-prod') }, before: cert({}, {}, requested) },
    undefined,
    '#37',
  ],
  [
    'a wildcard beside what it covers',
    { spec: { domainName: '*.k8s.example.com', subjectAlternativeNames: [dns('a')] } },
    [`"*.k8s.example.com" covers "${dns('a')}" already`],
    '6.7',
  ],
  [
    'the primary name of another Cert as a further one',
    { spec: { serviceName: 'web', subjectAlternativeNames: [dns('api-prod')] }, others: [other] },
    [`spec.subjectAlternativeNames: "${dns('api-prod')}" is also the primary name of shop/other`],
    '6.7',
  ],
  ['its own name again', { others: [cert({}, { uid: 'uid-1' })], before: cert({ tags: { a: 'b' } }) }, undefined, '#29'],
  [
    'another key where it may be replaced',
    {
      spec: { keyAlgorithm: 'EC_prime256v1' },
      metadata: { annotations: { 'acm.ops.example.dev/allow-replace': 'true' } },
      before: cert({}, { annotations: { 'acm.ops.example.dev/allow-replace': 'true' } }, requested),
    },
    undefined,
    '6.4',
  ],
  [
    'another key together with the word that it may be replaced',
    {
      spec: { keyAlgorithm: 'EC_prime256v1' },
      metadata: { annotations: { 'acm.ops.example.dev/allow-replace': 'true' } },
      before: cert({}, {}, requested),
    },
    undefined,
    '6.4',
  ],
  [
    'what is wrong today and is written in another order',
    {
      spec: { domainName: 'api.gone.net', dnsZone: { name: 'gone.net', id: 'Z8' } },
      before: cert({ dnsZone: { id: 'Z8', name: 'gone.net' }, domainName: 'api.gone.net' }),
    },
    undefined,
    '#35',
  ],
  [
    'what is wrong today and was not changed',
    { spec: { domainName: 'api.gone.net' }, before: cert({ domainName: 'api.gone.net' }) },
    undefined,
    '#35',
  ],
  [
    'the end of what is wrong today',
    {
      spec: { domainName: 'api.gone.net' },
      metadata: { deletionTimestamp: '2026-05-02T00:00:00Z' },
      before: cert({ domainName: 'api.was.net' }),
    },
    undefined,
    '#34',
  ],
]

for (const [what, given, warnings, code] of admissions)
  test(`the webhook lets ${what} through [${code}]`, () => {
    assert.deepEqual(judge(given), warnings === undefined ? {} : { warnings })
  })

function review(more: Partial<AdmissionRequest> = {}): Uint8Array {
  const request: AdmissionRequest = {
    uid: 'r1',
    kind: { group: 'acm.ops.example.dev', version: 'v1', kind: 'Cert' },
    resource: { group: 'acm.ops.example.dev', version: 'v1', resource: 'certs' },
    namespace: 'team',
    name: 'api',
    operation: 'CREATE',
    userInfo: {},
    object: cert(),
    ...more,
  }
  return Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }))
}

async function ask(failsClosed: boolean, object: Cert, metrics: Metrics = new Metrics()): Promise<object> {
  const handler = certWebhooks({
    failsClosed,
    rules,
    look: () => {
      if (object.spec.serviceName === 'api') throw new Error('the index of Certs is not complete yet')
      return { registry: { zones }, privateZones: new Set(), others: [], forbidden: () => [] }
    },
    requests: metrics.counter('cert_operator_webhook_requests_total', 'r'),
    letThrough: metrics.counter('cert_operator_webhook_fail_open_total', 'l'),
  })[admissionPath]
  assert.ok(handler !== undefined)
  const response = await handler({
    contentType: 'application/json',
    body: review({ object }),
    signal: new AbortController().signal,
  } as never)
  return (JSON.parse(Buffer.from(response.body as Uint8Array).toString()) as { response: object }).response
}

test('what cannot be judged is refused where that is chosen [6.2, #31]', async () => {
  assert.deepEqual(await ask(true, cert()), {
    uid: 'r1',
    allowed: false,
    status: {
      code: 500,
      reason: 'InternalError',
      message: 'internal validation error, request rejected (fail-closed): the index of Certs is not complete yet',
    },
  })
})

test('what cannot be judged is let through with a warning where that is chosen, and counted [6.2, #32]', async () => {
  const metrics = new Metrics()
  assert.deepEqual(await ask(false, cert(), metrics), {
    uid: 'r1',
    allowed: true,
    warnings: ['validation could not be completed and was skipped (fail-open): the index of Certs is not complete yet'],
  })
  assert.match(metrics.expose(), /cert_operator_webhook_fail_open_total 1/)
})

test('what is wrong is refused in both modes [6.2, #33]', async () => {
  const answer = (await ask(false, cert({ serviceName: 'Wrong' }))) as { readonly allowed: boolean }
  assert.equal(answer.allowed, false)
})
