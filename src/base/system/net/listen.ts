// The listener: HTTP/1.1 without TLS; with TLS whichever of HTTP/2 and HTTP/1.1 the client prefers. One TLS server accepts, and
// hands each connection to its protocol once the names are settled.
import type { Server } from 'node:http'
import { performServerHandshake, type ServerHttp2Session } from 'node:http2'
import { createServer as createTlsServer, type Server as TlsHttpServer } from 'node:https'
import { type AddressInfo, type Socket, Server as SocketServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { HttpHandler, HttpLimits, HttpListener, HttpPeer, ListenOptions, TlsServerOptions } from '../../seams/http.ts'
import { Connections, peerName } from './connections.ts'
import { HeldBodies } from './held-bodies.ts'
import { http } from './node-http.ts'
import { sessionMemoryMbMax } from './node-http2.ts'
import { http1Handler } from './serve-http1.ts'
import { http2Handler } from './serve-http2.ts'
import { PlainConnections } from './serve-plain.ts'
import { contextOptions, sniCallback } from './tls-server.ts'

const defaultLimits: HttpLimits = {
  // Large enough for a bearer token with many groups, small enough that thousands of idle clients cost little.
  headerBytesMax: 65_536,
  connectionsMax: 10_000,
  connectionsPerPeerMax: Number.POSITIVE_INFINITY,
  headerTimeoutMs: 20_000,
  // Go clients keep idle connections for 90 s; a shorter time here would close them in the middle of a reuse.
  idleTimeoutMs: 120_000,
  bodyTimeoutMs: Number.POSITIVE_INFINITY,
  heldBytesMax: Number.POSITIVE_INFINITY,
}

/** As many as Go's API machinery offers; a client with more to do opens a second connection. */
const concurrentStreamsMax = 250
/** Lets a body of a few hundred kilobytes arrive without waiting for the reader. */
const windowBytes = 1_048_576

export async function listen(options: ListenOptions, handler: HttpHandler): Promise<HttpListener> {
  const limits = { ...defaultLimits, ...options.limits }
  const peers = new WeakMap<Socket, HttpPeer>()
  const peerOf = (socket: Socket): HttpPeer => {
    let peer = peers.get(socket)
    if (peer === undefined) peers.set(socket, (peer = describePeer(socket)))
    return peer
  }
  const sessions = new Set<ServerHttp2Session>()
  const state = { isClosing: false }
  const bodies = limits.heldBytesMax === Number.POSITIVE_INFINITY ? undefined : new HeldBodies(limits.heldBytesMax)
  const patience = { silenceMs: limits.headerTimeoutMs, totalMs: limits.bodyTimeoutMs }
  const serving = { handler, peerOf, patience, bodies, isClosing: () => state.isClosing }
  const onRequest = http1Handler(serving)
  const nodeOptions = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headerTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    // Bodies are timed piece by piece, and answers may take as long as a watch.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5_000, Math.max(20, Math.ceil(limits.headerTimeoutMs / 4))),
    noDelay: true,
  }
  const onSession = (socket: TLSSocket): void => {
    const session = performServerHandshake(socket, {
      maxHeaderListPairs: 256,
      maxSessionMemory: sessionMemoryMbMax,
      settings: {
        maxConcurrentStreams: concurrentStreamsMax,
        initialWindowSize: windowBytes,
        maxHeaderListSize: limits.headerBytesMax,
        enablePush: false,
      },
    })
    keepSession(session, sessions, limits)
    session.on('stream', http2Handler({ handler, peer: peerOf(socket), patience, bodies }))
  }
  const plain = options.readsPlainHttp1 === true ? new PlainConnections({ ...limits, ...serving }) : undefined
  const server =
    options.tls === undefined && options.tlsFor === undefined
      ? http.createServer(nodeOptions, onRequest)
      : tlsServer(options, nodeOptions, { onRequest, onSession, plain })
  server.on('close', () => plain?.stop())
  const connections = new Connections(limits)
  server.on('connection', socket => connections.admit(socket))
  const sockets = trackSockets(server)
  await bind(server, options)
  const address = server.address() as AddressInfo
  return {
    host: address.address,
    port: address.port,
    setTls: tls => renew(server, tls),
    close: (graceMs = 0, lingerMs = 0) => {
      state.isClosing = true
      return closeAll({ server, sockets, sessions, plain }, { graceMs, lingerMs: Math.min(graceMs, lingerMs) })
    },
  }
}

interface Protocols {
  readonly onRequest: Parameters<typeof http.createServer>[1]
  readonly onSession: (socket: TLSSocket) => void
  /** In front of Node's HTTP/1.1, which gets what is not plain. */
  readonly plain: PlainConnections | undefined
}

function tlsServer(options: ListenOptions, nodeOptions: object, { onRequest, onSession, plain }: Protocols): TlsHttpServer {
  const server = createTlsServer(
    {
      ...nodeOptions,
      ...contextOptions(options.tls),
      ALPNProtocols: [...(options.protocols ?? ['h2', 'http/1.1'])],
      // Who does not finish the handshake is as slow as who does not finish a header.
      handshakeTimeout: options.limits?.headerTimeoutMs ?? defaultLimits.headerTimeoutMs,
      // Asked for but optional: who shows none can still authenticate by token. Verified ones end up in `peer`.
      requestCert: options.tls?.clientCa !== undefined || options.tlsFor !== undefined,
      rejectUnauthorized: options.tls?.requiresClientCertificate === true,
      ...(options.tlsFor === undefined ? {} : { SNICallback: sniCallback(options.tlsFor) }),
    },
    onRequest,
  )
  const toHttp1 = server.listeners('secureConnection') as ((socket: Socket) => void)[]
  const toNode = (socket: Socket): void => {
    for (const listener of toHttp1) listener.call(server, socket)
  }
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') onSession(socket)
    else if (plain !== undefined) plain.add(socket, toNode)
    else toNode(socket)
  })
  // A client that speaks no TLS, or dislikes our certificate, is its own trouble.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return server
}

function keepSession(session: ServerHttp2Session, sessions: Set<ServerHttp2Session>, limits: HttpLimits): void {
  sessions.add(session)
  session.on('close', () => sessions.delete(session))
  session.on('error', () => session.destroy())
  // Fires on silence; a session whose streams are quiet watches is not idle.
  let open = 0
  session.on('stream', stream => {
    open++
    stream.on('close', () => open--)
  })
  session.setTimeout(limits.idleTimeoutMs, () => {
    if (open === 0) session.close()
  })
  if (!session.destroyed) session.setLocalWindowSize(windowBytes * 4)
}

function describePeer(socket: Socket): HttpPeer {
  const address = peerName(socket.remoteAddress)
  const secured = socket as Partial<TLSSocket>
  if (secured.encrypted !== true) return { address, tls: false }
  const certificate = secured.authorized === true ? secured.getPeerX509Certificate?.()?.raw : undefined
  return certificate === undefined ? { address, tls: true } : { address, tls: true, certificate }
}

function renew(server: Server | TlsHttpServer, tls: TlsServerOptions): void {
  if (!('setSecureContext' in server)) throw new TypeError('this listener does not speak TLS')
  server.setSecureContext(contextOptions(tls))
}

/** Connections, and since when there has been something to ask on them. */
type Sockets = Map<Socket, number>

function trackSockets(server: Server): Sockets {
  const sockets: Sockets = new Map()
  const track = (socket: Socket): void => {
    // Sockets of HTTP/2 are closed by their session, so they are not tracked here.
    if ((socket as Partial<TLSSocket>).alpnProtocol === 'h2') return
    sockets.set(socket, performance.now())
    socket.on('close', () => sockets.delete(socket))
  }
  server.on('connection', track)
  server.on('secureConnection', track)
  return sockets
}

function bind(server: Server, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: options.host ?? '127.0.0.1', port: options.port ?? 0 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Between two looks for connections that have become idle. */
const idleEveryMs = 500

interface Serving {
  readonly server: Server
  readonly sockets: Sockets
  readonly sessions: Set<ServerHttp2Session>
  readonly plain: PlainConnections | undefined
}

function closeAll(
  { server, sockets, sessions, plain }: Serving,
  { graceMs, lingerMs }: { graceMs: number; lingerMs: number },
): Promise<void> {
  return new Promise(resolve => {
    const cut = (): void => {
      for (const session of sessions) session.destroy()
      for (const socket of sockets.keys()) socket.destroy()
    }
    if (graceMs <= 0) {
      server.close(() => resolve())
      return cut()
    }
    const startedMs = performance.now()
    const endIdle = (): void => {
      server.closeIdleConnections()
      plain?.endIdle()
      for (const session of sessions) session.close()
      // Clients open more than they use. Node counts a connection on which nothing was ever asked as busy.
      for (const [socket, sinceMs] of sockets)
        if (socket.bytesRead === 0 && performance.now() - Math.max(sinceMs, startedMs) >= lingerMs) socket.destroy()
    }
    let again: NodeJS.Timeout | undefined
    const lingered = setTimeout(() => {
      endIdle()
      again = setInterval(endIdle, idleEveryMs)
    }, lingerMs)
    const cutOff = setTimeout(cut, graceMs)
    const done = (): void => {
      for (const timer of [lingered, cutOff, again]) clearTimeout(timer)
      resolve()
    }
    // Node ends idle connections itself when a server closes; a plain socket server only stops accepting.
    if (lingerMs > 0) stopAccepting(server, done)
    else {
      server.close(done)
      endIdle()
    }
  })
}

function stopAccepting(server: Server, done: () => void): void {
  SocketServer.prototype.close.call(server, done)
}
