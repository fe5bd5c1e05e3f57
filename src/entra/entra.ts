// What a user of this room holds.
import type { Clock, HttpExchange, HttpListener, Net } from '#base'
import type { EntraFault } from './faults.ts'

export interface EntraOptions {
  /** Same seed, same ids, keys and authority. */
  readonly seed?: string
  readonly clock?: Clock
  /** Ids of tenants; the first has the subscription and the administrator. One that follows from the seed when absent. */
  readonly tenants?: readonly string[]
  /** How late a federated credential is believed: `instant`, or `real` (5 to 60 s). */
  readonly profile?: EntraProfile
  /** The network: what `listen` opens sockets with, and how issuers outside of this process are asked where that is allowed. */
  readonly net?: Net
  readonly allowExternalIssuers?: boolean
  /** PEM of authorities that may have signed the certificates of issuers, beside the machine's own. */
  readonly issuerAuthorities?: string
  /** A snapshot to go on with. */
  readonly data?: string
}

export type EntraProfile = 'instant' | 'real'

export interface EntraAdministrator {
  readonly tenant: string
  readonly subscription: string
  readonly clientId: string
  readonly clientSecret: string
}

export interface Entra {
  /** All that is served, in process. */
  readonly handle: HttpExchange
  /** PEM of the authority behind the listener. */
  readonly ca: string
  /** Owner of the first tenant's subscription. */
  readonly administrator: EntraAdministrator
  listen(where?: { readonly host?: string; readonly port?: number; readonly tls?: boolean }): Promise<HttpListener>
  /** Keys of this https host's issuers come from the handler, such as an embedded API server. */
  registerHost(host: string, handler: HttpExchange): void
  readonly faults: { add(fault: EntraFault): { remove(): void } }
  /** The state as text, for `data`. */
  snapshot(): string
  close(): Promise<void>
}
