// The servers that are measured beside each other, each in processes of its own: the embedded one as it is published, the real pair, and
// one that decides nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load as parseYaml } from 'js-yaml'
import { type ControlPlane, startControlPlane } from '../../test/real/control-plane.ts'
import { bundleFolder, bundleInto } from '../bundle.ts'
import { Connection, type Endpoint } from '../load.ts'
import { bundleProgram } from '../published.ts'

export interface Contender {
  readonly name: string
  readonly readyMs: number
  readonly endpoint: Endpoint
  readonly pids: readonly number[]
  /** Of the real pair with fsync only what fsync changes; of a server that decides nothing only what it answers. */
  readonly measured: 'all' | 'writes' | 'creates'
  stop(): Promise<void>
}

/** As users start it, and not for the first time: what Node compiled is kept from one start to the next. */
export async function startEmbedded(): Promise<Contender> {
  const program = bundleProgram()
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bench-apiserver-'))
  const first = await startProgram(program, folder)
  await first.stop()
  const contender = await startProgram(program, folder)
  const stop = async (): Promise<void> => {
    await contender.stop()
    rmSync(folder, { recursive: true })
  }
  return { ...contender, stop }
}

async function startProgram(program: string, folder: string): Promise<Contender> {
  const kubeconfig = join(folder, 'kubeconfig')
  const started = performance.now()
  const child = spawn(process.execPath, [program, 'apiserver', '--no-controllers', '--kubeconfig', kubeconfig], {
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', () => reject(new Error('the embedded server ended before it was ready')))
  })
  const endpoint = endpointIn(readFileSync(kubeconfig, 'utf8'))
  await ready(endpoint)
  return {
    name: 'embedded',
    readyMs: performance.now() - started,
    endpoint,
    pids: [child.pid ?? 0],
    measured: 'all',
    stop: () =>
      new Promise<void>(resolve => {
        child.once('exit', () => resolve())
        child.kill('SIGINT')
      }),
  }
}

function endpointIn(kubeconfig: string): Endpoint {
  const { clusters, users } = parseYaml(kubeconfig) as Kubeconfig
  const [cluster, user] = [clusters[0]?.cluster, users[0]?.user]
  const ca = Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64').toString()
  return { address: cluster?.server ?? '', ca, token: user?.token ?? '' }
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[]
  readonly users: readonly { readonly user: { readonly token: string } }[]
}

export async function startReal(fsync: boolean): Promise<Contender> {
  const started = performance.now()
  const plane: ControlPlane = await startControlPlane({ fsync })
  return {
    name: fsync ? 'real, fsync' : 'real, no fsync',
    readyMs: performance.now() - started,
    endpoint: { address: plane.address, ca: plane.ca, token: plane.adminToken },
    pids: plane.pids,
    measured: fsync ? 'writes' : 'all',
    stop: plane.stop,
  }
}

async function ready(endpoint: Endpoint): Promise<void> {
  const connection = new Connection(endpoint)
  while ((await connection.ask({ method: 'GET', path: '/readyz' })).status !== 200);
  connection.close()
}

/** Answers every request with the bytes of a create. */
export async function startEmpty(): Promise<Contender> {
  const folder = bundleFolder('apiserver')
  await bundleInto(folder, { empty: 'apiserver/empty-server.ts' })
  const started = performance.now()
  const child = spawn(process.execPath, [join(folder, 'empty.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    name: 'empty',
    readyMs: performance.now() - started,
    endpoint: JSON.parse(line.toString()) as Endpoint,
    pids: [child.pid ?? 0],
    measured: 'creates',
    stop: async () => {
      child.kill()
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

export function rssOf({ pids }: Contender): number {
  return (
    pids.reduce((sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0), 0) /
    1024
  )
}

/** What the kernel counts of a process is hundredths of a second. */
export function processorMsOf({ pids }: Contender): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return sum + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)
}
