// Policies: which Cert they allow, at admission and before a request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import { renderCrd } from '#kube'
import { admitCert } from '../admission/admit.ts'
import { lookAtOthers } from '../admission/look.ts'
import { type Cert, type CertPolicy, type CertSpec, certPolicyKind } from '../api.ts'
import { wantedOf } from '../names/wanted.ts'
import { certSeen } from '../testing/cert-seen.fixture.ts'
import { type CertWorld, certWorld, told } from '../testing/cert-world.ts'
import { Zones } from '../zones/zones.ts'
import { policyErrors } from './judge.ts'

const zones = [
  { name: 'k8s.example.com', id: 'Z1' },
  { name: 'example.org', id: 'Z2' },
]

function policy(name: string, spec: Partial<CertPolicy['spec']>): CertPolicy {
  return {
    apiVersion: certPolicyKind.apiVersion,
    kind: 'CertPolicy',
    metadata: { name, uid: name, resourceVersion: '1' },
    spec: { allowDeleteOnRemoval: true, ...spec },
  }
}

interface Asked {
  readonly spec?: Partial<CertSpec>
  readonly labels?: Readonly<Record<string, string>>
  readonly others?: number
}

function errors(policies: readonly CertPolicy[], { spec, labels = {}, others = 0 }: Asked = {}): readonly string[] {
  const { claim } = certSeen({ zones, ...given({ spec }) })
  assert.ok(claim !== undefined)
  const wanted = wantedOf(claim.spec, { zones }, { anyPrivateName: true })
  return policyErrors(policies, { namespace: 'team', labels, spec: claim.spec, wanted, others })
}

const may = (name: string, which = 'p'): string => `policy "${which}": namespace "team" may not request "${name}"`
const primary = 'api-prod.k8s.example.com'
const authority = 'arn:aws:acm-pca:eu-west-1:111122223333:certificate-authority/a'
const ofAuthority: Partial<CertSpec> = { issuer: { type: 'PrivateCA', certificateAuthorityArn: authority } }

const rows: readonly (readonly [what: string, policies: readonly CertPolicy[], asked: Asked, expected: readonly string[]])[] = [
  ['no policy allows everything', [], {}, []],
  ['a policy without limits allows everything', [policy('p', {})], {}, []],
  ['an exact name is allowed', [policy('p', { allowedDomains: [primary.toUpperCase()] })], {}, []],
  ['a suffix stands for any depth', [policy('p', { allowedDomains: ['*.example.com'] })], {}, []],
  [
    'a suffix does not stand for itself',
    [policy('p', { allowedDomains: ['*.k8s.example.com'] })],
    { spec: { subjectAlternativeNames: ['k8s.example.com'] } },
    [may('k8s.example.com')],
  ],
  [
    'a wildcard below a suffix is allowed',
    [policy('p', { allowedDomains: ['*.example.com'] })],
    { spec: { subjectAlternativeNames: ['*.example.com'] } },
    [],
  ],
  [
    'a suffix in other letters is compared as the DNS has it',
    [policy('p', { allowedDomains: [' *.BÜCHER.example.com. ', primary] })],
    { spec: { subjectAlternativeNames: ['a.bücher.example.com', 'b.xn--bcher-kva.example.com', 'c.buecher.example.com'] } },
    [may('c.buecher.example.com')],
  ],
  [
    'a suffix of one label in other letters',
    [policy('p', { allowedDomains: ['*.рф', primary] })],
    { spec: { subjectAlternativeNames: ['a.xn--p1ai', 'рф.example.com'] } },
    [may('xn--p1ai.example.com')],
  ],
  [
    'a suffix ends at a label',
    [policy('p', { allowedDomains: ['*.org', primary] })],
    { spec: { subjectAlternativeNames: ['example.org'] } },
    [],
  ],
  [
    'every name is asked for',
    [policy('p', { allowedDomains: [primary] })],
    { spec: { subjectAlternativeNames: ['a.example.org', 'b.example.org'] } },
    [may('a.example.org'), may('b.example.org')],
  ],
  ['one policy has to allow all', [policy('a', { allowedDomains: ['x.dev'] }), policy('b', {})], {}, []],
  [
    'two halves are no whole',
    [policy('b', { allowedDomains: ['a.example.org'] }), policy('a', { allowedDomains: [primary] })],
    { spec: { subjectAlternativeNames: ['a.example.org'] } },
    [may('a.example.org', 'a')],
  ],
  [
    'a policy of other namespaces allows nothing',
    [policy('p', { namespaceSelector: { matchLabels: { a: 'b' } } })],
    {},
    [may(primary, '(none)')],
  ],
  ['a policy of this namespace', [policy('p', { namespaceSelector: { matchLabels: { a: 'b' } } })], { labels: { a: 'b' } }, []],
  [
    'a selector that cannot be understood means nobody',
    [policy('p', { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] } })],
    {},
    [may(primary, '(none)')],
  ],
  [
    'a zone that is not allowed',
    [policy('p', { allowedZones: ['example.org'] })],
    {},
    ['policy "p": namespace "team" may not use the zone "k8s.example.com"'],
  ],
  [
    'an issuer that is not allowed',
    [policy('p', { allowedIssuers: [authority] })],
    {},
    ['policy "p": namespace "team" may not use the issuer Public'],
  ],
  ['an authority that is allowed', [policy('p', { allowedIssuers: [authority] })], { spec: ofAuthority }, []],
  [
    'an authority that is not, without its ARN',
    [policy('p', { allowedIssuers: ['Public'] })],
    { spec: ofAuthority },
    ['policy "p": namespace "team" may not use the issuer of spec.issuer'],
  ],
  ['the last one that there is room for', [policy('p', { maxCertificates: 3 })], { others: 2 }, []],
  [
    'one too many',
    [policy('p', { maxCertificates: 3 })],
    { others: 3 },
    ['policy "p": namespace "team" has 3 Certs already, and may have at most 3'],
  ],
  [
    'a certificate that would go with its object',
    [policy('p', { allowDeleteOnRemoval: false })],
    { spec: { deleteOnRemoval: true } },
    ['policy "p": namespace "team" may not set spec.deleteOnRemoval'],
  ],
]

for (const [what, policies, asked, expected] of rows)
  test(`policy: ${what} [16.9]`, () => {
    assert.deepEqual(errors(policies, asked), expected)
  })

async function writePolicy(world: CertWorld, spec: object): Promise<void> {
  await world.client.create(certPolicyKind.type, {
    apiVersion: certPolicyKind.apiVersion,
    kind: 'CertPolicy',
    metadata: { name: 'p' },
    spec,
  } as CertPolicy)
}

test('a policy refuses a name at admission; made tighter, it keeps what is there and refuses the next replacement [16.9, #117]', async () => {
  await using world = certWorld({ objects: [renderCrd(certPolicyKind)] })
  const zone = await world.zone('k8s.acme.dev')
  await writePolicy(world, { allowedDomains: ['*.k8s.acme.dev'] })
  await world.apply('api')
  const { manager } = world.start({ settings: { hasPolicies: true } })
  const arn = (await world.until('api', 'Ready')).status?.certificateArn
  const admitted = (spec: Partial<CertSpec>): unknown => {
    const { claim } = certSeen({
      spec: { serviceName: 'other', ...spec },
      metadata: { namespace: 'default', name: 'other', uid: '' },
    })
    const cert = claim as Cert
    const seen = lookAtOthers(cert, { zones: new Zones([zone]), world: () => manager.world, hasPolicies: true })
    const answer = admitCert({ cert, before: undefined }, seen, { allowsCrossZone: true, anyPrivateName: true, publishes: false })
    return answer.kind === 'deny' ? answer.message : answer.kind
  }
  assert.equal(admitted({}), 'allow')
  await world.client.patch(certPolicyKind.type, { namespace: '', name: 'p' }, 'merge', {
    spec: { allowedDomains: ['api-prod.k8s.acme.dev'] },
  })
  await world.settle()
  const words = (name: string): string => `policy "p": namespace "default" may not request "${name}"`
  assert.equal(
    admitted({ domainName: 'api-prod.k8s.acme.dev', subjectAlternativeNames: ['x.k8s.acme.dev'] }),
    `certificate for api-prod.k8s.acme.dev already exists: default/api; ${words('x.k8s.acme.dev')}`,
  )
  await world.advance(3_700_000)
  assert.equal((await world.cert('api'))?.status?.state, 'Ready')
  await world.change('api', { spec: { subjectAlternativeNames: ['more.k8s.acme.dev'] } })
  await world.advance(60_000)
  const refused = await world.cert('api')
  assert.deepEqual([refused?.status?.state, refused?.status?.certReady, refused?.status?.certificateArn], ['Failed', true, arn])
  assert.equal(refused?.status?.message, words('more.k8s.acme.dev'))
  assert.equal(refused?.status?.lastFailure?.refusedBy, 'CertPolicy')
  assert.equal(told(refused).Ready, 'False IssuanceFailed')
  assert.deepEqual(await world.arns(), [arn])
  // Allowed again, it goes on by itself.
  await world.client.patch(certPolicyKind.type, { namespace: '', name: 'p' }, 'merge', {
    spec: { allowedDomains: ['*.k8s.acme.dev'] },
  })
  await world.advance(60_000)
  await world.until('api', 'Ready')
  assert.notEqual((await world.cert('api'))?.status?.certificateArn, arn)
})
