// The way out of a node: an HTTPS proxy that leads chosen names to listeners of this machine, and everything else nowhere.
import { createServer } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'

export interface Gateway {
  /** The value of `HTTPS_PROXY` in a container. */
  readonly url: string
  /** Host names that containers asked for and that lead nowhere. */
  readonly refused: ReadonlySet<string>
  close(): Promise<void>
}

/** The port of this machine that stands for a name, if any. TLS goes through untouched: whoever listens there has to answer to that name. */
export async function openGateway(portOf: (host: string) => number | undefined): Promise<Gateway> {
  const refused = new Set<string>()
  const open = new Set<Duplex>()
  const keep = <T extends Duplex>(socket: T): T => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    return socket
  }
  const server = createServer((_request, response) => response.writeHead(501).end())
  server.on('connect', (request, client, head) => {
    const host = (request.url ?? '').replace(/:\d+$/, '')
    const port = portOf(host)
    keep(client)
    if (port === undefined) {
      refused.add(host)
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      return
    }
    const target = keep(connect(port, '127.0.0.1'))
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.write(head)
      target.pipe(client).pipe(target)
    })
    target.on('close', () => client.destroy())
    client.on('close', () => target.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}`,
    refused,
    close: () => {
      for (const socket of open) socket.destroy()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}

/** Every endpoint of AWS, in all partitions that the emulator answers for. */
export function isAwsHost(host: string): boolean {
  return /\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/.test(host)
}
