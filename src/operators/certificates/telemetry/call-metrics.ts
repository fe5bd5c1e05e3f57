// What is counted of calls of AWS: by operation and service, never by certificate, zone or error text.

export type BreakerState = 'closed' | 'half-open' | 'open'

export interface CallMetrics {
  /** A try begins; what is returned is told how it ended. */
  begin(operation: string): (succeeded: boolean) => void
  throttled(operation: string): void
  waited(service: string, ms: number): void
  readTokens(read: (service: string) => number): void
  cacheAsked(lookup: 'fqdn' | 'arn', hit: boolean): void
  cacheEvicted(): void
  readCacheEntries(read: () => number): void
  /** The worst of all breakers of a service: each account has its own. */
  readBreakers(read: (service: string) => BreakerState): void
  breakerMoved(service: string, to: BreakerState): void
  readRequestsLeft(read: () => number): void
}
