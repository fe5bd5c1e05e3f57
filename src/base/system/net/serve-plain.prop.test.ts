// Two readers of one wire: what the listener reads itself and what Node reads must be the same requests, cut at the same bytes, and be answered
// alike, however the bytes arrive. Otherwise one of them would take for a request what the other takes for a body.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { connect } from 'node:tls'
import * as fc from 'fast-check'
import type { HttpHandler, HttpListener, HttpRequest } from '../../seams/http.ts'
import { servingPair } from '../../x509/serving-pair.fixture.ts'
import { listen } from './listen.ts'

interface Heard {
  readonly method: string
  readonly target: string
  readonly headers: object
  body: string | null
}

/** What a connection came to: what its handler was asked, and all that came back. */
interface Outcome {
  readonly heard: readonly string[]
  readonly answers: readonly string[]
}

const tls = servingPair()
const limits = { headerBytesMax: 2_048 }
const heard: Heard[] = []
const listeners: HttpListener[] = []
after(() => Promise.all(listeners.map(listener => listener.close())))

async function bodyOf({ body }: HttpRequest): Promise<string | null> {
  if (body === null || body instanceof Uint8Array) return body === null ? null : Buffer.from(body).toString('latin1')
  let text = ''
  for await (const piece of body) text += Buffer.from(piece).toString('latin1')
  return text
}

const handler: HttpHandler = request => {
  const { method, target, headers, body } = request
  const asked: Heard = { method, target, headers: { ...headers }, body: null }
  heard.push(asked)
  const answer = (text: string | null) => {
    asked.body = text
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: Buffer.from(`${method} ${target} ${text};`) }
  }
  if (body !== null && !(body instanceof Uint8Array)) return bodyOf(request).then(answer)
  const text = body === null ? null : Buffer.from(body).toString('latin1')
  return target.startsWith('/later') ? Promise.resolve().then(() => answer(text)) : answer(text)
}

async function serve(readsPlainHttp1: boolean): Promise<HttpListener> {
  const listener = await listen({ tls, limits, readsPlainHttp1, protocols: ['http/1.1'] }, handler)
  listeners.push(listener)
  return listener
}

/** Both sides are in this process: after so many turns without a word, nothing is to come. */
const quietTurnsMax = 40

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}

/** The requests, as texts in an order of their own: Node asks for the next one before the body of the last is read whole. */
async function outcome({ port }: HttpListener, pieces: readonly string[]): Promise<Outcome> {
  heard.length = 0
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  let received = ''
  socket.on('data', (piece: Buffer) => (received += piece.toString('latin1')))
  for (const piece of pieces) {
    socket.write(Buffer.from(piece, 'latin1'))
    await turn()
  }
  let quietTurns = 0
  while (!socket.destroyed && quietTurns < quietTurnsMax) {
    const before = received.length + heard.length
    await turn()
    quietTurns = received.length + heard.length === before ? quietTurns + 1 : 0
  }
  socket.destroy()
  return { heard: heard.map(one => JSON.stringify(one)).sort(), answers: answersOf(received) }
}

/** Status, whether the connection goes on, and body of each; dates and the order of headers are no part of it. */
function answersOf(received: string): string[] {
  const answers: string[] = []
  let at = 0
  while (at < received.length) {
    const end = received.indexOf('\r\n\r\n', at)
    if (end < 0) return [...answers, `cut: ${received.slice(at)}`]
    const [line = '', ...headers] = received.slice(at, end).split('\r\n')
    const named = new Map(
      headers.map(header => [header.slice(0, header.indexOf(':')).toLowerCase(), header.slice(header.indexOf(':') + 2)]),
    )
    const length = Number(named.get('content-length') ?? 0)
    const body = received.slice(end + 4, end + 4 + length)
    answers.push(`${line} | ${named.get('connection')} | ${body}`)
    at = end + 4 + length
  }
  return answers
}

const mostly = (usual: readonly string[], odd: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })

const ends = mostly(['\r\n'], ['\n', '\r', '\r\r\n', '\r\n ', ' \r\n', '\0\r\n'])
const lengths = mostly(['4'], ['0', '5', '3', ' 4', '+4', '04', '4,4', '0x4', '-1', '4 4', '1e1', '99999999999', ''])
/** What says where a request ends. */
const framing = [
  'Transfer-Encoding: chunked',
  'transfer-encoding: identity',
  'Transfer-Encoding : chunked',
  'transfer-encoding:\tchunked',
  'transfer-encoding: xchunked',
  'content-length: 4',
  'content-length: 7',
  'Content-Length : 4',
  ' content-length: 4',
  'content_length: 4',
]
const oddHeaders = [
  'expect: 100-continue',
  'expect: nonsense',
  'upgrade: websocket',
  'upgrade: h2c',
  'connection: upgrade',
  'connection: close',
  'Connection: Keep-Alive',
  'connection: close, keep-alive',
  'connection: content-length',
  'proxy-connection: close',
  'proxy-connection: keep-alive',
  'host: y',
  'host:',
  'te: trailers',
  'trailer: x',
  'x',
  ': x',
  'x y: z',
  'x: a\0b',
  'x: \x7f',
  'x: \xe9',
  'x:',
  '__proto__: a',
  'constructor: b',
  'tostring: c',
  'cookie: a=b',
  'cookie: c=d',
  'set-cookie: a',
  'x-long: ' + 'a'.repeat(2_100),
  'x-fit: ' + 'a'.repeat(1_900),
  'keep-alive: timeout=1',
  'http2-settings: AAAA',
  'authorization: a',
  'authorization: b',
  'x-(: b',
  'x-": b',
  '\tx: y',
  'x: y\t',
  'X-Forwarded-For: 127.0.0.1',
]
const usualHeaders = [
  'user-agent: a',
  'Accept: application/json',
  'accept-encoding: gzip',
  'Content-Type: application/json',
  'connection: keep-alive',
]
const header = fc.oneof(
  { weight: 5, arbitrary: mostly(usualHeaders, oddHeaders) },
  { weight: 1, arbitrary: fc.constantFrom(...framing) },
)
const headerLines = fc.array(
  fc.tuple(header, ends).map(([line, end]) => line + end),
  { maxLength: 4 },
)
const methods = mostly(
  ['POST', 'GET', 'PUT', 'DELETE', 'PATCH'],
  ['HEAD', 'OPTIONS', 'CONNECT', 'post', 'M-SEARCH', 'PRI', 'QUERY', 'TRACE', ''],
)
const targets = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('/a', '/later', '/mutate?timeout=10s', '/') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '*',
      'http://x/y',
      '//x/y',
      '/#a',
      '/?',
      '/%00',
      '/a b',
      '/\t',
      '/é',
      'x:443',
      '/"<>\\^`{|}',
      '/a?b?c#d#e',
      '/' + 'a'.repeat(2_050),
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }).map(text => `/${text}`) },
)
const versions = mostly(['HTTP/1.1'], ['HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 ', 'HTTP/01.1', ''])
const bodies = mostly(
  ['body'],
  [
    '',
    '4\r\nbody\r\n0\r\n\r\n',
    'bod',
    'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n',
    '\r\n\r\n',
    '0\r\n\r\n',
    '4;x=y\r\nbody\r\n0\r\nt: r\r\n\r\n',
    '4\nbody\n0\n\n',
  ],
)
const requests = fc
  .tuple(
    mostly([''], ['\r\n', '\n', ' ', '\r\n\r\n', '\0']),
    methods,
    targets,
    versions,
    ends,
    headerLines,
    fc.boolean(),
    lengths,
    bodies,
    ends,
    ends,
  )
  .map(
    ([before, method, target, version, end, headers, hasBody, length, body, lineEnd, lastEnd]) =>
      `${before}${method} ${target} ${version}${end}host: x${lineEnd}${headers.join('')}${hasBody ? `content-length: ${length}${lineEnd}` : ''}${lastEnd}${hasBody ? body : ''}`,
  )
const last = 'GET /last HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'

/** Some requests one after the other, and where the wire is cut. */
const wires = fc
  .tuple(
    fc.array(requests, { minLength: 1, maxLength: 3 }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  )
  .map(([all, cuts]) => {
    const text = all.join('') + last
    const places = [0, ...cuts.map(cut => Math.floor(cut * text.length)).sort((one, other) => one - other), text.length]
    return places
      .slice(1)
      .map((place, index) => text.slice(places[index], place))
      .filter(piece => piece !== '')
  })

const isRefusal = (answer: string): boolean => /^HTTP\/1.1 4/.test(answer)

// Node refuses what follows a request before it has answered that one, and then cuts the connection: what is left out may be an answer, and
// never a request.
function assertAlike(ours: Outcome, nodes: Outcome): void {
  assert.deepEqual(ours.heard, nodes.heard)
  const [mine, its] = [ours, nodes].map(({ answers }) => answers.filter(answer => !isRefusal(answer))) as [string[], string[]]
  const isCut = mine.length < ours.heard.length || its.length < nodes.heard.length || nodes.answers.some(isRefusal)
  const common = isCut ? Math.min(mine.length, its.length) : Math.max(mine.length, its.length)
  assert.deepEqual(mine.slice(0, common), its.slice(0, common))
}

test('whatever bytes come, and however they are cut, the requests and answers are those of Node', async () => {
  const [ours, nodes] = [await serve(true), await serve(false)]
  await fc.assert(
    fc.asyncProperty(wires, async pieces => {
      assertAlike(await outcome(ours, pieces), await outcome(nodes, pieces))
    }),
    { numRuns: 250 },
  )
})
