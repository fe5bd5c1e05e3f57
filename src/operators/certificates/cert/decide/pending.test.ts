// From a wish to a request: what comes before it, what is looked for instead of asking, and what is given up for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, tagKeys } from '../../api/labels.ts'
import type { CertStatus } from '../../api/status.ts'
import {
  arn,
  certificate,
  certSeen,
  hash,
  hourMs,
  issued,
  nowMs,
  pendingArn,
  present,
  primary,
  request,
  type SeenOptions,
  settings,
} from '../../testing/cert-seen.fixture.ts'
import { brief, callsOf, judged } from '../../testing/judged.fixture.ts'
import { sight } from './decide.ts'
import { needsSearch, requesterOf, supersededWith } from './pending.ts'

const minute = 60_000
const pending = (more: CertStatus = {}): CertStatus => ({ state: 'Pending', ...more })
const intended = pending({ request: request() })
const aged = (ms: number, specHash = hash) => ({ ...request(0, specHash), requestedAt: new Date(nowMs - ms).toISOString() })
const asking = [11, 'Created', 'Requesting', 'interval']
const noting = [11, 'Pending', 'Requesting', 'at-once']

for (const [what, seen, told] of [
  ['was noted just now', { status: pending({ request: aged(0) }) }, asking],
  [
    'is so old that its token is hardly known until a search would find it',
    { status: pending({ request: aged(45 * minute) }) },
    asking,
  ],
  [
    'is a moment older',
    { status: pending({ request: aged(45 * minute + 1) }) },
    [11, 'Pending', 'Requesting', 5 * minute - 1 + 1_000],
  ],
  ['is as old as its token', { status: pending({ request: aged(50 * minute) }) }, [11, 'Pending', 'Requesting', 1_000]],
  ['is older than its token', { status: pending({ request: aged(50 * minute + 1) }), owned: [] }, noting],
  ['lies five minutes ahead', { status: pending({ request: aged(-5 * minute) }) }, asking],
  ['lies further ahead', { status: pending({ request: aged(-5 * minute - 1) }), owned: [] }, noting],
  [
    'is another one’s, ahead of the clock and just sent',
    { status: pending({ request: aged(-hourMs, 'other') }), owned: [] },
    [11, 'Pending', 'Requesting', 30_000],
  ],
  [
    'is another one’s, ahead of the clock and looked for in vain',
    {
      status: pending({ request: aged(-hourMs, 'other') }),
      owned: [],
      vainMs: 5 * minute,
      aheadMs: new Map([[aged(-hourMs).requestedAt, hourMs]]),
    },
    noting,
  ],
  ['is another one’s, and old', { status: pending({ request: aged(hourMs, 'other') }), owned: [] }, noting],
  ['is refused by the day', { status: intended, dayRefusal: 'no more' }, [12, 'Failed', 'QuotaExceeded', 'interval']],
  [
    'is there, with an ARN',
    { status: pending({ request: request(), certificateArn: arn, certReady: false }) },
    [9, 'Created', 'Requesting', 'at-once'],
  ],
  [
    'is another one’s, with an ARN that does not show',
    { status: pending({ request: request(0, 'other'), certificateArn: arn }), current: { kind: 'absent', isConfirmed: true } },
    [31, 'Pending', 'Requesting', 30_000],
  ],
  ['is missing', { status: pending(), metadata: { finalizers: [] } }, noting],
] satisfies readonly (readonly [string, SeenOptions, readonly unknown[]])[])
  test(`an intent that ${what} leads to row ${String(told[0])}, ${String(told[3])} [7.4 #9-#12]`, () =>
    assert.deepEqual(brief(judged(seen)), told))

test('what is searched for in vain is asked for with the same number, from now on [7.4 #11, S1]', () => {
  const of = (asked: ReturnType<typeof aged>) => judged({ status: pending({ request: asked }), owned: [] }).status.request
  const requestedAt = new Date(nowMs).toISOString().replace('.000Z', 'Z')
  assert.deepEqual(of({ ...aged(hourMs), revision: 4 }), { requestedAt, specHash: hash, revision: 4 })
  assert.deepEqual(of({ ...aged(hourMs, 'other'), revision: 4 }), { requestedAt, specHash: hash, revision: 5 })
})

for (const [what, status, isSearched] of [
  ['no request', pending(), false],
  ['one of now', intended, false],
  ['an old one', pending({ request: aged(hourMs) }), true],
  ['an old one, with its certificate', pending({ request: aged(hourMs), certificateArn: arn, certReady: false }), false],
  ['an old one beside one that serves', pending({ request: aged(hourMs), certificateArn: arn, certReady: true }), true],
  [
    'an old one, with another one on its way',
    pending({ request: aged(hourMs), certificateArn: arn, certReady: true, pendingCertificateArn: pendingArn }),
    false,
  ],
  ['an old one, with only another one on its way', pending({ request: aged(hourMs), pendingCertificateArn: pendingArn }), false],
] as const)
  test(`a status with ${what} needs ${isSearched ? 'a' : 'no'} search [7.4 #10]`, () =>
    assert.equal(needsSearch(sight(certSeen({ status })) ?? assert.fail()), isSearched))

const failed = {
  state: 'Failed',
  request: request(),
  lastFailure: { reason: 'QuotaExceeded', message: 'x', time: '2026-05-01T00:00:00Z', count: 1 },
}
const byDay = { ...failed, lastFailure: { ...failed.lastFailure, refusedBy: 'DailyBudget' as const } }
for (const [what, seen, isOne] of [
  ['asks now', { status: intended }, true],
  ['notes what it will ask for', { status: pending(), metadata: { finalizers: [] } }, false],
  ['was refused by the day', { status: byDay }, true],
  ['was refused by AWS', { status: failed }, false],
  ['was refused by the day, and lost its intent', { status: { ...byDay, request: undefined as never } }, false],
  ['is on its way', { status: { state: 'Created', request: request(), lastFailure: byDay.lastFailure } }, false],
  ['says nothing', {}, false],
  ['is dry', { status: intended, spec: { dryRun: true } }, true],
] satisfies readonly (readonly [string, SeenOptions, boolean])[])
  test(`a Cert that ${what} takes ${isOne ? 'one' : 'none'} of the day [16.11]`, () => {
    const found = requesterOf(sight(certSeen(seen)) ?? assert.fail(), settings)
    assert.equal(found?.namespace, isOne ? 'team' : undefined)
  })

test('what keeps a name from being asked for is told, the first thing first [7.4 #6-#8, #13]', () => {
  const rival = { namespace: 'a', name: 'b', isDeleting: false }
  const said = (more: SeenOptions) => {
    const { row, failure } = judged({ status: intended, ...more })
    return [row, failure?.reason, failure?.message, failure?.refusedBy]
  }
  assert.deepEqual(said({ rival }), [6, 'DuplicateDomain', `certificate for ${primary} already exists: a/b`, undefined])
  assert.deepEqual(
    said({ rival: { ...rival, isDeleting: true } })[2],
    `certificate for ${primary} already exists: a/b (being deleted)`,
  )
  assert.deepEqual(said({ spec: { subjectAlternativeNames: ['-x.k8s.example.com'] } }).slice(0, 2), [13, 'IssuanceFailed'])
  assert.deepEqual(said({ forbidden: 'policy "p" forbids it' }), [13, 'IssuanceFailed', 'policy "p" forbids it', 'CertPolicy'])
  assert.deepEqual(said({ forbidden: 'x', privateZones: new Set(['Z1']) }).slice(0, 2), [8, 'PrivateZone'])
})

test('a request is told by the name that it is for [7.4 #11]', () => {
  const [event] = judged({ status: intended }).events
  assert.deepEqual(event, { type: 'Normal', reason: 'CertificateRequested', message: `asked for a certificate for ${primary}` })
})

const lost = (more = {}) => [{ certificate: certificate({ arn: pendingArn, ...more }), tags: { [tagKeys.revision]: '3' } }]
test('what an old intent made takes its place by whether one serves [7.4 #10]', () => {
  const taken = (status: CertStatus) =>
    judged({ status, owned: lost(), current: present(issued({ names: [primary, 'y.org'] })) }).status
  const alone = taken(pending({ request: aged(hourMs) }))
  assert.deepEqual([alone.certificateArn, alone.certReady, alone.pendingCertificateArn], [pendingArn, false, undefined])
  const beside = taken(pending({ request: aged(hourMs, hash), certificateArn: arn, certReady: true }))
  assert.deepEqual([beside.certificateArn, beside.pendingCertificateArn], [arn, pendingArn])
})

test('where the status of another object was written here, what is wanted is taken up, or asked for by the intent [7.4 #10, S1]', () => {
  const seen = { status: pending({ request: request(0, 'other', 7) }), isAnyUnlisted: true } as const
  const taken = judged({ ...seen, owned: lost() })
  assert.deepEqual([brief(taken), taken.status.certificateArn], [[10, 'Created', 'Requesting', 'at-once'], pendingArn])
  const asked = judged({ ...seen, owned: lost({ names: [primary, 'x.org'] }) })
  assert.deepEqual([brief(asked), callsOf(asked).length], [asking, 1])
  assert.deepEqual(
    asked.status.supersededCertificates?.map(each => each.arn),
    [pendingArn],
  )
  const own = judged({ ...seen, isAnyUnlisted: false, owned: lost() })
  assert.deepEqual([brief(own), 'supersededCertificates' in own.status], [asking, false])
})

test('an intent for what is wanted is carried out in a dry run, another one is not [7.4 #11]', () => {
  const dry = { spec: { dryRun: true } }
  assert.deepEqual(brief(judged({ ...dry, status: intended })), asking)
  const other = judged({ ...dry, status: pending({ request: request(0, 'other') }) })
  assert.deepEqual([brief(other), callsOf(other)], [[11, 'Pending', 'Requesting', 'interval'], []])
  const old = judged({ ...dry, status: pending({ request: aged(hourMs, 'other') }), owned: lost() })
  assert.ok(old.planned !== undefined)
})

const [b, c, d] = ['b.k8s.example.com', 'c.k8s.example.com', 'd.k8s.example.com'] as const
const issuer = { type: 'PrivateCA', certificateAuthorityArn: 'arn:ca' } as const
for (const [what, spec, zones, planned] of [
  ['one name', {}, undefined, [`acm RequestCertificate ${primary} (RSA_2048)`, 'k8s.example.com']],
  [
    'three names',
    { subjectAlternativeNames: [b, c] },
    undefined,
    [`acm RequestCertificate ${primary}, ${b}, ${c} (RSA_2048)`, 'k8s.example.com'],
  ],
  [
    'four names',
    { subjectAlternativeNames: [b, c, d] },
    undefined,
    [`acm RequestCertificate ${primary}, ${b}, ${c} and 1 more (RSA_2048)`, 'k8s.example.com'],
  ],
  [
    'names of two zones',
    { subjectAlternativeNames: [b, 'x.other.dev'] },
    ['other.dev'],
    [`acm RequestCertificate ${primary}, ${b}, x.other.dev (RSA_2048)`, 'k8s.example.com', 'other.dev'],
  ],
  ['one name of a private authority', { issuer }, undefined, [`acm RequestCertificate ${primary} (RSA_2048)`]],
  [
    'names of many zones',
    { subjectAlternativeNames: Array.from({ length: 12 }, (_, index) => `x.z${index}.dev`) },
    Array.from({ length: 12 }, (_, index) => `z${index}.dev`),
    [
      `acm RequestCertificate ${primary}, x.z0.dev, x.z1.dev and 10 more (RSA_2048)`,
      'k8s.example.com',
      ...Array.from({ length: 8 }, (_, index) => `z${index}.dev`),
    ],
  ],
] satisfies readonly (readonly [string, NonNullable<SeenOptions['spec']>, readonly string[] | undefined, readonly string[]])[])
  test(`a dry run tells what it would do for ${what} [7.4 #11]`, () => {
    const all = [{ name: 'k8s.example.com', id: 'Z1' }, ...(zones ?? []).map((name, index) => ({ name, id: `Z${index + 2}` }))]
    const [first = '', ...others] = planned
    const writes = others.map(zone => `route53 ChangeResourceRecordSets UPSERT validation records in ${zone}`)
    for (const dry of [
      judged({ spec: { ...spec, dryRun: true }, zones: all, status: pending() }),
      judged({ spec, zones: all, status: pending() }, { dryRun: true }),
    ]) {
      assert.deepEqual(
        [brief(dry), dry.planned],
        [
          [11, 'Pending', 'Requesting', 'interval'],
          [first, ...writes],
        ],
      )
      assert.equal('request' in dry.status, false)
    }
  })

test('what is to be adopted is planned in a dry run as what is asked for [7.4 #10]', () => {
  const seen = { status: pending(), annotations: { [annotations.adopt]: arn } }
  assert.equal(judged(seen).planned, undefined)
  assert.equal(judged({ ...seen, spec: { dryRun: true } }).planned?.length, 2)
})

const other = request(0, 'other', 4)
const used = { inUseBy: ['arn:lb'] }
const dropping = (status: CertStatus, more: SeenOptions) => {
  const verdict = judged({ status: { ...status, request: other }, ...more })
  const { status: said } = verdict
  assert.deepEqual(
    [brief(verdict), said.request?.revision, said.request?.specHash],
    [[31, 'Pending', 'Requesting', 'at-once'], 5, hash],
  )
  return [callsOf(verdict).map(({ input }) => input.CertificateArn), said.supersededCertificates, said]
}
const foreign = { names: [primary, 'x.org'] }
const requestedAt = new Date(nowMs).toISOString().replace('.000Z', 'Z')

test('what is on its way and not wanted goes; what something uses, or nobody sees, is left [7.4 #31, 8.4]', () => {
  const first = { state: 'Created', certificateArn: arn, certReady: false } as const
  const [calls, kept, said] = dropping(first, { current: present(certificate(foreign)) })
  assert.deepEqual([calls, kept, (said as CertStatus).certReady], [[arn], undefined, false])
  assert.ok('certificateArn' in (said as object) && (said as CertStatus).certificateArn === undefined)
  assert.deepEqual(dropping(first, { current: present(certificate({ ...foreign, ...used })) }).slice(0, 2), [
    [],
    [{ arn, supersededAt: requestedAt, inUse: true }],
  ])
  assert.deepEqual(
    dropping({ ...first, state: 'Pending' }, { current: { kind: 'absent', isConfirmed: true, isSettled: true } }).slice(0, 2),
    [[], undefined],
  )
  assert.deepEqual(dropping({ ...first, state: 'Pending' }, {}).slice(0, 2), [[], undefined])
})

test('a replacement that is not wanted any more takes nothing from the one that serves [7.4 #31, 8.4]', () => {
  const both = { state: 'Created', certificateArn: arn, certReady: true, pendingCertificateArn: pendingArn } as const
  const [calls, , said] = dropping(both, {
    current: present(issued({ names: [primary, 'y.org'] })),
    pending: present(certificate({ arn: pendingArn, ...foreign })),
  })
  assert.deepEqual([calls, (said as CertStatus).certificateArn], [[pendingArn], arn])
  assert.ok('pendingCertificateArn' in (said as object) && (said as CertStatus).pendingCertificateArn === undefined)
})

test('the list of what was replaced has each once, the youngest last, and ten at most [8.4]', () => {
  const entry = (name: string) => ({ arn: name, supersededAt: '2026-01-01T00:00:00Z', inUse: true })
  const after = (names: readonly string[], by?: string): unknown => {
    const status = names.length === 0 ? {} : { supersededCertificates: names.map(entry) }
    const seen = sight(certSeen({ status })) ?? assert.fail()
    return supersededWith(seen, { arn, inUse: false, ...(by === undefined ? {} : { by }) }).supersededCertificates?.map(each => [
      each.arn,
      each.inUse,
    ])
  }
  assert.deepEqual(after([]), [[arn, false]])
  assert.deepEqual(after(['a', arn, 'b'], 'b'), [
    ['a', true],
    [arn, false],
  ])
  const many = Array.from({ length: 10 }, (_, index) => `n${index}`)
  assert.deepEqual(after(many), [...many.slice(1).map(name => [name, true]), [arn, false]])
})
