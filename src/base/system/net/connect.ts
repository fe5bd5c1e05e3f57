// One socket to an origin: TCP, a proxy's tunnel when asked for, TLS. All of it within one time limit, all failures told apart.
import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { type DialOptions, HttpFailure } from '../../seams/http.ts'
import { connectFailure } from './failures.ts'
import { type Origin, parseOrigin } from './origin.ts'

const connectTimeoutMsDefault = 10_000
/** A proxy that answers CONNECT with more than this is no proxy. */
const proxyAnswerBytesMax = 16_384

/** Rejects with `unreachable` or `untrusted`: whatever fails here, no request was sent. */
export async function openSocket(origin: Origin, options: DialOptions, protocols: readonly string[]): Promise<Socket> {
  const opened = new Set<Socket>()
  const limitMs = options.connectTimeoutMs ?? connectTimeoutMsDefault
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new HttpFailure('unreachable', `no connection to ${origin.authority} within ${limitMs} ms`)),
      limitMs,
    )
  })
  try {
    return await Promise.race([expired, build(origin, options, protocols, opened)])
  } catch (error) {
    for (const socket of opened) socket.destroy()
    throw connectFailure(error, origin.authority)
  } finally {
    clearTimeout(timer)
  }
}

async function build(origin: Origin, options: DialOptions, protocols: readonly string[], opened: Set<Socket>): Promise<Socket> {
  const plain = options.proxyUrl === undefined ? await reach(origin, opened) : await tunnel(origin, options.proxyUrl, opened)
  if (!origin.secure) return plain
  return secure(plain, tlsOptions(origin, options, protocols), opened)
}

async function reach(target: { host: string; port: number }, opened: Set<Socket>): Promise<Socket> {
  const socket = connectTcp({ host: target.host, port: target.port, noDelay: true })
  opened.add(socket)
  await settled(socket, 'connect')
  return socket
}

function tlsOptions(origin: Origin, { tls }: DialOptions, protocols: readonly string[]): ConnectionOptions {
  const name = tls?.serverName ?? origin.host
  return {
    ALPNProtocols: [...protocols],
    minVersion: 'TLSv1.2',
    // An address is no name that can be sent, but the certificate is checked against it all the same.
    ...(isAddress(name) ? {} : { servername: name }),
    host: name,
    ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls?.certificate === undefined ? {} : { cert: tls.certificate }),
    ...(tls?.key === undefined ? {} : { key: tls.key }),
    ...(tls?.insecureSkipVerify === true ? { rejectUnauthorized: false } : {}),
  }
}

function isAddress(name: string): boolean {
  return name.includes(':') || /^\d+(\.\d+){3}$/.test(name)
}

async function secure(plain: Socket, options: ConnectionOptions, opened: Set<Socket>): Promise<TLSSocket> {
  let socket: TLSSocket
  try {
    socket = connectTls({ ...options, socket: plain })
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new HttpFailure('untrusted', `the CA, certificate or key to connect with cannot be used: ${detail}`, { cause: error })
  }
  opened.add(socket)
  await settled(socket, 'secureConnect')
  return socket
}

async function tunnel(origin: Origin, proxyUrl: string, opened: Set<Socket>): Promise<Socket> {
  const proxy = parseOrigin(proxyUrl)
  const address = `${origin.host.includes(':') ? `[${origin.host}]` : origin.host}:${origin.port}`
  let socket = await reach(proxy, opened).catch((error: unknown) => {
    throw connectFailure(error, `the proxy ${proxy.authority}`)
  })
  if (proxy.secure) socket = await secure(socket, { host: proxy.host, servername: proxy.host }, opened)
  const { username, password } = new URL(proxyUrl)
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const authorization = username === '' ? '' : `Proxy-Authorization: Basic ${credentials}\r\n`
  socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: ${address}\r\n${authorization}\r\n`)
  const status = await proxyStatus(socket)
  if (status !== 200)
    throw new HttpFailure('unreachable', `the proxy ${proxy.authority} refuses a tunnel to ${address}: ${status}`)
  return socket
}

/** Reads exactly the proxy's header: what follows belongs to the tunnel. */
function proxyStatus(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const finish = (outcome: () => void): void => {
      socket.off('readable', read)
      socket.off('error', fail)
      socket.off('end', fail)
      outcome()
    }
    const fail = (error?: Error): void => finish(() => reject(error ?? new Error('the proxy closed the connection')))
    const read = (): void => {
      for (let piece = socket.read() as Buffer | null; piece !== null; piece = socket.read() as Buffer | null) {
        received = Buffer.concat([received, piece])
        const end = received.indexOf('\r\n\r\n')
        if (end >= 0) {
          const rest = received.subarray(end + 4)
          if (rest.length > 0) socket.unshift(rest)
          const status = /^HTTP\/1\.[01] (\d{3})/.exec(received.toString('latin1'))?.[1]
          return finish(() =>
            status === undefined ? reject(new Error('the proxy does not answer in HTTP')) : resolve(Number(status)),
          )
        }
        if (received.length > proxyAnswerBytesMax) return fail(new Error('the answer of the proxy has no end'))
      }
    }
    socket.on('readable', read)
    socket.on('error', fail)
    socket.on('end', fail)
  })
}

/** Resolves at the event, rejects when the socket ends or errs before it. */
function settled(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const clear = (): void => {
      socket.off(event, done)
      socket.off('error', fail)
      socket.off('close', closed)
    }
    const done = (): void => {
      clear()
      // Whoever takes the socket over listens too; between the two an error must not end the process.
      socket.on('error', () => {})
      resolve()
    }
    const fail = (error: Error): void => {
      clear()
      socket.on('error', () => {})
      reject(error)
    }
    const closed = (): void => fail(new Error('the connection was closed by the other side'))
    socket.on(event, done)
    socket.on('error', fail)
    socket.on('close', closed)
  })
}
