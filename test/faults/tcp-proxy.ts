// A TCP proxy that breaks things on purpose, between a client under test and a real listener. It knows nothing of HTTP, so what it
// does to a connection is what networks do: silence, delay, cuts, resets, trickles and noise.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Connections made so far. */
  readonly accepted: number
  /** Pairs that stand now. */
  readonly open: number
  /** How many more bytes the client gets in all, per connection from now on; then the connection is reset. */
  cutAfter(bytes: number | undefined): void
  /** Each piece towards the client waits so long. */
  delay(ms: number): void
  /** Pieces towards the client come in at most so many bytes, a turn of the event loop apart. */
  trickle(bytes: number | undefined): void
  /** Connections stand, old and new, and nothing passes: the peer's machine has vanished. `false` heals new connections only. */
  silence(on: boolean): void
  /** New connections are closed at once. */
  refuse(on: boolean): void
  /** New connections get noise instead of an answer. */
  garbage(noise: Uint8Array | undefined): void
  /** Ends all standing connections in order (FIN). */
  cut(): void
  /** Ends all standing connections without a word (RST). */
  reset(): void
  close(): Promise<void>
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  silent: boolean
  left: number | undefined
}

/** A proxy on a free port of the loopback before the given port. */
export async function startTcpProxy(targetPort: number, targetHost = '127.0.0.1'): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  const timers = new Set<NodeJS.Timeout>()
  const faults = { delayMs: 0, silent: false, refusing: false, cutAfter: undefined, trickle: undefined, garbage: undefined } as {
    delayMs: number
    silent: boolean
    refusing: boolean
    cutAfter: number | undefined
    trickle: number | undefined
    garbage: Uint8Array | undefined
  }
  let accepted = 0
  const server = createServer(client => {
    accepted++
    client.on('error', () => {})
    if (faults.refusing) client.resetAndDestroy()
    else if (faults.garbage === undefined) join(client)
    else client.resume().end(faults.garbage)
  })
  const join = (client: Socket): void => {
    const upstream = connect({ port: targetPort, host: targetHost, noDelay: true })
    upstream.on('error', () => client.destroy())
    const pair: Pair = { client, server: upstream, silent: faults.silent, left: faults.cutAfter }
    pairs.add(pair)
    const forget = (): void => {
      pairs.delete(pair)
      if (pair.silent) return
      client.destroy()
      upstream.destroy()
    }
    client.on('close', forget)
    upstream.on('close', forget)
    client.on('data', piece => {
      if (!pair.silent) upstream.write(piece)
    })
    client.on('end', () => {
      if (!pair.silent) upstream.end()
    })
    upstream.on('end', () => {
      if (!pair.silent) client.end()
    })
    upstream.on('data', piece => {
      if (pair.silent) return
      if (faults.delayMs === 0) {
        deliver(pair, piece)
        return
      }
      const timer = setTimeout(() => {
        timers.delete(timer)
        if (!pair.silent) deliver(pair, piece)
      }, faults.delayMs)
      timers.add(timer)
    })
  }
  const deliver = (pair: Pair, piece: Buffer): void => {
    const part = pair.left === undefined ? piece : piece.subarray(0, pair.left)
    if (faults.trickle === undefined) pair.client.write(part)
    else {
      for (let at = 0; at < part.length; at += faults.trickle) {
        pair.client.cork()
        pair.client.write(part.subarray(at, at + faults.trickle))
        pair.client.uncork()
      }
    }
    if (pair.left === undefined) return
    pair.left -= part.length
    if (pair.left <= 0) setImmediate(() => pair.client.resetAndDestroy())
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get accepted() {
      return accepted
    },
    get open() {
      return pairs.size
    },
    cutAfter: bytes => {
      faults.cutAfter = bytes
      for (const pair of pairs) pair.left = bytes
    },
    delay: ms => {
      faults.delayMs = ms
    },
    trickle: bytes => {
      faults.trickle = bytes
    },
    silence: on => {
      faults.silent = on
      if (on) for (const pair of pairs) pair.silent = true
    },
    refuse: on => {
      faults.refusing = on
    },
    garbage: noise => {
      faults.garbage = noise
    },
    cut: () => {
      for (const pair of pairs) pair.client.end()
      for (const pair of pairs) pair.server.end()
    },
    reset: () => {
      for (const pair of pairs) pair.client.resetAndDestroy()
    },
    close: () => {
      for (const timer of timers) clearTimeout(timer)
      for (const pair of pairs) {
        pair.client.destroy()
        pair.server.destroy()
      }
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
