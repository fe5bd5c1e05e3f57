// Watching: one stream of events, and a list in front of it where the server cannot stream one.
import { type KubeObject, type ObjectList, type ResourceType, resourcePath } from '../objects.ts'
import type { KubeCaller, OpenStream } from './caller.ts'
import { KubeError, type ListOptions, type WatchEvent, type WatchOptions } from './client.ts'
import { describe, metadataAccept } from './describe.ts'
import { ForeignFields } from './foreign-fields.ts'
import { watchQuery } from './query.ts'
import { parseWatchLine, WholeLines } from './watch-lines.ts'

export interface WatchContext<T extends KubeObject> {
  readonly caller: KubeCaller
  readonly watchList: { refused: boolean }
  readonly listAll: (options: ListOptions) => Promise<ObjectList<T>>
}

/** Shorter than the server's own choice, so that a stream that stalls without a word is noticed within minutes. */
const timeoutSecondsDefault = 300
/** A stream that lives so much longer than agreed is dead. */
const overtimeMs = 30_000

/** One event after another; leaving the loop closes the stream. */
export function watch<T extends KubeObject>(
  context: WatchContext<T>,
  type: ResourceType,
  options: WatchOptions = {},
): AsyncIterableIterator<WatchEvent<T>> {
  return new LineStream(context, type, options)
}

/** The answer of servers that do not know streamed lists, or have them switched off. It comes before any event. */
function refusesWatchList(error: unknown): boolean {
  if (!(error instanceof KubeError) || error.code !== 'refused') return false
  return (error.httpStatus === 422 || error.httpStatus === 400) && error.message.includes('sendInitialEvents')
}

/**
 * The text in one piece of memory. A text that was put together keeps all its parts alive, and a stream keeps its text as long as it is
 * open.
 */
function flat(text: string): string {
  return Buffer.from(text).toString()
}

/**
 * The lines of a stream as events. It is written by hand, because generators one within the other cost every event several turns of the
 * promise queue.
 */
class LineStream<T extends KubeObject> implements AsyncIterableIterator<WatchEvent<T>> {
  readonly #context: WatchContext<T>
  readonly #type: ResourceType
  readonly #what: string
  readonly #foreign: ForeignFields | undefined
  #options: WatchOptions
  #state: 'new' | 'open' | 'ended' = 'new'
  /** Made from a list, for servers that do not stream lists. */
  #listed: readonly T[] = []
  #listedAt = 0
  #listEnd: string | undefined
  #lines: string[] = []
  #lineAt = 0
  #opened: OpenStream | undefined
  readonly #whole = new WholeLines()
  #pieces: AsyncIterator<Uint8Array> | undefined

  constructor(context: WatchContext<T>, type: ResourceType, options: WatchOptions) {
    this.#context = context
    this.#type = type
    this.#options = options
    this.#what = flat(describe('watch', type, options))
    this.#foreign = options.fieldManagers && ForeignFields.except(options.fieldManagers)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<WatchEvent<T>>> {
    const event = this.#ready()
    return event === undefined ? this.#wait() : Promise.resolve({ done: false, value: event })
  }

  async return(): Promise<IteratorResult<WatchEvent<T>>> {
    await this.#end()
    return { done: true, value: undefined }
  }

  /** The next event of the lines that have arrived already. */
  #ready(): WatchEvent<T> | undefined {
    while (this.#lineAt < this.#lines.length) {
      const event = parseWatchLine(this.#lines[this.#lineAt++] as string, this.#foreign)
      if (event !== undefined) return event as WatchEvent<T>
    }
    // Whoever made them holds the list until more comes, which may be hours: not what the last objects looked like as text.
    if (this.#lines.length > 0) this.#lines.length = this.#lineAt = 0
    if (this.#listedAt < this.#listed.length) return { type: 'ADDED', object: this.#listed[this.#listedAt++] as T }
    if (this.#listEnd === undefined) return undefined
    const bookmark = { type: 'BOOKMARK', resourceVersion: this.#listEnd, initialEventsEnd: true } as const
    this.#listEnd = undefined
    this.#listed = []
    return bookmark
  }

  async #wait(): Promise<IteratorResult<WatchEvent<T>>> {
    if (this.#state === 'ended') return { done: true, value: undefined }
    try {
      if (this.#state === 'new') await this.#begin()
      for (;;) {
        const event = this.#ready()
        if (event !== undefined) return { done: false, value: event }
        this.#pieces ??= await this.#open()
        const piece = await this.#pieces.next()
        this.#lines = piece.done === true ? this.#whole.rest() : this.#whole.take(piece.value)
        this.#lineAt = 0
        if (piece.done === true && this.#lines.length === 0) break
      }
    } catch (error) {
      const failure = this.#failure(error)
      await this.#end()
      throw failure
    }
    await this.#end()
    return { done: true, value: undefined }
  }

  async #begin(): Promise<void> {
    this.#state = 'open'
    if (this.#options.sendInitialEvents !== true) return
    const { watchList } = this.#context
    if (!watchList.refused) {
      try {
        this.#pieces = await this.#open()
        return
      } catch (error) {
        if (!refusesWatchList(error)) throw error
        watchList.refused = true
      }
    }
    const { sendInitialEvents: _fromList, resourceVersion: _atLeast, resourceVersionMatch: _match, ...rest } = this.#options
    const { allowBookmarks: _bookmarks, timeoutSeconds: _timeout, ...listOptions } = rest
    const list = await this.#context.listAll(listOptions)
    const { resourceVersion } = list.metadata
    this.#listed = list.items
    this.#listEnd = resourceVersion
    this.#options = { ...rest, allowBookmarks: this.#options.allowBookmarks ?? true, resourceVersion }
  }

  async #open(): Promise<AsyncIterator<Uint8Array>> {
    const options = this.#options
    const timeoutSeconds = options.timeoutSeconds ?? timeoutSecondsDefault
    this.#opened = await this.#context.caller.stream(
      {
        what: this.#what,
        method: 'GET',
        target: flat(resourcePath(this.#type, options.namespace) + watchQuery(options, timeoutSeconds)),
        ...(options.metadataOnly === true && { accept: metadataAccept('PartialObjectMetadata') }),
        options,
      },
      timeoutSeconds * 1_000 + overtimeMs,
    )
    options.onOpened?.()
    return this.#opened.body[Symbol.asyncIterator]()
  }

  #failure(error: unknown): KubeError {
    const { caller } = this.#context
    if (this.#opened?.overdue() !== true) return caller.failure(this.#what, error, this.#options.signal)
    const detail = 'the stream went on past its time without an end: it is dead'
    return new KubeError('unknown-outcome', `${this.#what} at ${caller.address}: ${detail}`, { cause: error })
  }

  async #end(): Promise<void> {
    this.#state = 'ended'
    this.#lines = []
    this.#listed = []
    this.#listEnd = undefined
    this.#opened?.end()
    // What the ending source has to say is of no interest any more.
    await this.#pieces?.return?.().catch(() => {})
  }
}
