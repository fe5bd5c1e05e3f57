// HTTP as values. A client and a server meet in one function type, `HttpExchange`: over sockets a dialler turns it into bytes,
// in process a server's handler *is* the client's exchange. That is how the embedded API server and the AWS emulator are called
// without sockets, and how the simulator gets between the two.

import type { Maybe } from '../maybe.ts'

/** Lower-case names. A header that came twice has its values in order. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Bytes at once, a stream, or nothing. A consumer that stops early must call the iterator's `return`, as `for await` does. */
export type HttpBody = Uint8Array | AsyncIterable<Uint8Array> | null

/** Who is at the other end, as far as the transport proved it. */
export interface HttpPeer {
  readonly address: string
  readonly tls: boolean
  /** DER of the client certificate, when one was shown and verified against the listener's client CA. */
  readonly certificate?: Uint8Array
}

export interface HttpRequest {
  readonly method: string
  /** Path and query as they stand on the wire, beginning with "/". */
  readonly target: string
  readonly headers: HttpHeaders
  readonly body: HttpBody
  readonly signal?: AbortSignal
  readonly peer?: HttpPeer
}

export interface HttpResponse {
  readonly status: number
  readonly headers: HttpHeaders
  readonly body: HttpBody
}

/** One request, one response. Rejects with `HttpFailure` when there is no response, or none that can be trusted. */
export type HttpExchange = (request: HttpRequest) => Promise<HttpResponse>

/** What a listener calls: an answer that is there at once needs no promise. */
export type HttpHandler = (request: HttpRequest) => Maybe<HttpResponse>

/** What is known about the effect of a request that got no response: the difference decides whether it may be repeated. */
export type HttpFailureCode =
  /** Nothing was sent: name lookup, connect, TLS or proxy failed. Safe to repeat. */
  | 'unreachable'
  /** Certificate or host name refused. Repeating does not help. */
  | 'untrusted'
  /** Sent, or partly; the answer never came. The effect may have taken hold. */
  | 'reset'
  | 'timeout'
  /** The answer is no HTTP, is cut short, or passes a limit. */
  | 'malformed'
  | 'too-large'
  /** The caller's signal aborted. */
  | 'aborted'

export class HttpFailure extends Error {
  readonly code: HttpFailureCode
  constructor(code: HttpFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HttpFailure'
    this.code = code
  }
}

export interface TlsClientOptions {
  /** PEM; absent means the machine's own roots. */
  readonly ca?: string
  readonly certificate?: string
  readonly key?: string
  /** Name to verify and send instead of the host. */
  readonly serverName?: string
  readonly insecureSkipVerify?: boolean
}

export interface DialOptions {
  /** `https://host:port` or `http://host:port`; a path is not part of it. */
  readonly origin: string
  readonly tls?: TlsClientOptions
  /** `h2` is tried first over TLS when `auto`; plain HTTP is always 1.1. */
  readonly protocol?: 'auto' | 'h2' | 'http/1.1'
  readonly proxyUrl?: string
  readonly connectTimeoutMs?: number
  /** Longest silence on a connection with streams open before it is pinged, and then given up. */
  readonly pingIntervalMs?: number
  readonly connectionsMax?: number
}

/** Connections to one origin: opened when first used, reused, replaced when they die. */
export interface HttpClient {
  readonly exchange: HttpExchange
  close(): Promise<void>
}

export type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

export interface TlsServerOptions {
  readonly certificate: string
  readonly key: string
  /** PEM of the CAs whose client certificates are accepted; clients without a certificate are let in all the same. */
  readonly clientCa?: string
  /** Clients without a certificate of `clientCa` are turned away in the handshake. Fixed when the listener opens. */
  readonly requiresClientCertificate?: boolean
  /** Default TLS 1.2. */
  readonly minVersion?: TlsVersion
  /** OpenSSL names for TLS 1.2 and below, in order of preference; the suites of TLS 1.3 are always offered. */
  readonly ciphers?: readonly string[]
}

export interface ListenOptions {
  readonly host?: string
  /** 0 lets the system choose, which tests always do. */
  readonly port?: number
  readonly tls?: TlsServerOptions
  /** Chooses key and certificate for a TLS name; `undefined` falls back to `tls`. */
  readonly tlsFor?: (serverName: string) => TlsServerOptions | undefined
  /** What is offered over TLS; default both. */
  readonly protocols?: readonly ('h2' | 'http/1.1')[]
  readonly limits?: Partial<HttpLimits>
  /**
   * Over TLS: requests of HTTP/1.1 in their plainest form are read and answered without Node's HTTP, for less than half of what it costs. A
   * connection that sends anything else is Node's from then on.
   */
  readonly readsPlainHttp1?: boolean
}

/** Bounds of a listener; each is enforced at its value plus one. */
export interface HttpLimits {
  readonly headerBytesMax: number
  /** Beyond it the peer with the most connections loses its oldest, unless that is the one who comes: then the new one is refused. */
  readonly connectionsMax: number
  /** From one address. Default: no limit. */
  readonly connectionsPerPeerMax: number
  /** A client must have sent its header within this time, and each next piece of its body. */
  readonly headerTimeoutMs: number
  readonly idleTimeoutMs: number
  /** A client must have sent its whole body within this time. Default: no limit. */
  readonly bodyTimeoutMs: number
  /**
   * What all requests under way may hold together: the bytes of their bodies as far as they have come, and a little for each. Half of it may
   * be one peer's. Beyond it a connection is cut whose body is not whole yet: of the peer with the most, the largest. Default: no limit.
   */
  readonly heldBytesMax: number
}

export interface HttpListener {
  readonly host: string
  readonly port: number
  /** New connections see the new certificate; those that stand are left alone. */
  setTls(tls: TlsServerOptions): void
  /**
   * Stops accepting, lets requests under way finish until `graceMs` (default 0) have passed, then ends what is left. Each answer from now on
   * ends its connection. Idle connections are ended at once, or after `lingerMs`: a request may be on its way on one of them, and clients do
   * not send everything twice.
   */
  close(graceMs?: number, lingerMs?: number): Promise<void>
}

/** The network. */
export interface Net {
  dial(options: DialOptions): HttpClient
  /**
   * Small bodies reach the handler as bytes, large ones as a stream that the handler's own limit ends, and so do unannounced ones, unless
   * all came with the header over HTTP/2. A handler that rejects with `HttpFailure('reset')` cuts the connection, as does a response body
   * that throws; any other rejection is 500.
   */
  listen(options: ListenOptions, handler: HttpHandler): Promise<HttpListener>
}
