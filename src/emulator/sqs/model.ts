// What SQS remembers of one account and region.
import type { Instant } from '#base'
import type { Call, ServicePlace } from '../service.ts'
import { SortedMap } from '../state/sorted-map.ts'

export interface SqsState {
  readonly queues: SortedMap<Queue>
  /** When queues of these names were deleted: a name is free again after a minute. */
  readonly deleted: SortedMap<Instant>
}

export const emptySqs: SqsState = { queues: SortedMap.empty(), deleted: SortedMap.empty() }

export interface Queue {
  readonly name: string
  readonly account: string
  readonly region: string
  readonly arn: string
  readonly createdMs: Instant
  readonly modifiedMs: Instant
  /** As set, by name; what was never set has its default (attributes.ts). The policy is among them. */
  readonly attributes: Readonly<Record<string, string>>
  readonly tags: Readonly<Record<string, string>>
  /** In the order in which they were sent. */
  readonly messages: SortedMap<Message>
  readonly purgedMs?: Instant
}

export interface Message {
  /** Its place in the order of the queue. */
  readonly key: string
  readonly id: string
  readonly body: string
  readonly attributes?: Readonly<Record<string, MessageAttribute>>
  readonly systemAttributes?: Readonly<Record<string, MessageAttribute>>
  readonly sender: string
  readonly sentMs: Instant
  /** Not handed out before: it is delayed, or somebody works on it. */
  readonly visibleMs: Instant
  readonly receives: number
  readonly firstReceivedMs?: Instant
  readonly group?: string
  readonly deduplication?: string
  /** Whose messages were moved here: the queue that gave up on it. */
  readonly movedFrom?: string
}

export interface MessageAttribute {
  readonly DataType: string
  readonly StringValue?: string
  readonly BinaryValue?: Uint8Array
}

export type CallSqs<I = unknown> = Call<SqsState, I>

export function queueArn({ partition, region, account }: ServicePlace, name: string): string {
  return `arn:${partition}:sqs:${region}:${account}:${name}`
}

/** Where the client that asks finds the queue: under the host that it called. */
export function queueUrl(call: CallSqs, { account, name }: Pick<Queue, 'account' | 'name'>): string {
  const { host, hostNamed, secure } = call.request
  const at = hostNamed ? `sqs.${call.region}.amazonaws.com` : host
  return `${secure || hostNamed ? 'https' : 'http'}://${at}/${account}/${name}`
}

export function isFifo(name: string): boolean {
  return name.endsWith('.fifo')
}

export function putQueue(call: CallSqs, queue: Queue): void {
  const store = call.storeAt(queue)
  const state = store.get()
  store.set({ ...state, queues: state.queues.set(queue.name, queue) })
}
