import { type DialOptions, type HttpClient, HttpFailure, type Net } from '../seams/http.ts'
import { parseOrigin } from './net/origin.ts'

/** The machine's own network. Node's protocol modules are loaded when first used: they are most of the time that importing us takes. */
export const systemNet: Net = {
  dial,
  listen: async (options, handler) => (await import('./net/listen.ts')).listen(options, handler),
}

function dial(options: DialOptions): HttpClient {
  // A wrong address is told at once, not at the first call.
  parseOrigin(options.origin)
  let opened: Promise<HttpClient> | undefined
  let closed = false
  const open = (): Promise<HttpClient> => (opened ??= import('./net/dial.ts').then(module => module.dial(options)))
  return {
    exchange: async request => {
      if (closed) throw new HttpFailure('aborted', 'the client is closed')
      return (await open()).exchange(request)
    },
    close: async () => {
      closed = true
      await (await opened)?.close()
    },
  }
}
