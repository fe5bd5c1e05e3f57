// Which questions a look asks of AWS, by what the status says, and what is seen by the answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { StoredCondition } from '#kube'
import { annotations } from '../api/labels.ts'
import type { CertStatus } from '../api/status.ts'
import { LimiterBusy } from '../aws/limiter.ts'
import {
  arn,
  certificate,
  certSeen,
  hash,
  hourMs,
  inSyncEntry,
  issued,
  nowMs,
  pendingArn,
  primary,
  recordSeen,
  request,
  type SeenOptions,
  zone,
} from '../testing/cert-seen.fixture.ts'
import { type Answers, type Looks, looksOf } from '../testing/looks.fixture.ts'
import { ownerTags, requestCall } from './decide/calls.ts'
import { sight } from './decide/decide.ts'
import { listedArns } from './decide/fields.ts'

const minute = 60_000
const dayMs = 24 * hourMs
const claim = certSeen().claim ?? assert.fail()
const marks = ownerTags(claim, 'here', 1)
const condition = (type: string, status: 'True' | 'False', reason: string): StoredCondition => {
  return { type, status, reason, message: '', lastTransitionTime: '2026-05-01T00:00:00Z' }
}
const isReady = { conditions: [condition('Ready', 'True', 'Issued')] }
const onItsWay = { state: 'Created', certificateArn: arn, certReady: false, request: request() } as const
const atRest = {
  state: 'Ready',
  certificateArn: arn,
  certReady: true,
  request: request(),
  validationRecords: [inSyncEntry],
  ...isReady,
} as const
const beside = { ...onItsWay, certReady: true, pendingCertificateArn: pendingArn } as const
const old = (specHash = hash) => request(2 * hourMs, specHash)
const record = recordSeen().name
const [current, pending] = [certificate(), certificate({ arn: pendingArn })]
const absent = new Error('nobody asks')

/** One that knows what the status names, and has looked at the object a moment ago. */
function used(...more: Parameters<typeof looksOf>): Looks {
  const looks = looksOf(...more)
  looks.arns.know('uid-1', [arn, pendingArn])
  looks.looks.looked('uid-1', nowMs)
  return looks
}

interface Row {
  readonly what: string
  readonly seen: SeenOptions
  readonly answers?: Answers
  readonly asked: readonly string[]
}

const both: Answers = { certificates: { [arn]: current, [pendingArn]: pending } }
const good: Answers = { certificates: { [arn]: issued() }, tags: { [arn]: marks } }
const second = { domain: `*.b.${zone.name}`, record: { name: '_2', type: 'CNAME', value: 'v' } }
const ofTwo: Answers = { certificates: { [arn]: issued({ validations: [...current.validations, second] }) } }
const rows: readonly Row[] = [
  { what: 'that says nothing', seen: {}, asked: [] },
  { what: 'that is paused', seen: { status: onItsWay, annotations: { [annotations.paused]: 'true' } }, asked: [] },
  {
    what: 'that was paused',
    seen: { status: onItsWay, annotations: { [annotations.paused]: 'false' } },
    answers: both,
    asked: ['current'],
  },
  { what: 'on its way, whose records are not listed', seen: { status: onItsWay }, answers: both, asked: ['current'] },
  {
    what: 'on its way, whose record is to be written',
    seen: { status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Absent' }] } },
    answers: both,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'on its way, whose record is on its way',
    seen: { status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Submitted', changeId: 'C1' }] } },
    answers: both,
    asked: ['current', 'change C1'],
  },
  {
    what: 'on its way, whose change is forgotten',
    seen: { status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Submitted', changeId: 'C1' }] } },
    answers: { ...both, changes: { C1: 'unknown' } },
    asked: ['current', 'change C1', `${record} in Z1`],
  },
  {
    what: 'on its way, whose change was never told',
    seen: { status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Submitted' }] } },
    answers: both,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'on its way, whose record stands',
    seen: { status: { ...onItsWay, validationRecords: [inSyncEntry] } },
    answers: both,
    asked: ['current'],
  },
  {
    what: 'on its way, whose record stands in another zone',
    seen: { status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, zoneId: 'Z9' }] } },
    answers: both,
    asked: ['current'],
  },
  {
    what: 'whose record stands and is looked at now and then',
    seen: {
      status: { ...onItsWay, state: 'Validated', validationRecords: [inSyncEntry] },
      annotations: { [annotations.attemptsState]: 'Validated', [annotations.attempts]: '5' },
    },
    answers: both,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'whose record stands and is not looked at each time',
    seen: {
      status: { ...onItsWay, state: 'Validated', validationRecords: [inSyncEntry] },
      annotations: { [annotations.attemptsState]: 'Validated', [annotations.attempts]: '4' },
    },
    answers: both,
    asked: ['current'],
  },
  {
    what: 'that failed',
    seen: { status: { ...onItsWay, state: 'Failed', validationRecords: [inSyncEntry] } },
    answers: both,
    asked: ['fresh current', `${record} in Z1`],
  },
  {
    what: 'of a private authority',
    seen: {
      status: { ...onItsWay, request: request(0, 'x') },
      spec: { issuer: { type: 'PrivateCA', certificateAuthorityArn: 'arn:ca' } },
    },
    answers: both,
    asked: ['fresh current'],
  },
  {
    what: 'whose spec is another one',
    seen: { status: { ...onItsWay, request: old('other') } },
    answers: both,
    asked: ['fresh current'],
  },
  {
    what: 'that is remembered to have ended',
    seen: { status: onItsWay },
    answers: { ...both, remembered: { [arn]: certificate({ status: 'FAILED' }) } },
    asked: ['current', 'fresh current'],
  },
  { what: 'that does not show', seen: { status: onItsWay }, asked: ['current'] },
  {
    what: 'with another one on its way',
    seen: { status: beside },
    answers: { certificates: { [arn]: issued(), [pendingArn]: pending } },
    asked: ['pending', 'current'],
  },
  {
    what: 'with another one that is issued, and was not changed since',
    seen: { status: beside },
    answers: { certificates: { [arn]: issued(), [pendingArn]: issued({ arn: pendingArn }) } },
    asked: ['pending', 'current'],
  },
  {
    what: 'with another one that is issued, and was changed since',
    seen: { status: beside, metadata: { generation: 2 } },
    answers: { certificates: { [arn]: issued(), [pendingArn]: issued({ arn: pendingArn }) } },
    asked: ['pending', 'marks of pending', 'current'],
  },
  {
    what: 'with another one on its way, that was changed since',
    seen: { status: beside, metadata: { generation: 2 } },
    answers: { certificates: { [arn]: issued(), [pendingArn]: pending } },
    asked: ['pending', 'current'],
  },
  { what: 'that is issued at first', seen: { status: onItsWay }, answers: good, asked: ['current'] },
  {
    what: 'that is issued at first, and was changed since',
    seen: { status: onItsWay, metadata: { generation: 2 } },
    answers: good,
    asked: ['current', 'marks of current'],
  },
  { what: 'at rest', seen: { status: atRest }, answers: good, asked: ['current'] },
  {
    what: 'at rest, whose spec was changed',
    seen: { status: atRest, metadata: { generation: 2 } },
    answers: good,
    asked: ['current', 'marks of current'],
  },
  {
    what: 'at rest, of whose look something was refused',
    seen: { status: { ...atRest, conditions: [condition('Ready', 'False', 'AccessDenied')] } },
    answers: good,
    asked: ['current', 'marks of current'],
  },
  {
    what: 'at rest, that is for other names',
    seen: { status: atRest },
    answers: { certificates: { [arn]: issued({ names: [primary, 'x.org'] }) } },
    asked: ['current', 'marks of current'],
  },
  {
    what: 'that is wanted again',
    seen: { status: { ...onItsWay, certReady: true, request: request(0, 'other') } },
    answers: good,
    asked: ['fresh current', 'marks of current'],
  },
  {
    what: 'at rest, whose record is not listed',
    seen: { status: { ...atRest, validationRecords: [] } },
    answers: good,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'at rest, whose record is listed of another zone',
    seen: { status: { ...atRest, validationRecords: [{ ...inSyncEntry, zoneId: 'Z9' }] } },
    answers: good,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'at rest, whose record is amiss',
    seen: { status: { ...atRest, conditions: [...isReady.conditions, condition('DNSRecordsReady', 'False', 'RecordConflict')] } },
    answers: good,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'at rest, whose renewal a person asks for',
    seen: { status: atRest, annotations: { [annotations.renew]: 'now' } },
    answers: good,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'at rest, whose renewal a person asked for',
    seen: { status: { ...atRest, answered: { renew: 'now' } }, annotations: { [annotations.renew]: 'now' } },
    answers: good,
    asked: ['current'],
  },
  {
    what: 'at rest, that is being renewed',
    seen: { status: atRest },
    answers: { certificates: { [arn]: issued({ renewal: { status: 'PENDING_VALIDATION', validations: [] } }) } },
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'that is asked for',
    seen: { status: { state: 'Pending', request: request() } },
    asked: ['day', 'its turn'],
  },
  {
    what: 'that is asked for, and refused by the day',
    seen: { status: { state: 'Pending', request: request() } },
    answers: { refusal: 'no more' },
    asked: ['day'],
  },
  {
    what: 'that the day refused',
    seen: {
      status: {
        state: 'Failed',
        request: request(),
        lastFailure: { reason: 'QuotaExceeded', message: '', time: '2026-05-31T00:00:00Z', count: 1, refusedBy: 'DailyBudget' },
      },
    },
    asked: ['day'],
  },
  { what: 'whose intent is old', seen: { status: { state: 'Pending', request: old() } }, asked: [`all of ${primary}`] },
  { what: 'whose status may be lost', seen: { status: { state: 'Pending' } }, asked: [`all of ${primary}`] },
  { what: 'that is new', seen: { status: { state: 'Pending' }, metadata: { finalizers: [] } }, asked: [] },
  { what: 'whose intent is old, and that failed', seen: { status: { state: 'Failed', request: old() } }, asked: [] },
  { what: 'without a name', seen: { status: { state: 'Pending', request: old('') }, zones: [] }, asked: [] },
  {
    what: 'that is wanted again while another one may be open',
    seen: { status: { state: 'Pending', certificateArn: arn, certReady: true, request: request(0, 'other') } },
    answers: good,
    asked: ['fresh current', 'marks of current', `all of ${primary}`],
  },
  {
    what: 'that is to be adopted',
    seen: { status: { state: 'Pending' }, metadata: { finalizers: [] }, annotations: { [annotations.adopt]: pendingArn } },
    answers: both,
    asked: ['fresh pending', 'tags of pending'],
  },
  {
    what: 'that is to be adopted, and does not show',
    seen: { status: { state: 'Pending' }, metadata: { finalizers: [] }, annotations: { [annotations.adopt]: pendingArn } },
    asked: ['fresh pending'],
  },
  {
    what: 'that is to be adopted, by what is no ARN',
    seen: { status: { state: 'Pending' }, metadata: { finalizers: [] }, annotations: { [annotations.adopt]: 'x' } },
    asked: [],
  },
  {
    what: 'that is to be adopted, and failed',
    seen: { status: { state: 'Failed' }, annotations: { [annotations.adopt]: pendingArn } },
    asked: [],
  },
  {
    what: 'with one that was replaced and is in use',
    seen: {
      status: { ...atRest, supersededCertificates: [{ arn: pendingArn, supersededAt: '2026-05-01T00:00:00Z', inUse: true }] },
    },
    answers: good,
    asked: ['current', 'fresh pending'],
  },
  {
    what: 'with one that was replaced and is in use, on its way',
    seen: {
      status: { ...onItsWay, supersededCertificates: [{ arn: pendingArn, supersededAt: '2026-05-01T00:00:00Z', inUse: true }] },
    },
    answers: good,
    asked: ['current'],
  },
  {
    what: 'with one that was replaced and may stay',
    seen: {
      status: { ...atRest, supersededCertificates: [{ arn: pendingArn, supersededAt: '2026-05-01T00:00:00Z', inUse: false }] },
    },
    answers: good,
    asked: ['current'],
  },
  {
    what: 'with one that was replaced and is to go',
    seen: {
      spec: { rotation: { deleteSuperseded: true, retain: '168h' } },
      status: { ...atRest, supersededCertificates: [{ arn: pendingArn, supersededAt: '2026-05-01T00:00:00Z', inUse: false }] },
    },
    answers: good,
    asked: ['current', 'fresh pending'],
  },
  {
    what: 'on its way, whose record is to be written beside one that stands',
    seen: {
      status: {
        ...onItsWay,
        validationRecords: [
          { ...inSyncEntry, name: '_9' },
          { ...inSyncEntry, phase: 'Absent' },
        ],
      },
    },
    answers: both,
    asked: ['current', `${record} in Z1`],
  },
  {
    what: 'that is issued, whose record was never written',
    seen: { status: { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Absent' }] } },
    answers: good,
    asked: ['current'],
  },
  {
    what: 'that is taken up, whose record was never written',
    seen: { status: { ...onItsWay, state: 'Pending', validationRecords: [{ ...inSyncEntry, phase: 'Absent' }] } },
    answers: both,
    asked: ['current'],
  },
  {
    what: 'at rest, with two records that are listed',
    seen: { status: { ...atRest, validationRecords: [inSyncEntry, { ...inSyncEntry, name: '_2' }] } },
    answers: ofTwo,
    asked: ['current'],
  },
  {
    what: 'at rest, with two records of which one is listed',
    seen: { status: atRest },
    answers: ofTwo,
    asked: ['current', `${record} in Z1`, '_2 in Z1'],
  },
]

for (const { what, seen, answers, asked } of rows)
  test(`of a Cert ${what} AWS is asked ${asked.join(', ') || 'nothing'} [8.1]`, async () => {
    const looks = looksOf()
    looks.looks.looked('uid-1', nowMs)
    looks.arns.know('uid-1', listedArns({ status: seen.status ?? {} }))
    const options = seen.status === undefined ? seen : { ...seen, status: { observedGeneration: 1, ...seen.status } }
    const { asked: found } = await looks.look(options, answers)
    assert.deepEqual(found, [...asked, 'end'])
  })

test('a look says what it saw, and of what does not show whether it was so before [8.1]', async () => {
  const looks = used()
  const { seen } = await looks.look({ status: beside }, { certificates: { [arn]: issued() } })
  assert.deepEqual(seen.current, {
    kind: 'present',
    certificate: issued(),
    asked: [{ name: record, value: recordSeen().value, zone, domains: [primary], domainStatus: 'PENDING_VALIDATION' }],
  })
  assert.deepEqual(seen.pending, { kind: 'absent', isConfirmed: false, isSettled: false, isByAnother: false })
  await looks.clock.advance(minute)
  const { seen: again } = await looks.look({ status: beside }, {})
  assert.deepEqual(again.pending, { kind: 'absent', isConfirmed: true, isSettled: false, isByAnother: false })
  assert.deepEqual(again.current, { kind: 'absent', isConfirmed: false, isSettled: false, isByAnother: false })
  // What shows in between is no absence.
  await looks.look({ status: beside }, both)
  const { seen: third } = await looks.look({ status: beside }, {})
  assert.equal(third.pending.kind === 'absent' && third.pending.isConfirmed, false)
})

test('what a hand wrote into a status is asked for its marks, and known once they say that it is ours [S6]', async () => {
  const looks = looksOf()
  const tags = { [arn]: marks }
  const first = await looks.look({ status: onItsWay }, { ...both, tags: {} })
  assert.deepEqual(first.asked, ['current', 'marks of current', 'end'])
  assert.deepEqual(first.seen.current.kind === 'present' && [first.seen.current.tags, first.seen.current.isByAnother], [{}, true])
  const second = await looks.look({ status: onItsWay }, { ...both, tags })
  assert.deepEqual(second.seen.current.kind === 'present' && second.seen.current.isByAnother, true)
  const third = await looks.look({ status: onItsWay }, { ...both, tags })
  assert.deepEqual(third.asked, ['current', 'end'])
  const gone = await looksOf().look({ status: onItsWay }, {})
  assert.equal(gone.seen.current.kind === 'absent' && gone.seen.current.isByAnother, true)
})

test('what a process finds at rest it believes, where our finalizer says that it was ours [S6]', async () => {
  const askedFor = async (seen: SeenOptions): Promise<readonly string[]> => {
    const looks = looksOf()
    looks.looks.looked('uid-1', nowMs)
    return (await looks.look(seen, good)).asked
  }
  const status = { observedGeneration: 1, ...atRest }
  assert.deepEqual(await askedFor({ status }), ['current', 'end'])
  assert.deepEqual(await askedFor({ status, metadata: { finalizers: ['x'] } }), ['current', 'marks of current', 'end'])
})

/** Which second of the day its own day begins before, by its uid. */
const moment: number = Buffer.from('uid-1').reduce((sum, letter) => (sum * 31 + letter) % 86_400, 0) * 1_000

test('once a day the records of what is at rest are looked at, and its tags, at an hour of its own [8.2, 8.5]', async () => {
  const status = { observedGeneration: 1, ...atRest }
  const looks = used()
  const hours: number[] = []
  for (let hour = 0; hour < 48; hour++) {
    const { asked } = await looks.look({ status }, good)
    if (asked.length > 2) {
      assert.deepEqual(asked, ['current', 'marks of current', `${record} in Z1`, 'end'])
      hours.push(hour)
    }
    await looks.clock.advance(hourMs)
  }
  const [first = 0, second] = hours
  assert.deepEqual([hours.length, second], [2, first + 24])
  const begins = Math.floor((nowMs + moment) / dayMs) * dayMs + dayMs - moment
  assert.equal(first, Math.ceil((begins - nowMs) / hourMs))
})

test('a process that has not looked at it makes up for what fell into the time before [8.2]', async () => {
  const status = { observedGeneration: 1, ...atRest }
  const sinceMs = (nowMs + moment) % dayMs
  const isLookedAt = async (readyMs: number): Promise<boolean> => {
    const looks = looksOf({ intervals: { ...looksIntervals, readyMs } })
    return (await looks.look({ status }, good)).asked.length > 2
  }
  assert.deepEqual([await isLookedAt(sinceMs / 2 - 1), await isLookedAt(sinceMs / 2 + 1)], [false, true])
})

const looksIntervals = {
  pending: { baseMs: 1, maxMs: 1 },
  created: { baseMs: 1, maxMs: 1 },
  validatedMs: 1,
  readyMs: 1,
  failedMs: 1,
}

test('what of a search is found is known, and what this process asked for is awaited until it shows [S1, S26]', async () => {
  const lost = { status: { state: 'Pending' } } as const
  const found = [{ certificate: certificate({ arn: pendingArn }), tags: marks }]
  const seen = async (looks: Looks, answers: Answers = {}, options: SeenOptions = lost) =>
    (await looks.look(options, answers)).seen
  const looks = looksOf()
  const first = await seen(looks, { owned: found })
  assert.deepEqual([first.owned, first.isAwaited, first.vainMs], [found, false, 0])
  assert.deepEqual([looks.arns.knowsAnother('uid-1', []), looks.arns.knowsAnother('uid-1', [pendingArn])], [true, false])
  const asking = looksOf()
  asking.requests.asked('uid-1')
  assert.equal((await seen(asking)).isAwaited, true)
  const answered = looksOf()
  answered.requests.made('uid-1', pendingArn, 'token')
  assert.equal((await seen(answered)).isAwaited, true)
  assert.equal((await seen(answered, { owned: found })).isAwaited, false)
})

test('how long a search finds nothing is known, and begins anew where it finds something [S26]', async () => {
  const old2 = { status: { state: 'Pending', request: old() } } as const
  const looks = looksOf()
  const vain = async (answers: Answers = {}): Promise<number> => (await looks.look(old2, answers)).seen.vainMs
  assert.equal(await vain(), 0)
  await looks.clock.advance(minute)
  assert.equal(await vain(), minute)
  assert.equal(await vain({ owned: [{ certificate: certificate({ arn: pendingArn }), tags: marks }] }), 0)
})

test('a certificate that this process knows and that is not listed is told, unless the intent made it [S1]', async () => {
  const looks = used()
  const status = { ...onItsWay, state: 'Pending' }
  const unlisted = async (more: CertStatus = {}): Promise<unknown> =>
    (await looks.look({ status: { ...status, ...more } }, both)).seen.isAnyUnlisted
  assert.equal(await unlisted(), true)
  assert.equal(await unlisted({ pendingCertificateArn: pendingArn }), false)
  const seen = sight(certSeen({ status })) ?? assert.fail()
  looks.requests.made('uid-1', pendingArn, requestCall(seen, request(), 'here').ofTheDay?.token ?? '')
  assert.equal(await unlisted(), false)
  assert.equal(await unlisted({ request: request(0, 'other') }), true)
})

test('what is given is seen with its tags [7.4 #10]', async () => {
  const seen = {
    status: { state: 'Pending' },
    metadata: { finalizers: [] },
    annotations: { [annotations.adopt]: pendingArn },
  } as const
  const { seen: found } = await used().look(seen, { ...both, tags: { [pendingArn]: { a: '1' } } })
  assert.deepEqual(found.given.kind === 'present' && [found.given.certificate.arn, found.given.tags], [pendingArn, { a: '1' }])
  const { seen: lost } = await used().look(seen, {})
  assert.equal(lost.given.kind, 'absent')
})

test('what stands at a record, and what became of its change, is seen [8.1]', async () => {
  const status = { ...onItsWay, validationRecords: [{ ...inSyncEntry, phase: 'Submitted', changeId: 'C1' } as const] }
  const of = async (answers: Answers, of2: CertStatus = status) =>
    (await used().look({ status: of2 }, { ...both, ...answers })).seen.records.map(({ standing, change }) => [
      standing?.kind,
      change,
    ])
  assert.deepEqual(await of({ changes: { C1: 'INSYNC' } }), [[undefined, 'INSYNC']])
  assert.deepEqual(await of({ changes: { C1: 'unknown' } }), [['absent', 'unknown']])
  assert.deepEqual(await of({}, onItsWay), [[undefined, undefined]])
  assert.deepEqual(await of({}, { ...status, validationRecords: [inSyncEntry] }), [[undefined, undefined]])
})

const two = {
  spec: { subjectAlternativeNames: ['b.k8s.example.com', 'c.other.dev'] },
  zones: [zone, { name: 'other.dev', id: 'Z2' }],
}
const proofOf = (domain: string, name: string, status = 'PENDING_VALIDATION') => ({
  domain,
  status,
  record: { name, type: 'CNAME', value: 'v' },
})
const three = (...statuses: readonly string[]) =>
  certificate({
    names: [primary, 'b.k8s.example.com', 'c.other.dev'],
    validations: [primary, 'b.k8s.example.com', 'c.other.dev'].map((domain, index) =>
      proofOf(domain, `_${index}`, statuses[index]),
    ),
  })

test('of each zone one record that ACM has not seen is asked for in the DNS, once it had minutes [7.4 #23]', async () => {
  const { wanted } = certSeen(two)
  const names = ['_0', '_1', '_2'].map((name, index) => ({ ...inSyncEntry, name, zoneId: index === 2 ? 'Z2' : 'Z1' }))
  const validated = { ...onItsWay, state: 'Validated', request: request(0, wanted?.hash), validationRecords: names } as const
  const of = async (status: CertStatus, found = three(), asksDns = true) => {
    const { asked, seen } = await used({}, { asksDns }).look(
      { ...two, status },
      { certificates: { [arn]: found }, astray: { name: 'x', servers: [], own: [] } },
    )
    return [
      asked.filter(each => each.startsWith('dns')),
      seen.records.filter(({ astray }) => astray?.name === 'x').map(({ name }) => name),
    ]
  }
  assert.deepEqual(await of(validated), [
    ['dns _0', 'dns _2'],
    ['_0', '_2'],
  ])
  assert.deepEqual(await of(validated, three('SUCCESS')), [
    ['dns _1', 'dns _2'],
    ['_1', '_2'],
  ])
  assert.deepEqual(await of(validated, three('SUCCESS', 'SUCCESS', 'SUCCESS')), [[], []])
  assert.deepEqual(await of(validated, three(), false), [[], []])
  assert.deepEqual(await of({ ...validated, state: 'Created' }), [[], []])
  const renewing = issued({ ...three(), status: 'ISSUED', renewal: { status: 'PENDING_VALIDATION', validations: [] } })
  const ready = { ...validated, state: 'Ready', certReady: true } as const
  assert.deepEqual(await of(ready, renewing), [
    ['dns _0', 'dns _2'],
    ['_0', '_2'],
  ])
  assert.deepEqual(await of({ ...ready, validationRecords: [] }, issued({ ...three(), status: 'ISSUED' })), [[], []])
})

test('what AWS says of a trouble is seen, with what was seen before it, and the turn of a list is kept [7.4 #42, #43]', async () => {
  const denied = new AwsError({ service: 'ACM', operation: 'X', code: 'AccessDeniedException', message: 'no' })
  const first = await used().look({ status: beside }, { certificates: { [arn]: denied, [pendingArn]: pending } })
  assert.deepEqual([first.seen.fault?.class, first.seen.pending.kind, first.seen.current.kind], ['denied', 'present', 'unasked'])
  assert.deepEqual(first.asked, ['pending', 'current', 'end'])
  const busy = await used().look({ status: { state: 'Pending', request: old() } }, { owned: new LimiterBusy(5) })
  assert.deepEqual([busy.seen.fault?.isOurPace, busy.asked], [true, [`all of ${primary}`]])
  await assert.rejects(used().look({ status: onItsWay }, { certificates: { [arn]: absent } }), absent)
})

test('a look says by which clock it was, and what it was asked by', async () => {
  const looks = used({}, { privateIds: ['Z7'] })
  const { seen } = await looks.look({})
  assert.deepEqual(
    [seen.nowMs, seen.draw, [...seen.privateZones], seen.current.kind, seen.vainMs],
    [nowMs, 0.5, ['Z7'], 'unasked', 0],
  )
  assert.deepEqual([seen.rival, seen.forbidden, seen.deletion, seen.wanted?.primary], [undefined, undefined, undefined, primary])
})

test('when it was looked at is known after a look, and not after a pause [8.2]', async () => {
  const looks = looksOf()
  await looks.look({ status: onItsWay, annotations: { [annotations.paused]: 'true' } })
  assert.equal(looks.looks.lastMs('uid-1'), undefined)
  await looks.look({ status: onItsWay }, both)
  assert.equal(looks.looks.lastMs('uid-1'), nowMs)
})

test('what the day refuses is seen in its words, and keeps no turn [16.11]', async () => {
  const { seen, asked } = await looksOf().look({ status: { state: 'Pending', request: request() } }, { refusal: 'no more' })
  assert.deepEqual([seen.dayRefusal, asked], ['no more', ['day', 'end']])
})

test('what is there and was asked for has its marks looked at before it serves again, whoever wiped the state [7.4 #9, S6]', async () => {
  const status = { ...onItsWay, state: 'Pending', certReady: true, request: request(0) }
  const { asked } = await used().look({ status }, good)
  assert.deepEqual(asked.slice(0, 2), ['current', 'marks of current'])
})

test('of what is gone nothing is asked, and nothing is seen', async () => {
  const { seen, asked } = await used().look({ status: onItsWay }, { isGone: true })
  assert.deepEqual([seen.claim, seen.wanted, seen.rival, asked], [undefined, undefined, undefined, []])
  assert.equal('aheadMs' in seen, false)
})

test('who has the name is seen, and how long a time that lies ahead is known [7.4 #6]', async () => {
  const earlier = certSeen({ metadata: { uid: 'uid-0', name: 'first', creationTimestamp: '2026-04-01T00:00:00Z' } }).claim
  const looks = used()
  const ahead = { ...request(), requestedAt: '2027-01-01T00:00:00Z' }
  const look = () =>
    looks.look({ status: { ...onItsWay, request: ahead } }, { ...both, others: earlier === undefined ? [] : [earlier] })
  await look()
  await looks.clock.advance(500)
  const { seen } = await look()
  assert.deepEqual(seen.rival, { namespace: 'team', name: 'first', isDeleting: false })
  assert.deepEqual([...(seen.aheadMs ?? [])], [[ahead.requestedAt, 500]])
})

test('what policies forbid is seen where there are any: the first thing [16.9]', async () => {
  const policy = {
    apiVersion: 'x',
    kind: 'CertPolicy',
    metadata: { name: 'p', uid: 'p', resourceVersion: '1' },
    spec: { allowedDomains: ['*.other.org'], allowDeleteOnRemoval: true },
  } as never
  const spec = { subjectAlternativeNames: ['b.k8s.example.com'] }
  const forbidden = async (hasPolicies: boolean, isGone = false): Promise<unknown> =>
    (await used({ hasPolicies }).look({ spec }, { policies: [policy], isGone })).seen.forbidden
  assert.equal(await forbidden(true), `policy "p": namespace "team" may not request "${primary}"`)
  assert.deepEqual([await forbidden(false), await forbidden(true, true)], [undefined, undefined])
})

test('what was replaced is seen as it is [8.4]', async () => {
  const entry = { arn: pendingArn, supersededAt: '2026-05-01T00:00:00Z', inUse: true }
  const of = async (answers: Answers): Promise<unknown> => {
    const { seen } = await used().look({ status: { observedGeneration: 1, ...atRest, supersededCertificates: [entry] } }, answers)
    return [...seen.superseded].map(([name, look]) => [name, look.kind])
  }
  assert.deepEqual(await of(good), [[pendingArn, 'absent']])
  assert.deepEqual(await of({ ...good, certificates: { [arn]: issued(), [pendingArn]: pending } }), [[pendingArn, 'present']])
})
