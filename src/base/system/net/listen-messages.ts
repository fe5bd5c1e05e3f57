// One port for single messages. Over UDP a message is a datagram; over TCP each one follows its length, in two bytes.
import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { invariant } from '../../invariant.ts'
import type { AnswerMessage, MessageListener } from '../../seams/messages.ts'
import { memberAt } from '../../text/untyped.ts'

/** Whoever says nothing for so long is let go: name servers are asked and left. */
const idleTimeoutMs = 10_000
/** More than any test asks at once; a leak of connections shows itself. */
const connectionsMax = 500
/** A free TCP port may be taken for UDP; several in a row are not. */
const freePortsTried = 20

export async function listenForMessages(
  { host = '127.0.0.1', port = 0 }: { readonly host?: string; readonly port?: number },
  answer: AnswerMessage,
): Promise<MessageListener> {
  for (let attempt = 1; ; attempt++) {
    const tcp = await listenTcp(host, port, answer)
    const bound = portOf(tcp.server)
    try {
      const udp = await listenUdp(host, bound, answer)
      return { host, port: bound, close: () => Promise.all([tcp.close(), closeUdp(udp)]).then(() => undefined) }
    } catch (error) {
      await tcp.close()
      if (port !== 0 || attempt === freePortsTried || memberAt(error, 'code') !== 'EADDRINUSE') throw error
    }
  }
}

function portOf(server: Server): number {
  const address = server.address()
  invariant(typeof address === 'object' && address !== null, 'a TCP server that listens has a port')
  return address.port
}

async function listenUdp(host: string, port: number, answer: AnswerMessage): Promise<UdpSocket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  socket.on('message', (message: Uint8Array, from: RemoteInfo) => {
    const reply = answer(message, 'udp')
    // Who has gone away does not read the answer; nobody else is concerned.
    if (reply !== undefined) socket.send(reply, from.port, from.address, () => {})
  })
  const bound = once(socket, 'listening')
  socket.bind({ address: host, port, exclusive: true })
  await bound
  socket.on('error', () => {})
  return socket
}

async function closeUdp(socket: UdpSocket): Promise<void> {
  const closed = once(socket, 'close')
  socket.close()
  await closed
}

async function listenTcp(
  host: string,
  port: number,
  answer: AnswerMessage,
): Promise<{ readonly server: Server; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    serve(socket, answer)
  })
  server.maxConnections = connectionsMax
  const listening = once(server, 'listening')
  server.listen({ host, port })
  await listening
  const close = async (): Promise<void> => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of open) socket.destroy()
    await closed
  }
  return { server, close }
}

function serve(socket: Socket, answer: AnswerMessage): void {
  let held = Buffer.alloc(0)
  socket.setTimeout(idleTimeoutMs, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('data', (piece: Buffer) => {
    held = Buffer.concat([held, piece])
    while (held.length >= 2 && held.length >= 2 + held.readUInt16BE(0)) {
      const end = 2 + held.readUInt16BE(0)
      const reply = answer(held.subarray(2, end), 'tcp')
      held = held.subarray(end)
      if (reply !== undefined) socket.write(framed(reply))
    }
  })
}

function framed(message: Uint8Array): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}
