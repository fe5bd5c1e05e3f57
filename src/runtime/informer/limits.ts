// The times and sizes of an informer, each with what would go wrong without it.

export interface InformerLimits {
  /** Objects per page: small enough that a page's JSON and its projection are never both large. */
  readonly pageSize: number
  /** Silence on a stream after which it counts as dead. Servers send a bookmark about every minute. */
  readonly silenceMs: number
  /** How long a server may be silent while it streams a list. */
  readonly listSilenceMs: number
  /** How long the server is asked to keep a watch open; the draw is between this and twice this. */
  readonly watchMs: number
  /** A fresh list this often, in case lines were lost without a trace; 0 never. */
  readonly auditMs: number
  readonly backoffMsMin: number
  readonly backoffMsMax: number
  /**
   * For a kind that is not served while the definitions of kinds are followed, which tell when it is: what is left are kinds of an
   * aggregated server, which have no definition. Asked for as often as what is broken, each would cost every replica three reads a minute.
   */
  readonly missingMsMax: number
}

export const informerLimitsDefault: InformerLimits = {
  pageSize: 500,
  silenceMs: 150_000,
  listSilenceMs: 30_000,
  watchMs: 300_000,
  auditMs: 3_600_000,
  backoffMsMin: 50,
  backoffMsMax: 30_000,
  missingMsMax: 300_000,
}
