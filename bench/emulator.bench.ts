// `npm run bench -- emulator [MOTO_URL]`: rounds of calls per second of the AWS emulator, in process and over HTTP, with every signature
// and token verified and otherwise as `vouch aws` runs by itself (profile `demo`: a fetched key set is kept for 300 s). Beside it moto,
// which is started from the cached Python environment unless its address is given, and an empty server of Node, the floor. All are asked
// by the same replaying client, eight connections at once, in slices of which the best counts: other programs on the machine only make
// a slice worse.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { CreateRoleCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import type { HttpRequest } from '#base'
import { createAws, sdkRequestHandler } from '#emulator'
import { recorded, trust } from './emulator/calls.ts'
import { type Connections, inProcess, overSockets, replay } from './emulator/replay.ts'
import { motoAt, processorMs, startEmpty, startEmulator } from './emulator/servers.ts'
import { type Column, type Measured, printTables, type Rows } from './emulator/table.ts'

const workers = 8
/** Long enough for the compiler to have seen everything, also at the server that comes first. */
const warmUpMs = 2_000
const slices = 5
const sliceMs = 400
/** It is slow: a slice of fewer than a hundred rounds would be a matter of luck. */
const motoSliceMs = 800

interface Target {
  readonly column: Column
  readonly connections: Connections
  readonly processorMs: () => number
  /** moto breaks now and then when asked by eight at once; such rounds do not count. */
  readonly mayBreak: boolean
  readonly sliceMs: number
  readonly scripts: Readonly<Record<string, readonly (readonly HttpRequest[])[]>>
}

export async function run(args: readonly string[]): Promise<void> {
  const inside = createAws({ profile: 'demo', signatures: 'verify', knobs: { quotas: { roles: 100_000 } } })
  const [child, empty, moto] = [await startEmulator(), await startEmpty(), await motoAt(args[0])]
  const own = { mayBreak: false, sliceMs }
  const scripts = await recorded(child, workers)
  const recordedInside = await recorded({ exchange: inside.handle, credentials: inside.adminCredentials() }, workers)
  const targets: Target[] = [
    {
      ...own,
      column: 'in process',
      connections: inProcess(inside.handle),
      processorMs: () => processorMs(process.pid),
      scripts: recordedInside,
    },
    { ...own, column: 'over HTTP', connections: overSockets(child.address, workers), processorMs: child.processorMs, scripts },
    { ...own, column: 'empty', connections: overSockets(empty.address, workers), processorMs: empty.processorMs, scripts },
  ]
  if (moto !== undefined)
    targets.push({
      column: 'moto',
      connections: overSockets(moto.address, workers),
      processorMs: moto.processorMs,
      mayBreak: true,
      sliceMs: motoSliceMs,
      scripts: await recorded(moto, workers),
    })
  const rows = await measureAll(Object.keys(scripts), targets)
  for (const target of targets) target.connections.close()
  await Promise.all([child.stop(), empty.stop(), moto?.stop()])
  printTables(rows)
  await printStart(child.readyMs)
  const web = rows.get('AssumeRoleWithWebIdentity')?.['in process']
  if (web !== undefined) console.log(`one web identity verified in process: ${(1_000 / web.perSecond).toFixed(2)} ms`)
  await printMemory()
}

/** Operation by operation, so that what else the machine does falls on all servers alike. */
async function measureAll(operations: readonly string[], targets: readonly Target[]): Promise<Rows> {
  const rows = new Map<string, Partial<Record<Column, Measured>>>()
  for (const operation of operations) {
    const row: Partial<Record<Column, Measured>> = {}
    for (const target of targets) row[target.column] = await measure(target, target.scripts[operation] ?? [])
    rows.set(operation, row)
  }
  return rows
}

async function measure(target: Target, scripts: readonly (readonly HttpRequest[])[]): Promise<Measured> {
  const options = { workers, mayBreak: target.mayBreak }
  await replay(target.connections, scripts, { ...options, forMs: warmUpMs })
  let best: Measured = { perSecond: 0, processorMs: Number.POSITIVE_INFINITY }
  for (let slice = 0; slice < slices; slice++) {
    const before = target.processorMs()
    const startedMs = performance.now()
    const perSecond = await replay(target.connections, scripts, { ...options, forMs: target.sliceMs })
    const rounds = (perSecond * (performance.now() - startedMs)) / 1_000
    const processorMs = (target.processorMs() - before) / rounds
    best = { perSecond: Math.max(best.perSecond, perSecond), processorMs: Math.min(best.processorMs, processorMs) }
  }
  return best
}

async function printStart(firstMs: number): Promise<void> {
  const starts = [firstMs]
  for (let count = 0; count < 4; count++) {
    const again = await startEmulator()
    starts.push(again.readyMs)
    await again.stop()
  }
  const best = Math.min(...starts)
  const warm = (await warmStartMs()).toFixed(1)
  console.log(
    `start of the process to ready: ${starts.map(ms => ms.toFixed(0)).join(', ')} ms, best ${best.toFixed(0)} ms; createAws and its first call in a warm process: ${warm} ms`,
  )
}

async function warmStartMs(): Promise<number> {
  const startedMs = performance.now()
  const aws = createAws({ signatures: 'parse' })
  await aws.handle({ method: 'GET', target: '/', headers: { host: '127.0.0.1' }, body: null })
  return performance.now() - startedMs
}

async function printMemory(): Promise<void> {
  const aws = createAws({ signatures: 'parse', knobs: { quotas: { roles: 100_000 } } })
  const iam = new IAMClient({
    region: 'us-east-1',
    credentials: aws.adminCredentials(),
    requestHandler: sdkRequestHandler(aws.handle),
  })
  const before = heapMb()
  for (let index = 0; index < 10_000; index++)
    await iam.send(new CreateRoleCommand({ RoleName: `role-${index}`, AssumeRolePolicyDocument: trust }))
  const more = heapMb() - before
  const startedMs = performance.now()
  await iam.send(new GetRoleCommand({ RoleName: 'role-5000' }))
  console.log(
    `10,000 roles: ${more.toFixed(0)} MB of heap more, RSS ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB; one GetRole among them through the SDK ${(performance.now() - startedMs).toFixed(1)} ms`,
  )
}

/** After a collection: what is garbage is not counted. */
function heapMb(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed / 1e6
}
