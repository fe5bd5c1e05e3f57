// Events, sent as clients expect them: the same thing said again raises the count of the event that is there. Never a reason for a
// reconcile to fail, and bounded per object, so that a claim that flaps does not fill the store (B29).
import type { Clock, Log } from '#base'
import { type EventObject, eventName, eventNamespace, events, type Occurrence, renderEvent, renderTime } from '#kube'
import { KubeError } from '#kube/client'
import type { Target } from './target.ts'
import type { Writer } from './writer.ts'

export interface RecorderOptions {
  readonly clock: Clock
  readonly log: Log
  /** Shown as the source. */
  readonly component: string
  /** The process. */
  readonly instance: string
}

/** As the official recorder: so many at once per object, then one in five minutes. */
const burst = 25
const refillMs = 300_000
const objectsMax = 4_096

interface Bucket {
  tokens: number
  filledMs: number
}

export class Recorder {
  readonly #options: RecorderOptions
  readonly #buckets = new Map<string, Bucket>()

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  async record(writer: Writer, target: Target, occurrence: Occurrence): Promise<boolean> {
    const { clock, component, instance, log } = this.#options
    if (!this.#take(`${occurrence.regarding.kind}/${occurrence.regarding.uid ?? occurrence.regarding.name}`)) return false
    const event = renderEvent(occurrence, { component, instance, now: clock.now() })
    const key = { namespace: eventNamespace(occurrence.regarding), name: eventName(occurrence, component) }
    try {
      await writer.create({ target, type: events, key }, event)
      return true
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      if (error.reason === 'AlreadyExists') return this.#repeat(writer, target, key)
      log.debug('event not recorded', { reason: occurrence.reason, why: error.message })
      return false
    }
  }

  async #repeat(writer: Writer, target: Target, key: { namespace: string; name: string }): Promise<boolean> {
    try {
      const held = (await writer.find(target, events, key)) as EventObject | undefined
      if (held === undefined) return false
      const body = { count: (held.count ?? 1) + 1, lastTimestamp: renderTime(this.#options.clock.now()) }
      await writer.patch({ target, type: events, key }, 'merge', body)
      return true
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      return false
    }
  }

  /** A token bucket per object. */
  #take(object: string): boolean {
    const nowMs = this.#options.clock.monotonicMs()
    const bucket = this.#buckets.get(object) ?? { tokens: burst, filledMs: nowMs }
    const refilled = Math.floor((nowMs - bucket.filledMs) / refillMs)
    if (refilled > 0) {
      bucket.tokens = Math.min(burst, bucket.tokens + refilled)
      bucket.filledMs += refilled * refillMs
    }
    this.#buckets.delete(object)
    if (this.#buckets.size >= objectsMax) this.#buckets.delete(this.#buckets.keys().next().value as string)
    this.#buckets.set(object, bucket)
    if (bucket.tokens === 0) return false
    bucket.tokens--
    return true
  }
}
