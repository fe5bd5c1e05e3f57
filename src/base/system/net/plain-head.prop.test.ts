// What is read here of a head has to be what Node's own parser reads of it: a body that one of them ends elsewhere would be the next request.
import assert from 'node:assert/strict'
import { duplexPair } from 'node:stream'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { http } from './node-http.ts'
import { readPlainHead } from './plain-head.ts'
import { announcedLength } from './receive.ts'

interface Read {
  readonly method: string | undefined
  readonly target: string | undefined
  readonly headers: object
  readonly length: number | undefined
}

/** Undefined where Node refuses it. */
function readByNode(head: string): Promise<Read | undefined> {
  const [inner, outer] = duplexPair()
  return new Promise<Read | undefined>(resolve => {
    const server = http.createServer(({ method, url: target, headers }) =>
      resolve({ method, target, headers: { ...headers }, length: announcedLength(headers) }),
    )
    server.on('clientError', () => resolve(undefined))
    server.emit('connection', inner)
    outer.on('data', () => resolve(undefined))
    outer.write(Buffer.from(`${head}\r\n\r\n`, 'latin1'))
  }).finally(() => inner.destroy())
}

/** Mostly what is usual, so that most heads have one oddity at most. */
function mostly(usual: readonly string[], ...odd: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
}

const names = mostly(
  ['Content-Length', 'Connection', 'x-a', 'X-B', 'TE.'],
  'content-length',
  'x_a',
  'x a',
  '__proto__',
  'constructor',
  'te',
  '',
)
const values = fc.oneof(
  mostly(['0', '4', ' 4 ', '4\t', 'close', 'keep-alive', ''], '+4', '4, 4', '0x4', 'Close', 'a\0b', 'a\nb', 'é'),
  fc.string({ maxLength: 5 }),
)
const separators = mostly([': ', ':', ':  '], ' :', '')
const ends = mostly(['\r\n'], '\n', '\r', '\r\n ')
const lines = fc.array(
  fc.tuple(names, separators, values, ends).map(all => all.join('')),
  { maxLength: 3 },
)
const methods = mostly(['GET', 'POST', 'PUT'], 'get', 'HEAD', 'CONNECT')
const targets = mostly(['/', '/mutate?timeout=10s'], '/a b', 'http://x/', '*', '/é', '')
const versions = mostly(['HTTP/1.1'], 'HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1 ')
const heads = fc
  .tuple(methods, targets, versions, ends, lines)
  .map(([method, target, version, end, more]) => `${method} ${target} ${version}${end}${more.join('')}host: x`)

test('what is read of a head is what Node reads of it', async () => {
  let plain = 0
  await fc.assert(
    fc.asyncProperty(heads, async head => {
      const read = readPlainHead(head)
      if (read === undefined) return
      plain++
      const { method, target, headers, length } = read
      assert.deepEqual({ method, target, headers, length }, await readByNode(head))
    }),
    { numRuns: 4_000 },
  )
  assert.ok(plain > 100, `${plain} of them are plain`)
})
