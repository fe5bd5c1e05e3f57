// The way into an API server from another process: where it is, whom to trust, who we are.
import { type HttpExchange, systemClock, systemNet } from '#base'
import { createKubeClient, type KubeClient } from '#kube/client'

export interface Access {
  readonly origin: string
  readonly ca: string
  readonly token: string
}

/** What went over one client since it was last asked. */
export interface Traffic {
  requests: number
  /** Of them, creations and repetitions of Events, which no pass waits for. */
  events: number
  sentBytes: number
  receivedBytes: number
}

/** A client with connections of its own, as each process has them. */
export function openClient({ origin, ca, token }: Access, traffic?: Traffic): KubeClient {
  const { exchange } = systemNet.dial({ origin, tls: { ca } })
  const authorised: HttpExchange = request =>
    exchange({ ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } })
  const counted = traffic === undefined ? authorised : counting(authorised, traffic)
  return createKubeClient({ clock: systemClock, address: origin, exchange: counted, userAgent: 'vouch-bench' })
}

function counting(exchange: HttpExchange, traffic: Traffic): HttpExchange {
  return async request => {
    traffic.requests++
    if (request.method !== 'GET' && request.target.includes('/events')) traffic.events++
    if (request.body instanceof Uint8Array) traffic.sentBytes += request.body.length
    const response = await exchange(request)
    const { body } = response
    if (body === null) return response
    if (body instanceof Uint8Array) {
      traffic.receivedBytes += body.length
      return response
    }
    return { ...response, body: weighed(body, traffic) }
  }
}

async function* weighed(body: AsyncIterable<Uint8Array>, traffic: Traffic): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    traffic.receivedBytes += piece.length
    yield piece
  }
}
