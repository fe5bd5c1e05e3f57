// Which calls of AWS went over the wire, when, and which of them were refused for being too many.
import type { Clock, HttpExchange, HttpRequest } from '#base'

export interface CountedCall {
  readonly service: 'acm' | 'route53'
  readonly operation: string
  readonly atMs: number
  readonly isThrottled: boolean
}

export class CallTally {
  readonly calls: CountedCall[] = []
  readonly #clock: Pick<Clock, 'monotonicMs'>

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock
  }

  readonly through =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const atMs = this.#clock.monotonicMs()
      const response = await exchange(request)
      const text = response.status === 400 && response.body instanceof Uint8Array ? Buffer.from(response.body).toString() : ''
      this.calls.push({ ...operationOf(request), atMs, isThrottled: /Throttl|Rate exceeded/.test(text) })
      return response
    }

  get throttled(): number {
    return this.calls.filter(({ isThrottled }) => isThrottled).length
  }

  of(operation: string): number {
    return this.calls.filter(call => call.operation === operation).length
  }
}

function operationOf({ method, target, headers }: HttpRequest): Pick<CountedCall, 'service' | 'operation'> {
  const named = String(headers['x-amz-target'] ?? '')
  if (named !== '') return { service: 'acm', operation: named.slice(named.indexOf('.') + 1) }
  const operation = target.includes('/change/')
    ? 'GetChange'
    : target.includes('/rrset')
      ? method === 'GET'
        ? 'ListResourceRecordSets'
        : 'ChangeResourceRecordSets'
      : 'GetHostedZone'
  return { service: 'route53', operation }
}
