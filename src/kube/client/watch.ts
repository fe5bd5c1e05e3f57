// Watching: one stream of events, and a list in front of it where the server cannot stream one.
import { type KubeObject, type ObjectList, type ResourceType, resourcePath } from '../objects.ts'
import type { Caller, OpenStream } from './caller.ts'
import { KubeError, type ListOptions, type WatchEvent, type WatchOptions } from './client.ts'
import { describe, metadataAccept } from './describe.ts'
import { watchQuery } from './query.ts'
import { parseWatchLine, wholeLines } from './watch-lines.ts'

export interface WatchContext<T extends KubeObject> {
  readonly caller: Caller
  readonly watchList: { refused: boolean }
  readonly listAll: (options: ListOptions) => Promise<ObjectList<T>>
}

/** Shorter than the server's own choice, so that a stream that stalls without a word is noticed within minutes. */
const timeoutSecondsDefault = 300
/** A stream that lives so much longer than agreed is dead. */
const overtimeMs = 30_000

export async function* watch<T extends KubeObject>(
  context: WatchContext<T>,
  type: ResourceType,
  options: WatchOptions = {},
): AsyncGenerator<WatchEvent<T>> {
  if (options.sendInitialEvents !== true) return yield* stream(context.caller, type, options)
  if (!context.watchList.refused) {
    try {
      return yield* stream(context.caller, type, options)
    } catch (error) {
      if (!refusesWatchList(error)) throw error
      context.watchList.refused = true
    }
  }
  return yield* listThenWatch(context, type, options)
}

/** The answer of servers that do not know streamed lists, or have them switched off. It comes before any event. */
function refusesWatchList(error: unknown): boolean {
  if (!(error instanceof KubeError) || error.code !== 'refused') return false
  return (error.httpStatus === 422 || error.httpStatus === 400) && error.message.includes('sendInitialEvents')
}

/** The same events from a list and a watch after it. */
async function* listThenWatch<T extends KubeObject>(
  context: WatchContext<T>,
  type: ResourceType,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>> {
  const { sendInitialEvents: _fromList, resourceVersion: _atLeast, resourceVersionMatch: _match, ...rest } = options
  const { allowBookmarks: _bookmarks, timeoutSeconds: _timeout, ...listOptions } = rest
  const list = await context.listAll(listOptions)
  for (const object of list.items) yield { type: 'ADDED', object }
  const { resourceVersion } = list.metadata
  yield { type: 'BOOKMARK', resourceVersion, initialEventsEnd: true }
  yield* stream<T>(context.caller, type, { ...rest, allowBookmarks: options.allowBookmarks ?? true, resourceVersion })
}

async function* stream<T extends KubeObject>(
  caller: Caller,
  type: ResourceType,
  options: WatchOptions,
): AsyncGenerator<WatchEvent<T>> {
  const what = describe('watch', type, options)
  const timeoutSeconds = options.timeoutSeconds ?? timeoutSecondsDefault
  const opened: OpenStream = await caller.stream(
    {
      what,
      method: 'GET',
      target: resourcePath(type, options.namespace) + watchQuery(options, timeoutSeconds),
      ...(options.metadataOnly === true && { accept: metadataAccept('PartialObjectMetadata') }),
      options,
    },
    timeoutSeconds * 1_000 + overtimeMs,
  )
  try {
    for await (const lines of wholeLines(opened.body)) {
      for (const line of lines) {
        const event = parseWatchLine(line) as WatchEvent<T> | undefined
        if (event !== undefined) yield event
      }
    }
  } catch (error) {
    if (opened.overdue()) {
      throw new KubeError(
        'unknown-outcome',
        `${what} at ${caller.address}: the stream went on past its time without an end: it is dead`,
        {
          cause: error,
        },
      )
    }
    throw caller.failure(what, error, options.signal)
  } finally {
    opened.end()
  }
}
