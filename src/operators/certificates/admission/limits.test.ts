// What is just small enough for the webhook, who it takes for whom, and what it answers to requests of all kinds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
const nothingKnown: AdmissionSeen = { registry: { zones }, privateZones: new Set(), others: [], forbidden: () => [] }

function cert(spec: Partial<CertSpec> = {}, metadata: Partial<Cert['metadata']> = {}): Cert {
  const { claim } = certSeen({ spec, metadata })
  assert.ok(claim !== undefined)
  return claim
}

function judge(asked: Cert, seen: Partial<AdmissionSeen> = {}, more: Partial<AdmissionRules> = {}): unknown {
  const answer = admitCert({ cert: asked, before: undefined }, { ...nothingKnown, ...seen }, { ...rules, ...more })
  return answer.kind === 'deny' ? answer.message : (answer.warnings ?? 'allowed')
}

const dns = (name: string): string => `${name}.k8s.example.com`
const tags = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']))
const many = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => dns(`n${index}`))
const privateCa = {
  type: 'PrivateCA',
  certificateAuthorityArn: 'arn:aws:acm-pca:eu-west-1:111122223333:certificate-authority/1',
} as const

for (const [what, asked, seen, more] of [
  ['forty tags', cert({ tags: tags(40) }), {}, {}],
  ['a tag with a key of 128 characters', cert({ tags: { ['k'.repeat(128)]: '' } }), {}, {}],
  ['a tag with a value of 256 characters', cert({ tags: { a: 'y'.repeat(256) } }), {}, {}],
  ['a primary name of 64 octets', cert({ domainName: dns('a'.repeat(48)) }), {}, {}],
  ['ten names', cert({ subjectAlternativeNames: many(9) }), {}, {}],
  ['no place to publish to, where publishing is off', cert({ publish: [] }), {}, { publishes: false }],
  [
    'a private name in no zone, where that is chosen',
    cert({ domainName: 'api.internal.corp', issuer: privateCa }),
    {},
    { anyPrivateName: true },
  ],
  ['names of one zone, where only one is allowed', cert({ subjectAlternativeNames: [dns('a')] }), {}, { allowsCrossZone: false }],
  ['a private name in a private zone', cert({ issuer: privateCa }), { privateZones: new Set(['Z1']) }, {}],
] as const)
  test(`the webhook lets ${what} through`, () => assert.equal(judge(asked, seen, more), 'allowed'))

test('a private name in no zone is refused where that is not chosen, and a public one everywhere', () => {
  const outside =
    'spec.domainName: no configured zone matches "api.internal.corp"; configured zones: k8s.example.com, example.org'
  assert.equal(judge(cert({ domainName: 'api.internal.corp', issuer: privateCa })), outside)
  assert.equal(judge(cert({ domainName: 'api.internal.corp' }), {}, { anyPrivateName: true }), outside)
})

test('where one zone is allowed, a name in none is told as such and as nothing else', () => {
  const asked = cert({ subjectAlternativeNames: ['a.other.net'] })
  assert.equal(
    judge(asked, {}, { allowsCrossZone: false }),
    'spec.subjectAlternativeNames[0]: no configured zone matches "a.other.net"; configured zones: k8s.example.com, example.org',
  )
})

const taken = (name: string): string => `certificate for ${dns('api-prod')} already exists: ${name}`

for (const [what, own, other, expected] of [
  ['the very object', { uid: 'u' }, { uid: 'u' }, 'allowed'],
  ['another object of its name, before it', { uid: 'u' }, { uid: 'v' }, taken('team/api')],
  ['itself as it is being made', { uid: '' }, { uid: 'u' }, 'allowed'],
  ['an object of its name elsewhere, as it is being made', { uid: '' }, { uid: 'u', namespace: 'shop' }, taken('shop/api')],
  ['another object there, as it is being made', { uid: '' }, { uid: 'u', name: 'web' }, taken('team/web')],
] as const)
  test(`of the name of a Cert ${what} is ${expected === 'allowed' ? 'no rival' : 'one'}`, () =>
    assert.equal(judge(cert({}, own), { others: [cert({}, other)] }), expected))

interface Asked {
  readonly request?: Partial<AdmissionRequest>
  readonly look?: AdmissionSeen | Promise<AdmissionSeen>
}

async function ask({ request = {}, look = nothingKnown }: Asked) {
  const metrics = new Metrics()
  const handler = certWebhooks({
    failsClosed: true,
    rules,
    look: () => look,
    requests: metrics.counter('requests_total', 'r'),
  })[admissionPath]
  assert.ok(handler !== undefined)
  const whole: AdmissionRequest = {
    uid: 'r1',
    kind: { group: 'acm.ops.example.dev', version: 'v1', kind: 'Cert' },
    resource: { group: 'acm.ops.example.dev', version: 'v1', resource: 'certs' },
    namespace: 'team',
    name: 'api',
    operation: 'CREATE',
    userInfo: {},
    object: cert({ serviceName: 'Wrong' }),
    ...request,
  }
  const body = Buffer.from(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: whole }))
  const answer = await handler({ contentType: 'application/json', body, signal: new AbortController().signal } as never)
  const { response } = JSON.parse(Buffer.from(answer.body as Uint8Array).toString())
  const counted = metrics.snapshot()[0]?.points.map(({ labels, value }) => `${labels.result} ${value}`)
  return { allowed: response.allowed, code: response.status?.code, message: response.status?.message, counted }
}

const resource = (group: string, name: string): Partial<AdmissionRequest> => ({
  resource: { group, version: 'v1', resource: name },
})

for (const [what, request, isJudged] of [
  ['a Cert that is made', {}, true],
  ['a Cert that is changed', { operation: 'UPDATE', oldObject: cert() }, true],
  ['a Cert that is deleted', { operation: 'DELETE' }, false],
  ['a call to a Cert', { operation: 'CONNECT' }, false],
  ['the status of a Cert', { subResource: 'status' }, false],
  ['a Cert of another group', resource('example.com', 'certs'), false],
  ['another kind of the group', resource('acm.ops.example.dev', 'certpolicies'), false],
] as const)
  test(`${what} is ${isJudged ? 'judged' : 'none of the webhook’s business'}`, async () => {
    const { allowed, code, counted } = await ask({ request: request as Partial<AdmissionRequest> })
    assert.deepEqual([allowed, code, counted], isJudged ? [false, 422, ['denied 1']] : [true, undefined, ['allowed 1']])
  })

test('what is no Cert is refused as such, with what a Cert has to have', async () => {
  for (const spec of [undefined, 'x', {}, { serviceName: 'a' }, { environment: 'b' }, { serviceName: 1, environment: 'b' }]) {
    const { allowed, code, message } = await ask({ request: { object: { ...cert(), spec } as never } })
    assert.deepEqual([allowed, code, message], [false, 422, 'spec: this is no Cert'], JSON.stringify(spec))
  }
})

test('a look that fails later is one that fails, and the request is counted as an error', async () => {
  const { allowed, code, counted } = await ask({ look: Promise.reject(new Error('not yet')) })
  assert.deepEqual([allowed, code, counted], [false, 500, ['error 1']])
})

test('of a Cert that leaves out what has a default nothing is taken for said', async () => {
  const spec = { serviceName: 'api', environment: 'prod', publish: [{ kind: 'Ingress', name: 'a' }] }
  const bare = { apiVersion: 'acm.ops.example.dev/v1', kind: 'Cert', metadata: { namespace: 'team', name: 'api' }, spec }
  const warned: (readonly string[])[] = []
  const look: AdmissionSeen = {
    ...nothingKnown,
    forbidden: ({ spec: { deleteOnRemoval, dryRun }, metadata: { uid, resourceVersion } }) => {
      warned.push([deleteOnRemoval, dryRun, uid, resourceVersion].map(String))
      return []
    },
  }
  assert.equal((await ask({ request: { object: bare as never }, look })).allowed, true)
  assert.deepEqual(warned, [['false', 'false', '', '']])
})
