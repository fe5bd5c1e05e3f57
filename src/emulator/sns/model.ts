// What SNS remembers of one account and region.
import type { Call, ServicePlace } from '../service.ts'
import { SortedMap } from '../state/sorted-map.ts'

type Texts = Readonly<Record<string, string>>

export interface SnsState {
  /** By name. */
  readonly topics: SortedMap<Topic>
  /** The subscriptions by their ARN. */
  readonly subscriptions: SortedMap<Subscription>
}

export const emptySns: SnsState = { topics: SortedMap.empty(), subscriptions: SortedMap.empty() }

export interface Topic {
  readonly name: string
  readonly arn: string
  readonly account: string
  readonly attributes: Texts
  readonly tags: Texts
  readonly deleted: number
}

export interface Subscription {
  readonly arn: string
  readonly topicArn: string
  readonly account: string
  readonly protocol: string
  readonly endpoint: string
  readonly attributes: Texts
  readonly isConfirmed: boolean
}

export type CallSns<I = unknown> = Call<SnsState, I>

export function topicArn({ partition, region, account }: ServicePlace, name: string): string {
  return `arn:${partition}:sns:${region}:${account}:${name}`
}

export function isFifo(name: string): boolean {
  return name.endsWith('.fifo')
}
