// Trouble that a test asks for: throttling, failures, silence, waiting.
import { assertNever, type Clock, HttpFailure, type HttpResponse } from '#base'
import { type EntraCall, json } from './wire/call.ts'

export interface EntraFault {
  /** Which requests: the path begins so, and the method is this. */
  readonly match?: { readonly path?: string; readonly method?: string }
  readonly effect:
    | { readonly kind: 'throttle'; readonly retryAfterS: number }
    | { readonly kind: 'error'; readonly status: number }
    | { readonly kind: 'latency'; readonly ms: number }
    /** Nothing is done, and nobody answers. */
    | { readonly kind: 'lost-request' }
    /** It is done, and nobody answers. */
    | { readonly kind: 'lost-answer' }
  /** How often; for ever when absent. */
  readonly times?: number
}

interface Armed {
  readonly fault: EntraFault
  left: number
}

export class EntraFaults {
  readonly #clock: Clock
  readonly #armed: Armed[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(fault: EntraFault): { remove(): void } {
    const armed = { fault, left: fault.times ?? Number.POSITIVE_INFINITY }
    this.#armed.push(armed)
    return { remove: () => void (armed.left = 0) }
  }

  async around(call: EntraCall, serve: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const effect = this.#take(call)
    if (effect === undefined) return serve()
    switch (effect.kind) {
      case 'throttle':
        return json(
          429,
          { error: { code: 'TooManyRequests', message: 'Too many requests.' } },
          { 'retry-after': String(effect.retryAfterS) },
        )
      case 'error':
        return json(effect.status, { error: { code: 'InternalServerError', message: 'The server has met an internal error.' } })
      case 'latency':
        await this.#clock.sleep(effect.ms)
        return serve()
      case 'lost-request':
        throw new HttpFailure('reset', 'the request was lost')
      case 'lost-answer':
        await serve()
        throw new HttpFailure('reset', 'the answer was lost')
      default:
        return assertNever(effect)
    }
  }

  #take({ path, method }: EntraCall): EntraFault['effect'] | undefined {
    const target = `/${path.join('/')}`
    const armed = this.#armed.find(
      ({ fault: { match = {} }, left }) =>
        left > 0 && target.startsWith(match.path ?? '') && (match.method === undefined || match.method === method),
    )
    if (armed === undefined) return undefined
    armed.left--
    return armed.fault.effect
  }
}
