// What is read of the logs and of the ends of operands, look by look.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpRequest, ManualClock, silentLog } from '#base'
import type { DnsSettings } from '../settings.ts'
import { LogFindings } from './findings.ts'
import { logScan } from './scan.ts'

const lookMs = 10_000
const good = 'level=info msg="All records are already up to date"'
const bad = (text = 'Throttling: Rate exceeded'): string => `level=error msg="${text}"`

interface Scanned {
  /** What each container of the pod says by now; a running one has a log. */
  logs: Record<string, string>
  statuses: readonly object[]
  status: number
  isSynced: boolean
  labels: Readonly<Record<string, string>>
}

function scan() {
  const clock = new ManualClock()
  const findings = new LogFindings()
  const told: string[] = []
  const added: string[] = []
  const asked: string[] = []
  const said: Scanned = {
    logs: { main: good },
    statuses: [{ name: 'main', state: { running: {} } }],
    status: 200,
    isSynced: true,
    labels: { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': 'blue' },
  }
  const exchange = async ({ target }: Pick<HttpRequest, 'target'>) => {
    asked.push(target)
    const container = new URL(target, 'http://x').searchParams.get('container') ?? ''
    return { status: said.status, headers: {}, body: Buffer.from(said.logs[container] ?? '') }
  }
  const pod = () => ({ metadata: { name: 'pod', labels: said.labels }, status: { containerStatuses: said.statuses } })
  const world = {
    isSynced: () => said.isSynced,
    list: ({ plural }: { readonly plural: string }) => (plural === 'pods' ? [pod()] : [{ metadata: { name: 'blue' } }]),
  }
  const settings = { logScanMs: lookMs, logScanLines: 7, operandNamespace: 'there', storageVersion: 'v1beta1' }
  const companion = logScan({
    settings: settings as unknown as DnsSettings,
    client: { exchange } as never,
    clock,
    log: silentLog,
    findings,
    controller: 'dns',
    onTrouble: reason => void told.push(reason),
  })
  const context = { world, add: (_: string, { name }: { readonly name: string }) => void added.push(name) }
  const stop = new AbortController()
  void companion.run(context as never, stop.signal)
  /** The condition after another look, and whether the object is looked at for it. */
  const look = async (): Promise<readonly [text: string, isNews: boolean]> => {
    await clock.advance(lookMs)
    const { condition } = findings.operand.get('blue') ?? {}
    return [condition === undefined ? 'nothing' : `${condition.status} ${condition.reason}`, added.splice(0).length > 0]
  }
  return { clock, findings, said, told, asked, look }
}

test('the end of the log of each running container is read, so many lines and bytes of it', async () => {
  const { said, asked, look } = scan()
  said.statuses = [{ name: 'main', state: { running: {} } }, { name: 'other', state: { waiting: {} } }, { name: 'odd' }]
  assert.deepEqual(await look(), ['True UpToDate', true])
  assert.deepEqual(asked, ['/api/v1/namespaces/there/pods/pod/log?container=main&tailLines=7&limitBytes=65536'])
})

test('what is said again is no news, and other words of the same trouble are', async () => {
  const { said, told, look } = scan()
  said.logs = { main: bad('Throttling: one') }
  assert.deepEqual(await look(), ['False Throttled', true])
  assert.deepEqual(await look(), ['False Throttled', false])
  said.logs = { main: bad('Throttling: two') }
  assert.deepEqual(await look(), ['False Throttled', true])
  assert.deepEqual(told, ['Throttled', 'Throttled', 'Throttled'])
})

test('a condition turns once in half a minute, and says since when it is so', async () => {
  const { clock, findings, said, look } = scan()
  const turnedAt = (): unknown => findings.operand.get('blue')?.turnedAt
  await look()
  const first = clock.now()
  assert.equal(turnedAt(), first)
  said.logs = { main: bad() }
  assert.deepEqual(await look(), ['True UpToDate', false])
  assert.deepEqual(await look(), ['True UpToDate', false])
  assert.deepEqual(await look(), ['False Throttled', true])
  const second = clock.now()
  assert.deepEqual([turnedAt(), second - first], [second, 30_000])
  said.logs = { main: bad('Throttling: other words') }
  await look()
  assert.equal(turnedAt(), second)
})

test('nothing is known where nothing is said: no pod of the object, no log that may be read, no list yet', async () => {
  const others = scan()
  others.said.labels = { ...others.said.labels, 'app.kubernetes.io/instance': 'green' }
  assert.deepEqual(await others.look(), ['nothing', false])
  const forbidden = scan()
  forbidden.said.status = 403
  assert.deepEqual(await forbidden.look(), ['nothing', false])
  const starting = scan()
  starting.said.isSynced = false
  assert.deepEqual(await starting.look(), ['nothing', false])
  assert.deepEqual(starting.asked, [])
})

const crash = (message?: string, exitCode?: number): object => ({
  name: 'main',
  state: { waiting: { reason: 'CrashLoopBackOff' } },
  lastState: { terminated: { ...(message !== undefined && { message }), ...(exitCode !== undefined && { exitCode }) } },
})

const crashes: readonly (readonly [what: string, status: object, told: string, message: string])[] = [
  ['with a word of its own', crash('x\nlevel=fatal msg="unknown long flag --foo"'), 'False Crash', 'unknown long flag --foo'],
  [
    'refused by its provider',
    crash('level=fatal msg="Throttling: Rate exceeded"'),
    'False Throttled',
    'Throttling: Rate exceeded',
  ],
  ['with a line that is no log', crash('panic: oh no'), 'False Crash', 'panic: oh no'],
  ['after a fatal line and others', crash('level=fatal msg="first"\nlevel=fatal msg="second"\nbye'), 'False Crash', 'second'],
  ['without a word', crash('', 137), 'False Crash', 'the operand ends with exit code 137'],
  ['with blanks, by nobody knows what', crash(' \n'), 'False Crash', 'the operand ends with exit code unknown'],
  ['in a way that nobody told', crash(), 'False Crash', 'the operand ends with exit code unknown'],
]

for (const [what, status, told, message] of crashes)
  test(`an operand that ends ${what} is told as ${told}`, async () => {
    const { findings, said, look } = scan()
    said.statuses = [status]
    assert.deepEqual(await look(), [told, true])
    const found = findings.operand.get('blue')
    assert.deepEqual([found?.condition.message, found?.fatal?.message], [message, message])
  })

test('one that waits for something else than its next start has not crashed', async () => {
  const { said, look } = scan()
  said.statuses = [{ name: 'main', state: { waiting: { reason: 'ContainerCreating' } } }]
  assert.deepEqual(await look(), ['nothing', false])
})
