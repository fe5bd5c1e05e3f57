import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, type LimitName, limits, serviceModel } from '#aws'
import { type AwsClient, type CallOptions, InputError } from '#aws/client'
import { HttpFailure } from '#base'
import { Trouble } from '#runtime'
import { BeyondLimit, mayHaveMade, sendChange, wasNothingToDo } from './change.ts'
import { limitOfCall, overLimit } from './quotas.ts'

const refused = (code: string, more: object = {}): AwsError =>
  new AwsError({ service: 'IAM', operation: 'CreateRole', code, message: 'no', ...more })

function clientWith(sent: [string, CallOptions][]): AwsClient {
  const send = (operation: string, _input: object, options: CallOptions): Promise<object> => {
    sent.push([operation, options])
    options.beforeTry?.()
    return Promise.resolve({ output: { done: true } })
  }
  return { model: serviceModel('iam'), region: 'us-east-1', send } as unknown as AwsClient
}

const signal = new AbortController().signal

test('each try of a change asks whether we may still write, and goes again only where that does no harm', async () => {
  const sent: [string, CallOptions][] = []
  const client = clientWith(sent)
  let fences = 0
  const may = { signal, checkFence: () => void fences++ }
  await sendChange(client, { operation: 'CreateRole', input: {} }, may)
  await sendChange(client, { operation: 'TagRole', input: {}, isRepeatable: true }, may)
  assert.deepEqual(
    sent.map(([operation, options]) => [operation, options.retryAmbiguous]),
    [
      ['CreateRole', false],
      ['TagRole', true],
    ],
  )
  assert.equal(fences, 2)
  const lost = { signal, checkFence: () => assert.fail('another leads') }
  await assert.rejects(async () => sendChange(client, { operation: 'TagRole', input: {} }, lost), /another leads/)
})

test('a try ends with the signal, and earlier where another one is given for that', async () => {
  const sent: [string, CallOptions][] = []
  const cutOff = new AbortController().signal
  const change = { operation: 'TagRole', input: {} }
  await sendChange(clientWith(sent), change, { signal, checkFence: () => {} })
  await sendChange(clientWith(sent), change, { signal, cutOff, checkFence: () => {} })
  assert.deepEqual(
    sent.map(([, options]) => [options.signal, Object.hasOwn(options, 'cutOff'), options.cutOff]),
    [
      [signal, false, undefined],
      [signal, true, cutOff],
    ],
  )
})

test('what a fixed limit of AWS speaks against is not sent, and is told by the limit', async () => {
  const sent: [string, CallOptions][] = []
  const statement = { Effect: 'Allow', Action: 's3:*', Resource: '*' }
  const document = (count: number): string =>
    JSON.stringify({ Statement: Array.from({ length: count }, () => statement) }, null, 8)
  const make = (count: number): Promise<unknown> =>
    sendChange(
      clientWith(sent),
      { operation: 'CreatePolicy', input: { PolicyDocument: document(count) } },
      { signal, checkFence: () => {} },
    )
  await make(100)
  await assert.rejects(make(200), error => {
    assert.ok(error instanceof Trouble)
    assert.deepEqual([error.kind, error.reason], ['stop', 'QuotaExceeded'])
    assert.match(
      error.message,
      /^IAM CreatePolicy: \d+ characters of the policy document.* "Managed policy length" is 6144 per policy/,
    )
    return true
  })
  assert.equal(sent.length, 1)
})

test('a limit is broken by one more than it allows, and by no other call', () => {
  const tags = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ Key: `k${at}`, Value: 'v' }))
  const { value } = limits['iam/tags']
  assert.equal(overLimit('IAM', 'CreateRole', { Tags: tags(value) }), undefined)
  assert.equal(overLimit('IAM', 'CreateRole', { Tags: tags(value + 1) })?.limit.name, 'Tags per IAM resource')
  assert.equal(overLimit('IAM', 'CreateRole', { RoleName: 'x'.repeat(65) })?.limit.value, 64)
  assert.equal(overLimit('S3', 'PutBucketPolicy', { Policy: 'é'.repeat(10_241) })?.limit.value, 20_480)
  assert.equal(overLimit('IAM', 'GetRole', { Tags: tags(500) }), undefined)
  assert.equal(overLimit('IAM', 'constructor', {}), undefined)
})

test('every quota that counts something is named by the call that makes it', () => {
  const raisable = Object.entries(limits).filter(([, { quotaCode }]) => quotaCode !== undefined)
  const calls = ['IAM', 'S3', 'EKS', 'ACM', 'Route 53'].flatMap(service =>
    [
      'CreateRole',
      'CreatePolicy',
      'CreateOpenIDConnectProvider',
      'CreateInstanceProfile',
      'CreateUser',
      'AttachRolePolicy',
      'UpdateAssumeRolePolicy',
      'CreateBucket',
      'CreateCluster',
      'CreatePodIdentityAssociation',
      'RequestCertificate',
      'CreateHostedZone',
      'ChangeResourceRecordSets',
    ].map(operation => limitOfCall(service, operation)),
  )
  // Names are counted by a call of which the certificates are.
  const others: readonly LimitName[] = ['acm/names-per-certificate']
  const unnamed = raisable.filter(([name, limit]) => !calls.includes(limit) && !others.includes(name as LimitName))
  assert.deepEqual(unnamed, [])
})

test('only a refusal of the request itself says that nothing was made', () => {
  for (const code of ['AccessDenied', 'MalformedPolicyDocument', 'LimitExceeded', 'Throttling', 'NoSuchEntity'])
    assert.equal(mayHaveMade(refused(code)), false, code)
  for (const unsent of [new InputError('CreateRole', 'RoleName', 'is required'), new BeyondLimit('too many tags')])
    assert.equal(mayHaveMade(unsent), false, unsent.message)
  for (const error of [
    refused('EntityAlreadyExists'),
    refused('ServiceFailure', { httpStatus: 500 }),
    refused('AccessDenied', { afterAmbiguousTry: true }),
    new HttpFailure('unreachable', 'x'),
    new Error('x'),
  ])
    assert.equal(mayHaveMade(error), true, String(error))
})

test('what was to go and is not there is gone; what was to be made and is not there is not', () => {
  const removal = { operation: 'DeleteRole', input: {}, isRemoval: true }
  assert.equal(wasNothingToDo(removal, refused('NoSuchEntity')), true)
  assert.equal(wasNothingToDo(removal, refused('DeleteConflict')), false)
  assert.equal(wasNothingToDo(removal, new Error('x')), false)
  assert.equal(wasNothingToDo({ operation: 'TagRole', input: {} }, refused('NoSuchEntity')), false)
  assert.equal(wasNothingToDo({ operation: 'TagRole', input: {}, tolerates: ['NoSuchEntity'] }, refused('NoSuchEntity')), true)
})
