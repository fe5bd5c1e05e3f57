// What the Secret of an own authority holds, and what is read of one that somebody else wrote.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issueAuthority } from '#base'
import { ecKey } from '../../../base/x509/serving-pair.fixture.ts'
import { type AuthoritySecret, bundleOf, readStored, type StoredAuthority, withStored } from './stored.ts'
import { ownStyle } from './style.ts'

const nothing: StoredAuthority = { authority: undefined, serving: undefined, next: undefined, former: [], formerUntil: 0 }
const until = Date.UTC(2026, 3, 1)
const [one, other, third, fourth] = [1, 2, 3, 4].map(serial =>
  issueAuthority(ownStyle.authority, { key: ecKey(), serial: new Uint8Array(16).fill(serial) }, { from: 0, until }),
) as [ReturnType<typeof issueAuthority>, ...ReturnType<typeof issueAuthority>[]]
const certificateOf = (pair: typeof one | undefined): string => pair?.certificate.trim() ?? ''

function secretOf(texts: Readonly<Record<string, string>>): AuthoritySecret {
  const data = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]))
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', uid: 'u', resourceVersion: '1' }, data }
}

const empty = secretOf({})
const { data: _, ...withoutData } = empty

for (const [what, stored, names] of [
  ['nothing', nothing, []],
  ['an authority and what it signed', { ...nothing, authority: one, serving: other }, ['ca.crt', 'ca.key', 'tls.crt', 'tls.key']],
  ['the next authority', { ...nothing, next: one }, ['next-ca.crt', 'next-ca.key']],
  [
    'former authorities until a moment',
    { ...nothing, former: [certificateOf(one), certificateOf(other)], formerUntil: until },
    ['former-ca.crt', 'former-until'],
  ],
  [
    'a single former authority',
    { ...nothing, former: [certificateOf(one)], formerUntil: until },
    ['former-ca.crt', 'former-until'],
  ],
] as const)
  test(`a Secret that is given ${what} has it, and nothing else`, () => {
    const written = withStored(secretOf({ 'tls.crt': 'before', other: 'theirs' }), stored)
    assert.deepEqual(Object.keys(written.data ?? {}), names)
    assert.deepEqual(written, { ...empty, data: written.data ?? {} })
    assert.deepEqual(readStored(written), stored)
  })

for (const [what, secret, stored] of [
  ['no data', withoutData, nothing],
  ['a certificate without its key', secretOf({ 'ca.crt': 'c', 'tls.crt': 'c', 'next-ca.crt': 'c' }), nothing],
  ['a key without its certificate', secretOf({ 'ca.key': 'k', 'tls.key': 'k', 'next-ca.key': 'k' }), nothing],
  ['a moment that is none', secretOf({ 'former-until': 'some day' }), nothing],
  [
    'more former authorities than are kept',
    secretOf({ 'former-ca.crt': [other, third, fourth].map(pair => pair?.certificate).join('') }),
    { ...nothing, former: [certificateOf(other), certificateOf(third)] },
  ],
] as const)
  test(`of a Secret with ${what} is read what can be used`, () => {
    assert.deepEqual(readStored(secret), stored)
  })

test('whoever signs is trusted first, then who will, then who did', () => {
  const all = { ...nothing, authority: one, next: other, former: [certificateOf(third)] }
  const lines = [one, other, third].map(pair => `${certificateOf(pair)}\n`)
  assert.equal(bundleOf(all), lines.join(''))
  assert.equal(bundleOf({ ...all, next: undefined }), `${lines[0]}${lines[2]}`)
  assert.equal(bundleOf(nothing), '')
})
