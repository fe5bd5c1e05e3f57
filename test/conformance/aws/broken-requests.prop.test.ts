// Requests that were good before something happened to them: whatever it is, the answer is the service's own, never an internal error.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type HttpRequest, type HttpResponse, ManualClock, silentLog } from '#base'
import { type Aws, createAws, sdkRequestHandler } from '#emulator'
import { performer } from './vectors/perform.ts'
import { vectorFiles } from './vectors/vectors.ts'

/** Every request of the recorded vectors, as the SDK sent it, and the world in which they happened. */
async function goodRequests(aws: Aws): Promise<readonly HttpRequest[]> {
  const seen: HttpRequest[] = []
  const requestHandler = sdkRequestHandler(request => {
    seen.push(request)
    return aws.handle(request)
  })
  for (const { vectors } of vectorFiles()) {
    const { perform, close } = performer({ requestHandler })
    for (const step of vectors) await perform(step)
    close()
  }
  return seen
}

type Damage = (request: HttpRequest) => HttpRequest
const junk = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    '',
    '%',
    '%zz',
    '\0',
    '..',
    '-1',
    '1e999',
    'NaN',
    '{}',
    '[]',
    'null',
    '<a>',
    '&lt;',
    '__proto__',
    'constructor',
    'arn:aws:iam::1:role/x',
    '9'.repeat(400),
  ),
)
const bytesOf = ({ body }: HttpRequest): Buffer => Buffer.from(body instanceof Uint8Array ? body : new Uint8Array(0))
const textOf = (request: HttpRequest): string => bytesOf(request).toString('latin1')
const withBody = (request: HttpRequest, body: Uint8Array): HttpRequest => ({ ...request, body })
const share = fc.double({ min: 0, max: 1, noNaN: true })

const damages: fc.Arbitrary<Damage> = fc.oneof(
  fc.tuple(share, share).map(
    ([from, to]): Damage =>
      request => {
        const bytes = bytesOf(request)
        const [start, end] = [from, to].map(part => Math.floor(part * bytes.length)).toSorted((a, b) => a - b)
        return withBody(request, Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]))
      },
  ),
  fc.tuple(share, junk).map(
    ([at, text]): Damage =>
      request => {
        const bytes = bytesOf(request)
        const where = Math.floor(at * bytes.length)
        return withBody(request, Buffer.concat([bytes.subarray(0, where), Buffer.from(text), bytes.subarray(where)]))
      },
  ),
  // A value of a form, a JSON text or an element replaced whole, so that what comes after it is still read.
  fc.tuple(fc.nat(30), junk).map(
    ([index, text]): Damage =>
      request => {
        let count = 0
        const body = textOf(request).replace(/=([^&=]*)|:"([^"]*)"|>([^<>]+)</g, found =>
          count++ === index
            ? `${found.startsWith('>') ? '>' : found.startsWith(':') ? ':' : '='}${found.startsWith('=') ? encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '')) : text}${found.startsWith('>') ? '<' : ''}`
            : found,
        )
        return withBody(request, Buffer.from(body, 'latin1'))
      },
  ),
  fc.tuple(fc.nat(20), junk).map(
    ([index, text]): Damage =>
      request => {
        const names = Object.keys(request.headers).filter(name => name !== 'host')
        const name = names[index % names.length] ?? 'x'
        return { ...request, headers: { ...request.headers, [name]: text.replace(/[^\x20-\x7e]/g, '') } }
      },
  ),
  fc.nat(20).map(
    (index): Damage =>
      request => {
        const entries = Object.entries(request.headers).filter(([name], at) => name === 'host' || at !== index % 10)
        return { ...request, headers: Object.fromEntries(entries) }
      },
  ),
  fc.tuple(share, junk).map(
    ([at, text]): Damage =>
      request => {
        const where = 1 + Math.floor(at * (request.target.length - 1))
        const safe = text.replace(/[^\x21-\x7e]/g, '')
        return { ...request, target: request.target.slice(0, where) + safe + request.target.slice(where) }
      },
  ),
  fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS').map(
    (method): Damage =>
      request => ({ ...request, method }),
  ),
)

test('a damaged request is answered by its service, and the emulator has no error of its own', async () => {
  const errors: unknown[] = []
  const log = { ...silentLog, error: (message: string, fields?: object) => void errors.push([message, fields]) }
  const clock = new ManualClock(Date.now())
  const world = createAws({ seed: 'damage', signatures: 'off', clock, log })
  const good = await goodRequests(world)
  errors.length = 0
  const given = fc.tuple(fc.nat(good.length - 1), fc.array(damages, { minLength: 1, maxLength: 3 }))
  await fc.assert(
    fc.asyncProperty(given, async ([index, harm]) => {
      const aws = world.fork()
      const damaged = harm.reduce((request, damage) => damage(request), good[index] as HttpRequest)
      const answer: HttpResponse = await aws.handle(damaged)
      const what = `${damaged.method} ${damaged.target} ${JSON.stringify(damaged.headers)} ${textOf(damaged).slice(0, 500)}`
      assert.deepEqual(errors, [], what)
      assert.ok(answer.status < 500 || answer.status === 501, `${answer.status} for ${what}`)
    }),
    { numRuns: 600 },
  )
})
