import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SortedMap } from '../state/sorted-map.ts'
import { checkAttributes, isReadable, settingOf, shownAttributes, withAttributes } from './attributes.ts'
import type { CallSqs, Message, Queue } from './model.ts'
import { redriveOf } from './redrive.ts'

const arn = (name: string): string => `arn:aws:sqs:r:123456789012:${name}`
const queues = SortedMap.from([
  ['dead', {} as Queue],
  ['dead.fifo', {} as Queue],
])

function outcome(attributes: Readonly<Record<string, string>>, name = 'jobs'): unknown {
  const call = { reply: { headers: {} }, storeAt: () => ({ get: () => ({ queues }) }) } as unknown as CallSqs
  try {
    checkAttributes(call, name, attributes)
    return 'taken'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const value = 'InvalidAttributeValue'
const ranges: readonly (readonly [name: string, min: number, max: number])[] = [
  ['DelaySeconds', 0, 900],
  ['KmsDataKeyReusePeriodSeconds', 60, 86_400],
  ['MaximumMessageSize', 1_024, 1_048_576],
  ['MessageRetentionPeriod', 60, 1_209_600],
  ['ReceiveMessageWaitTimeSeconds', 0, 20],
  ['VisibilityTimeout', 0, 43_200],
]
for (const [name, min, max] of ranges) {
  test(`${name} lies between ${min} and ${max}`, () => {
    const found = [min, max, min - 1, max + 1, 'x', '', '1.5'].map(given => outcome({ [name]: String(given) }))
    assert.deepEqual(found, ['taken', 'taken', value, value, value, value, value])
  })
}

const texts: readonly (readonly [attributes: Readonly<Record<string, string>>, name: string, outcome: string])[] = [
  [{ SqsManagedSseEnabled: 'true' }, 'jobs', 'taken'],
  [{ SqsManagedSseEnabled: 'yes' }, 'jobs', value],
  [{ KmsMasterKeyId: 'anything' }, 'jobs', 'taken'],
  [{ KmsMasterKeyId: '' }, 'jobs', 'taken'],
  [{ Policy: '{}' }, 'jobs', 'taken'],
  [{ Policy: '' }, 'jobs', 'taken'],
  [{ Policy: '[]' }, 'jobs', value],
  [{ Policy: 'x' }, 'jobs', value],
  [{ RedriveAllowPolicy: '{}' }, 'jobs', 'taken'],
  [{ Other: 'x' }, 'jobs', 'InvalidAttributeName'],
  [{ constructor: 'x' }, 'jobs', 'InvalidAttributeName'],
  [{ FifoQueue: 'true' }, 'jobs', 'InvalidAttributeName'],
  [{ FifoQueue: 'true' }, 'jobs.fifo', 'taken'],
  [{ FifoQueue: 'false' }, 'jobs.fifo', value],
  [{ ContentBasedDeduplication: 'true' }, 'jobs.fifo', 'taken'],
  [{ ContentBasedDeduplication: 'true' }, 'jobs', 'InvalidAttributeName'],
  [{ DeduplicationScope: 'messageGroup' }, 'jobs.fifo', 'taken'],
  [{ DeduplicationScope: 'x' }, 'jobs.fifo', value],
  [{ FifoThroughputLimit: 'perMessageGroupId' }, 'jobs.fifo', 'taken'],
  [{ DelaySeconds: '0', VisibilityTimeout: 'x' }, 'jobs', value],
  [{ RedrivePolicy: '' }, 'jobs', 'taken'],
  [{ RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn('dead'), maxReceiveCount: 1 }) }, 'jobs', 'taken'],
  [{ RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn('none'), maxReceiveCount: 1 }) }, 'jobs', 'QueueDoesNotExist'],
  [
    { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn('dead.fifo'), maxReceiveCount: 1 }) },
    'jobs',
    'InvalidParameterValue',
  ],
  [{ RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arn('dead.fifo'), maxReceiveCount: 1 }) }, 'jobs.fifo', 'taken'],
  [{ RedrivePolicy: '{}' }, 'jobs', 'InvalidParameterValue'],
]
for (const [attributes, name, expected] of texts) {
  test(`${name} with ${JSON.stringify(attributes)}: ${expected}`, () => assert.equal(outcome(attributes, name), expected))
}

for (const [count, taken] of [
  [1, true],
  [1_000, true],
  ['5', true],
  [0, false],
  [1_001, false],
  [1.5, false],
  ['x', false],
] as const) {
  test(`a queue may give a message up after ${count} times: ${taken}`, () => {
    const found = redriveOf(JSON.stringify({ deadLetterTargetArn: arn('dead'), maxReceiveCount: count }))
    assert.deepEqual(
      found,
      taken ? { account: '123456789012', region: 'r', name: 'dead', receivesMax: Number(count) } : undefined,
    )
  })
}

test('a redrive policy names a queue', () => {
  for (const target of [undefined, 1, 'dead', 'arn:aws:sns:r:123456789012:dead', 'arn:aws:sqs:r:123456789012:'])
    assert.equal(redriveOf(JSON.stringify({ deadLetterTargetArn: target, maxReceiveCount: 1 })), undefined, String(target))
  for (const text of ['', 'x', 'null', '1']) assert.equal(redriveOf(text), undefined, text)
})

test('of the two ways of encryption the one holds that was set last, and an empty text takes away', () => {
  assert.deepEqual(withAttributes({ A: '1' }, { B: '2' }), { A: '1', B: '2' })
  assert.deepEqual(withAttributes({ SqsManagedSseEnabled: 'true' }, { KmsMasterKeyId: 'k' }), {
    SqsManagedSseEnabled: 'false',
    KmsMasterKeyId: 'k',
  })
  assert.deepEqual(withAttributes({ KmsMasterKeyId: 'k' }, { SqsManagedSseEnabled: 'true' }), { SqsManagedSseEnabled: 'true' })
  assert.deepEqual(withAttributes({ KmsMasterKeyId: 'k' }, { SqsManagedSseEnabled: 'false' }), {
    KmsMasterKeyId: 'k',
    SqsManagedSseEnabled: 'false',
  })
  assert.deepEqual(withAttributes({ KmsMasterKeyId: 'k', Policy: '{}' }, { KmsMasterKeyId: '', Policy: '' }), {})
})

const queue = (name: string, attributes: Queue['attributes'] = {}, messages: readonly Partial<Message>[] = []): Queue =>
  ({
    name,
    arn: arn(name),
    createdMs: 1_999,
    modifiedMs: 2_000,
    attributes,
    messages: SortedMap.from(messages.map((message, index) => [String(index), message as Message])),
  }) as unknown as Queue

test('a queue shows what was set, what is so where nothing was, and how many messages are where', () => {
  const messages = [
    { visibleMs: 10, receives: 0 },
    { visibleMs: 10, receives: 2 },
    { visibleMs: 11, receives: 1 },
    { visibleMs: 11, receives: 0 },
    { visibleMs: 12, receives: 0 },
    { visibleMs: 13, receives: 0 },
  ]
  assert.deepEqual(shownAttributes(queue('jobs', { DelaySeconds: '5' }, messages), 10), {
    QueueArn: arn('jobs'),
    ApproximateNumberOfMessages: '2',
    ApproximateNumberOfMessagesNotVisible: '1',
    ApproximateNumberOfMessagesDelayed: '3',
    CreatedTimestamp: '1',
    LastModifiedTimestamp: '2',
    DelaySeconds: '5',
    MaximumMessageSize: '1048576',
    MessageRetentionPeriod: '345600',
    ReceiveMessageWaitTimeSeconds: '0',
    SqsManagedSseEnabled: 'true',
    VisibilityTimeout: '30',
  })
  const fifo = shownAttributes(queue('jobs.fifo', { KmsMasterKeyId: 'k' }), 0)
  assert.deepEqual(
    ['FifoQueue', 'ContentBasedDeduplication', 'KmsDataKeyReusePeriodSeconds'].map(name => fifo[name]),
    ['true', 'false', '300'],
  )
  assert.deepEqual(
    ['DelaySeconds', 'VisibilityTimeout', 'DeduplicationScope', 'Policy'].map(name =>
      settingOf(queue('jobs', { DelaySeconds: '5' }), name),
    ),
    ['5', '30', 'queue', ''],
  )
  assert.deepEqual(['All', 'Policy', 'QueueArn', 'Other'].map(isReadable), [true, true, true, false])
})
