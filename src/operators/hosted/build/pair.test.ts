// How long a pair lives, and why one cannot go on being used.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertificatePair, expiryOf, type Instant, parseCertificate } from '#base'
import { authority, drawnKey, now } from '../testing/secrets.fixture.ts'
import { clientRequest, issuePair, type PairRequest, pairTrouble, servingRequest } from './pair.ts'
import { providers } from './provider.ts'

const dayMs = 24 * 60 * 60 * 1_000
const drawn = await drawnKey()
const root = authority('root-ca', 0)
const needs = { request: servingRequest, authority: root, keepsForeign: false }
const issued = (request: PairRequest, at: Instant = now): CertificatePair => issuePair(request, root, drawn, at)
const good = issued(servingRequest)

test('a pair is valid for 365 days, which begin fourteen hours ago for clocks that are behind [4.4, 4.12]', () => {
  const { validFrom, validUntil } = parseCertificate(good.certificate)
  assert.deepEqual(
    [validFrom, validUntil].map(at => new Date(at).toISOString()),
    ['2026-05-31T10:00:00.000Z', '2027-05-31T10:00:00.000Z'],
  )
})

test('a pair is renewed as soon as thirty days are left, and not a moment earlier [4.4, H-12]', () => {
  const renewed = parseCertificate(good.certificate).validUntil - 30 * dayMs
  assert.equal(pairTrouble(good, needs, renewed - 1), undefined)
  assert.equal(pairTrouble(good, needs, renewed), 'it has less than 30 days left')
})

test('what ends with its authority is used to the end, since no other would live longer [4.4]', () => {
  const end = expiryOf(root.certificate)
  const last = issued(servingRequest, end - 100 * dayMs)
  assert.equal(parseCertificate(last.certificate).validUntil, end)
  assert.equal(pairTrouble(last, needs, end - 20 * dayMs), undefined)
  assert.equal(pairTrouble(last, needs, end - 1), undefined)
  assert.equal(pairTrouble(last, needs, end), 'it has run out')
})

const client = clientRequest(providers.Azure)
const { subject } = client
const [first = ''] = subject.organizations ?? []

const others: readonly (readonly [what: string, held: PairRequest, wanted: PairRequest])[] = [
  ['another address', { ...servingRequest, names: { ips: ['127.0.0.2'] } }, servingRequest],
  ['one address too many', { ...servingRequest, names: { ips: ['127.0.0.1', '127.0.0.2'] } }, servingRequest],
  ['no address', { subject: servingRequest.subject, usage: 'client' }, servingRequest],
  ['another user', { ...client, subject: { ...subject, commonName: 'somebody' } }, client],
  ['another group', { ...client, subject: { ...subject, organizations: [first, 'system:masters'] } }, client],
  [
    'a group too many',
    { ...client, subject: { ...subject, organizations: [...(subject.organizations ?? []), 'system:masters'] } },
    client,
  ],
  ['a group too few', { ...client, subject: { ...subject, organizations: [first] } }, client],
  ['the name of the other cloud', clientRequest(providers.AWS), client],
]

for (const [what, held, request] of others)
  test(`a certificate for ${what} is for another name [4.4, 4.5]`, () => {
    assert.equal(pairTrouble(issued(held), { ...needs, request }, now), 'tls.crt is for another name')
  })

test('a certificate with the same groups in another order is the same [4.5]', () => {
  const organizations = (subject.organizations ?? []).toReversed()
  assert.equal(
    pairTrouble(issued({ ...client, subject: { ...subject, organizations } }), { ...needs, request: client }, now),
    undefined,
  )
})

test('a pair of another authority is used in upstream’s form alone, and there too until thirty days are left [4.13 #1]', () => {
  const other = { ...needs, authority: authority('root-ca', 2) }
  assert.equal(pairTrouble(good, other, now), 'tls.crt is from another authority')
  assert.equal(pairTrouble(good, { ...other, keepsForeign: true }, now), undefined)
  const end = expiryOf(root.certificate)
  const last = issued(servingRequest, end - 100 * dayMs)
  assert.equal(pairTrouble(last, { ...other, keepsForeign: true }, end - 20 * dayMs), 'it has less than 30 days left')
})

test('a key that is not the certificate’s is told', () => {
  assert.equal(pairTrouble({ ...good, key: root.key }, needs, now), 'the key is of another certificate')
  assert.equal(pairTrouble({ ...good, key: '' }, needs, now), 'the key cannot be read')
})
