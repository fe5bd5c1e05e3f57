// A server that does exactly what a test says: lists answer from a script, streams are fed line by line. Only `list` and `watch`
// exist, which is all that an informer calls.
import type { ObjectList, StoredObject } from '#kube'
import type { KubeClient, ListOptions, WatchEvent, WatchOptions } from '#kube/client'

export type Line = WatchEvent<StoredObject>

/** One open watch, as the server holds it. */
export class ScriptedStream implements AsyncIterable<Line> {
  readonly options: WatchOptions
  readonly #lines: Line[] = []
  #end: { readonly error: unknown } | undefined
  #wake: (() => void) | undefined
  closed = false

  constructor(options: WatchOptions) {
    this.options = options
    options.signal?.addEventListener('abort', () => this.fail(options.signal?.reason), { once: true })
  }

  send(...lines: readonly Line[]): void {
    this.#lines.push(...lines)
    this.#wake?.()
  }

  /** Ends the stream as a server does when its time is over. */
  finish(): void {
    this.#end ??= { error: undefined }
    this.#wake?.()
  }

  fail(error: unknown): void {
    this.#end ??= { error }
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Line> {
    try {
      for (;;) {
        const line = this.#lines.shift()
        if (line !== undefined) yield line
        else if (this.#end?.error !== undefined) throw this.#end.error
        else if (this.#end !== undefined) return
        else await new Promise<void>(resolve => (this.#wake = resolve))
      }
    } finally {
      this.closed = true
    }
  }
}

export class ScriptedServer {
  /** The answers to come; the last one is repeated. An error is thrown. */
  readonly lists: (ObjectList<StoredObject> | Error)[] = []
  readonly listed: ListOptions[] = []
  readonly streams: ScriptedStream[] = []
  /** Thrown by the watches to come, one each. */
  readonly watchErrors: Error[] = []
  /** Takes connections and answers no watch. */
  isMute = false

  get client(): KubeClient {
    const partial: Pick<KubeClient, 'address' | 'list' | 'watch'> = {
      address: 'scripted',
      list: async (_type, options) => {
        this.listed.push(options ?? {})
        const answer = this.lists.length > 1 ? this.lists.shift() : this.lists[0]
        if (answer === undefined) throw new Error('no list was scripted')
        if (answer instanceof Error) throw answer
        return answer as never
      },
      watch: (_type, options) => {
        const error = this.watchErrors.shift()
        const stream = new ScriptedStream(options ?? {})
        this.streams.push(stream)
        if (error !== undefined) stream.fail(error)
        else if (!this.isMute) options?.onOpened?.()
        return stream as never
      },
    }
    return partial as KubeClient
  }

  /** The stream that is open now. */
  get stream(): ScriptedStream {
    const stream = this.streams.at(-1)
    if (stream === undefined) throw new Error('nobody watches')
    return stream
  }
}
