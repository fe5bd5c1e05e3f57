// Each step of an authority of our own, as a table, and a life of forty years of which every tenth day is looked at.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { certificatesIn, expiryOf, isIssuedBy, readCertificate, seededRandom } from '#base'
import { ecKey } from '../../../base/x509/serving-pair.fixture.ts'
import { carryOut, type Drawn, decideStep, type Step, settleMs } from './decide.ts'
import { bundleOf, type StoredAuthority } from './stored.ts'
import { ownStyle } from './style.ts'

const { authorityRenewMs, servingLifeMs, servingRenewMs } = ownStyle

const start = Date.UTC(2026, 0, 1)
const day = 86_400_000
const names = ['hook.system.svc', 'hook.system', 'hook']
const nothing: StoredAuthority = { authority: undefined, serving: undefined, next: undefined, former: [], formerUntil: 0 }
const random = seededRandom(1)
const draw = (): Drawn => ({
  authority: { key: ecKey(), serial: random.bytes(16) },
  serving: { key: ecKey(), serial: random.bytes(16) },
})

interface Looked {
  readonly bundles?: readonly string[]
  readonly nextTrustedMs?: number
  readonly names?: readonly string[]
}

const stepOf = (stored: StoredAuthority, now: number, looked: Looked = {}): Step =>
  decideStep({ stored, names, nextTrustedMs: 0, ...looked }, now)
const after = (kind: Step['kind'], stored: StoredAuthority, now: number, looked: Looked = {}): StoredAuthority =>
  carryOut({ kind, why: '' }, { stored, names, bundles: [], nextTrustedMs: 0, ...looked }, draw(), now)

const begun = after('begin', nothing, start)
const prepared = after('prepare', begun, start)
const promoted = after('promote', prepared, start)
const other = after('begin', nothing, start)
const broken = { certificate: 'x', key: 'y' }

const end = expiryOf(begun.authority!.certificate)
const { authority, serving } = begun
/** The last thing that an authority signs ends with it. */
const late = (beforeEndMs: number): StoredAuthority => after('renew', begun, end - beforeEndMs)

const rows: readonly (readonly [what: string, stored: StoredAuthority, at: number, step: Step['kind'], looked?: Looked])[] = [
  ['nothing is there', nothing, start, 'begin'],
  ['all is good', begun, start, 'keep'],
  ['a month and a day are left of what is served', begun, start + servingLifeMs - servingRenewMs - day, 'keep'],
  ['less than a month is left of what is served', begun, start + servingLifeMs - servingRenewMs + day, 'renew'],
  ['what is served has run out', begun, start + servingLifeMs + day, 'renew'],
  ['what is served is from another authority', { ...begun, serving: other.serving }, start, 'renew'],
  ['the key of what is served is another one', { ...begun, serving: { ...begun.serving!, key: ecKey() } }, start, 'renew'],
  ['what is served cannot be read', { ...begun, serving: broken }, start, 'renew'],
  ['nothing is served', { ...begun, serving: undefined }, start, 'renew'],
  ['the Service is called otherwise', begun, start, 'renew', { names: ['other.system.svc'] }],
  ['the authority cannot be read', { ...begun, authority: broken }, start, 'begin'],
  ['the key of the authority is another one', { ...begun, authority: { ...begun.authority!, key: ecKey() } }, start, 'begin'],
  ['what is kept as the authority is none', { ...begun, authority: begun.serving }, start, 'begin'],
  ['the authority has run out', begun, expiryOf(begun.authority!.certificate), 'begin'],
  ['the next authority is trusted, but not for long', prepared, start, 'keep', { nextTrustedMs: 59_999 }],
  ['the next authority has been trusted for a while', prepared, start, 'promote', { nextTrustedMs: 60_000 }],
  ['the next authority cannot be read', { ...prepared, next: broken }, start, 'prepare'],
  ['a former authority is still needed', promoted, start + servingLifeMs - servingRenewMs - day, 'keep'],
  ['a former authority is needed for one more millisecond', { ...promoted, formerUntil: start + 1 }, start, 'keep'],
  ['nothing of a former authority is good any more', { ...promoted, formerUntil: start }, start, 'forget'],
  ['a year is left of the authority', late(authorityRenewMs), end - authorityRenewMs, 'keep'],
  ['a millisecond less than a year is left of it', late(authorityRenewMs), end - authorityRenewMs + 1, 'prepare'],
]

for (const [what, stored, at, step, looked] of rows)
  test(`the step that is taken where ${what}: ${step}`, () => {
    assert.equal(stepOf(stored, at, looked).kind, step)
  })

test('a step says why it is taken, as the log has it', () => {
  const why = (stored: StoredAuthority, looked?: Looked): string => {
    const step = stepOf(stored, start, looked)
    return step.kind === 'keep' ? '' : step.why
  }
  assert.deepEqual(
    [
      why(nothing),
      why({ ...begun, authority: broken }),
      why({ ...begun, authority: other.serving }),
      why({ ...begun, serving: undefined }),
      why({ ...prepared, next: broken }),
      why(prepared, { nextTrustedMs: settleMs }),
      why({ ...promoted, formerUntil: start }),
    ],
    [
      'there is no authority yet',
      'what is kept as the authority is no certificate of one',
      'what is kept as the authority is no certificate of one',
      'there is nothing to serve yet',
      'the next authority cannot be used',
      'the next authority is trusted',
      'all that a former authority signed has run out',
    ],
  )
})

test('an authority lasts ten years and what it signs ninety days; the one is renewed a year before its end, the other a month', () => {
  const lives = [authority!, serving!].map(({ certificate }) => (expiryOf(certificate) - start) / day)
  assert.deepEqual([...lives, authorityRenewMs / day, servingRenewMs / day], [3_650, 90, 365, 30])
})

test('an authority that begins has no former one, and one that is promoted makes the one before it a former one', () => {
  assert.deepEqual(begun, { authority, serving, next: undefined, former: [], formerUntil: 0 })
  const { certificate } = authority!
  const formerUntil = start + servingLifeMs
  assert.deepEqual(promoted, {
    authority: prepared.next,
    serving: promoted.serving,
    next: undefined,
    former: [certificate],
    formerUntil,
  })
})

test('what a step does not speak of stays as it is', () => {
  const busy = { ...prepared, former: [other.authority!.certificate], formerUntil: start }
  assert.equal(after('keep', busy, start), busy)
  assert.deepEqual(after('forget', busy, start), { ...busy, former: [], formerUntil: 0 })
  const renewed = after('renew', busy, start)
  assert.deepEqual(renewed, { ...busy, serving: renewed.serving })
  assert.notEqual(renewed.serving?.certificate, busy.serving?.certificate)
  const replaced = after('prepare', busy, start)
  assert.deepEqual(replaced, { ...busy, next: replaced.next })
  assert.notEqual(replaced.next?.certificate, busy.next?.certificate)
})

test('an authority with less than a year left gets a successor, and one with more does not', () => {
  const renewed = (at: number): StoredAuthority => after('renew', begun, at)
  assert.equal(stepOf(renewed(end - authorityRenewMs - day), end - authorityRenewMs - day).kind, 'keep')
  assert.equal(stepOf(renewed(end - authorityRenewMs + day), end - authorityRenewMs + day).kind, 'prepare')
})

test('what is served never outlives its authority, and is not renewed again and again for that', () => {
  const last = { ...late(10 * day), next: prepared.next }
  assert.equal(expiryOf(last.serving!.certificate), end)
  assert.equal(stepOf(last, end - 10 * day).kind, 'keep')
})

test('whoever the webhooks trusted stays trusted when the Secret is lost, strangers do not', () => {
  const stranger = other.serving!.certificate
  const again = after('begin', nothing, start, { bundles: [bundleOf(begun) + stranger, bundleOf(begun)] })
  assert.deepEqual(again.former, [begun.authority!.certificate.trim()])
  assert.equal(again.formerUntil, start + servingLifeMs)
})

test('for forty years what any replica serves is trusted, whenever it last looked while it was good', () => {
  let stored = begun
  let trustedAt = start
  const kinds = new Set<string>()
  const served: { readonly certificate: string; readonly until: number }[] = []
  for (let now = start; now < start + 40 * 365 * day; now += 10 * day) {
    const step = stepOf(stored, now, { nextTrustedMs: now - trustedAt })
    kinds.add(step.kind)
    if (step.kind !== 'keep') {
      stored = after(step.kind, stored, now)
      if (step.kind === 'prepare') trustedAt = now
      served.push({ certificate: stored.serving!.certificate, until: expiryOf(stored.serving!.certificate) })
    }
    const trusted = certificatesIn(bundleOf(stored)).map(String)
    for (const { certificate, until } of served.filter(each => each.until > now))
      assert.ok(
        trusted.some(authority => isIssuedBy(readCertificate(certificate)!, authority)),
        new Date(until).toISOString(),
      )
    assert.ok(trusted.length <= 3)
  }
  assert.deepEqual([...kinds].toSorted(), ['forget', 'keep', 'prepare', 'promote', 'renew'])
})

const openssl = spawnSync('openssl', ['version']).status === 0
test('openssl verifies what is served against the bundle, before, in and after a rotation', {
  skip: openssl ? false : 'no openssl here',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-authority-'))
  try {
    const forgotten = after('forget', promoted, start)
    for (const [bundleFrom, servedFrom] of [
      [begun, begun],
      [prepared, begun],
      [promoted, begun],
      [promoted, promoted],
      [forgotten, promoted],
    ] as const) {
      writeFileSync(join(folder, 'ca.pem'), bundleOf(bundleFrom))
      writeFileSync(join(folder, 'leaf.pem'), servedFrom.serving!.certificate)
      const at = String(start / 1_000)
      const args = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', names[0]!, '-attime', at]
      const { stdout, stderr } = spawnSync('openssl', [...args, '-CAfile', 'ca.pem', 'leaf.pem'], {
        cwd: folder,
        encoding: 'utf8',
      })
      assert.equal(stdout, 'leaf.pem: OK\n', stderr)
    }
    writeFileSync(join(folder, 'ca.pem'), bundleOf(forgotten))
    writeFileSync(join(folder, 'leaf.pem'), begun.serving!.certificate)
    assert.notEqual(spawnSync('openssl', ['verify', '-CAfile', 'ca.pem', 'leaf.pem'], { cwd: folder }).status, 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
