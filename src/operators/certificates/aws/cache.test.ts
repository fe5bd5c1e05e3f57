// What is remembered of certificates: for how long exactly, of which calls, and what is counted of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Values } from '#aws'
import { ManualClock } from '#base'
import { CertificateCache } from './cache.ts'
import type { LayeredCall } from './call.ts'

const { signal } = new AbortController()
const describe = (arn: string, more: Partial<LayeredCall> = {}): LayeredCall => ({
  service: 'acm',
  operation: 'DescribeCertificate',
  input: { CertificateArn: arn },
  ...more,
})
const certificate = (more: Values = {}): Values => ({ Certificate: { Status: 'ISSUED', DomainName: 'a.b.c', ...more } })

function cache({
  ttlMs = 300_000,
  entriesMax = 10,
  answer = certificate(),
}: {
  ttlMs?: number
  entriesMax?: number
  answer?: Values
} = {}) {
  const clock = new ManualClock()
  const asked: string[] = []
  const counted: string[] = []
  let answers = answer
  const metrics = {
    readCacheEntries: () => undefined,
    cacheAsked: (lookup: string, hit: boolean) => void counted.push(`${lookup} ${hit}`),
    cacheEvicted: () => void counted.push('evicted'),
  }
  const made = new CertificateCache({ clock, ttlMs, entriesMax, metrics: metrics as never })
  const layer = made.layer(async ({ input }) => {
    asked.push(String(input['CertificateArn']))
    return answers
  })
  const ask = (call: LayeredCall): Promise<Values> => layer(call, { signal })
  return { clock, made, asked, counted, ask, say: (next: Values) => void (answers = next) }
}

for (const [what, status, ttlMs, afterMs, times] of [
  ['issued, just before its time', 'ISSUED', 300_000, 299_999, 1],
  ['issued, at its time', 'ISSUED', 300_000, 300_000, 2],
  ['on its way, just before a quarter of a minute', 'PENDING_VALIDATION', 300_000, 14_999, 1],
  ['on its way, after a quarter of a minute', 'PENDING_VALIDATION', 300_000, 15_000, 2],
  ['on its way, where all is forgotten sooner', 'PENDING_VALIDATION', 1_000, 1_000, 2],
] as const)
  test(`a certificate ${what} is asked for ${times === 1 ? 'once' : 'again'} [9.6]`, async () => {
    const { clock, asked, ask } = cache({ ttlMs, answer: certificate({ Status: status }) })
    await ask(describe('a'))
    await clock.advance(afterMs)
    await ask(describe('a'))
    assert.equal(asked.length, times)
  })

for (const [what, options] of [
  ['no time', { ttlMs: 0 }],
  ['no entry', { entriesMax: 0 }],
] as const)
  test(`a memory of ${what} remembers nothing and counts nothing`, async () => {
    const { asked, counted, ask, made } = cache(options)
    await ask(describe('a'))
    await ask(describe('a'))
    assert.deepEqual([asked.length, counted, made.size], [2, [], 0])
  })

test('a memory of one millisecond and of one entry is one', async () => {
  const { asked, ask } = cache({ ttlMs: 1, entriesMax: 1 })
  await ask(describe('a'))
  await ask(describe('a'))
  assert.equal(asked.length, 1)
})

test('what is asked of another region or of another service is not remembered', async () => {
  const { asked, ask, made } = cache()
  await ask(describe('a', { region: 'us-east-1' }))
  await ask({ ...describe('a'), service: 'route53' })
  assert.deepEqual([asked.length, made.size], [2, 0])
  await ask(describe('a'))
  await ask({ ...describe('a', { region: 'us-east-1' }), operation: 'DeleteCertificate' })
  assert.equal(made.size, 1)
})

for (const [operation, left] of [
  ['DeleteCertificate', 0],
  ['RenewCertificate', 0],
  ['UpdateCertificateOptions', 0],
  ['AddTagsToCertificate', 1],
] as const)
  test(`after ${operation} ${left === 0 ? 'nothing is known' : 'all is known still'}`, async () => {
    const { ask, made } = cache()
    await ask(describe('a'))
    await ask({ ...describe('a'), operation })
    assert.equal(made.size, left)
  })

test('every look is counted by whether it was known, by ARN and by name', async () => {
  const { ask, made, counted } = cache({ entriesMax: 1 })
  made.arnOf('a.b.c')
  await ask(describe('a'))
  await ask(describe('a'))
  made.arnOf('a.b.c')
  await ask(describe('b'))
  assert.deepEqual(counted, ['fqdn false', 'arn false', 'arn true', 'fqdn true', 'arn false', 'evicted'])
})

test('of several of one name the issued one is known first, then the newest, and one without a date last', async () => {
  const { ask, made, say } = cache()
  const put = async (arn: string, more: Values): Promise<string | undefined> => {
    say(certificate(more))
    await ask(describe(arn))
    return made.arnOf('a.b.c')
  }
  assert.equal(await put('undated', { Status: 'PENDING_VALIDATION' }), 'undated')
  assert.equal(await put('old', { Status: 'PENDING_VALIDATION', CreatedAt: 1 }), 'old')
  assert.equal(await put('new', { Status: 'PENDING_VALIDATION', CreatedAt: 9 }), 'new')
  assert.equal(await put('older', { Status: 'PENDING_VALIDATION', CreatedAt: 5 }), 'new')
  assert.equal(await put('issued', { CreatedAt: 1 }), 'issued')
  assert.equal(await put('issued late', { CreatedAt: 2 }), 'issued late')
  made.drop('issued late')
  assert.equal(made.arnOf('a.b.c'), 'issued')
})

test('what others are given too nobody can change, and dates and bytes in it stay what they are', async () => {
  const answer = certificate({ InUseBy: ['x'], CreatedAt: new Date(0), Serial: null, Key: new Uint8Array([1]) })
  const { ask } = cache({ answer })
  await ask(describe('a'))
  const { Certificate: held } = (await ask(describe('a'))) as {
    readonly Certificate: { InUseBy: string[]; CreatedAt: Date; Key: Uint8Array }
  }
  assert.throws(() => held.InUseBy.push('y'), TypeError)
  assert.throws(() => Object.assign(held, { Status: 'x' }), TypeError)
  assert.ok(!Object.isFrozen(held.CreatedAt) && !Object.isFrozen(held.Key))
})

test('of two certificates of one name the other one is known when one is forgotten [9.4]', async () => {
  const { made, ask } = cache()
  await ask(describe('one'))
  await ask(describe('two'))
  made.drop('one')
  assert.equal(made.arnOf('a.b.c'), 'two')
  made.drop('two')
  assert.equal(made.arnOf('a.b.c'), undefined)
})
