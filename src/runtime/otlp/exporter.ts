// Sends batches to a collector over OTLP/HTTP. What is to be told is kept for a moment, then sent together; when the collector does not
// take it, it is tried again for a while and then handed back: telemetry never holds up what it tells of, and never grows without bound.
import { type Clock, given, type HttpClient, type Log, type Net, type Random, type TlsClientOptions, withDeadline } from '#base'
import { jittered } from '../queue/backoff.ts'
import { pause } from '../scope.ts'

export interface CollectorAddress {
  /** The whole address, path included. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly tls?: TlsClientOptions
  readonly timeoutMs: number
}

export interface BatcherOptions<T> {
  readonly clock: Clock
  readonly random: Random
  readonly net: Pick<Net, 'dial'>
  readonly to: CollectorAddress
  readonly encode: (items: readonly T[]) => Uint8Array
  /** What could not be delivered. */
  readonly onLost: (items: readonly T[], why: string) => void
}

/** Sizes and times of batches are those that OpenTelemetry's own exporters begin with. */
const batchMax = 512
const everyMs = 1_000
/** More than this many wait only when the collector is away; the oldest are given up. */
const queuedMax = 2_048
const attemptsMax = 4
const retryMsMin = 500
/** A collector that is told to be busy or has trouble may take the same a moment later; everything else it will refuse again. */
const again: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

export class Batcher<T> {
  readonly #options: BatcherOptions<T>
  readonly #http: HttpClient
  readonly #target: string
  readonly #queued: T[] = []
  #lost = 0

  constructor(options: BatcherOptions<T>) {
    this.#options = options
    const { origin, pathname, search } = new URL(options.to.url)
    this.#target = `${pathname}${search}`
    this.#http = options.net.dial({
      origin,
      protocol: 'http/1.1',
      ...given({ tls: options.to.tls }),
    })
  }

  add(item: T): void {
    this.#queued.push(item)
    if (this.#queued.length > queuedMax) this.#giveUp(this.#queued.splice(0, batchMax), 'too much is waiting')
  }

  get lost(): number {
    return this.#lost
  }

  /** Sends until the signal aborts; what waits then is sent by `flush`. */
  async run(signal: AbortSignal): Promise<void> {
    while (await pause(this.#options.clock, everyMs, signal)) await this.#sendAll(signal)
  }

  /** Sends what waits, once, for so long. */
  async flush(withinMs: number): Promise<void> {
    const { clock } = this.#options
    let sending = Promise.resolve()
    await withDeadline(clock, { timeoutMs: withinMs }, signal => (sending = this.#sendAll(signal))).catch(() => {})
    // It ends with its signal, and puts back what was under way.
    await sending.catch(() => {})
    if (this.#queued.length > 0) this.#giveUp(this.#queued.splice(0), 'the time to stop is over')
  }

  close(): Promise<void> {
    return this.#http.close()
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    while (this.#queued.length > 0 && !signal.aborted) {
      const batch = this.#queued.splice(0, batchMax)
      const why = await this.#send(this.#options.encode(batch), signal)
      if (why === undefined) continue
      // What was under way when all stops waits for the flush.
      if (signal.aborted) this.#queued.unshift(...batch)
      else this.#giveUp(batch, why)
    }
  }

  #giveUp(items: readonly T[], why: string): void {
    this.#lost += items.length
    this.#options.onLost(items, why)
  }

  /** Nothing when it was taken, otherwise why not. */
  async #send(body: Uint8Array, signal: AbortSignal): Promise<string | undefined> {
    const { clock, random } = this.#options
    let why = ''
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      if (attempt > 0 && !(await pause(clock, jittered(retryMsMin * 2 ** attempt, random), signal))) return why
      const answer = await this.#post(body, signal)
      if (answer === undefined) return undefined
      why = answer.why
      if (!answer.again) return why
    }
    return why
  }

  async #post(body: Uint8Array, signal: AbortSignal): Promise<{ readonly why: string; readonly again: boolean } | undefined> {
    const { clock, to } = this.#options
    try {
      return await withDeadline(clock, { timeoutMs: to.timeoutMs, signal }, async own => {
        const headers = { ...to.headers, 'content-type': 'application/x-protobuf', 'content-length': String(body.length) }
        const response = await this.#http.exchange({ method: 'POST', target: this.#target, headers, body, signal: own })
        const { status } = response
        if (response.body !== null && !(response.body instanceof Uint8Array)) for await (const _ of response.body);
        return status >= 200 && status < 300 ? undefined : { why: `it answers ${status}`, again: again.has(status) }
      })
    } catch (error) {
      return { why: (error as Error).message, again: true }
    }
  }
}

/** For `onLost` where nothing better can be done than to say so. */
export function tellLost(log: Log, what: string, url: string): (items: readonly unknown[], why: string) => void {
  return (items, why) => log.warn(`the collector does not take ${what}`, { url, why, lost: items.length })
}
