// Messages on their way out: long polls, the time for which a message is somebody's, and where it goes that was received too often.
import type { Instant } from '#base'
import { type QueueInput, queueAt } from './ask.ts'
import { settingOf } from './attributes.ts'
import { md5, md5OfAttributes } from './digest.ts'
import { sqsFailure } from './errors.ts'
import { type CallSqs, isFifo, type Message, putQueue, type Queue } from './model.ts'
import { sqsQuotas } from './quotas.ts'
import { receiptOf } from './receipts.ts'
import { redriveOf } from './redrive.ts'
import { sequenceOf } from './send.ts'

interface ReceiveInput extends QueueInput {
  readonly AttributeNames?: readonly string[]
  readonly MessageSystemAttributeNames?: readonly string[]
  readonly MessageAttributeNames?: readonly string[]
  readonly MaxNumberOfMessages?: number
  readonly VisibilityTimeout?: number
  readonly WaitTimeSeconds?: number
}

/** Asks again whenever something changed, until there is a message or the wait is over. */
export async function receiveMessage(call: CallSqs<ReceiveInput>): Promise<object> {
  const { input } = call
  const queue = queueAt(call)
  checkBetween(call, 'MaxNumberOfMessages', input.MaxNumberOfMessages ?? 1, 1, 10)
  checkBetween(call, 'WaitTimeSeconds', input.WaitTimeSeconds ?? 0, 0, 20)
  checkBetween(call, 'VisibilityTimeout', input.VisibilityTimeout ?? 0, 0, 43_200)
  const waitSeconds = input.WaitTimeSeconds ?? Number(settingOf(queue, 'ReceiveMessageWaitTimeSeconds'))
  const untilMs = call.now + waitSeconds * 1_000
  for (;;) {
    const messages = take(call, queueAt(call))
    if (messages.length > 0) return { Messages: messages }
    if (call.now >= untilMs) return {}
    await call.untilChanged(Math.min(untilMs, nextVisibleMs(queueAt(call), call.now) ?? untilMs))
  }
}

function checkBetween(call: CallSqs, name: string, value: number, min: number, max: number): void {
  if (value >= min && value <= max) return
  throw sqsFailure(
    call,
    'InvalidParameterValue',
    `Value ${value} for parameter ${name} is invalid. Reason: Must be >= ${min} and <= ${max}, if provided.`,
  )
}

function nextVisibleMs({ messages }: Queue, now: Instant): Instant | undefined {
  const later = [...messages.values()].map(({ visibleMs }) => visibleMs).filter(atMs => atMs > now)
  return later.length === 0 ? undefined : Math.min(...later)
}

function take(call: CallSqs<ReceiveInput>, seen: Queue): readonly object[] {
  const queue = withoutDead(call, withoutOld(seen, call.now))
  const found = visible(queue, call.now).slice(0, roomFor(call, queue))
  const seconds = call.input.VisibilityTimeout ?? Number(settingOf(queue, 'VisibilityTimeout'))
  const handedOut = found.map(message => ({
    ...message,
    receives: message.receives + 1,
    firstReceivedMs: message.firstReceivedMs ?? call.now,
    visibleMs: call.now + seconds * 1_000,
  }))
  const messages = handedOut.reduce((all, message) => all.set(message.key, message), queue.messages)
  if (messages !== seen.messages) putQueue(call, { ...queue, messages })
  return handedOut.map(message => shown(call, queue, message))
}

function roomFor(call: CallSqs<ReceiveInput>, queue: Queue): number {
  const inFlight = [...queue.messages.values()].filter(({ visibleMs, receives }) => visibleMs > call.now && receives > 0).length
  const max = call.quota(isFifo(queue.name) ? sqsQuotas.messagesInFlightFifo : sqsQuotas.messagesInFlight)
  if (inFlight >= max && !isFifo(queue.name)) throw sqsFailure(call, 'OverLimit', 'Too many messages in flight.')
  return Math.min(call.input.MaxNumberOfMessages ?? 1, max - inFlight)
}

/** The messages that can be received now. While somebody works on a message of a FIFO queue, its group hands out no other. */
function visible({ messages }: Queue, now: Instant): readonly Message[] {
  const all = [...messages.values()]
  const busy = new Set(
    all
      .filter(({ visibleMs, receives, group }) => group !== undefined && receives > 0 && visibleMs > now)
      .map(({ group }) => group),
  )
  return all.filter(({ visibleMs, group }) => visibleMs <= now && !(group !== undefined && busy.has(group)))
}

function withoutOld(queue: Queue, now: Instant): Queue {
  const keptMs = Number(settingOf(queue, 'MessageRetentionPeriod')) * 1_000
  const old = [...queue.messages.values()].filter(({ sentMs }) => now - sentMs >= keptMs)
  return old.length === 0 ? queue : { ...queue, messages: old.reduce((all, { key }) => all.delete(key), queue.messages) }
}

/** What was received as often as the redrive policy allows goes to its queue. */
function withoutDead(call: CallSqs, queue: Queue): Queue {
  const redrive = redriveOf(queue.attributes['RedrivePolicy'] ?? '')
  const dead = redrive === undefined ? [] : visible(queue, call.now).filter(({ receives }) => receives >= redrive.receivesMax)
  const target = redrive === undefined ? undefined : call.storeAt(redrive).get().queues.get(redrive.name)
  if (target === undefined || dead.length === 0) return queue
  const moved = dead.map(message => ({ ...message, receives: 0, movedFrom: queue.arn }))
  putQueue(call, { ...target, messages: moved.reduce((all, message) => all.set(message.key, message), target.messages) })
  return { ...queue, messages: dead.reduce((all, { key }) => all.delete(key), queue.messages) }
}

function shown(call: CallSqs<ReceiveInput>, queue: Queue, message: Message): object {
  const { AttributeNames = [], MessageSystemAttributeNames = [], MessageAttributeNames = [] } = call.input
  const system = picked(systemAttributes(queue, message), [...AttributeNames, ...MessageSystemAttributeNames])
  const own = picked(message.attributes ?? {}, MessageAttributeNames)
  return {
    MessageId: message.id,
    ReceiptHandle: receiptOf(message),
    MD5OfBody: md5(message.body),
    Body: message.body,
    ...(Object.keys(system).length > 0 && { Attributes: system }),
    ...(Object.keys(own).length > 0 && { MessageAttributes: own, MD5OfMessageAttributes: md5OfAttributes(own) }),
  }
}

/** The entries that are asked for: by name, by `All`, or by the beginning of their names and `.*`. */
function picked<V>(all: Readonly<Record<string, V>>, names: readonly string[]): Readonly<Record<string, V>> {
  const isWanted = (key: string): boolean =>
    names.some(name => name === 'All' || name === key || (name.endsWith('.*') && key.startsWith(name.slice(0, -2))))
  return Object.fromEntries(Object.entries(all).filter(([key]) => isWanted(key)))
}

function systemAttributes(queue: Queue, message: Message): Readonly<Record<string, string>> {
  return {
    SenderId: message.sender,
    SentTimestamp: String(message.sentMs),
    ApproximateReceiveCount: String(message.receives),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedMs ?? ''),
    ...(isFifo(queue.name) && { SequenceNumber: sequenceOf(message) }),
    ...(message.group !== undefined && { MessageGroupId: message.group }),
    ...(message.deduplication !== undefined && { MessageDeduplicationId: message.deduplication }),
    ...(message.movedFrom !== undefined && { DeadLetterQueueSourceArn: message.movedFrom }),
  }
}
