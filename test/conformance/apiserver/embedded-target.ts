// The embedded API server as a conformance target: in process, on a clock that moves only when a case lets time pass.

import { createApiServer } from '#apiserver'
import { type HttpExchange, ManualClock } from '#base'
import { textOf } from './session.ts'
import type { HookReview, Target } from './target.ts'

export interface EmbeddedOptions {
  /** Default none, like kube-apiserver alone: with controllers objects change by themselves, and transcripts with them. */
  readonly controllers?: boolean
}

export function embeddedTarget(options: EmbeddedOptions = {}): Target {
  const clock = new ManualClock(Date.now())
  const controllers = options.controllers ?? false
  const server = createApiServer({ seed: 1, clock, emulate: '1.34', ...(controllers ? {} : { controllers: 'none' as const }) })
  let hooks = 0
  return {
    name: 'embedded',
    controllers,
    patienceMs: 400,
    anonymous: unhurried(server.handle, clock),
    adminToken: server.adminToken,
    now: () => clock.now(),
    pass: ms => clock.advance(ms),
    compact: async revision => server.faults.compact(Number(revision)),
    hook: async handler => {
      const host = `hook-${++hooks}.test`
      server.serve({ host }, async request => {
        const body = await handler(JSON.parse(await textOf(request.body)) as HookReview, request.target)
        const headers = { 'content-type': 'application/json' }
        return body === undefined
          ? { status: 500, headers, body: null }
          : { status: 200, headers, body: Buffer.from(JSON.stringify(body)) }
      })
      return { clientConfig: { url: `https://${host}/hook` }, close: async () => {} }
    },
    close: () => server.close(),
  }
}

/** A request that waits for the server's clock would wait for ever: when nothing else happens, time goes to the next timer. */
function unhurried(exchange: HttpExchange, clock: ManualClock): HttpExchange {
  return async request => {
    const pending = exchange(request)
    const settled = pending.then(
      () => true,
      () => true,
    )
    while (!(await Promise.race([settled, idle()]))) clock.fireNext()
    return pending
  }
}

/** Long enough for all that needs no clock. */
function idle(): Promise<false> {
  return new Promise(resolve => setTimeout(resolve, 20, false))
}
