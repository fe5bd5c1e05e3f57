// The way to AWS endpoints: one HttpClient per origin, opened when first used. A server in the same process takes its place by its
// handler, so that nothing behind this line knows whether there is a network.
import type { DialOptions, HttpClient, HttpExchange, Net } from '#base'

export interface Transport {
  /** The exchange for `https://host:port`. */
  to(origin: string): HttpExchange
  close(): Promise<void>
}

/** More origins than any operator talks to (regions times services); buckets in host names could otherwise grow this without end. */
const originsMax = 256

export interface NetTransportOptions extends Partial<Omit<DialOptions, 'origin'>> {}

/** Over sockets. */
export function netTransport(net: Pick<Net, 'dial'>, options: NetTransportOptions = {}): Transport {
  const clients = new Map<string, HttpClient>()
  return {
    to: origin => {
      const known = clients.get(origin)
      if (known !== undefined) {
        // The one used last stands last, so that the first is the one to let go.
        clients.delete(origin)
        clients.set(origin, known)
        return known.exchange
      }
      const client = net.dial({ protocol: 'http/1.1', ...options, origin })
      clients.set(origin, client)
      const oldest = clients.keys().next().value
      if (clients.size > originsMax && oldest !== undefined) {
        const unused = clients.get(oldest)
        clients.delete(oldest)
        // Requests of the old connection that are under way finish, and nobody waits for that.
        unused?.close().catch(() => {})
      }
      return client.exchange
    },
    close: async () => {
      await Promise.all([...clients.values()].map(client => client.close()))
      clients.clear()
    },
  }
}

/** To a server in the same process, which tells services apart by the host header as it does on a socket. */
export function inProcessTransport(handle: HttpExchange): Transport {
  return { to: () => handle, close: async () => {} }
}
