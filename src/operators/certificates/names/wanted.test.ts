// What a Cert asks for at the edges: names just short enough, settled ones, private ones, and those that cannot be asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertStatus } from '../api/status.ts'
import { certSpec } from '../testing/cert-seen.fixture.ts'
import { parseDomainName } from './domain-name.ts'
import { primaryName, settledName, type WantedOptions, wantedOf } from './wanted.ts'

const zones = [{ name: 'k8s.example.com', id: 'Z1' }]
type Spec = Parameters<typeof certSpec>[0]
const wanted = (spec: Spec, options?: WantedOptions) => wantedOf(certSpec(spec), { zones }, options)
const dns = (label: string): string => `${label}.k8s.example.com`

test('a label has at most 63 octets', () => {
  const isName = (length: number): boolean => parseDomainName(`${'a'.repeat(length)}.example.com`).ok
  assert.deepEqual([63, 64].map(isName), [true, false])
})

for (const [what, spec, trouble] of [
  ['a primary name of 64 octets', { domainName: dns('a'.repeat(48)) }, undefined],
  [
    'a primary name of 65 octets',
    { domainName: dns('a'.repeat(49)) },
    `"${dns('a'.repeat(49))}" has 65 octets, and a primary name at most 64`,
  ],
  ['a further name of 65 octets', { subjectAlternativeNames: [dns('a'.repeat(49))] }, undefined],
  [
    'a further name that is none',
    { subjectAlternativeNames: ['a_b.example.com'] },
    /^"a_b.example.com" is not a valid DNS name: the label "a_b"/,
  ],
  ['a hundred names', { subjectAlternativeNames: Array.from({ length: 99 }, (_, index) => dns(`n${index}`)) }, undefined],
  [
    'a hundred and one names',
    { subjectAlternativeNames: Array.from({ length: 100 }, (_, index) => dns(`n${index}`)) },
    '101 names, ACM allows at most 100 per certificate',
  ],
] as const)
  test(`${what} ${trouble === undefined ? 'can be asked for' : 'cannot be asked for'}`, () => {
    const { nameTrouble } = wanted(spec)
    if (trouble instanceof RegExp) assert.match(nameTrouble ?? '', trouble)
    else assert.equal(nameTrouble, trouble)
  })

test('a generated name that was settled stays while the zones change, and is no other service’s', () => {
  const elsewhere = { zones: [{ name: 'new.example.com', id: 'Z2' }] }
  const nameOf = (settled?: string): string | undefined => primaryName(certSpec(), elsewhere, settled)
  assert.equal(nameOf(dns('api-prod')), dns('api-prod'))
  assert.equal(nameOf(dns('web-prod')), 'api-prod.new.example.com')
  assert.equal(nameOf('api-prod'), 'api-prod.new.example.com')
  assert.equal(nameOf(), 'api-prod.new.example.com')
})

for (const [what, status, name] of [
  ['nothing', undefined, undefined],
  ['a name alone', { domainName: 'a.b' }, undefined],
  ['a certificate', { domainName: 'a.b', certificateArn: 'x' }, 'a.b'],
  ['a certificate on its way', { domainName: 'a.b', pendingCertificateArn: 'x' }, 'a.b'],
] as const)
  test(`a status that says ${what} settles ${name ?? 'no name'}`, () =>
    assert.equal(settledName(status as CertStatus | undefined), name))

const authority = 'arn:aws:acm-pca:eu-west-1:111122223333:certificate-authority/1'
const inNoZone = { domainName: 'api.internal.corp' }
const ofAuthority = { issuer: { type: 'PrivateCA', certificateAuthorityArn: authority } } as const
const noZone = 'no configured zone matches "api.internal.corp"'

for (const [what, spec, options, expected] of [
  ['a public name in no zone', inNoZone, {}, ['public', noZone]],
  ['a public name in no zone, where private ones may be anywhere', inNoZone, { anyPrivateName: true }, ['public', noZone]],
  ['a private name in no zone', { ...inNoZone, ...ofAuthority }, {}, [authority, noZone]],
  [
    'a private name in no zone, where it may be anywhere',
    { ...inNoZone, ...ofAuthority },
    { anyPrivateName: true },
    [authority, undefined],
  ],
  ['a private name of no authority', { issuer: { type: 'PrivateCA' } }, {}, ['', undefined]],
] as const)
  test(`${what} is ${expected[1] === undefined ? 'well' : 'told'}`, () => {
    const { issuer, zoneTrouble } = wanted(spec as Spec, options)
    assert.deepEqual([issuer, zoneTrouble], expected)
  })
