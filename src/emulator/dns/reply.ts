// What a question to the DNS of the hosted zones is answered with.

export interface DnsRecord {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly value: string
}

export interface DnsReply {
  /** REFUSED: no zone of ours answers for the name. */
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED'
  /** The CNAMEs on the way, then the values. */
  readonly records: readonly DnsRecord[]
  /** Beside no values: the zone's SOA, or the name servers to which a name was delegated that are not ours. */
  readonly authority: readonly DnsRecord[]
}
