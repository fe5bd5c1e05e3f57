import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { type Aws, type AwsOptions, createAws } from '../index.ts'

type Values = Record<string, unknown>

interface Asking {
  readonly aws: Aws
  readonly clock: ManualClock
  /** Sends a call and gives what was answered, with the status. */
  ask(operation: string, input?: object, more?: { readonly account?: string; readonly signal?: AbortSignal }): Promise<Answer>
}
type Answer = Values & { readonly status: number; readonly older: string | undefined }

const jobs = 'https://sqs.eu-west-1.amazonaws.com/123456789012/jobs'

function world(options: Partial<AwsOptions> = {}): Asking {
  const clock = new ManualClock()
  const aws = createAws({ clock, accounts: ['123456789012', '210987654321'], signatures: 'parse', ...options })
  return {
    aws,
    clock,
    ask: async (operation, input = {}, { account = '123456789012', signal } = {}) => {
      const key = aws.adminCredentials(account).accessKeyId
      const scope = `${key}/20260101/eu-west-1/sqs/aws4_request`
      const headers = {
        host: 'sqs.eu-west-1.amazonaws.com',
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`,
        'x-amz-date': '20260101T000000Z',
        'x-amz-target': `AmazonSQS.${operation}`,
        'content-type': 'application/x-amz-json-1.0',
      }
      const request = { method: 'POST', target: '/', headers, body: Buffer.from(JSON.stringify(input)) }
      const response = await aws.handle(signal === undefined ? request : { ...request, signal })
      const older = response.headers['x-amzn-query-error']
      const body = JSON.parse(Buffer.from((response.body as Uint8Array | null) ?? Buffer.from('{}')).toString()) as Values
      return { status: response.status, older: older as string | undefined, ...body }
    },
  }
}

async function attributesOf({ ask }: Asking, url = jobs, ...names: readonly string[]): Promise<Values> {
  return ((await ask('GetQueueAttributes', { QueueUrl: url, AttributeNames: names.length > 0 ? names : ['All'] }))[
    'Attributes'
  ] ?? {}) as Values
}

async function received({ ask }: Asking, more: object = {}): Promise<readonly Values[]> {
  return ((await ask('ReceiveMessage', { QueueUrl: jobs, MaxNumberOfMessages: 10, ...more }))['Messages'] ?? []) as Values[]
}

test('a queue is found by the name under which it was made, and no other', async () => {
  const { ask } = world()
  assert.equal((await ask('CreateQueue', { QueueName: 'jobs' }))['QueueUrl'], jobs)
  assert.equal((await ask('GetQueueUrl', { QueueName: 'jobs' }))['QueueUrl'], jobs)
  const { status, __type, older } = await ask('GetQueueUrl', { QueueName: 'others' })
  assert.deepEqual([status, __type, older], [400, 'QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue;Sender'])
})

test('a name is one queue: the same attributes find it, another value is refused', async () => {
  const { ask } = world()
  await ask('CreateQueue', { QueueName: 'jobs', Attributes: { VisibilityTimeout: '40' } })
  assert.equal(
    (await ask('CreateQueue', { QueueName: 'jobs', Attributes: { VisibilityTimeout: '40', DelaySeconds: '0' } })).status,
    200,
  )
  const { __type, message } = await ask('CreateQueue', { QueueName: 'jobs', Attributes: { VisibilityTimeout: '41' } })
  assert.deepEqual(
    [__type, message],
    ['QueueNameExists', 'A queue already exists with the same name and a different value for attribute VisibilityTimeout'],
  )
})

test('a name is free again a minute after its queue was deleted', async () => {
  const { ask, clock } = world()
  await ask('CreateQueue', { QueueName: 'jobs' })
  await ask('DeleteQueue', { QueueUrl: jobs })
  assert.equal((await ask('CreateQueue', { QueueName: 'jobs' }))['__type'], 'QueueDeletedRecently')
  await clock.advance(60_000)
  assert.equal((await ask('CreateQueue', { QueueName: 'jobs' })).status, 200)
})

test('attributes have the defaults of AWS, keep what was set, and an empty text takes a document away', async () => {
  const it = world()
  await it.ask('CreateQueue', { QueueName: 'jobs', Attributes: { Policy: '{"Statement":[]}' } })
  await it.ask('SetQueueAttributes', { QueueUrl: jobs, Attributes: { DelaySeconds: '5', Policy: '' } })
  const shown = await attributesOf(it)
  assert.deepEqual(
    { ...shown, CreatedTimestamp: '', LastModifiedTimestamp: '' },
    {
      QueueArn: 'arn:aws:sqs:eu-west-1:123456789012:jobs',
      ApproximateNumberOfMessages: '0',
      ApproximateNumberOfMessagesNotVisible: '0',
      ApproximateNumberOfMessagesDelayed: '0',
      CreatedTimestamp: '',
      LastModifiedTimestamp: '',
      DelaySeconds: '5',
      MaximumMessageSize: '1048576',
      MessageRetentionPeriod: '345600',
      ReceiveMessageWaitTimeSeconds: '0',
      SqsManagedSseEnabled: 'true',
      VisibilityTimeout: '30',
    },
  )
})

test('a key of KMS and the keys of SQS exclude each other: the last one set holds', async () => {
  const it = world()
  await it.ask('CreateQueue', { QueueName: 'jobs', Attributes: { KmsMasterKeyId: 'alias/a' } })
  const names = ['KmsMasterKeyId', 'KmsDataKeyReusePeriodSeconds', 'SqsManagedSseEnabled']
  assert.deepEqual(await attributesOf(it, jobs, ...names), {
    KmsDataKeyReusePeriodSeconds: '300',
    KmsMasterKeyId: 'alias/a',
    SqsManagedSseEnabled: 'false',
  })
  await it.ask('SetQueueAttributes', { QueueUrl: jobs, Attributes: { SqsManagedSseEnabled: 'true' } })
  assert.deepEqual(await attributesOf(it, jobs, ...names), { SqsManagedSseEnabled: 'true' })
})

for (const [attribute, value, code] of [
  ['DelaySeconds', '901', 'InvalidAttributeValue'],
  ['VisibilityTimeout', 'long', 'InvalidAttributeValue'],
  ['MaximumMessageSize', '1023', 'InvalidAttributeValue'],
  ['MessageRetentionPeriod', '59', 'InvalidAttributeValue'],
  ['Policy', 'no document', 'InvalidAttributeValue'],
  ['ContentBasedDeduplication', 'true', 'InvalidAttributeName'],
  ['Colour', 'red', 'InvalidAttributeName'],
  ['RedrivePolicy', '{}', 'InvalidParameterValue'],
  ['RedrivePolicy', '{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:123456789012:none","maxReceiveCount":3}', 'QueueDoesNotExist'],
] as const)
  test(`a queue is not made with ${attribute} ${value}`, async () => {
    const { ask } = world()
    assert.equal((await ask('CreateQueue', { QueueName: 'jobs', Attributes: { [attribute]: value } }))['__type'], code)
    assert.equal((await ask('ListQueues'))['QueueUrls'], undefined)
  })

test('a message is handed out once for its time, comes again, and is gone when its latest receipt deletes it', async () => {
  const it = world()
  await it.ask('CreateQueue', { QueueName: 'jobs' })
  const { MessageId, MD5OfMessageBody } = await it.ask('SendMessage', { QueueUrl: jobs, MessageBody: 'hello' })
  assert.equal(MD5OfMessageBody, '5d41402abc4b2a76b9719d911017c592')
  const [first] = await received(it)
  assert.deepEqual([first?.['MessageId'], first?.['Body'], first?.['MD5OfBody']], [MessageId, 'hello', MD5OfMessageBody])
  assert.deepEqual(await received(it), [])
  await it.clock.advance(30_000)
  const [second] = await received(it, { MessageSystemAttributeNames: ['ApproximateReceiveCount'] })
  assert.deepEqual(second?.['Attributes'], { ApproximateReceiveCount: '2' })
  await it.ask('DeleteMessage', { QueueUrl: jobs, ReceiptHandle: first?.['ReceiptHandle'] })
  assert.equal((await attributesOf(it))['ApproximateNumberOfMessagesNotVisible'], '1')
  await it.ask('DeleteMessage', { QueueUrl: jobs, ReceiptHandle: second?.['ReceiptHandle'] })
  assert.equal((await attributesOf(it))['ApproximateNumberOfMessagesNotVisible'], '0')
  assert.equal((await it.ask('DeleteMessage', { QueueUrl: jobs, ReceiptHandle: '?' }))['__type'], 'ReceiptHandleIsInvalid')
})

test('a long poll ends with the first message, when its time is over, and when its client goes', async () => {
  const it = world()
  await it.ask('CreateQueue', { QueueName: 'jobs' })
  const polling = received(it, { WaitTimeSeconds: 20 })
  await it.ask('SendMessage', { QueueUrl: jobs, MessageBody: 'hello' })
  assert.equal((await polling).length, 1)
  let ended = false
  const empty = received(it, { WaitTimeSeconds: 20 }).finally(() => (ended = true))
  await it.clock.advance(19_999)
  assert.equal(ended, false)
  await it.clock.advance(1)
  assert.deepEqual(await empty, [])
  const client = new AbortController()
  const gone = it.ask('ReceiveMessage', { QueueUrl: jobs, WaitTimeSeconds: 20 }, { signal: client.signal })
  client.abort()
  await assert.rejects(gone, { name: 'HttpFailure', code: 'reset' })
  assert.equal(it.clock.pendingCount(), 0)
})

test('a delayed message wakes the poll that waits for it', async () => {
  const it = world()
  await it.ask('CreateQueue', { QueueName: 'jobs' })
  await it.ask('SendMessage', { QueueUrl: jobs, MessageBody: 'later', DelaySeconds: 5 })
  const polling = received(it, { WaitTimeSeconds: 20 })
  await it.clock.advance(5_000)
  assert.equal((await polling)[0]?.['Body'], 'later')
})

test('what was received as often as allowed goes to the dead-letter queue', async () => {
  const it = world()
  const dead = (await it.ask('CreateQueue', { QueueName: 'dead' }))['QueueUrl']
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:eu-west-1:123456789012:dead', maxReceiveCount: 2 })
  await it.ask('CreateQueue', { QueueName: 'jobs', Attributes: { RedrivePolicy, VisibilityTimeout: '0' } })
  assert.deepEqual((await it.ask('ListDeadLetterSourceQueues', { QueueUrl: dead }))['queueUrls'], [jobs])
  await it.ask('SendMessage', { QueueUrl: jobs, MessageBody: 'poison' })
  const counts = [(await received(it)).length, (await received(it)).length, (await received(it)).length]
  assert.deepEqual(counts, [1, 1, 0])
  assert.equal((await received(it, { QueueUrl: dead }))[0]?.['Body'], 'poison')
})

test('a FIFO queue keeps a group to itself while somebody works on it, and takes a message once', async () => {
  const it = world()
  const url = `${jobs}.fifo`
  const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true' }
  assert.equal((await it.ask('CreateQueue', { QueueName: 'jobs.fifo' }))['__type'], 'InvalidParameterValue')
  await it.ask('CreateQueue', { QueueName: 'jobs.fifo', Attributes })
  const send = (MessageBody: string, MessageGroupId: string): Promise<Answer> =>
    it.ask('SendMessage', { QueueUrl: url, MessageBody, MessageGroupId })
  for (const [body, group] of [
    ['a1', 'a'],
    ['a1', 'a'],
    ['a2', 'a'],
    ['b1', 'b'],
  ] as const)
    await send(body, group)
  const bodies = async (max: number): Promise<unknown[]> =>
    (await received(it, { QueueUrl: url, MaxNumberOfMessages: max })).map(({ Body }) => Body)
  assert.deepEqual([await bodies(1), await bodies(10), await bodies(10)], [['a1'], ['b1'], []])
})

test('each entry of a batch is carried out or refused for itself', async () => {
  const { ask } = world()
  await ask('CreateQueue', { QueueName: 'jobs' })
  const Entries = [
    { Id: 'good', MessageBody: 'a' },
    { Id: 'bad', MessageBody: 'b', DelaySeconds: 901 },
  ]
  const { Successful, Failed, older } = await ask('SendMessageBatch', { QueueUrl: jobs, Entries })
  assert.deepEqual(
    [(Successful as Values[]).map(({ Id }) => Id), (Failed as Values[]).map(({ Id, Code }) => [Id, Code]), older],
    [['good'], [['bad', 'InvalidParameterValue']], undefined],
  )
  assert.equal((await ask('SendMessageBatch', { QueueUrl: jobs, Entries: [] }))['__type'], 'EmptyBatchRequest')
})

test('another account reaches a queue by its policy alone', async () => {
  const it = world({ enforce: 'full' })
  const other = { account: '210987654321' }
  await it.ask('CreateQueue', { QueueName: 'jobs' })
  const send = (): Promise<Answer> => it.ask('SendMessage', { QueueUrl: jobs, MessageBody: 'a' }, other)
  assert.match(String((await send())['__type']), /AccessDenied/)
  await it.ask('AddPermission', { QueueUrl: jobs, Label: 'p', AWSAccountIds: ['210987654321'], Actions: ['SendMessage'] })
  assert.equal((await send()).status, 200)
  await it.ask('RemovePermission', { QueueUrl: jobs, Label: 'p' })
  assert.match(String((await send())['__type']), /AccessDenied/)
})

test('tags are put, taken and listed, and those of AWS are not taken', async () => {
  const { ask } = world()
  await ask('CreateQueue', { QueueName: 'jobs', tags: { a: '1' } })
  await ask('TagQueue', { QueueUrl: jobs, Tags: { b: '2' } })
  await ask('UntagQueue', { QueueUrl: jobs, TagKeys: ['a'] })
  assert.deepEqual((await ask('ListQueueTags', { QueueUrl: jobs }))['Tags'], { b: '2' })
  assert.equal((await ask('TagQueue', { QueueUrl: jobs, Tags: { 'aws:x': '1' } }))['__type'], 'InvalidParameterValue')
})

test('a list has pages by MaxResults, and a page token that is none is refused', async () => {
  const { ask } = world()
  for (const QueueName of ['a1', 'a2', 'b1']) await ask('CreateQueue', { QueueName })
  const first = await ask('ListQueues', { QueueNamePrefix: 'a', MaxResults: 1 })
  const second = await ask('ListQueues', { QueueNamePrefix: 'a', MaxResults: 1, NextToken: first['NextToken'] })
  const names = [first, second].flatMap(({ QueueUrls }) => (QueueUrls as string[]).map(url => url.split('/').at(-1)))
  assert.deepEqual([names, second['NextToken']], [['a1', 'a2'], undefined])
  assert.equal((await ask('ListQueues', { MaxResults: 1, NextToken: 'x' }))['__type'], 'InvalidParameterValue')
})

test('a purge empties a queue once a minute', async () => {
  const it = world()
  await it.ask('CreateQueue', { QueueName: 'jobs' })
  await it.ask('SendMessage', { QueueUrl: jobs, MessageBody: 'a' })
  await it.ask('PurgeQueue', { QueueUrl: jobs })
  assert.deepEqual(await received(it), [])
  assert.equal((await it.ask('PurgeQueue', { QueueUrl: jobs }))['__type'], 'PurgeQueueInProgress')
})
