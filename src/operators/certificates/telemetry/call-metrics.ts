// What is counted of calls of AWS: by operation and service, never by certificate, zone or error text.

export interface CallMetrics {
  /** A try begins; what is returned is told how it ended. */
  begin(operation: string): (succeeded: boolean) => void
  throttled(operation: string): void
  waited(service: string, ms: number): void
  readTokens(read: (service: string) => number): void
  cacheAsked(lookup: 'fqdn' | 'arn', hit: boolean): void
  cacheEvicted(): void
  readCacheEntries(read: () => number): void
  breakerIs(service: string, state: 'closed' | 'half-open' | 'open'): void
  breakerMoved(service: string, to: 'closed' | 'half-open' | 'open'): void
}
