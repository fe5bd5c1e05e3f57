import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import type { CertSpec } from '../api.ts'
import { certSpec } from '../testing/cert-seen.fixture.ts'
import { mergeZones, parseZonePairs, ZoneError } from '../zones/parse-zones.ts'
import type { ZoneRegistry } from '../zones/registry.ts'
import { parseDomainName, recordName } from './domain-name.ts'
import { idempotencyToken, specHash } from './spec-hash.ts'
import { wantedOf } from './wanted.ts'

const registry = (pairs: string): ZoneRegistry => ({
  zones: mergeZones(parseZonePairs(pairs, '--dns-zones'), '--dns-zones', () => {}),
})

const primaryOf = (more: Partial<CertSpec>, zones: string): string | undefined =>
  wantedOf(certSpec(more), registry(zones)).primary

const normalForms: readonly (readonly [written: string, name: string])[] = [
  ['Example.COM.', 'example.com'],
  [' a.example.com ', 'a.example.com'],
  ['*.example.com', '*.example.com'],
  ['bücher.example.com', 'xn--bcher-kva.example.com'],
  ['a--b.example.com', 'a--b.example.com'],
]

for (const [written, name] of normalForms)
  test(`the name ${JSON.stringify(written)} is ${name} [4.3, #7, #25]`, () => {
    assert.deepEqual(parseDomainName(written), { ok: true, name })
  })

const refused: readonly (readonly [written: string, why: RegExp])[] = [
  ['localhost', /fewer than two labels/],
  ['a.*.example.com', /only as the whole first label/],
  ['*foo.example.com', /only as the whole first label/],
  ['*.com', /fewer than two labels/],
  ['a_b.example.com', /other characters/],
  ['-a.example.com', /hyphen/],
  ['a-.example.com', /hyphen/],
  ['a..example.com', /empty label/],
  ['', /empty label/],
  ['example.123', /only digits/],
  // What a URL would take for its end, its port or an escape is a letter of nothing here, beside letters of other scripts as well.
  ['bücher.example.com#.example.org', /other characters/],
  ['bücher.example.com?a.example.org', /other characters/],
  ['bücher.example.com\\a.example.org', /other characters/],
  ['bü%2echer.example.com', /other characters/],
  ['bü%41cher.example.com', /other characters/],
  ['bü\tcher.example.com', /other characters/],
  ['bü_cher.example.com', /other characters/],
  ['xn--bü.example.com', /no form in the letters of the DNS/],
  [`${'a'.repeat(64)}.example.com`, /64 octets, more than 63/],
  [`${'a.'.repeat(126)}example`, /259 octets, more than 253/],
]

for (const [written, why] of refused)
  test(`the name ${JSON.stringify(written.slice(0, 40))} is refused [4.4, #9, #10, #11]`, () => {
    const parsed = parseDomainName(written)
    assert.equal(parsed.ok, false)
    if (!parsed.ok) assert.match(parsed.why, why)
  })

test('a name of 253 octets is the longest there is [4.4, #13]', () => {
  const name = (octets: number): string => `${'a.'.repeat((octets - 5) / 2)}b.com`
  assert.deepEqual([parseDomainName(name(253)).ok, parseDomainName(name(255)).ok], [true, false])
})

test('a record is compared without its last dot, in lower case, and with a star for its escape [8.2]', () => {
  assert.equal(recordName('_A1.\\052.Example.com.'), '_a1.*.example.com')
})

test('the generated name joins service, environment and zone [#1, #22]', () => {
  assert.equal(primaryOf({}, 'k8s.example.com:Z1'), 'api-prod.k8s.example.com')
  assert.equal(primaryOf({}, 'first.example.com:Z1,second.example.com:Z2'), 'api-prod.first.example.com')
  assert.equal(
    primaryOf({ dnsZone: { name: 'Second.example.com.' } }, 'first.example.com:Z1,second.example.com:Z2'),
    'api-prod.second.example.com',
  )
})

test('a name belongs to the longest zone that it is inside of, at the boundary of a label [5.4, #16, #17, #18]', () => {
  const zones = registry('example.com:Z1,staging.example.com:Z2')
  const zoneOfName = (domainName: string): string | undefined => wantedOf(certSpec({ domainName }), zones).names[0]?.zone?.id
  assert.deepEqual(
    ['api.staging.example.com', 'staging.example.com', 'api.example.com', '*.example.com', 'api.notexample.com'].map(zoneOfName),
    ['Z2', 'Z2', 'Z1', 'Z1', undefined],
  )
})

test('a name outside every zone is never put into the default one [5.3, #23]', () => {
  assert.equal(
    wantedOf(certSpec({ domainName: 'api.other.org' }), registry('example.com:Z1')).zoneTrouble,
    'no configured zone matches "api.other.org"',
  )
})

test('a zone is named by id, with its prefix or without, by name, or by both of one zone [5.3, #19, #20, #21]', () => {
  const zones = registry('example.com:Z1,other.org:Z2')
  const trouble = (dnsZone: CertSpec['dnsZone'], domainName?: string): string | undefined =>
    wantedOf(certSpec(given({ dnsZone, domainName })), zones).zoneTrouble
  assert.equal(trouble({ id: '/hostedzone/Z2' }), undefined)
  assert.equal(trouble({ id: 'Z1', name: 'EXAMPLE.com' }), undefined)
  assert.equal(trouble({ id: 'Z1', name: 'other.org' }), 'id "Z1" and name "other.org" are different zones')
  assert.equal(trouble({ id: 'Z9' }), 'zone "Z9" is not configured')
  assert.equal(trouble({ name: 'other.org' }, 'api.example.com'), 'no configured zone matches "api.example.com"')
})

test('the order of further names does not make another certificate, a further name does [4.8, #26]', () => {
  const zones = registry('k8s.example.com:Z1')
  const hash = (names: readonly string[]): string | undefined =>
    wantedOf(certSpec({ subjectAlternativeNames: names }), zones).hash
  const [a, b] = ['a.k8s.example.com', 'b.k8s.example.com']
  assert.equal(hash([a, b]), hash([b, `${a.toUpperCase()}.`, b]))
  assert.notEqual(hash([a]), hash([a, b]))
  assert.equal(hash([]), 'c57125db0cf73436deb9212cb6303697a47f439b7d287832a7cf52489e32b68e')
})

test('spelling out the generated name asks for the same certificate [#37]', () => {
  const zones = registry('k8s.example.com:Z1')
  assert.equal(wantedOf(certSpec({ domainName: 'api-prod.k8s.example.com' }), zones).hash, wantedOf(certSpec(), zones).hash)
})

test('a token is 32 hexadecimal digits of uid, hash and revision', () => {
  const token = idempotencyToken({ uid: 'u', hash: 'h', revision: 1 })
  assert.match(token, /^[0-9a-f]{32}$/)
  assert.notEqual(token, idempotencyToken({ uid: 'u', hash: 'h', revision: 2 }))
})

test('every part of what is asked for counts in the hash [4.8]', () => {
  const base = { primary: 'a.b.c', domains: ['a.b.c'], keyAlgorithm: 'RSA_2048', issuer: 'public', exportable: false }
  const others = [
    { primary: 'x.b.c' },
    { domains: ['x.b.c'] },
    { keyAlgorithm: 'EC_prime256v1' },
    { issuer: 'arn' },
    { exportable: true },
  ]
  assert.equal(new Set([specHash(base), ...others.map(other => specHash({ ...base, ...other }))]).size, 6)
})

const wrongPairs: readonly (readonly [pairs: string, why: RegExp])[] = [
  ['example.com', /"example.com" is no name:id/],
  ['example.com:Z1,', /"" is no name:id/],
  ['localhost:Z1', /no name of a zone/],
  ['*.example.com:Z1', /a zone is no wildcard/],
  ['example.com:', /has no id/],
  ['example.com:z-1', /no id of a hosted zone/],
  ['example.com:Z1,Example.com:Z2', /two ids, Z1 and Z2/],
  ['example.com:Z1,other.org:Z1', /two names/],
]

for (const [pairs, why] of wrongPairs)
  test(`the zones ${JSON.stringify(pairs)} are refused in one line [5.1, #24]`, () => {
    assert.throws(
      () => registry(pairs),
      (error: unknown) => error instanceof ZoneError && why.test(error.message) && !error.message.includes('\n'),
    )
  })

test('zones are taken with blanks, a last dot and the prefix of an id; one that is there twice is told [5.1]', () => {
  const told: string[] = []
  const zones = mergeZones(parseZonePairs(' example.com. : /hostedzone/Z1 ,example.com:Z1', '--dns-zones'), '--dns-zones', line =>
    told.push(line),
  )
  assert.deepEqual(zones, [{ name: 'example.com', id: 'Z1' }])
  assert.deepEqual(told, ['--dns-zones: the zone example.com:Z1 is there twice'])
})

test('no zone at all is refused [5.1]', () => {
  assert.throws(() => registry(''), /there is no zone/)
})
