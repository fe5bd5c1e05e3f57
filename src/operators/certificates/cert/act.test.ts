// What becomes of a call: what it tells, what is remembered of it, and what its failure means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, type Values } from '#aws'
import { type ActContext, Trouble } from '#runtime'
import { tagKeys } from '../api/labels.ts'
import { CircuitOpen } from '../aws/breaker.ts'
import { arn, certSeen, recordSeen, request, settings, zone } from '../testing/cert-seen.fixture.ts'
import { type ActTools, actOf } from './act.ts'
import type { CertAction, CloudAction } from './cloud-action.ts'
import {
  certificateCall,
  deleteCertificateCall,
  deleteRecordCall,
  ownCertificateCall,
  requestCall,
  upsertCalls,
} from './decide/calls.ts'
import { sight } from './decide/decide.ts'

const seen = sight(certSeen({ status: { state: 'Pending', request: request() } })) ?? assert.fail()
const { claim } = seen
const own = { [tagKeys.managedBy]: 'cert-operator', [tagKeys.cluster]: 'here', [tagKeys.uid]: 'uid-1' }
const standing = { kind: 'present', type: 'CNAME', values: ['v'], ttl: 300 } as const

const asking = requestCall(seen, request(), settings.clusterId)
const deleting = deleteCertificateCall(claim, settings.clusterId, arn)
const tagging = certificateCall('tag', arn, { Tags: [] })
const changing = ownCertificateCall(claim, settings.clusterId, 'options', arn)
const removing = deleteRecordCall(zone, '_1', standing)
const [writing = assert.fail()] = upsertCalls([recordSeen()])

const awsError = (code: string): AwsError => new AwsError({ service: 'ACM', operation: 'X', code, message: 'no' })

interface Acted {
  readonly result: unknown
  /** What was called, remembered and asked, in order. */
  readonly log: readonly string[]
}

/** `answer`: of the call itself; `marks`: of the look at the tags. */
async function acted(
  action: CertAction,
  {
    answer = {},
    marks = own,
  }: { readonly answer?: Values | Error; readonly marks?: Readonly<Record<string, string>> | Error } = {},
): Promise<Acted> {
  const log: string[] = []
  const note =
    (what: string) =>
    (...about: readonly unknown[]): void =>
      void log.push([what, ...about.map(String)].join(' '))
  const told = <T>(value: T | Error): Promise<T> => (value instanceof Error ? Promise.reject(value) : Promise.resolve(value))
  const tools = {
    cloud: {
      call: (call: { readonly operation: string }, _: AbortSignal, beforeTry: () => void) => {
        beforeTry()
        log.push(call.operation)
        return told(answer)
      },
      marks: () => told(marks),
    },
    budget: {
      spend: (ofTheDay: { readonly token: string }, send: () => Promise<unknown>) => {
        log.push(`spent ${ofTheDay.token === asking.ofTheDay?.token}`)
        return send()
      },
    },
    arns: { know: note('know'), gone: note('gone') },
    requests: { asked: note('asked'), made: (uid: string, made: string) => note('made')(uid, made), gone: note('request gone') },
    locks: { hold: (key: string, __: AbortSignal, work: () => Promise<unknown>) => (log.push(`lock ${key}`), work()) },
    failedMs: 300_000,
  } as unknown as ActTools
  const context = { signal: new AbortController().signal, checkFence: note('fence') } as unknown as ActContext
  const result = await actOf(tools)(action, context).catch((error: unknown) => error)
  return { result, log }
}

test('a request is noted before it is sent, spends of the day, and its ARN is known at once [S1, S26, 16.11]', async () => {
  const { result, log } = await acted(asking, { answer: { CertificateArn: arn } })
  assert.deepEqual(result, { changed: true, value: { arn } })
  assert.deepEqual(log, ['asked uid-1', 'spent true', 'fence', 'RequestCertificate', `know uid-1 ${arn}`, `made uid-1 ${arn}`])
  const { askedFor: _, ofTheDay: __, ...plain } = asking
  assert.deepEqual((await acted(plain, { answer: { CertificateArn: arn } })).log, ['fence', 'RequestCertificate'])
})

test('the change of a zone is told by its bare id [8.1]', async () => {
  const answer = { ChangeInfo: { Id: '/change/C1' } }
  assert.deepEqual((await acted(writing, { answer })).result, { changed: true, value: { changeId: 'C1' } })
  assert.deepEqual((await acted(writing)).result, { changed: true, value: { changeId: '' } })
})

test('a record is taken out by one at a time [8.7]', async () => {
  const { result, log } = await acted(removing)
  assert.deepEqual([result, log], [{ changed: true }, [`lock Z1/${removing.summary}`, 'fence', 'ChangeResourceRecordSets']])
})

test('a certificate goes only after its own tags said whose it is, and is known to be gone then [8.6, S2]', async () => {
  const { result, log } = await acted(deleting)
  assert.deepEqual(result, { changed: true })
  assert.deepEqual(log, ['fence', 'DeleteCertificate', `request gone ${arn}`, `gone uid-1 ${arn}`])
})

for (const [what, action, marks, value] of [
  ['deletion, of one that is another’s', deleting, { ...own, [tagKeys.uid]: 'uid-2' }, { isForeign: true, isAnothers: true }],
  ['deletion, of one without marks', deleting, {}, { isForeign: true, isAnothers: true }],
  [
    'deletion, of one of another cluster',
    deleting,
    { ...own, [tagKeys.cluster]: 'there' },
    { isForeign: true, isAnothers: false },
  ],
  ['change, of one that is another’s', changing, { ...own, [tagKeys.uid]: 'uid-2' }, { isForeign: true, isAnothers: true }],
] as const)
  test(`no call is made for a ${what} [8.6, S2, S6]`, async () => {
    assert.deepEqual(await acted(action, { marks }), { result: { changed: false, value }, log: [] })
  })

test('a change that is no loss is made where the uid is ours, whatever the other marks say [S6]', async () => {
  const marks = { ...own, [tagKeys.cluster]: 'there' }
  assert.deepEqual(await acted(changing, { marks }), { result: { changed: true }, log: ['fence', 'UpdateCertificateOptions'] })
})

test('tags are added without a look, and nothing is forgotten by a call that is no deletion', async () => {
  const marks = new Error('nobody asks')
  assert.deepEqual(await acted(tagging, { marks }), { result: { changed: true }, log: ['fence', 'AddTagsToCertificate'] })
})

test('one look that does not find the certificate is no deletion of it [8.6, S26]', async () => {
  const { result, log } = await acted(deleting, { marks: awsError('ResourceNotFoundException') })
  assert.ok(result instanceof Trouble)
  assert.deepEqual([result.kind, result.reason, log], ['soon', 'NotFound', []])
  const { result: denied } = await acted(deleting, { marks: awsError('AccessDeniedException') })
  assert.ok(denied instanceof Trouble)
  assert.deepEqual([denied.kind, denied.reason], ['wait', 'AccessDenied'])
})

for (const [what, action, code] of [
  ['certificate that is gone', deleting, 'ResourceNotFoundException'],
  ['record of a zone that is gone', removing, 'NoSuchHostedZone'],
  ['record that somebody changed', removing, 'InvalidChangeBatch'],
] as const)
  test(`a ${what} needs no removal [8.6, 8.7]`, async () => {
    assert.deepEqual((await acted(action, { answer: awsError(code) })).result, { changed: false })
  })

const minutes = 60_000
for (const [action, code, kind, reason, message, afterMs] of [
  [deleting, 'ConflictException', 'wait', 'AWSUnavailable', undefined, minutes / 2],
  [deleting, 'ResourceInUseException', 'wait', 'CertificateInUse', 'certificate is in use', minutes / 2],
  [deleting, 'InvalidChangeBatch', 'wait', 'RecordConflict', undefined, 5 * minutes],
  [asking, 'LimitExceededException', 'wait', 'QuotaExceeded', undefined, 5 * minutes],
  [asking, 'AccessDeniedException', 'wait', 'AccessDenied', undefined, 5 * minutes],
  [asking, 'InvalidParameterException', 'wait', 'IssuanceFailed', undefined, 5 * minutes],
  [asking, 'ResourceNotFoundException', 'soon', 'NotFound', undefined, undefined],
  [asking, 'ThrottlingException', 'backoff', 'Throttled', undefined, undefined],
  [asking, 'InternalFailure', 'backoff', 'OutcomeUnknown', undefined, undefined],
  [writing, 'InvalidChangeBatch', 'wait', 'RecordConflict', undefined, 5 * minutes],
  [
    writing,
    'NoSuchHostedZone',
    'wait',
    'ZoneNotFound',
    'the hosted zone of "k8s.example.com" does not exist in Route 53',
    5 * minutes,
  ],
] as const)
  test(`${code} of ${action.operation} is ${reason} [7.5, 7.6]`, async () => {
    const { result } = await acted(action, { answer: awsError(code) })
    assert.ok(result instanceof Trouble)
    assert.deepEqual([result.kind, result.reason, result.retryAfterMs], [kind, reason, afterMs])
    if (message !== undefined) assert.equal(result.message, message)
  })

test('what a breaker holds back is waited for as long as it says [7.4 #42]', async () => {
  const { result } = await acted(asking, { answer: new CircuitOpen('acm', 7_000) })
  assert.ok(result instanceof Trouble)
  assert.deepEqual([result.kind, result.reason, result.retryAfterMs], ['wait', 'AWSUnavailable', 7_000])
})

test('the role of a zone is named nowhere, and what was denied is [S20]', async () => {
  const message = async (action: CloudAction): Promise<string> => {
    const { result } = await acted(action, { answer: awsError('AccessDenied') })
    return result instanceof Trouble ? result.message : assert.fail()
  }
  const withRole = { ...writing, zone: { ...zone, assumeRoleArn: 'arn:aws:iam::1:role/secret' } }
  assert.equal(await message(withRole), 'ChangeResourceRecordSets in the zone "k8s.example.com" was denied')
  assert.notEqual(await message(writing), await message(withRole))
})

test('what reading met fails the pass, a notice changes what is told, and a defect stays one', async () => {
  const trouble = new Trouble({ kind: 'backoff', reason: 'Throttled', message: 'x' })
  assert.equal((await acted({ kind: 'act:fault', summary: 'x', trouble })).result, trouble)
  assert.deepEqual((await acted({ kind: 'act:notice', summary: 'x' })).result, { changed: true })
  const defect = new TypeError('undefined is not a function')
  assert.equal((await acted(tagging, { answer: defect })).result, defect)
  assert.equal((await acted(tagging, { answer: trouble })).result, trouble)
})
