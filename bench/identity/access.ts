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
  /** By what was asked for, as `patch roles.iam.services.k8s.aws/status`. */
  calls: Record<string, Call>
}

/** Of all requests for one thing together. A watch counts once and receives for as long as it stands. */
export interface Call {
  count: number
  /** From the request to the head of the answer. */
  waitedMs: number
  sentBytes: number
  receivedBytes: number
}

export function noTraffic(): Traffic {
  return { requests: 0, events: 0, sentBytes: 0, receivedBytes: 0, calls: {} }
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
    const { method, target, headers } = request
    const received = receiver(traffic, whatIsAsked(method, target, String(headers['content-type'] ?? '')))
    const call = received.call()
    traffic.requests++
    call.count++
    if (method !== 'GET' && target.includes('/events')) traffic.events++
    const sent = request.body instanceof Uint8Array ? request.body.length : 0
    traffic.sentBytes += sent
    call.sentBytes += sent
    const began = performance.now()
    const response = await exchange(request)
    call.waitedMs += performance.now() - began
    const { body } = response
    if (body === null) return response
    if (body instanceof Uint8Array) {
      received.take(body)
      return response
    }
    return { ...response, body: weighed(body, received.take) }
  }
}

/** Looks its place up each time: what is counted begins anew while watches stand. */
function receiver(traffic: Traffic, what: string): { call(): Call; take(piece: Uint8Array): void } {
  const call = (): Call => (traffic.calls[what] ??= { count: 0, waitedMs: 0, sentBytes: 0, receivedBytes: 0 })
  return {
    call,
    take: piece => {
      traffic.receivedBytes += piece.length
      call().receivedBytes += piece.length
    },
  }
}

const verbs: Readonly<Record<string, string>> = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' }

/** `/apis/GROUP/VERSION/namespaces/NS/PLURAL/NAME/SUB?watch=1` as `watch PLURAL`, with the name and the namespace left out. */
export function whatIsAsked(method: string, target: string, contentType: string): string {
  const [path = '', query = ''] = target.split('?')
  const parts = path.split('/').filter(Boolean)
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3)
  const [plural = path, name, subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest
  const isWatch = new URLSearchParams(query).has('watch')
  const read = isWatch ? 'watch' : name === undefined ? 'list' : 'get'
  const patch = contentType.includes('apply-patch') ? 'apply' : 'patch'
  const verb = method === 'GET' ? read : method === 'PATCH' ? patch : (verbs[method] ?? method)
  return `${verb} ${plural}${subresource === undefined ? '' : `/${subresource}`}`
}

async function* weighed(body: AsyncIterable<Uint8Array>, take: (piece: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    take(piece)
    yield piece
  }
}
