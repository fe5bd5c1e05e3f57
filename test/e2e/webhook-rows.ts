// The rows of §8.3 for a webhook that an API server calls over TLS: the same for the embedded server and for a real kube-apiserver, and for the
// webhook of either cloud. Between the webhook and the API server stands a gate, so that the one can lose the other while it is still asked.
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import { describe, it } from 'node:test'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { applyJsonPatch } from '#kube'
import { comesAbout } from '../real/eventually.ts'
import { type MadePod, type RowsServer, type RowsWorld, rowsWorld } from './webhook-rows-world.ts'

it('each row of §8.3 has a test here', () => {
  const named = rows.flatMap(([what]) => what.match(/P-\d\d/g) ?? [])
  assert.deepEqual(
    [...new Set(named)].toSorted(),
    Array.from({ length: 15 }, (_, index) => `P-${String(index + 1).padStart(2, '0')}`),
  )
})

/** Registers a test for each row; `open` gives a server that outlives them. */
export function webhookRowsHold(where: string, open: () => Promise<RowsServer>): void {
  for (const cloud of ['aws', 'azure'] as const)
    describe(`the webhook of ${cloud} on ${where}`, () => {
      for (const [what, holds] of rows)
        it(what, async () => {
          await using world = await rowsWorld(cloud, await open())
          await holds(world)
        })
    })
}

const rows: readonly (readonly [string, (world: RowsWorld) => Promise<void>])[] = [
  ['a pod gets its identity, and the connection is used again [P-01, P-03, P-13]', answersUnderItsUid],
  [
    'what no API server sends is answered too: no version, another kind, a byte too much, odd labels [P-02, P-03, P-04, P-15]',
    answersOddReviews,
  ],
  [
    'the certificate is renewed under load: no pod is refused, and new handshakes see it; garbage is not served [P-05, P-06]',
    renewsUnderLoad,
  ],
  ['the least version of TLS and the suites hold, and the API server gets through [P-07, P-08]', keepsToItsPolicy],
  ['a suite that nobody knows ends the start [P-09]', refusesUnknownSuite],
  [
    'started with the API server away it is alive and not ready, keeps no pod from being made, and heals [P-10]',
    startsWithoutServer,
  ],
  ['with the API server away pods are given what is cached, and it stays ready [P-11]', servesFromItsCache],
  ['a watch whose place in history is gone is followed by a list, and the cache is never empty [P-12]', listsAgain],
  ['told to stop it answers twenty pods that wait, and ends well [P-14]', answersWhatIsUnderWay],
]

async function answersUnderItsUid(world: RowsWorld): Promise<void> {
  await world.account('app')
  const webhook = await world.start()
  await world.register(webhook.port)
  const connections = world.asked.accepted
  for (let count = 0; count < 5; count++) assert.equal(world.isGiven(await world.pod('app')), true)
  // With `Fail` an answer under another uid would be a pod that is refused.
  assert.equal(world.asked.accepted, connections, 'a connection that is idle is used again')
  const { headers } = await post(webhook.port, world.path, { text: world.review('app'), isKeptAlive: true })
  // API servers keep theirs for 90 seconds.
  assert.ok(Number(/timeout=(\d+)/.exec(String(headers['keep-alive']))?.[1]) >= 120)
}

async function answersOddReviews(world: RowsWorld): Promise<void> {
  await world.account('app')
  const { port } = await world.start()
  const ask = async (text: string): Promise<Reply> => post(port, world.path, { text })
  const whole = world.review('app')
  const { apiVersion: _version, kind: _kind, ...bare } = JSON.parse(whole) as Record<string, unknown>
  const said = JSON.parse((await ask(JSON.stringify(bare))).text) as Record<string, unknown>
  assert.deepEqual([said['apiVersion'], said['kind']], ['admission.k8s.io/v1', 'AdmissionReview'])
  const named = JSON.parse((await ask(JSON.stringify({ ...JSON.parse(whole), kind: 'Other' }))).text) as Record<string, unknown>
  assert.equal(named['kind'], 'Other')

  const limit = 7_340_032
  const padded = (bytes: number): string => whole + ' '.repeat(bytes - Buffer.byteLength(whole))
  assert.equal((await ask(padded(limit))).status, 200)
  const tooLarge = await ask(padded(limit + 1))
  assert.deepEqual([tooLarge.status, /"code":413/.test(tooLarge.text)], world.cloud === 'aws' ? [413, false] : [200, true])

  const labelled = whole.replace('"labels":{', '"labels":{"__proto__":"kept",')
  const { response } = JSON.parse((await ask(labelled)).text) as { response: { patch: string } }
  const { object } = (JSON.parse(labelled) as { request: { object: object } }).request
  const patched = applyJsonPatch(object, JSON.parse(Buffer.from(response.patch, 'base64').toString())) as MadePod
  assert.equal(Object.getOwnPropertyDescriptor(patched.metadata.labels ?? {}, '__proto__')?.value, 'kept')
  assert.equal(world.isGiven(patched), true)
}

async function renewsUnderLoad(world: RowsWorld): Promise<void> {
  await world.account('app')
  const webhook = await world.start()
  await world.register(webhook.port)
  const load = underLoad(world)
  let served = ''
  for (let round = 0; round < 3; round++) {
    const pair = world.pair()
    await webhook.files.write(webhook.certificate, pair.certificate)
    await webhook.files.write(webhook.key, pair.key)
    served = new X509Certificate(pair.certificate).serialNumber
    await comesAbout(
      async () => (await dial(webhook.port)).serial === served,
      () => 'the new certificate is served',
    )
    await load.more(10)
  }
  await webhook.files.write(webhook.certificate, 'garbage')
  await comesAbout(
    async () => /certwatcher_read_certificate_errors_total [1-9]/.test(await webhook.metrics()),
    () => 'that it cannot be read is counted',
  )
  assert.equal((await dial(webhook.port)).serial, served)
  await load.more(10)
  assert.deepEqual(await load.stop(), [])
}

const suites = ['ECDSA', 'RSA'].flatMap(key =>
  ['AES_128_GCM_SHA256', 'AES_256_GCM_SHA384', 'CHACHA20_POLY1305_SHA256'].map(cipher => `TLS_ECDHE_${key}_WITH_${cipher}`),
)

async function keepsToItsPolicy(world: RowsWorld): Promise<void> {
  await world.account('app')
  const strict = await world.start(['--tls-min-version=VersionTLS13'])
  await world.register(strict.port)
  assert.equal(world.isGiven(await world.pod('app')), true)
  await assert.rejects(dial(strict.port, { maxVersion: 'TLSv1.2' }))
  await strict.stop()
  const listed = await world.start(['--tls-min-version=VersionTLS12', `--tls-cipher-suites=${suites.join(',')}`])
  await world.register(listed.port)
  assert.equal(world.isGiven(await world.pod('app')), true)
  assert.match((await dial(listed.port, { maxVersion: 'TLSv1.2' })).cipher, /^ECDHE-ECDSA-/)
  await assert.rejects(dial(listed.port, { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }))
  assert.equal((await dial(listed.port)).protocol, 'TLSv1.3')
}

async function refusesUnknownSuite(world: RowsWorld): Promise<void> {
  await assert.rejects(world.start(['--tls-cipher-suites=FOO']), /FOO/)
}

async function startsWithoutServer(world: RowsWorld): Promise<void> {
  await world.account('app')
  world.gate.refuse(true)
  const webhook = await world.start([], { becomesReady: false })
  await world.register(webhook.port, 'Ignore')
  assert.deepEqual([await webhook.health('/healthz'), await webhook.health('/readyz')], [200, 500])
  // AWS lets the pod in as it is; Azure leaves it to the failure policy.
  const { status } = await post(webhook.port, world.path, { text: world.review('app') })
  assert.equal(status, world.cloud === 'aws' ? 200 : 500)
  assert.equal(world.isGiven(await world.pod('app')), false)
  world.gate.refuse(false)
  await comesAbout(
    async () => world.isGiven(await world.pod('app')),
    () => 'pods are given their identity',
  )
  await comesAbout(
    async () => (await webhook.health('/readyz')) === 200,
    () => 'it is ready',
  )
}

async function servesFromItsCache(world: RowsWorld): Promise<void> {
  await world.account('app')
  const webhook = await world.start()
  await world.register(webhook.port)
  world.gate.refuse(true)
  world.gate.reset()
  for (let count = 0; count < 5; count++) assert.equal(world.isGiven(await world.pod('app')), true)
  assert.equal(await webhook.health('/readyz'), 200)
}

async function listsAgain(world: RowsWorld): Promise<void> {
  await world.account('app')
  await world.account('gone')
  const webhook = await world.start()
  await world.register(webhook.port)
  assert.equal(world.isGiven(await world.pod('gone')), true)
  assert.equal(webhook.lists(), 1)
  world.gate.refuse(true)
  world.gate.reset()
  await world.forget('gone')
  await world.compact()
  assert.equal(world.isGiven(await world.pod('gone')), true, 'what it knows counts')
  const load = underLoad(world)
  await load.more(10)
  world.gate.refuse(false)
  await comesAbout(
    async () => webhook.lists() > 1,
    () => 'the ServiceAccounts are listed again',
  )
  await comesAbout(
    async () => !world.isGiven(await world.pod('gone')),
    () => 'the list is heard',
  )
  await load.more(10)
  assert.deepEqual(await load.stop(), [])
}

async function answersWhatIsUnderWay(world: RowsWorld): Promise<void> {
  const names = Array.from({ length: 20 }, (_, index) => `late-${index}`)
  await world.account('app')
  const webhook = await world.start([
    world.cloud === 'aws' ? '--service-account-lookup-grace-period=3s' : '--service-account-lookup-timeout=3s',
  ])
  await world.register(webhook.port)
  // Accounts that the watch does not bring, and whose reads are never answered.
  world.gate.silence(true)
  for (const name of names) await world.account(name)
  const waiting = names.map(name => world.pod(name).then(pod => (world.isGiven(pod) ? 'given' : 'as it is'), textOf))
  const underWay = `controller_runtime_webhook_requests_in_flight{webhook="${world.path}"} ${names.length}`
  await comesAbout(
    async () => (await webhook.metrics()).includes(underWay),
    () => 'all twenty wait',
  )
  // Rejects where it ends in any other way than well.
  await webhook.stop()
  const answers = await Promise.all(waiting)
  const expected = world.cloud === 'aws' ? /^as it is$/ : /could not be read from the API server in time/
  for (const answer of answers) assert.match(answer, expected)
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

interface Load {
  /** So many more pods were made, or something went wrong. */
  more(count: number): Promise<void>
  /** What went wrong. */
  stop(): Promise<readonly string[]>
}

/** Eight users make pods of `app`, one after the other. */
function underLoad(world: RowsWorld): Load {
  let [isOver, made] = [false, 0]
  const failures: string[] = []
  const user = async (): Promise<void> => {
    while (!isOver) {
      const outcome = await world.pod('app').then(pod => (world.isGiven(pod) ? '' : 'let in without its identity'), textOf)
      if (outcome === '') made++
      else failures.push(outcome)
    }
  }
  const users = Array.from({ length: 8 }, user)
  return {
    more: count => {
      const enough = made + count
      return comesAbout(
        () => Promise.resolve(made >= enough || failures.length > 0),
        () => `${count} more pods`,
      )
    },
    stop: async () => {
      isOver = true
      await Promise.all(users)
      return failures.slice(0, 5)
    },
  }
}

interface Reply {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, unknown>>
}

function post(
  port: number,
  path: string,
  { text, isKeptAlive = false }: { text: string; isKeptAlive?: boolean },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', connection: isKeptAlive ? 'keep-alive' : 'close' }
    const where = { host: '127.0.0.1', port, path: `${path}?timeout=2s`, method: 'POST', rejectUnauthorized: false, agent: false }
    const call = httpsRequest({ ...where, headers }, reply => {
      let answer = ''
      reply.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, text: answer, headers: reply.headers })
        call.destroy()
      })
    })
    call.on('error', reject)
    call.end(text)
  })
}

interface Agreed {
  readonly serial: string
  readonly protocol: string | null
  readonly cipher: string
}

function dial(port: number, options: ConnectionOptions = {}): Promise<Agreed> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false, ...options }, () => {
      const serial = socket.getPeerX509Certificate()?.serialNumber ?? ''
      resolve({ serial, protocol: socket.getProtocol(), cipher: socket.getCipher().name })
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
