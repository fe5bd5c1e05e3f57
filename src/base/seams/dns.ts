// Questions to name servers, as a program asks them that wants to know what the world sees.

export interface DnsLookup {
  readonly name: string
  readonly type: 'CNAME' | 'NS'
  /** Addresses, with a port where it is not 53. None: those that the machine is set up with. */
  readonly servers: readonly string[]
  readonly timeoutMs: number
}

export type DnsAnswer =
  | { readonly kind: 'values'; readonly values: readonly string[] }
  /** There is nothing of this type at the name. */
  | { readonly kind: 'none' }
  /** The server was reached, and whom it asked gave it no answer (SERVFAIL). */
  | { readonly kind: 'failed' }
  /** No answer to this question came. */
  | { readonly kind: 'silent' }

export interface Dns {
  /** Does not throw for what the network does. */
  ask(question: DnsLookup): Promise<DnsAnswer>
}
