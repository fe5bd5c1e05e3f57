// The attributes of a queue: which there are, what they may hold, and what a queue shows that nobody set them for.
import { isRecord, readJson } from '#base'
import { missingQueue, sqsFailure } from './errors.ts'
import { type CallSqs, isFifo, type Queue } from './model.ts'
import { redriveOf } from './redrive.ts'

type Check = (value: string) => boolean

const between =
  (min: number, max: number): Check =>
  value =>
    /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max
const oneOf =
  (...values: readonly string[]): Check =>
  value =>
    values.includes(value)
const flag = oneOf('true', 'false')
const anyText: Check = () => true

/** An empty text takes these away. */
const removable = new Set(['Policy', 'RedrivePolicy', 'RedriveAllowPolicy', 'KmsMasterKeyId'])

const checks: Readonly<Record<string, Check>> = {
  ContentBasedDeduplication: flag,
  DeduplicationScope: oneOf('messageGroup', 'queue'),
  DelaySeconds: between(0, 900),
  FifoQueue: oneOf('true'),
  FifoThroughputLimit: oneOf('perQueue', 'perMessageGroupId'),
  KmsDataKeyReusePeriodSeconds: between(60, 86_400),
  KmsMasterKeyId: anyText,
  MaximumMessageSize: between(1_024, 1_048_576),
  MessageRetentionPeriod: between(60, 1_209_600),
  Policy: isDocument,
  ReceiveMessageWaitTimeSeconds: between(0, 20),
  RedriveAllowPolicy: isDocument,
  RedrivePolicy: isDocument,
  SqsManagedSseEnabled: flag,
  VisibilityTimeout: between(0, 43_200),
}

const fifoOnly = new Set(['ContentBasedDeduplication', 'DeduplicationScope', 'FifoQueue', 'FifoThroughputLimit'])

const defaults: Readonly<Record<string, string>> = {
  DelaySeconds: '0',
  MaximumMessageSize: '1048576',
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
  SqsManagedSseEnabled: 'true',
  VisibilityTimeout: '30',
}
const fifoDefaults: Readonly<Record<string, string>> = {
  ContentBasedDeduplication: 'false',
  DeduplicationScope: 'queue',
  FifoQueue: 'true',
  FifoThroughputLimit: 'perQueue',
}

function isDocument(value: string): boolean {
  return isRecord(readJson(value))
}

/** Refuses what no queue of this name may hold. */
export function checkAttributes(call: CallSqs, name: string, given: Readonly<Record<string, string>>): void {
  for (const [attribute, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, attribute) ? checks[attribute] : undefined
    if (check === undefined || (fifoOnly.has(attribute) && !isFifo(name)))
      throw sqsFailure(call, 'InvalidAttributeName', `Unknown Attribute ${attribute}.`)
    if (value === '' ? !removable.has(attribute) : !check(value))
      throw sqsFailure(call, 'InvalidAttributeValue', `Invalid value for the parameter ${attribute}.`)
  }
  checkRedrive(call, name, given['RedrivePolicy'] ?? '')
}

function checkRedrive(call: CallSqs, name: string, text: string): void {
  if (text === '') return
  const policy = redriveOf(text)
  if (policy === undefined)
    throw sqsFailure(call, 'InvalidParameterValue', `Value ${text} for parameter RedrivePolicy is invalid.`)
  const { account, region, name: target } = policy
  if (!call.storeAt({ account, region }).get().queues.has(target)) throw missingQueue(call)
  if (isFifo(target) !== isFifo(name))
    throw sqsFailure(
      call,
      'InvalidParameterValue',
      `Value ${text} for parameter RedrivePolicy is invalid. Reason: Dead-letter queue must be same type of queue as the source.`,
    )
}

/** The two ways of encryption exclude each other: the one that was set last holds. */
export function withAttributes(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const next: Record<string, string> = { ...before, ...given }
  if ((given['KmsMasterKeyId'] ?? '') !== '') next['SqsManagedSseEnabled'] = 'false'
  if (given['SqsManagedSseEnabled'] === 'true') delete next['KmsMasterKeyId']
  for (const name of removable) if (next[name] === '') delete next[name]
  return next
}

/** What a queue does, whether or not it was set. */
export function settingOf(queue: Queue, name: string): string {
  return queue.attributes[name] ?? defaults[name] ?? fifoDefaults[name] ?? ''
}

/** All attributes, as `GetQueueAttributes` shows them. */
export function shownAttributes(queue: Queue, now: number): Readonly<Record<string, string>> {
  const messages = [...queue.messages.values()]
  const count = (wanted: (message: (typeof messages)[number]) => boolean): string => String(messages.filter(wanted).length)
  const encrypted: Readonly<Record<string, string>> =
    queue.attributes['KmsMasterKeyId'] === undefined ? {} : { KmsDataKeyReusePeriodSeconds: '300' }
  return {
    QueueArn: queue.arn,
    ApproximateNumberOfMessages: count(({ visibleMs }) => visibleMs <= now),
    ApproximateNumberOfMessagesNotVisible: count(({ visibleMs, receives }) => visibleMs > now && receives > 0),
    ApproximateNumberOfMessagesDelayed: count(({ visibleMs, receives }) => visibleMs > now && receives === 0),
    CreatedTimestamp: String(Math.floor(queue.createdMs / 1_000)),
    LastModifiedTimestamp: String(Math.floor(queue.modifiedMs / 1_000)),
    ...defaults,
    ...(isFifo(queue.name) ? fifoDefaults : {}),
    ...encrypted,
    ...queue.attributes,
  }
}

const readable = new Set([
  'All',
  'QueueArn',
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
  ...Object.keys(checks),
])

export function isReadable(name: string): boolean {
  return readable.has(name)
}
