// What is looked at before an object goes: whose its certificates are, and who else needs its records.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { tagKeys } from '../api/labels.ts'
import type { CertStatus, CertValidationRecord } from '../api/status.ts'
import type { CloudCertificate } from '../aws/certificate.ts'
import {
  arn,
  certificate,
  certSeen,
  inSyncEntry,
  issued,
  pendingArn,
  primary,
  request,
  type SeenOptions,
  zone,
} from '../testing/cert-seen.fixture.ts'
import { type Answers, type Looks, looksOf } from '../testing/looks.fixture.ts'
import { ownerTags } from './decide/calls.ts'

const claim = certSeen().claim ?? assert.fail()
const marks = ownerTags(claim, 'here', 1)
const foreign = { ...marks, [tagKeys.uid]: 'uid-2' }
const old = request(90 * 60_000)
const kept = { state: 'Ready', certificateArn: arn, certReady: true, request: old } as const
const record = inSyncEntry.name
const otherArn = arn.replace('current', 'other')
const all = `all of ${primary}`
const list = 'list of here and us-east-1'
const code = (name: string): AwsError => new AwsError({ service: 'ACM', operation: 'X', code: name, message: 'no' })
const [denied, notFound, broken] = [code('AccessDeniedException'), code('ResourceNotFoundException'), code('ValidationException')]

const leaving = (status: CertStatus, more: SeenOptions = {}): SeenOptions => ({
  spec: { deleteOnRemoval: true },
  metadata: { deletionTimestamp: '2026-06-01T00:00:00Z' },
  status,
  ...more,
})
const withRecord = (more: CertStatus = {}): CertStatus => ({ ...kept, validationRecords: [inSyncEntry], ...more })
const listed = (more: object = {}) =>
  ({ arn: otherArn, domainName: primary, names: [primary], isPartial: false, region: undefined, ...more }) as never

async function deletion(options: SeenOptions, answers: Answers = {}, looks: Looks = looksOf()) {
  const { seen, asked } = await looks.look(options, answers)
  return { seen, asked: asked.slice(0, -1), deletion: seen.deletion }
}

test('nothing is looked at where nothing is taken away [8.6]', async () => {
  const { asked, deletion: found } = await deletion(leaving(kept, { spec: {} }))
  assert.deepEqual([asked, found], [[], undefined])
})

for (const [what, status, answers, asked, left] of [
  [
    'it has its own',
    kept,
    { certificates: { [arn]: issued() }, tags: { [arn]: marks } },
    ['fresh current', 'marks of current'],
    ['current: present'],
  ],
  [
    'it names another’s',
    kept,
    { certificates: { [arn]: issued() }, tags: { [arn]: foreign } },
    ['fresh current', 'marks of current', all],
    ['current: present'],
  ],
  ['what it names is gone', kept, {}, ['fresh current', all], ['current: absent']],
  [
    'what it names goes while it is looked at',
    kept,
    { certificates: { [arn]: issued() }, tags: { [arn]: notFound } },
    ['fresh current', 'marks of current', all],
    ['current: absent'],
  ],
  [
    'it names three',
    {
      ...kept,
      pendingCertificateArn: pendingArn,
      supersededCertificates: [{ arn: otherArn, supersededAt: old.requestedAt, inUse: false }],
    },
    { certificates: { [otherArn]: issued() }, tags: { [otherArn]: marks } },
    ['fresh current', 'fresh pending', 'fresh other', 'marks of other'],
    ['current: absent', 'pending: absent', 'other: present'],
  ],
  ['it asked and has none', { state: 'Pending', request: old }, {}, [all], []],
  [
    'it asked and its own is found',
    { state: 'Pending', request: old },
    { owned: [{ certificate: certificate({ arn: pendingArn }), tags: marks }] },
    [all],
    ['pending: present'],
  ],
  [
    'it has its own and asks for another one',
    { ...kept, state: 'Pending' },
    { certificates: { [arn]: issued() }, tags: { [arn]: marks } },
    ['fresh current', 'marks of current', all],
    ['current: present'],
  ],
  [
    'it has its own and was refused another one',
    { ...kept, state: 'Failed' },
    { certificates: { [arn]: issued() }, tags: { [arn]: marks } },
    ['fresh current', 'marks of current', all],
    ['current: present'],
  ],
  [
    'more were asked for than a list holds',
    { ...kept, request: { ...old, revision: 12 } },
    { certificates: { [arn]: issued() }, tags: { [arn]: marks } },
    ['fresh current', 'marks of current', all],
    ['current: present'],
  ],
  [
    'as many were asked for as a list holds',
    { ...kept, request: { ...old, revision: 11 } },
    { certificates: { [arn]: issued() }, tags: { [arn]: marks } },
    ['fresh current', 'marks of current'],
    ['current: present'],
  ],
  ['its status was wiped', {}, {}, [all], []],
  ['its intent is gone with its certificate', { state: 'Ready' }, {}, [all], []],
  ['the search is denied', kept, { owned: denied }, ['fresh current', all], ['current: absent']],
] satisfies readonly (readonly [string, CertStatus, Answers, readonly string[], readonly string[]])[])
  test(`before an object goes of which ${what}, AWS is asked ${asked.join(', ')} [8.6]`, async () => {
    const found = await deletion(leaving(status), answers)
    assert.deepEqual(found.asked, asked)
    const certificates = [...(found.deletion?.certificates ?? [])].map(
      ([of, look]) => `${of.slice(of.lastIndexOf('/') + 1)}: ${look.kind}`,
    )
    assert.deepEqual(certificates, left)
  })

test('a search that has to be made and is denied fails the look [8.6]', async () => {
  const { seen } = await deletion(leaving({ state: 'Pending', request: old }), { owned: denied })
  assert.equal(seen.fault?.class, 'denied')
  const { seen: odd } = await deletion(leaving(kept), { owned: broken })
  assert.equal(odd.fault?.class, 'invalid')
  const { seen: unmarked } = await deletion(leaving(kept), { certificates: { [arn]: issued() }, tags: { [arn]: denied } })
  assert.equal(unmarked.fault?.class, 'denied')
})

test('a status that was wiped has to be searched for; after its end nothing has to be [8.6]', async () => {
  const fault = async (status: CertStatus): Promise<unknown> =>
    (await deletion(leaving(status), { owned: denied })).seen.fault?.class
  assert.deepEqual([await fault({}), await fault({ state: 'Ready' })], ['denied', undefined])
})

test('as long as one of its own is left no record is looked at, whatever else is gone [8.7]', async () => {
  const status = withRecord({ pendingCertificateArn: pendingArn })
  const { seen, deletion: found } = await deletion(leaving(status), {
    certificates: { [pendingArn]: issued() },
    tags: { [pendingArn]: marks },
  })
  assert.deepEqual([found?.records, seen.vainMs], [undefined, 0])
})

test('without a name in a zone nothing is searched for [8.6]', async () => {
  const { asked } = await deletion(leaving(kept, { zones: [] }))
  assert.deepEqual(asked, ['fresh current'])
})

test('what is seen of a certificate is told whole: its tags, its records, or since when it does not show [8.6, S26]', async () => {
  const looks = looksOf()
  const present = await deletion(leaving(kept), { certificates: { [arn]: issued() }, tags: { [arn]: marks } }, looks)
  const look = present.deletion?.certificates.get(arn)
  assert.deepEqual(look?.kind === 'present' && [look.tags, look.asked?.map(({ name }) => name)], [marks, [record]])
  const absent = await deletion(leaving(kept), {}, looks)
  assert.deepEqual(absent.deletion?.certificates.get(arn), { kind: 'absent', isConfirmed: false, isSettled: false })
  looks.requests.gone(arn)
  const gone = await deletion(leaving(kept), {}, looks)
  assert.deepEqual(gone.deletion?.certificates.get(arn), { kind: 'absent', isConfirmed: true, isSettled: true })
  const still = await deletion(leaving(kept), { certificates: { [arn]: issued() }, tags: { [arn]: marks } }, looks)
  assert.equal(still.deletion?.certificates.get(arn)?.kind, 'present')
})

test('what this process asked for counts where the status tells of no request [8.6, S26]', async () => {
  const looks = looksOf()
  looks.requests.made('uid-1', pendingArn, 'token')
  const wiped = await deletion(leaving({ state: 'Ready' }), {}, looks)
  assert.deepEqual([wiped.asked, wiped.seen.isAwaited], [['fresh pending', all], false])
  const told = await deletion(leaving({ state: 'Ready', request: old }), {}, looks)
  assert.deepEqual(told.asked, [all])
  looks.requests.asked('uid-1')
  assert.equal((await deletion(leaving({ state: 'Ready' }), {}, looks)).seen.isAwaited, true)
  assert.equal((await deletion(leaving({ state: 'Ready', request: old }), {}, looks)).seen.isAwaited, false)
})

test('how long nothing of its own is found is known [8.6, S26]', async () => {
  const looks = looksOf()
  const vain = async (answers: Answers = {}): Promise<number> => (await deletion(leaving(kept), answers, looks)).seen.vainMs
  assert.equal(await vain(), 0)
  await looks.clock.advance(60_000)
  assert.equal(await vain({ certificates: { [arn]: issued() }, tags: { [arn]: foreign } }), 60_000)
  assert.equal(await vain({ certificates: { [arn]: issued() }, tags: { [arn]: marks } }), 0)
})

/** Looks twice, five seconds apart, since a list is believed only then. */
async function references(status: CertStatus, answers: Answers, { looks = looksOf(), more = {} as SeenOptions } = {}) {
  await deletion(leaving(status, more), answers, looks)
  await looks.clock.advance(5_000)
  const { deletion: found, asked, seen } = await deletion(leaving(status, more), answers, looks)
  assert.equal(seen.fault, undefined)
  return { asked, told: found?.records?.map(({ reference, standing }) => [reference, standing?.kind]) }
}

const standing = { [record]: { kind: 'present', type: 'CNAME', values: ['v'], ttl: 300 } } as const
const [gone, search] = ['fresh current', all]
const base = [gone, search, list]
const otherCert = (more: CertStatus, metadata: object = {}) =>
  certSeen({ status: { validationRecords: [inSyncEntry], ...more }, metadata: { uid: 'uid-9', ...metadata } }).claim ??
  assert.fail()

for (const [what, answers, told, asked] of [
  ['that nobody needs', { standing }, ['none', 'present'], [...base, `${record} in Z1`]],
  [
    'that another certificate needs',
    { standing, listed: [listed()], certificates: { [otherArn]: issued() } },
    ['referenced', undefined],
    [...base, 'fresh other'],
  ],
  [
    'that a wildcard needs',
    { standing, listed: [listed({ names: [`*.${primary}`] })], certificates: { [otherArn]: issued() } },
    ['referenced', undefined],
    [...base, 'fresh other'],
  ],
  [
    'that a certificate of other names does not need',
    { standing, listed: [listed({ names: ['x.org'] })] },
    ['none', 'present'],
    [...base, `${record} in Z1`],
  ],
  [
    'that one of another region needs',
    { standing, listed: [listed({ region: 'us-east-1' })], certificates: { [otherArn]: issued() } },
    ['referenced', undefined],
    [...base, 'fresh other in us-east-1'],
  ],
  [
    'that a certificate needs of which the list tells not all',
    { standing, listed: [listed({ names: [], isPartial: true })], certificates: { [otherArn]: issued() } },
    ['referenced', undefined],
    [...base, 'fresh other'],
  ],
  [
    'that a certificate of which the list tells not all does not need',
    { standing, listed: [listed({ names: [], isPartial: true })], certificates: { [otherArn]: issued({ names: ['x.org'] }) } },
    ['none', 'present'],
    [...base, 'fresh other', `${record} in Z1`],
  ],
  [
    'that its own certificate needed, as the list tells still',
    { standing, listed: [listed({ arn })] },
    ['none', 'present'],
    [...base, `${record} in Z1`],
  ],
  [
    'that a certificate needs which does not show',
    { standing, listed: [listed()] },
    ['unsettled', undefined],
    [...base, 'fresh other'],
  ],
  ['of which the list is denied', { standing, listed: denied }, ['unknown', undefined], base],
  [
    'of which the look at another one is denied',
    { standing, listed: [listed()], certificates: { [otherArn]: denied } },
    ['unknown', undefined],
    [...base, 'fresh other'],
  ],
  ['of which the search was denied', { standing, owned: denied }, ['unknown', undefined], [gone, search]],
  ['that another Cert lists', { standing, others: [otherCert({})] }, ['referenced', undefined], [gone, search]],
  [
    'that another Cert lists, which goes',
    { standing, others: [otherCert({}, { deletionTimestamp: '2026-06-01T00:00:00Z' })] },
    ['none', 'present'],
    [...base, `${record} in Z1`],
  ],
  [
    'that only itself lists',
    { standing, others: [otherCert({}, { uid: 'uid-1' })] },
    ['none', 'present'],
    [...base, `${record} in Z1`],
  ],
] satisfies readonly (readonly [string, Answers, readonly unknown[], readonly string[]])[])
  test(`a record ${what} is ${String(told[0])} [8.7, S25]`, async () => {
    const found = await references(withRecord(), answers)
    assert.deepEqual([found.told, found.asked], [[told], asked])
  })

test('what this process has deleted needs nothing, whatever a list tells of it [8.7, S26]', async () => {
  const looks = looksOf()
  looks.requests.gone(otherArn)
  const { told } = await references(withRecord(), { standing, listed: [listed()] }, { looks })
  assert.deepEqual(told, [['none', 'present']])
})

test('a list is believed when it says the same five seconds later, and an absence half a minute later [8.7, S26]', async () => {
  const looks = looksOf()
  const of = async (): Promise<unknown> =>
    (await deletion(leaving(withRecord()), {}, looks)).deletion?.records?.map(({ reference, standing: found }) => [
      reference,
      found?.kind,
    ])
  assert.deepEqual(await of(), [['unlisted', undefined]])
  await looks.clock.advance(4_999)
  assert.deepEqual(await of(), [['unlisted', undefined]])
  await looks.clock.advance(1)
  assert.deepEqual(await of(), [['unsettled', 'absent']])
  await looks.clock.advance(30_000)
  assert.deepEqual(await of(), [['none', 'absent']])
})

test('a certificate that a list tells of, and that does not show for half a minute, needs nothing [8.7, S26]', async () => {
  const looks = looksOf()
  const answers: Answers = { standing, listed: [listed()] }
  const of = async (more: Answers = {}): Promise<unknown> =>
    (await deletion(leaving(withRecord()), { ...answers, ...more }, looks)).deletion?.records?.map(({ reference }) => reference)
  await of()
  await looks.clock.advance(30_000)
  assert.deepEqual(await of({ certificates: { [otherArn]: issued() } }), ['referenced'])
  assert.deepEqual(await of(), ['unsettled'])
  await looks.clock.advance(30_000)
  // It was told by the list until now: that nobody needs it is to be said by two lists.
  assert.deepEqual(await of(), ['unlisted'])
  await looks.clock.advance(5_000)
  assert.deepEqual(await of(), ['none'])
})

test('a record that shows in between is no absence [8.7, S26]', async () => {
  const looks = looksOf()
  const of = async (answers: Answers): Promise<unknown> =>
    (await deletion(leaving(withRecord()), answers, looks)).deletion?.records?.map(({ reference }) => reference)
  await of({})
  await looks.clock.advance(5_000)
  assert.deepEqual(await of({}), ['unsettled'])
  await looks.clock.advance(30_000)
  assert.deepEqual(await of({ standing }), ['none'])
  assert.deepEqual(await of({}), ['unsettled'])
  assert.deepEqual(await of({ standing: { [record]: { kind: 'zone-gone' } } }), ['none'])
})

test('what keeps a record comes first, whoever else is asked [8.7]', async () => {
  const third = arn.replace('current', 'third')
  const answers = { standing, listed: [listed(), listed({ arn: third })] }
  const of = async (certificates: Readonly<Record<string, CloudCertificate | Error>>): Promise<unknown> =>
    (await references(withRecord(), { ...answers, certificates })).told
  assert.deepEqual(await of({ [third]: issued() }), [['referenced', undefined]])
  assert.deepEqual(await of({ [otherArn]: denied }), [['unsettled', undefined]])
  assert.deepEqual(await of({ [otherArn]: denied, [third]: issued() }), [['referenced', undefined]])
})

test('each certificate is asked once, however many records it may need [8.7]', async () => {
  const second: CertValidationRecord = { ...inSyncEntry, name: '_2' }
  const { asked, told } = await references(withRecord({ validationRecords: [inSyncEntry, second] }), {
    standing,
    listed: [listed()],
    certificates: { [otherArn]: issued() },
  })
  assert.deepEqual(
    [asked, told],
    [
      [...base, 'fresh other'],
      [
        ['referenced', undefined],
        ['referenced', undefined],
      ],
    ],
  )
})

test('a certificate that needs it for one of its names needs it [8.7]', async () => {
  const names = ['x.org', primary]
  const answers = { standing, listed: [listed({ names })], certificates: { [otherArn]: issued() } }
  assert.deepEqual((await references(withRecord(), answers)).told, [['referenced', undefined]])
})

test('one record that another Cert lists says nothing of the next: the list is asked for that one [8.7, S25]', async () => {
  const status = withRecord({ validationRecords: [inSyncEntry, { ...inSyncEntry, name: '_2' }] })
  const answers = { others: [otherCert({})], listed: [listed()], certificates: { [otherArn]: issued() } }
  const { told, asked } = await references(status, answers)
  assert.deepEqual(
    [told, asked],
    [
      [
        ['referenced', undefined],
        ['referenced', undefined],
      ],
      [...base, 'fresh other'],
    ],
  )
})

test('a zone that is not configured any more is not written to, and without a record nobody is asked [8.7]', async () => {
  const elsewhere = { ...inSyncEntry, zoneId: 'Z9' }
  assert.deepEqual((await references(withRecord({ validationRecords: [elsewhere] }), {})).told, [])
  const none = await references(kept, {})
  assert.deepEqual([none.told, none.asked], [[], [gone, search]])
})

test('where no record is to go, nobody is asked about any [8.7]', async () => {
  const looks = looksOf({ recordCleanup: 'Never' })
  const { told, asked } = await references(withRecord(), { standing }, { looks })
  assert.deepEqual([told, asked], [[], [gone, search]])
})

test('records are looked at once no certificate of its own is left; another’s needs them [8.7, S25]', async () => {
  const own = await deletion(leaving(withRecord()), { certificates: { [arn]: issued() }, tags: { [arn]: marks } })
  assert.equal(own.deletion?.records, undefined)
  const anothers = await references(withRecord(), {
    standing,
    listed: [listed({ arn })],
    certificates: { [arn]: issued() },
    tags: { [arn]: foreign },
  })
  assert.deepEqual(anothers.told, [['referenced', undefined]])
})

const many = (count: number, from = 0): readonly CertValidationRecord[] =>
  Array.from({ length: count }, (_, index) => ({ ...inSyncEntry, name: `_${from + index}`, domains: [`d${from + index}.dev`] }))
const asking = (count: number, from: number): CloudCertificate =>
  issued({
    validations: Array.from({ length: count }, (_, index) => ({
      domain: `d${from + index}.${zone.name}`,
      record: { name: `_${from + index}`, type: 'CNAME', value: 'v' },
    })),
  })

test('where there is no room for the records of a certificate, those that may leave the list are looked at, and no others [S25]', async () => {
  const status = { observedGeneration: 1, ...kept, conditions: [] }
  const looks = looksOf()
  looks.arns.know('uid-1', [arn])
  const look = async (found: CloudCertificate, entries: readonly CertValidationRecord[]) => {
    const { seen, asked } = await looks.look(
      { status: { ...status, validationRecords: entries } },
      { certificates: { [arn]: found }, tags: { [arn]: marks } },
    )
    return [seen.crowd?.asked.length, seen.crowd?.leaving.length, seen.records.length, asked.includes(list)]
  }
  assert.deepEqual(await look(asking(3, 100), many(98)), [undefined, undefined, 3, false])
  assert.deepEqual(await look(asking(4, 98), many(100)), [4, 98, 0, true])
})

test('what was replaced and may go has the room before the certificate that serves [S25]', async () => {
  const looks = looksOf()
  looks.arns.know('uid-1', [arn, pendingArn])
  const entry = { arn: pendingArn, supersededAt: '2026-05-01T00:00:00Z', inUse: false }
  const status = { observedGeneration: 1, ...kept, validationRecords: many(98), supersededCertificates: [entry] }
  const answers = { certificates: { [arn]: asking(3, 0), [pendingArn]: asking(4, 100) }, tags: { [arn]: marks } }
  const of = async (deleteSuperseded: boolean): Promise<unknown> =>
    (await looks.look({ spec: { rotation: { deleteSuperseded, retain: '168h' } }, status }, answers)).seen.crowd?.asked.length
  assert.deepEqual([await of(true), await of(false)], [4, undefined])
})

test('an object that goes makes room for the first certificate that is free [S25]', async () => {
  const look = async (count: number) => {
    const { seen } = await deletion(leaving(withRecord({ validationRecords: many(100) })), {
      certificates: { [arn]: asking(count, 100) },
      tags: { [arn]: marks },
    })
    return [seen.crowd?.asked.length, seen.crowd?.leaving.length]
  }
  assert.deepEqual(
    [await look(1), await look(2)],
    [
      [undefined, undefined],
      [2, 100],
    ],
  )
})
