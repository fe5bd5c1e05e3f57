// Tries in the background: how many at once, which are asked again, what is kept of each, and who is woken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcessTransport } from '#aws/client'
import { ManualClock, seededRandom, silentLog } from '#base'
import { LogFindings } from '../findings/findings.ts'
import { type PreflightAction, PreflightRunner } from './runner.ts'

interface Asked {
  readonly name: string
  answer(secret: object | undefined): void
  fail(error: Error): void
}

function runner() {
  const clock = new ManualClock()
  const findings = new LogFindings()
  const asked: Asked[] = []
  const tokens: unknown[] = []
  const tried: unknown[] = []
  const added: string[] = []
  const logged: string[] = []
  const client = {
    find: (_type: unknown, { name }: { readonly name: string }, { signal }: { readonly signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        asked.push({ name, answer: resolve, fail: reject })
      }),
    requestToken: async (key: object, spec: object) => {
      tokens.push([key, spec])
      throw new Error('no token')
    },
  }
  const preflight = new PreflightRunner({
    client: client as never,
    findings,
    log: { ...silentLog, info: message => void logged.push(message) },
    controller: 'dns',
    sts: { clock, random: seededRandom(1), transport: inProcessTransport(() => Promise.reject(new Error('no line'))) },
    onTried: one => void tried.push(one?.conditions.map(({ status, reason }) => `${status}/${reason}`)),
  })
  const stop = new AbortController()
  const context = { add: (controller: string, { name }: { readonly name: string }) => void added.push(`${controller} ${name}`) }
  /** As long as anything goes on by itself. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn++) await Promise.resolve()
  }
  return {
    clock,
    findings,
    asked,
    tokens,
    tried,
    added,
    logged,
    settle,
    start: () => preflight.run(context as never, stop.signal),
    stop: () => stop.abort(),
    ask: async (name: string, more: Partial<PreflightAction> = {}) => {
      const identity = { kind: 'file' } as const
      const action = { kind: 'act:preflight', name, namespace: 'there', secretName: `secret-of-${name}`, identity, ...more }
      preflight.ask({ fingerprint: 'f', aws: {}, zones: [], zoneRoles: {}, region: 'us-east-1', ...action } as PreflightAction)
      await settle()
    },
  }
}

test('two are tried at once, and the next begins when one of them has ended', async () => {
  const { start, ask, asked, settle, added } = runner()
  void start()
  for (const name of ['a', 'b', 'c', 'd']) await ask(name)
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['secret-of-a', 'secret-of-b'],
  )
  asked[0]?.answer(undefined)
  await settle()
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['secret-of-a', 'secret-of-b', 'secret-of-c'],
  )
  assert.deepEqual(added, ['dns a'])
})

test('what is tried already is not asked again, and what has changed meanwhile is tried after it', async () => {
  const { start, ask, asked, settle, findings } = runner()
  void start()
  await ask('a')
  await ask('a')
  await ask('a', { fingerprint: 'g', secretName: 'second' })
  await ask('b')
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['secret-of-a', 'secret-of-b'],
  )
  asked[0]?.answer(undefined)
  await settle()
  assert.equal(findings.preflight.get('a')?.fingerprint, 'f')
  assert.deepEqual(
    asked.map(({ name }) => name),
    ['secret-of-a', 'secret-of-b', 'second'],
  )
})

test('what is asked for before the start is tried then, and nothing after the end', async () => {
  const { start, stop, ask, asked, settle, added, findings } = runner()
  await ask('a')
  assert.equal(asked.length, 0)
  const running = start()
  await settle()
  assert.equal(asked.length, 1)
  stop()
  await running
  await settle()
  await ask('b')
  assert.equal(asked.length, 1)
  assert.deepEqual(added, [], 'nobody is woken who ends')
  assert.equal(findings.preflight.has('b'), false)
})

test('one that ended before it began ends at once', async () => {
  const { start, stop, ask, asked } = runner()
  stop()
  await start()
  await ask('a')
  assert.equal(asked.length, 0)
})

test('what a try shows is kept with its time', async () => {
  const { start, ask, findings, clock, tried } = runner()
  void start()
  await ask('a', { identity: { kind: 'pod' } })
  const { conditions, ...rest } = findings.preflight.get('a') ?? {}
  assert.deepEqual([rest, conditions?.length], [{ fingerprint: 'f', at: clock.now() }, 3])
  assert.deepEqual(tried, [['Unknown/NotChecked', 'Unknown/NotChecked', 'Unknown/NotChecked']])
})

test('the file of the Secret is read, and an empty one where there is none', async () => {
  const { start, ask, asked, tried, settle } = runner()
  void start()
  const file = Buffer.from('[default]\naws_access_key_id = a\n').toString('base64')
  for (const secret of [{ data: { credentials: file } }, { data: {} }, {}, undefined]) {
    await ask('a')
    asked.at(-1)?.answer(secret)
    await settle()
  }
  assert.deepEqual(
    tried,
    Array.from({ length: 4 }, () => ['False/InvalidSecret']),
  )
})

test('a try that comes to no answer leaves what was known, and says since when nobody knows better', async () => {
  const { start, ask, asked, findings, clock, tried, settle, logged } = runner()
  void start()
  await ask('a')
  asked.at(-1)?.answer(undefined)
  await settle()
  const { conditions } = findings.preflight.get('a') ?? {}
  const undecided: unknown[] = []
  for (const fingerprint of ['g', 'h']) {
    await clock.advance(1_000)
    await ask('a', { fingerprint })
    asked.at(-1)?.fail(new Error('no answer'))
    await settle()
    const { undecidedSince, at, ...held } = findings.preflight.get('a') ?? {}
    undecided.push(undecidedSince)
    assert.deepEqual([held, at], [{ conditions, fingerprint }, clock.now()])
  }
  assert.deepEqual(undecided, [clock.now() - 1_000, clock.now() - 1_000])
  assert.deepEqual([tried.slice(1), logged], [[undefined, undefined], Array(2).fill('a preflight came to no answer')])
})

test('a try that comes to no answer at first knows nothing', async () => {
  const { start, ask, asked, findings, clock, settle } = runner()
  void start()
  await ask('a')
  asked[0]?.fail(new Error('no answer'))
  await settle()
  const now = clock.now()
  assert.deepEqual(findings.preflight.get('a'), { conditions: [], undecidedSince: now, fingerprint: 'f', at: now })
})

test('a try ends after twenty seconds', async () => {
  const { start, ask, findings, clock, settle } = runner()
  void start()
  await ask('a')
  await clock.advance(19_999)
  await settle()
  assert.equal(findings.preflight.has('a'), false)
  await clock.advance(1)
  await settle()
  assert.equal(findings.preflight.get('a')?.undecidedSince, clock.now())
})

const byToken = '[default]\nrole_arn = arn:aws:iam::111111111111:role/dns\nweb_identity_token_file = /x\n'
for (const [what, identity, audience] of [
  ['of a role', { kind: 'web-identity', roleArn: 'arn:aws:iam::111111111111:role/dns', audience: 'sts' }, 'sts'],
  ['of a file that names one', { kind: 'file' }, 'openshift'],
] as const)
  test(`the token ${what} is that of the ServiceAccount of the operand, for ten minutes`, async () => {
    const { start, ask, asked, tokens, settle } = runner()
    void start()
    await ask('blue', { identity })
    asked[0]?.answer({ data: { credentials: Buffer.from(byToken).toString('base64') } })
    await settle()
    assert.deepEqual(tokens[0], [
      { namespace: 'there', name: 'external-dns-blue' },
      { audiences: [audience], expirationSeconds: 600 },
    ])
  })
