// `npm run bench -- resources [--full | COUNT...] [--others COUNT] [--only PART]`: Roles with a managed policy each, from their creation to
// Ready; what that takes of AWS and of the API server; what a look at everything takes; how soon AWS hears of a new object behind such looks.
// The operator is a process of its own over sockets, so that memory and processor time are its own; API server and AWS are in this one. Then
// the same in virtual time on a cloud that limits calls; then sixteen services without an object and a start where 200 CRDs are installed, and
// queues, tables and keys on moto. `--full` takes 10,000 Roles for both and 1,000 of the others, which takes minutes; `--others` says how many
// of those; `--only` names parts (roles, limited, services, others). `live` is the heap after garbage was collected, and comes last, so that
// it changes no other figure. `BENCH_NODE_FLAGS` are flags for the operator's process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ApiServer, createApiServer } from '#apiserver'
import { systemClock } from '#base'
import { type Aws, createAws } from '#emulator'
import { createKubeClient } from '#kube/client'
import { shippedService } from '#operators/resources'
import { bundleFolder, bundleInto } from './bundle.ts'
import { imageEnvironment } from './image-environment.ts'
import { onLimitedCloud } from './resources/limited-cloud.ts'
import { withManyServices } from './resources/many-services.ts'
import type { Figures, Order, Start } from './resources/operator-process.ts'
import { onOtherKinds } from './resources/other-kinds.ts'
import { account, region, roleManifest } from './resources/role.ts'

/** What the Go controllers took, measured on two cores: seconds for so many Roles, one worker and sixteen. */
const reference = { roles: 300, seconds: [22, 14], callsPerRole: 11 }
const columns = [
  'roles',
  'create s',
  'roles/s',
  'calls/role',
  'writes/role besides Events',
  'CPU ms/role',
  'look at all s',
  'calls/look',
  'CPU ms/look',
  'writes at rest',
  'new: first call ms',
  'idle RSS MB',
  'RSS MB',
  'peak RSS MB',
  'heap MB',
  'live MB',
]
const type = { group: 'iam.services.k8s.aws', version: 'v1alpha1', kind: 'Role', plural: 'roles', namespaced: true }

const parts = ['roles', 'limited', 'services', 'others'] as const

export async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { full: { type: 'boolean', default: false }, others: { type: 'string' }, only: { type: 'string', multiple: true } },
  })
  const given = positionals.map(Number).filter(count => Number.isInteger(count) && count > 0)
  const counts = given.length > 0 ? given : values.full ? [1_000, 10_000] : [300, 1_000]
  const others = Number(values.others ?? (values.full ? 1_000 : 50))
  const wanted = values.only ?? parts
  const unknown = wanted.find(part => !parts.some(known => known === part))
  if (unknown !== undefined) throw new Error(`--only ${unknown}: the parts are ${parts.join(', ')}`)
  if (wanted.includes('roles')) await roles(counts)
  if (wanted.includes('limited')) await limited(values.full ? 10_000 : 200)
  if (wanted.includes('services')) for (const line of await withManyServices()) console.log(line)
  if (wanted.includes('others')) for (const line of await onOtherKinds(others)) console.log(line)
}

async function roles(counts: readonly number[]): Promise<void> {
  console.log(columns.join('  '))
  for (const count of counts) {
    const cells = await measure(count)
    console.log(columns.map((column, index) => (cells[index] ?? '').padStart(column.length)).join('  '))
  }
  const [one, many] = reference.seconds
  console.log(
    `beside it, measured elsewhere: Go, ${reference.roles} Roles in ${one} s (1 worker) and ${many} s (16), ${reference.callsPerRole} calls a Role, 50-56 MB at rest`,
  )
}

async function limited(count: number): Promise<void> {
  const { virtualSeconds, firstSeconds, leastSeconds, calls, throttled, writes } = await onLimitedCloud(count)
  const share = ((100 * throttled) / calls).toFixed(2)
  console.log(
    `on a cloud that limits calls, in virtual time: ${count} Roles in ${virtualSeconds.toFixed(0)} s, where the limits allow ${leastSeconds.toFixed(0)} s, the first after ${firstSeconds.toFixed(1)} s; ${throttled} of ${calls} calls throttled (${share} %), ${(writes / count).toFixed(1)} writes a Role`,
  )
}

async function measure(count: number): Promise<readonly string[]> {
  const knobs = { throttling: 'off', quotas: { roles: 100_000 } }
  const aws = createAws({ seed: 1, accounts: [account], region, profile: 'instant', signatures: 'parse', knobs })
  const server = createApiServer({ objects: shippedService('iam').crds })
  const operator = await Operator.start(aws, server)
  const kube = createKubeClient({ clock: systemClock, address: 'bench', exchange: server.as() })
  const create = (name: string): Promise<unknown> => kube.create(type, roleManifest(type, name))
  try {
    const idle = await operator.ask({ ask: 'forget' })
    let startedMs = systemClock.monotonicMs()
    for (let index = 0; index < count; index++) await create(`role-${index}`)
    const made = await operator.until(count)
    const createSeconds = (systemClock.monotonicMs() - startedMs) / 1_000

    const before = await operator.ask({ ask: 'forget' })
    startedMs = systemClock.monotonicMs()
    await operator.ask({ ask: 'look', count })
    // In the midst of them.
    await systemClock.sleep(100)
    const cameMs = systemClock.now()
    await create('newcomer')
    const looked = await operator.until(count + 1)
    const lookSeconds = (systemClock.monotonicMs() - startedMs) / 1_000
    const firstCallMs = (looked.newcomerAtMs ?? Number.NaN) - cameMs
    const collected = await operator.ask({ ask: 'collect' })
    const newcomer = { writes: 3, calls: 6 }
    return [
      String(count),
      createSeconds.toFixed(1),
      (count / createSeconds).toFixed(0),
      (made.calls / count).toFixed(1),
      (made.writes / count).toFixed(1),
      ((made.cpuMs - idle.cpuMs) / count).toFixed(2),
      lookSeconds.toFixed(1),
      ((looked.calls - newcomer.calls) / count).toFixed(1),
      ((looked.cpuMs - before.cpuMs) / count).toFixed(2),
      String(looked.writes - newcomer.writes),
      firstCallMs.toFixed(0),
      idle.rssMb.toFixed(0),
      looked.rssMb.toFixed(0),
      looked.peakRssMb.toFixed(0),
      looked.heapMb.toFixed(0),
      collected.heapMb.toFixed(0),
    ]
  } finally {
    await operator.stop()
    await server.close()
    await aws.close()
  }
}

async function bundled(): Promise<string> {
  const folder = bundleFolder('resources')
  await bundleInto(folder, { 'operator-process': 'resources/operator-process.ts' })
  return join(folder, 'operator-process.mjs')
}

class Operator {
  readonly #child: ReturnType<typeof fork>
  readonly #close: () => Promise<unknown>

  private constructor(child: ReturnType<typeof fork>, close: () => Promise<unknown>) {
    this.#child = child
    this.#close = close
  }

  static async start(aws: Aws, server: ApiServer): Promise<Operator> {
    const [ofAws, ofServer] = await Promise.all([aws.listen(), server.listen()])
    const start: Start = {
      account,
      region,
      server: { origin: `https://127.0.0.1:${ofServer.port}`, ca: server.ca, token: server.adminToken },
      aws: { origin: `http://127.0.0.1:${ofAws.port}`, ...aws.adminCredentials() },
    }
    const child = fork(await bundled(), [JSON.stringify(start)], {
      env: { ...process.env, ...imageEnvironment() },
      execArgv: (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter(flag => flag !== ''),
    })
    const operator = new Operator(child, () => Promise.all([ofAws.close(), ofServer.close()]))
    await operator.ask({ ask: 'figures' })
    return operator
  }

  async ask(order: Exclude<Order, { readonly ask: 'ready' }>): Promise<Figures> {
    return (await this.#answer(order)) as Figures
  }

  /** So many claims have been found ready. */
  async until(count: number): Promise<Figures> {
    while (((await this.#answer({ ask: 'ready' })) as number) < count) await systemClock.sleep(20)
    return this.ask({ ask: 'figures' })
  }

  async #answer(order: Order): Promise<unknown> {
    const answer = once(this.#child, 'message')
    this.#child.send(order)
    return (await answer)[0]
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.disconnect()
    await exit
    await this.#close()
  }
}
