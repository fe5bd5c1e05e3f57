// Messages on their way in.
import { nameOf } from '../principal.ts'
import { type QueueInput, queueAt } from './ask.ts'
import { settingOf } from './attributes.ts'
import { type BatchEntry, inBatch } from './batches.ts'
import { md5, md5OfAttributes } from './digest.ts'
import { sqsFailure } from './errors.ts'
import { type CallSqs, isFifo, type Message, type MessageAttribute, putQueue, type Queue } from './model.ts'

interface Sent {
  readonly MessageBody: string
  readonly DelaySeconds?: number
  readonly MessageAttributes?: Readonly<Record<string, MessageAttribute>>
  readonly MessageSystemAttributes?: Readonly<Record<string, MessageAttribute>>
  readonly MessageDeduplicationId?: string
  readonly MessageGroupId?: string
}

/** One that is sent again within this time is the same. */
const deduplicationMs = 300_000
const batchBytesMax = 1_048_576

export function sendMessage(call: CallSqs<QueueInput & Sent>): object {
  return send(call, queueAt(call), call.input)
}

export function sendMessageBatch(call: CallSqs<QueueInput & { readonly Entries: readonly (Sent & BatchEntry)[] }>): object {
  queueAt(call)
  const { Entries } = call.input
  const bytes = Entries.reduce((sum, entry) => sum + bytesOf(entry), 0)
  if (bytes > batchBytesMax)
    throw sqsFailure(
      call,
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${batchBytesMax} bytes. You have sent ${bytes} bytes.`,
    )
  return inBatch(call, Entries, entry => send(call, queueAt(call), entry))
}

function send(call: CallSqs, queue: Queue, sent: Sent): object {
  checkSent(call, queue, sent)
  const now = call.now
  const deduplication = deduplicationOf(call, queue, sent)
  const known = [...queue.messages.values()].find(
    message => deduplication !== undefined && message.deduplication === deduplication && now - message.sentMs < deduplicationMs,
  )
  const message = known ?? newMessage(call, queue, sent, deduplication)
  if (known === undefined) putQueue(call, { ...queue, messages: queue.messages.set(message.key, message) })
  const ofAttributes = md5OfAttributes(message.attributes)
  const ofSystem = md5OfAttributes(message.systemAttributes)
  return {
    MessageId: message.id,
    MD5OfMessageBody: md5(message.body),
    ...(ofAttributes !== undefined && { MD5OfMessageAttributes: ofAttributes }),
    ...(ofSystem !== undefined && { MD5OfMessageSystemAttributes: ofSystem }),
    ...(isFifo(queue.name) && { SequenceNumber: sequenceOf(message) }),
  }
}

function newMessage(call: CallSqs, queue: Queue, sent: Sent, deduplication: string | undefined): Message {
  const serial = call.serial()
  const delaySeconds = sent.DelaySeconds ?? Number(settingOf(queue, 'DelaySeconds'))
  return {
    key: String(serial).padStart(16, '0'),
    id: call.random(`message/${serial}`).uuid(),
    body: sent.MessageBody,
    sender: nameOf(call.caller),
    sentMs: call.now,
    visibleMs: call.now + delaySeconds * 1_000,
    receives: 0,
    ...(sent.MessageAttributes !== undefined && { attributes: sent.MessageAttributes }),
    ...(sent.MessageSystemAttributes !== undefined && { systemAttributes: sent.MessageSystemAttributes }),
    ...(sent.MessageGroupId !== undefined && { group: sent.MessageGroupId }),
    ...(deduplication !== undefined && { deduplication }),
  }
}

function checkSent(call: CallSqs, queue: Queue, sent: Sent): void {
  const refuse = (message: string): never => {
    throw sqsFailure(call, 'InvalidParameterValue', message)
  }
  if (sent.MessageBody === '') throw sqsFailure(call, 'MissingParameter', 'The request must contain the parameter MessageBody.')
  const max = settingOf(queue, 'MaximumMessageSize')
  if (bytesOf(sent) > Number(max))
    refuse(`One or more parameters are invalid. Reason: Message must be shorter than ${max} bytes.`)
  const delay = sent.DelaySeconds
  if (delay !== undefined && (delay < 0 || delay > 900))
    refuse(`Value ${delay} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.`)
  if (isFifo(queue.name)) {
    if (sent.MessageGroupId === undefined)
      throw sqsFailure(call, 'MissingParameter', 'The request must contain the parameter MessageGroupId.')
    if (delay !== undefined && delay > 0)
      refuse(
        `Value ${delay} for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type.`,
      )
  } else if (sent.MessageDeduplicationId !== undefined) {
    refuse(
      `Value ${sent.MessageDeduplicationId} for parameter MessageDeduplicationId is invalid. Reason: The request includes a parameter that is not valid for this queue type.`,
    )
  }
}

function deduplicationOf(call: CallSqs, queue: Queue, sent: Sent): string | undefined {
  if (!isFifo(queue.name)) return undefined
  if (sent.MessageDeduplicationId !== undefined) return sent.MessageDeduplicationId
  if (settingOf(queue, 'ContentBasedDeduplication') === 'true') return md5(sent.MessageBody)
  throw sqsFailure(
    call,
    'InvalidParameterValue',
    'The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly',
  )
}

function bytesOf({ MessageBody, MessageAttributes = {} }: Sent): number {
  const attributes = Object.entries(MessageAttributes).map(
    ([name, { DataType, StringValue = '', BinaryValue }]) =>
      Buffer.byteLength(name + DataType + StringValue) + (BinaryValue?.length ?? 0),
  )
  return Buffer.byteLength(MessageBody) + attributes.reduce((sum, bytes) => sum + bytes, 0)
}

/** Twenty digits that grow. */
export function sequenceOf({ key }: Message): string {
  return `1886${key}`
}
