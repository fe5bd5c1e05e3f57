// Events, sent as clients expect them: the same thing said again raises the count of the event that is there. Never a reason for a
// reconcile to fail, and bounded per object, so that a claim that flaps does not fill the store (B29). They are told behind the writes
// that they tell of, one at a time, so that a burst of claims is served first and talked about second.
import type { Clock, Log } from '#base'
import {
  type EventObject,
  eventName,
  eventNamespace,
  events,
  type ObjectKey,
  type Occurrence,
  renderEvent,
  renderTime,
} from '#kube'
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
/** The length of the official recorder's queue. That recorder drops events beyond it; here the caller sends them itself. */
const untoldMax = 1_000

/** How many sent events are remembered. Of any other the server is asked first whether it exists. */
const rememberedMax = 4_096

/** Tells a batch of events behind the writes that they tell of. */
export interface Telling {
  readonly writer: Writer
  close(): void
}

interface Untold {
  readonly target: Target
  readonly event: EventObject
  readonly key: ObjectKey
}

interface Bucket {
  tokens: number
  filledMs: number
}

export class Recorder {
  readonly #options: RecorderOptions
  readonly #buckets = new Map<string, Bucket>()
  readonly #untold: Untold[] = []
  /** How often each event has been told, by cluster, namespace and name. */
  readonly #counts = new Map<string, number>()
  #behind: (() => Telling) | undefined
  #telling: Promise<void> | undefined

  constructor(options: RecorderOptions) {
    this.#options = options
  }

  /** From now on events are sent in batches behind the work. Before that, whoever records an event waits until it is sent. */
  open(begin: () => Telling): void {
    this.#behind = begin
  }

  /** Ends what `open` began: events that wait are still sent while the writer lives, and dropped after it. */
  async close(): Promise<void> {
    this.#behind = undefined
    await this.#telling
  }

  async record(writer: Writer, target: Target, occurrence: Occurrence): Promise<void> {
    const { clock, component, instance } = this.#options
    if (!this.#take(`${occurrence.regarding.kind}/${occurrence.regarding.uid ?? occurrence.regarding.name}`)) return
    const event = renderEvent(occurrence, { component, instance, now: clock.now() })
    const key = { namespace: eventNamespace(occurrence.regarding), name: eventName(occurrence, component) }
    const behind = this.#behind
    if (behind === undefined || writer.pretend || this.#untold.length >= untoldMax) {
      await this.#tell(writer, { target, event, key })
      return
    }
    this.#untold.push({ target, event, key })
    this.#telling ??= this.#tellAll(behind())
  }

  async #tellAll({ writer, close }: Telling): Promise<void> {
    for (let one = this.#untold.shift(); one !== undefined; one = this.#untold.shift()) {
      if (writer.signal.aborted) continue
      try {
        await this.#tell(writer, one)
      } catch (error) {
        // The cluster takes no writes, or another replica leads now: what happened has happened, also without its event.
        this.#options.log.debug('event not recorded', { reason: one.event.reason, why: String(error) })
      }
    }
    close()
    this.#telling = undefined
  }

  /** Raises the count of the event where the server has it, and creates it otherwise. A refused count is not followed by a creation. */
  async #tell(writer: Writer, untold: Untold): Promise<void> {
    try {
      const held = await this.#heldCount(writer, untold)
      if (held !== undefined && (await this.#repeat(writer, untold, held + 1))) return
      await this.#create(writer, untold)
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      this.#forget(untold)
      this.#options.log.debug('event not recorded', { reason: untold.event.reason, why: error.message })
    }
  }

  async #heldCount(writer: Writer, untold: Untold): Promise<number | undefined> {
    const remembered = this.#counts.get(placeOf(untold))
    if (remembered !== undefined) return remembered
    const held = (await writer.find(untold.target, events, untold.key)) as EventObject | undefined
    return held === undefined ? undefined : (held.count ?? 1)
  }

  async #create(writer: Writer, { target, event, key }: Untold): Promise<void> {
    await writer.create({ target, type: events, key }, event)
    this.#remember({ target, event, key }, 1)
  }

  /** False when the server no longer has the event: it keeps events for an hour. */
  async #repeat(writer: Writer, untold: Untold, count: number): Promise<boolean> {
    const { target, key } = untold
    const body = { count, lastTimestamp: renderTime(this.#options.clock.now()) }
    try {
      await writer.patch({ target, type: events, key }, 'merge', body)
    } catch (error) {
      if (!(error instanceof KubeError) || error.reason !== 'NotFound') throw error
      this.#forget(untold)
      return false
    }
    this.#remember(untold, count)
    return true
  }

  #remember(untold: Untold, count: number): void {
    this.#forget(untold)
    if (this.#counts.size >= rememberedMax) this.#counts.delete(this.#counts.keys().next().value as string)
    this.#counts.set(placeOf(untold), count)
  }

  #forget(untold: Untold): void {
    this.#counts.delete(placeOf(untold))
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

function placeOf({ target, key }: Untold): string {
  return `${target.cluster ?? ''}/${key.namespace}/${key.name}`
}
