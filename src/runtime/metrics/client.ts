import type { HttpExchange } from '#base'
import { HttpFailure } from '#base'
import type { Metrics } from './registry.ts'

/** Counts the calls of a client with client-go's names. Goes around the exchange before the client is made. */
export function countedExchange(exchange: HttpExchange, metrics: Metrics, host: string): HttpExchange {
  const requests = metrics.counter(
    'rest_client_requests_total',
    'Number of HTTP requests, partitioned by status code, method, and host.',
  )
  return async request => {
    const labels = { host, method: request.method }
    try {
      const response = await exchange(request)
      requests.add({ code: String(response.status), ...labels })
      return response
    } catch (error) {
      // client-go's word for a call without an answer.
      if (error instanceof HttpFailure) requests.add({ code: '<error>', ...labels })
      throw error
    }
  }
}
