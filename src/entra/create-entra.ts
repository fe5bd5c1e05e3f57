// The room put together: which address is whose, and how a request gets there.
import {
  BodyTooLarge,
  given,
  type HttpExchange,
  type HttpListener,
  type HttpRequest,
  type HttpResponse,
  SeededAuthority,
  seededRandom,
  systemClock,
  systemNet,
} from '#base'
import { DirectoryCell } from './directory/directory.ts'
import { firstDirectory, readSnapshot, renderSnapshot } from './directory/snapshot.ts'
import type { Entra, EntraOptions } from './entra.ts'
import { EntraFaults } from './faults.ts'
import { ForeignIssuers } from './issuers/issuers.ts'
import { type EntraParts, route } from './route.ts'
import { TenantKeys } from './sign-in/tenant-keys.ts'
import { json, readCall } from './wire/call.ts'

/** Entra and a little of Azure in one process. Nothing is opened until `listen`. */
export function createEntra(options: EntraOptions = {}): Entra {
  const clock = options.clock ?? systemClock
  const net = options.net ?? systemNet
  const saved = options.data === undefined ? undefined : readSnapshot(options.data)
  const seed = saved?.seed ?? options.seed ?? 'entra'
  const random = seededRandom(seed)
  const hosts = new Map<string, HttpExchange>()
  const first = firstDirectory(random, saved?.directory.tenants ?? options.tenants)
  const cell = new DirectoryCell(saved?.directory ?? first.directory)
  const issuers = new ForeignIssuers({
    clock,
    hosts,
    ...(options.allowExternalIssuers === true ? { net } : {}),
    ...given({ authorities: options.issuerAuthorities }),
  })
  const keys = new TenantKeys(clock, random)
  const faults = new EntraFaults(clock)
  const parts: EntraParts = { cell, clock, random, keys, issuers, profile: options.profile ?? 'instant' }
  const handle = handler(parts, faults)
  const authority = new SeededAuthority('Vouch Entra emulator CA', random)
  const listeners = new Set<HttpListener>()
  return {
    handle,
    get ca() {
      return authority.certificate
    },
    administrator: first.administrator,
    listen: async ({ host = '127.0.0.1', port = 0, tls = true } = {}) => {
      const certified = tls ? { tls: authority.serverCertificate(servedNames) } : {}
      const listener = await net.listen({ host, port, ...certified }, handle)
      listeners.add(listener)
      return listener
    },
    registerHost: (host, exchange) => void hosts.set(host, exchange),
    faults,
    snapshot: () => renderSnapshot(seed, cell.now),
    close: async () => {
      await Promise.all([...listeners].map(listener => listener.close()))
      listeners.clear()
    },
  }
}

const servedNames = {
  dns: [
    'localhost',
    'login.microsoftonline.com',
    'management.azure.com',
    'graph.microsoft.com',
    '*.vault.azure.net',
    '*.blob.core.windows.net',
  ],
  ips: ['127.0.0.1', '::1'],
}

function handler(parts: EntraParts, faults: EntraFaults): HttpExchange {
  return async (request: HttpRequest): Promise<HttpResponse> => {
    try {
      const call = await readCall(request)
      if (call === undefined) return json(400, { error: { code: 'BadRequest', message: 'The address cannot be read.' } })
      return await faults.around(call, () => route(parts, call))
    } catch (error) {
      if (error instanceof BodyTooLarge) return json(413, { error: { code: 'RequestEntityTooLarge', message: error.message } })
      throw error
    }
  }
}
