// What is done with a message by the receipt that it was handed out with: deleted, or kept longer.
import { type QueueInput, queueAt } from './ask.ts'
import { type BatchEntry, inBatch } from './batches.ts'
import { sqsFailure } from './errors.ts'
import { type CallSqs, type Message, putQueue, type Queue } from './model.ts'

interface ByReceipt {
  readonly ReceiptHandle: string
}
interface Visibility extends ByReceipt {
  readonly VisibilityTimeout: number
}

/** Another one each time the message is handed out. */
export function receiptOf({ key, id, receives }: Pick<Message, 'key' | 'id' | 'receives'>): string {
  return Buffer.from(`${id} ${key} ${receives}`).toString('base64')
}

/** The message while the receipt is its latest. One that is gone, or was handed out again since, is nobody's fault. */
function messageOf(call: CallSqs, { messages }: Queue, receipt: string): Message | undefined {
  const [id, key = '', receives] = Buffer.from(receipt, 'base64').toString('utf8').split(' ')
  if (receives === undefined)
    throw sqsFailure(call, 'ReceiptHandleIsInvalid', `The input receipt handle "${receipt}" is not a valid receipt handle.`)
  const message = messages.get(key)
  return message?.id === id && String(message?.receives) === receives ? message : undefined
}

export function deleteMessage(call: CallSqs<QueueInput & ByReceipt>): object {
  remove(call, queueAt(call), call.input)
  return {}
}

export function deleteMessageBatch(
  call: CallSqs<QueueInput & { readonly Entries: readonly (ByReceipt & BatchEntry)[] }>,
): object {
  queueAt(call)
  return inBatch(call, call.input.Entries, entry => {
    remove(call, queueAt(call), entry)
    return {}
  })
}

function remove(call: CallSqs, queue: Queue, { ReceiptHandle }: ByReceipt): void {
  const message = messageOf(call, queue, ReceiptHandle)
  if (message !== undefined) putQueue(call, { ...queue, messages: queue.messages.delete(message.key) })
}

export function changeMessageVisibility(call: CallSqs<QueueInput & Visibility>): object {
  keep(call, queueAt(call), call.input)
  return {}
}

export function changeMessageVisibilityBatch(
  call: CallSqs<QueueInput & { readonly Entries: readonly (Visibility & BatchEntry)[] }>,
): object {
  queueAt(call)
  return inBatch(call, call.input.Entries, entry => {
    keep(call, queueAt(call), entry)
    return {}
  })
}

const heldMsMax = 43_200_000

function keep(call: CallSqs, queue: Queue, { ReceiptHandle, VisibilityTimeout: seconds }: Visibility): void {
  const message = messageOf(call, queue, ReceiptHandle)
  const visibleMs = call.now + seconds * 1_000
  const isTooLong = message !== undefined && visibleMs - (message.firstReceivedMs ?? call.now) > heldMsMax
  if (seconds < 0 || seconds * 1_000 > heldMsMax || isTooLong)
    throw sqsFailure(
      call,
      'InvalidParameterValue',
      `Value ${seconds} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]`,
    )
  if (message !== undefined) putQueue(call, { ...queue, messages: queue.messages.set(message.key, { ...message, visibleMs }) })
}
