// The list of all certificates: nobody holds a worker for it, and one list answers many.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Values } from '#aws'
import { ManualClock } from '#base'
import { CertificateList } from './certificate-list.ts'
import { CallBuckets, LimiterBusy, limiter } from './limiter.ts'
import type { ListedCertificate } from './listed.ts'

const { signal } = new AbortController()
const rates = { acm: { perSecond: 5, burst: 10 }, route53Zone: { perSecond: 3, burst: 5 }, route53Account: undefined }

interface World {
  readonly clock: ManualClock
  readonly calls: { readonly ms: number; readonly input: Values }[]
  readonly list: CertificateList
  /** Comes back as often as it is told to. */
  ask(who: string): Promise<{ readonly arns: readonly string[]; readonly longestMs: number; readonly passes: number }>
}

function world(pages: number, answer: (page: number) => Promise<void> = () => Promise.resolve()): World {
  const clock = new ManualClock()
  const calls: { readonly ms: number; readonly input: Values }[] = []
  const paced = limiter(async ({ input }) => {
    calls.push({ ms: clock.monotonicMs(), input })
    const page = input['NextToken'] === undefined ? 0 : Number(input['NextToken'])
    await answer(page)
    const next = page + 1 < pages ? { NextToken: String(page + 1) } : {}
    return { CertificateSummaryList: [{ CertificateArn: `arn-${page}`, DomainName: 'a.example.com' }], ...next }
  }, new CallBuckets({ clock, rates }))
  const list = new CertificateList(paced, clock)
  return {
    clock,
    calls,
    list,
    ask: async who => {
      let longestMs = 0
      for (let passes = 1; ; passes++) {
        const fromMs = clock.monotonicMs()
        const told = await list.all({ who, region: undefined, signal }).catch((error: unknown) => error)
        longestMs = Math.max(longestMs, clock.monotonicMs() - fromMs)
        if (Array.isArray(told)) {
          list.answered(who)
          return { arns: (told as readonly ListedCertificate[]).map(({ arn }) => arn), longestMs, passes }
        }
        if (!(told instanceof LimiterBusy)) throw told
        await clock.sleep(told.waitMs)
      }
    },
  }
}

test('one who asks has the list at once, a thousand certificates a call [9.2]', async () => {
  const { list, calls } = world(1)
  assert.equal((await list.all({ who: 'a', region: undefined, signal })).length, 1)
  assert.deepEqual([calls.length, calls[0]?.input['MaxItems']], [1, 1_000])
})

test('nobody waits with a worker in hand for more than a second, however many pages there are [9.3]', async () => {
  const { ask, clock, calls } = world(4)
  const asked = ask('a')
  await clock.advance(60_000)
  const { arns, longestMs } = await asked
  assert.deepEqual(arns, ['arn-0', 'arn-1', 'arn-2', 'arn-3'])
  assert.ok(longestMs <= 1_000, `a pass took ${longestMs} ms`)
  assert.deepEqual([calls.length, calls.at(-1)?.ms], [4, 6_000], 'at the pace that is kept')
})

test('a hundred who ask at once are answered by two lists, and come back seldom [9.3]', async () => {
  const { ask, clock, calls } = world(3)
  const all = Promise.all(Array.from({ length: 100 }, (_, index) => ask(String(index))))
  await clock.advance(120_000)
  const told = await all
  assert.equal(calls.length, 6)
  assert.ok(told.every(({ arns }) => arns.length === 3))
  const passes = told.reduce((sum, each) => sum + each.passes, 0)
  assert.ok(passes <= 400, `${passes} passes`)
})

test('a list that was begun before somebody asked is no answer for it [8.1]', async () => {
  const gate = Promise.withResolvers<void>()
  const { list, clock, calls, ask } = world(1, () => (calls.length === 1 ? gate.promise : Promise.resolve()))
  const first = list.all({ who: 'a', region: undefined, signal })
  const second = ask('b')
  await clock.advance(500)
  gate.resolve()
  await first
  await clock.advance(10_000)
  await second
  assert.equal(calls.length, 2)
})

test('who asks once more gets a new list [8.1]', async () => {
  const { ask, clock, calls } = world(1)
  await ask('a')
  const again = ask('a')
  await clock.advance(10_000)
  await again
  assert.equal(calls.length, 2)
})

test('who comes back for it too late gets a new list [8.1]', async () => {
  const { list, ask, clock, calls } = world(1)
  await ask('a')
  await assert.rejects(list.all({ who: 'late', region: undefined, signal }), LimiterBusy)
  const other = ask('c')
  await clock.advance(10_000)
  await other
  assert.equal(calls.length, 2, 'the list that "late" could have taken as well')
  await clock.advance(120_000)
  await ask('late')
  assert.equal(calls.length, 3)
})

test('a page that fails begins the list anew, and whoever left it half done is replaced [9.2]', async () => {
  let fails = 1
  const { list, ask, clock, calls } = world(2, page =>
    page === 1 && fails-- > 0 ? Promise.reject(new Error('no')) : Promise.resolve(),
  )
  await assert.rejects(list.all({ who: 'gone', region: undefined, signal }), LimiterBusy)
  await clock.advance(2_000)
  await assert.rejects(list.all({ who: 'gone', region: undefined, signal }), /no/)
  const other = ask('b')
  await clock.advance(60_000)
  assert.deepEqual((await other).arns, ['arn-0', 'arn-1'])
  assert.equal(calls.length, 4)
})

test('who asked a while before others takes the list for which they waited, and asks for no other [9.3]', async () => {
  const { list, ask, clock, calls } = world(1)
  await ask('a')
  await assert.rejects(list.all({ who: 'early', region: undefined, signal }), LimiterBusy)
  await clock.advance(100)
  const late = ask('late')
  await clock.advance(10_000)
  await late
  assert.equal((await list.all({ who: 'early', region: undefined, signal })).length, 1)
  assert.equal(calls.length, 2)
})

/** Each page is answered when the test says so: with a token, without one, or with a failure. */
function gated() {
  const clock = new ManualClock()
  const calls: { readonly token: unknown; readonly answer: (output: Values | Error) => void }[] = []
  const list = new CertificateList(
    ({ input }) =>
      new Promise((resolve, reject) =>
        calls.push({
          token: input['NextToken'],
          answer: output => (output instanceof Error ? reject(output) : resolve(output)),
        }),
      ),
    clock,
  )
  const turn = (): Promise<void> => new Promise(setImmediate)
  return {
    clock,
    calls,
    list,
    ask: (who: string) => list.all({ who, region: undefined, signal }),
    /** How long it is sent away for. */
    awayMs: (who: string): Promise<unknown> =>
      list.all({ who, region: undefined, signal }).then(
        () => 'answered',
        (error: unknown) => (error instanceof LimiterBusy ? error.waitMs : error),
      ),
    answer: async (output: Values | Error): Promise<void> => {
      calls.at(-1)?.answer(output)
      await turn()
    },
  }
}

const [more, last] = [{ NextToken: 'next' }, {}]

test('who finds somebody else reading comes back when the list should be whole [9.3]', async () => {
  const { clock, ask, awayMs, answer } = gated()
  await clock.advance(50_000)
  const first = ask('a')
  assert.equal(await awayMs('b'), 6_000, 'nobody knows yet how long a list takes')
  await answer(more)
  await clock.advance(3_000)
  await answer(last)
  await first
  const second = ask('c')
  assert.equal(await awayMs('b'), 4_000, 'the list before took three seconds from its first page')
  await answer(more)
  await clock.advance(500)
  assert.equal(await awayMs('b'), 2_500)
  await clock.advance(2_400)
  assert.equal(await awayMs('b'), 1_000, 'a page takes a moment')
  await answer(last)
  await second
})

test('a page that takes its time is not asked for by others [9.3]', async () => {
  const { clock, calls, ask, awayMs, answer } = gated()
  await clock.advance(100_000)
  const first = ask('a')
  await clock.advance(100_000)
  assert.deepEqual([await awayMs('b'), calls.length], [6_000, 1])
  await answer(last)
  await first
})

for (const [restMs, token] of [
  [60_000, 'next'],
  [60_001, undefined],
] as const)
  test(`a list that was left half done for ${restMs} ms is ${token === undefined ? 'begun anew' : 'gone on with'} [9.3]`, async () => {
    const { clock, calls, ask, awayMs, answer } = gated()
    await clock.advance(50_000)
    const away = awayMs('a')
    await answer(more)
    await answer(new LimiterBusy(5))
    assert.equal(await away, 5)
    await clock.advance(restMs)
    void ask('b').catch(() => {})
    assert.deepEqual(
      calls.map(call => call.token),
      [undefined, 'next', token],
    )
    await answer(last)
  })

for (const [restMs, isForgotten] of [
  [599_999, false],
  [600_000, true],
] as const)
  test(`who has not come back for ${restMs} ms is ${isForgotten ? 'forgotten' : 'answered by the list that was made meanwhile'} [9.3]`, async () => {
    const { clock, calls, ask, awayMs, answer } = gated()
    await clock.advance(50_000)
    const first = ask('a')
    await awayMs('late')
    await answer(last)
    await first
    await clock.advance(restMs)
    const other = ask('b')
    await answer(last)
    await other
    const late = ask('late')
    assert.equal(calls.length, isForgotten ? 3 : 2)
    await answer(last)
    await late
  })

test('a list without an end is given up after fifty pages [9.2]', async () => {
  let calls = 0
  const list = new CertificateList(() => (calls++, Promise.resolve(more)), new ManualClock())
  await assert.rejects(list.all({ who: 'a', region: undefined, signal }), /does not come to an end/)
  assert.equal(calls, 50)
})
