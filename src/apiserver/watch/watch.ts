// A watch: the state at the beginning if wanted, then every event of the resource that the selection sees, until time is up. The
// resource's event log is the buffer: a watcher only remembers how far it has read, so a thousand slow watchers cost no memory, and
// one that falls behind the log is closed.
import { andThen, type Clock, type Maybe, type Random, type Timer } from '#base'
import { StatusError } from '#kube'
import { usesWebhook } from '../conversion/converter.ts'
import type { EmulatedVersion } from '../emulated-version.ts'
import type { WatchFaults } from '../faults/watch-faults.ts'
import type { ResourceCall } from '../http/call.ts'
import { refusal, tooLargeResourceVersion } from '../refusals.ts'
import type { StoreEvent } from '../store/event-log.ts'
import type { Table } from '../store/store.ts'
import { Version } from '../store/version.ts'
import type { ReadPorts } from '../verbs/ports.ts'
import type { ObjectSelection } from '../verbs/selection.ts'
import { readSelection } from '../verbs/selection.ts'
import { shownAs, tableOf } from '../verbs/subject.ts'
import { readWatchOptions, type WatchRequest } from './watch-options.ts'
import type { OpenWatch, Watches } from './watches.ts'
import type { WatchWire } from './wire.ts'

/** A real server tells a watcher where it is about once a minute. */
const bookmarkMs = 60_000
const bookmarkStormMs = 100
const bookmarkBeforeEndMs = 2_000
/** Who has so many events to fetch and fetches none is too slow: it comes back at the version that it has seen, or lists. */
const eventsBehindMax = 1_000
/** One piece of a stream holds no more events, however far behind its reader is. */
const eventsAtOnceMax = 500
/** Without a wish a watch lasts between half an hour and an hour, so that not all of them end at once. */
const timeoutMsMin = 1_800_000

export interface WatchPorts extends ReadPorts {
  readonly clock: Clock
  readonly random: Random
  readonly emulate: EmulatedVersion
  readonly watches: Watches
}

export function openWatch(
  ports: WatchPorts,
  call: ResourceCall,
  wire: WatchWire,
  faults: WatchFaults,
): AsyncIterable<Uint8Array> {
  const options = readWatchOptions(call, ports.emulate)
  const selection = readSelection(call)
  return { [Symbol.asyncIterator]: () => new Watch({ ports, call, options, selection, wire, faults }) }
}

interface WatchParts {
  readonly ports: WatchPorts
  readonly call: ResourceCall
  readonly options: WatchRequest
  readonly selection: ObjectSelection
  readonly wire: WatchWire
  readonly faults: WatchFaults
}

class Watch implements AsyncIterator<Uint8Array>, OpenWatch {
  readonly #ports: WatchPorts
  readonly #call: ResourceCall
  readonly #options: WatchRequest
  readonly #selection: ObjectSelection
  readonly #wire: WatchWire
  readonly #table: Table
  readonly #timers = new Set<Timer>()
  readonly #faults: WatchFaults
  #revision: number
  #state: 'starting' | 'following' | 'ended' = 'starting'
  #bookmarkDue = false
  /** Events that were there for the reader while it did not ask, and up to which revision they are counted. */
  #behind = 0
  #counted = 0
  #wake: (() => void) | undefined
  readonly #onAbort = (): void => this.end()

  constructor(parts: WatchParts) {
    const { ports, call, options } = parts
    this.#ports = ports
    this.#call = call
    this.#options = options
    this.#selection = parts.selection
    this.#wire = parts.wire
    this.#faults = parts.faults
    this.#table = tableOf(ports, call.kind)
    this.#revision = options.after ?? ports.store.revision
    ports.watches.open(this.#table, this, call.kind)
    call.request.signal?.addEventListener('abort', this.#onAbort, { once: true })
    this.#startTimers()
    // Whoever leaves between the answer and the first read of its body is not heard any more.
    if (call.request.signal?.aborted === true) this.end()
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      if (this.#state === 'ended') return { done: true, value: undefined }
      const step = this.#state === 'starting' ? this.#begin() : this.#follow()
      const chunk = step instanceof Promise ? await step : step
      if (chunk !== undefined && chunk.byteLength > 0) return { done: false, value: chunk }
      if ((this.#state as string) === 'following' && chunk === undefined && !this.#hasNews())
        await new Promise<void>(resolve => (this.#wake = resolve))
    }
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  wake(): void {
    const wake = this.#wake
    this.#wake = undefined
    if (wake !== undefined) wake()
    else if (this.#state === 'following' && this.#isTooFarBehind()) this.end()
  }

  /**
   * Whether the watch is so far behind that it ends: its reader is still busy with what it has, and nobody waits for the newest events.
   */
  #isTooFarBehind(): boolean {
    const { log } = this.#table
    for (let index = log.after(Math.max(this.#revision, this.#counted)); index < log.end; index++) {
      const { key, version, previous, revision } = log.at(index) as StoreEvent
      this.#counted = revision
      if (!key.startsWith(this.#selection.keyPrefix)) continue
      const { kind } = this.#call
      const concerns =
        this.#selection.everything ||
        usesWebhook(kind) ||
        [version, previous].some(each => each !== undefined && this.#selection.matches(shownAs(each, kind).object))
      if (concerns) this.#behind++
    }
    return this.#behind > eventsBehindMax
  }

  end(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    for (const timer of this.#timers) timer.cancel()
    this.#call.request.signal?.removeEventListener('abort', this.#onAbort)
    this.#ports.watches.close(this.#table, this)
    this.wake()
  }

  #startTimers(): void {
    const { random } = this.#ports
    const wanted = this.#options.timeoutSeconds
    const timeoutMs = wanted === undefined ? timeoutMsMin + random.integer(timeoutMsMin) : wanted * 1_000
    this.#timer(timeoutMs, () => this.end())
    if (!this.#options.bookmarks || this.#faults.bookmarks === 'none') return
    if (timeoutMs > bookmarkBeforeEndMs) this.#timer(timeoutMs - bookmarkBeforeEndMs, () => this.#dueBookmark())
    const everyMs = this.#faults.bookmarks === 'storm' ? bookmarkStormMs : bookmarkMs
    const again = (): void => {
      this.#dueBookmark()
      this.#timer(everyMs, again)
    }
    this.#timer(everyMs, again)
  }

  #timer(delayMs: number, fire: () => void): void {
    if (this.#state === 'ended') return
    const timer = this.#ports.clock.timer(delayMs, () => {
      this.#timers.delete(timer)
      fire()
    })
    this.#timers.add(timer)
  }

  #dueBookmark(): void {
    this.#bookmarkDue = true
    this.wake()
  }

  async #begin(): Promise<Uint8Array | undefined> {
    this.#state = 'following'
    if (this.#faults.gone) return this.#fail(this.#expired())
    // What happened since then is in the log already: waiting for a wake would keep it back until the next write.
    if (this.#options.after !== undefined) return this.#follow()
    const wait = this.#ports.waitForRevision(this.#options.notOlderThan)
    if (wait !== undefined) {
      try {
        await wait
      } catch {
        return this.#fail(tooLargeResourceVersion(this.#options.notOlderThan, this.#ports.store.revision).status)
      }
    }
    this.#revision = this.#ports.store.revision
    const revision = this.#revision
    const versions: Version[] = []
    this.#table.rows.visit(this.#selection.keyPrefix, (version, key) => {
      if (!key.startsWith(this.#selection.keyPrefix)) return false
      versions.push(version)
      return true
    })
    const problem = await this.#prepare(versions)
    if (problem !== undefined) return this.#fail(problem)
    const chunks: Uint8Array[] = []
    for (const version of versions) {
      const shown = shownAs(version, this.#call.kind)
      if (this.#selection.matches(shown.object)) chunks.push(this.#wire.event('ADDED', shown))
    }
    if (this.#options.announceInitialEnd) chunks.push(this.#wire.bookmark(revision, true))
    return Buffer.concat(chunks)
  }

  /** `#advance`, after a converter that knows the new events' objects at this version. */
  #follow(): Maybe<Uint8Array | undefined> {
    const { kind } = this.#call
    if (!usesWebhook(kind)) return this.#advance()
    const { log } = this.#table
    const versions: Version[] = []
    for (let index = log.after(this.#revision); index < log.end; index++) {
      const { key, version, previous } = log.at(index) as StoreEvent
      if (!key.startsWith(this.#selection.keyPrefix)) continue
      versions.push(version)
      if (previous !== undefined && !this.#selection.everything) versions.push(previous)
    }
    const until = this.#ports.store.revision
    return andThen(this.#prepare(versions), problem => (problem === undefined ? this.#advance(until) : this.#fail(problem)))
  }

  /** While objects were converted more may have happened, and whoever said so was not heard. */
  #hasNews(): boolean {
    const { log } = this.#table
    return log.after(this.#revision) < log.end
  }

  /** Undefined when all went well; else the Status to end with. */
  #prepare(versions: readonly Version[]): Maybe<unknown> {
    const wait = this.#ports.converter.prepare(versions, this.#call.kind)
    if (wait === undefined) return undefined
    return wait.then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof StatusError) return error.status
        throw error
      },
    )
  }

  /** What is new since the last read; undefined when nothing is. */
  #advance(until = Number.POSITIVE_INFINITY): Uint8Array | undefined {
    const { log } = this.#table
    if (this.#revision < log.floor) return this.#fail(this.#expired())
    const chunks: Uint8Array[] = []
    for (let index = log.after(this.#revision); index < log.end && chunks.length < eventsAtOnceMax; index++) {
      const event = log.at(index) as StoreEvent
      if (event.revision > until) break
      this.#revision = event.revision
      const seen = this.#see(event)
      if (seen !== undefined) chunks.push(seen)
    }
    this.#behind = 0
    const isAtEnd = chunks.length < eventsAtOnceMax
    if (this.#bookmarkDue && isAtEnd) {
      this.#bookmarkDue = false
      this.#revision = Math.max(this.#revision, Math.min(until, this.#ports.store.revision))
      chunks.push(this.#wire.bookmark(this.#revision, false))
    }
    return chunks.length === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  }

  /** An event as this selection sees it: an object may come into view or go out of it. */
  #see(event: StoreEvent): Uint8Array | undefined {
    if (!event.key.startsWith(this.#selection.keyPrefix)) return undefined
    const { kind } = this.#call
    const now = shownAs(event.version, kind)
    if (this.#selection.everything) return this.#wire.event(event.type, now)
    const before = event.previous === undefined ? undefined : shownAs(event.previous, kind)
    const matched = before !== undefined && this.#selection.matches(before.object)
    const matches = event.type !== 'DELETED' && this.#selection.matches(now.object)
    if (matches) return this.#wire.event(matched ? 'MODIFIED' : 'ADDED', now)
    if (!matched) return undefined
    return this.#wire.event('DELETED', event.type === 'DELETED' ? now : atRevision(before as Version, event.revision))
  }

  #expired(): Readonly<Record<string, unknown>> {
    const oldest = this.#table.log.floor
    return refusal(410, 'Expired', `too old resource version: ${this.#revision} (${oldest})`).status as unknown as Readonly<
      Record<string, unknown>
    >
  }

  #fail(status: unknown): Uint8Array {
    const chunk = this.#wire.error(status)
    this.end()
    return chunk
  }
}

/** What went out of view, with the revision at which it did. */
function atRevision(version: Version, revision: number): Version {
  const { object } = version
  return new Version(revision, { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } })
}
