// Faults on purpose, as users of the server state them: which requests, and what becomes of them.
export interface FaultMatch {
  readonly client?: string
  readonly userAgent?: string
  readonly verb?: string
  readonly group?: string
  readonly resource?: string
  readonly namespace?: string
  readonly name?: string
  readonly subresource?: string
  /** Only the nth request (from 1) that the rest of the match accepts. */
  readonly nth?: number
  readonly probability?: number
  /** Monotonic milliseconds of the server's clock. */
  readonly between?: readonly [number, number]
}

export type FaultAction =
  | { readonly kind: 'delay'; readonly ms: number; readonly what?: 'request' | 'response' | 'watch-event' }
  | { readonly kind: 'error'; readonly status: number; readonly reason?: string; readonly retryAfter?: number }
  | { readonly kind: 'error-after-commit'; readonly how: 'timeout' | 'reset' | 500 | 503 | 504 }
  | { readonly kind: 'reset' }
  | { readonly kind: 'conflict-once' }
  | { readonly kind: 'stale-read'; readonly revisions: number; readonly allowTimeTravel?: boolean }
  | { readonly kind: 'watch-lag'; readonly ms?: number; readonly events?: number }
  | { readonly kind: 'watch-cut'; readonly afterEvents?: number; readonly midLine?: boolean }
  | { readonly kind: 'watch-gone' }
  | { readonly kind: 'bookmarks'; readonly how: 'storm' | 'none' }
  | { readonly kind: 'hostile'; readonly how: 'drop' | 'duplicate' | 'reorder' }
  | { readonly kind: 'webhook'; readonly how: 'slow' | 'error' | 'malformed' | 'deny'; readonly ms?: number }
  | { readonly kind: 'partition' }
  | { readonly kind: 'not-ready' }

export interface FaultRule {
  readonly match: FaultMatch
  readonly action: FaultAction
  /** How often it may strike; default without end. */
  readonly times?: number
}
