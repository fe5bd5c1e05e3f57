// What a policy allows, field by field, and which Certs count before another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cert } from '../api/kinds.ts'
import type { CertPolicy } from '../api/policy.ts'
import { wantedOf } from '../names/wanted.ts'
import { certSeen, certSpec } from '../testing/cert-seen.fixture.ts'
import { policyErrors } from './judge.ts'
import { policyErrorsFor } from './look.ts'

const zones = [
  { name: 'k8s.example.com', id: 'Z1' },
  { name: 'example.org', id: 'Z2' },
]
const policy = (spec: object, name = 'p'): CertPolicy =>
  ({ metadata: { name }, spec: { allowDeleteOnRemoval: false, ...spec } }) as unknown as CertPolicy
const name = 'api-prod.k8s.example.com'
const authority = 'arn:aws:acm-pca:eu-west-1:111122223333:certificate-authority/1'
const privately = { issuer: { type: 'PrivateCA', certificateAuthorityArn: authority } } as const
const may = (what: string, policyName = 'p'): string => `policy "${policyName}": namespace "team" ${what}`
const notRequest = (asked: string, policyName = 'p'): string => may(`may not request "${asked}"`, policyName)

interface Asked {
  readonly spec?: Parameters<typeof certSpec>[0]
  readonly others?: number
}

function judge(policies: readonly CertPolicy[], { spec: more, others = 0 }: Asked = {}): readonly string[] {
  const spec = certSpec(more)
  const wanted = wantedOf(spec, { zones }, { anyPrivateName: true })
  return policyErrors(policies, { namespace: 'team', labels: { team: 'a' }, spec, wanted, others })
}

const two = { subjectAlternativeNames: ['a.example.org'] }

for (const [what, policies, asked, expected] of [
  ['nothing, where there is no policy', [], {}, []],
  ['all that it says nothing of', [policy({})], {}, []],
  ['a name that it names', [policy({ allowedDomains: ['other.org', 'API-prod.k8s.example.com.'] })], {}, []],
  ['a name below a suffix', [policy({ allowedDomains: ['*.k8s.example.com'] })], {}, []],
  ['a name far below a suffix', [policy({ allowedDomains: [' *.com '] })], {}, []],
  [
    'a name beside those that it names',
    [policy({ allowedDomains: ['k8s.example.com', '*.8s.example.com'] })],
    {},
    [notRequest(name)],
  ],
  [
    'the very suffix',
    [policy({ allowedDomains: ['*.k8s.example.com'] })],
    { spec: { domainName: 'k8s.example.com' } },
    [notRequest('k8s.example.com')],
  ],
  ['no name at all', [policy({ allowedDomains: [] })], {}, [notRequest(name)]],
  ['one name of two', [policy({ allowedDomains: ['*.k8s.example.com'] })], { spec: two }, [notRequest('a.example.org')]],
  ['a zone that it names', [policy({ allowedZones: ['K8s.example.com.'] })], {}, []],
  [
    'a zone that it does not name',
    [policy({ allowedZones: ['k8s.example.com'] })],
    { spec: two },
    [may('may not use the zone "example.org"')],
  ],
  [
    'a name in no zone, where it names zones',
    [policy({ allowedZones: ['k8s.example.com'] })],
    { spec: { domainName: 'x.corp.net', ...privately } },
    [],
  ],
  ['public certificates', [policy({ allowedIssuers: ['Public'] })], {}, []],
  ['no public certificates', [policy({ allowedIssuers: [authority] })], {}, [may('may not use the issuer Public')]],
  ['those of an authority', [policy({ allowedIssuers: [authority] })], { spec: privately }, []],
  [
    'those of no authority, without telling which',
    [policy({ allowedIssuers: ['Public'] })],
    { spec: privately },
    [may('may not use the issuer of spec.issuer')],
  ],
  ['the last of three', [policy({ maxCertificates: 3 })], { others: 2 }, []],
  ['none beyond three', [policy({ maxCertificates: 3 })], { others: 3 }, [may('has 3 Certs already, and may have at most 3')]],
  ['no deletion on removal', [policy({})], { spec: { deleteOnRemoval: true } }, [may('may not set spec.deleteOnRemoval')]],
  ['deletion on removal', [policy({ allowDeleteOnRemoval: true })], { spec: { deleteOnRemoval: true } }, []],
  ['what one of two allows', [policy({ allowedDomains: [] }), policy({}, 'q')], {}, []],
  [
    'nothing of two, told by the first name',
    [policy({ allowedDomains: [] }, 'q'), policy({ maxCertificates: 0 }, 'a')],
    {},
    [may('has 0 Certs already, and may have at most 0', 'a')],
  ],
  [
    'nothing, where no policy is meant',
    [policy({ namespaceSelector: { matchLabels: { team: 'b' } } })],
    { spec: two },
    [notRequest(name, '(none)'), notRequest('a.example.org', '(none)')],
  ],
  ['what one for its namespace allows', [policy({ namespaceSelector: { matchLabels: { team: 'a' } } })], {}, []],
  [
    'nothing, by a selector that nobody understands',
    [policy({ namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'Odd' }] } })],
    {},
    [notRequest(name, '(none)')],
  ],
] as const)
  test(`policies allow ${what}`, () => assert.deepEqual(judge(policies, asked as Asked), expected))

interface Held {
  readonly isSynced?: (kind: string) => boolean
  readonly policies?: readonly CertPolicy[]
  readonly certs?: readonly Cert[]
  readonly namespace?: object
}

const cert = (metadata: object): Cert => {
  const { claim } = certSeen({ metadata: metadata as never })
  assert.ok(claim !== undefined)
  return claim
}

function look(
  own: Cert,
  { isSynced = () => true, policies = [policy({ maxCertificates: 1 })], certs = [], namespace }: Held,
): readonly string[] {
  const world = {
    isSynced: ({ kind }: { readonly kind: string }) => isSynced(kind),
    list: ({ kind }: { readonly kind: string }) => (kind === 'Cert' ? certs : policies),
    find: () => namespace,
  }
  return policyErrorsFor(own, wantedOf(own.spec, { zones }), world as never)
}

const at = (second: number): string => `2026-05-01T00:00:0${second}Z`

for (const [what, own, other, isFull] of [
  ['itself', { uid: 'a' }, { uid: 'a' }, false],
  ['itself, as it is being made', { uid: '', creationTimestamp: undefined }, { uid: 'a' }, false],
  ['another, as it is being made', { uid: '', creationTimestamp: undefined }, { uid: 'a', name: 'web' }, true],
  ['another, as it is being made, by an older server', { uid: '', creationTimestamp: null }, { uid: 'a', name: 'web' }, true],
  ['one that was before it', { uid: 'a', creationTimestamp: at(2) }, { uid: 'b', creationTimestamp: at(1) }, true],
  ['one that came after it', { uid: 'a', creationTimestamp: at(1) }, { uid: 'b', creationTimestamp: at(2) }, false],
  ['one of the same second, first by uid', { uid: 'b', creationTimestamp: at(1) }, { uid: 'a', creationTimestamp: at(1) }, true],
  ['one of the same second, last by uid', { uid: 'a', creationTimestamp: at(1) }, { uid: 'b', creationTimestamp: at(1) }, false],
  ['one of no time', { uid: 'a', creationTimestamp: at(1) }, { uid: '0', creationTimestamp: undefined }, false],
] as const)
  test(`a Cert that may be the only one ${isFull ? 'is one too many' : 'is none too many'} beside ${what}`, () =>
    assert.equal(look(cert(own), { certs: [cert(other)] }).length, isFull ? 1 : 0))

test('before policies and namespaces are known nothing is allowed, and without a policy everything is', () => {
  for (const missing of ['CertPolicy', 'Namespace'])
    assert.throws(() => look(cert({}), { isSynced: kind => kind !== missing }), /^Error: the policies are not complete yet$/)
  assert.deepEqual(look(cert({}), { policies: [] }), [])
})

test('a namespace is meant by its labels, and by its name though nobody has seen it', () => {
  const byName = policy({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'team' } } })
  const byLabel = policy({ namespaceSelector: { matchLabels: { stage: 'live' } } })
  assert.deepEqual(look(cert({}), { policies: [byName] }), [])
  assert.equal(look(cert({}), { policies: [byLabel] }).length, 1)
  assert.deepEqual(look(cert({}), { policies: [byLabel], namespace: { metadata: { labels: { stage: 'live' } } } }), [])
})
