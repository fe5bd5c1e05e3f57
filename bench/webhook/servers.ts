// The programs that are measured: our webhook as users start it, and a plain Go webhook. Each on one core where the machine can pin it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeOptions } from '../../src/operators/pods/api.ts'
import { freePort } from '../../test/real/programs/free-port.ts'
import { bundleProgram } from '../published.ts'

export interface Program {
  readonly port: number
  readonly readyMs: number
  readonly pid: number
  residentMiB(): number
  processorMs(): number
  /** Of all threads, to the nanosecond: for what takes next to nothing. */
  scheduledMs(): number
  stop(): Promise<void>
}

export interface Files {
  readonly folder: string
  readonly certificate: string
  readonly key: string
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

let bundled = ''

/** What is published is a bundle, and not sources whose types are stripped when they are loaded: that alone would be half of the memory. */
export function bundle(): void {
  bundled = bundleProgram()
  if (isPinned) execFileSync('taskset', ['-cp', '0', String(process.pid)], { stdio: 'ignore' })
}

/** Of a program that was just spawned: until a review is patched, on connections of their own, and what that took. */
export interface FirstReview {
  readonly ms: number
  readonly processorMs: number
  readonly residentMiB: number
}

/** `plain Node` is a server of Node's own that answers any request: what no program on it can be below. */
export type Starter = 'vouch' | 'plain Node' | 'plain Go'

/** Undefined where there is no Go. */
export async function firstReview(
  who: Starter,
  { folder, certificate, key }: Files,
  api: { readonly port: number },
  isPatched: (port: number) => Promise<boolean>,
): Promise<FirstReview | undefined> {
  const port = await freePort()
  const go = who === 'plain Go' ? buildGo(folder) : ''
  if (go === undefined) return undefined
  // As in the image: nobody's home, and so nothing that was compiled before.
  const env = { HOME: '/nonexistent', NODE_ENV: 'production', NODE_OPTIONS: nodeOptions, GOMAXPROCS: '1' }
  const commands: Record<Starter, readonly [string, readonly string[]]> = {
    vouch: [process.execPath, [bundled, ...ourArguments({ certificate, key }, api.port, port), '--metrics-port=0']],
    'plain Node': [process.execPath, [join(import.meta.dirname, 'plain-server.mjs'), String(port), certificate, key]],
    'plain Go': [go, [String(port), certificate, key]],
  }
  const started = performance.now()
  const one = program(spawnPinned(...commands[who], env), port, 0)
  try {
    await until(() => isPatched(port))
    const [ms, processorMs] = [performance.now() - started, one.scheduledMs()]
    await new Promise(resolve => setTimeout(resolve, 1_000))
    return { ms, processorMs, residentMiB: one.residentMiB() }
  } finally {
    await one.stop()
  }
}

/** The webhook of Azure, or both in one process: with the port of AWS first. */
export async function startWithAzure(
  which: 'azure' | 'both',
  { folder, certificate, key }: Files,
  api: { readonly port: number },
): Promise<Program & { readonly ports: readonly number[] }> {
  const [awsPort, azurePort, health] = [await freePort(), await freePort(), await freePort()]
  const kubeconfig = writeKubeconfig(folder, api.port)
  const ofAzure = [
    `port=${azurePort}`,
    `webhook-cert-dir=${folder}`,
    'disable-cert-rotation=true',
    'bind-address=127.0.0.1',
    `health-addr=127.0.0.1:${health}`,
    'metrics-addr=0',
  ]
  const ofAws = [
    `port=${awsPort}`,
    'in-cluster=false',
    `tls-cert=${certificate}`,
    `tls-key=${key}`,
    'bind-address=127.0.0.1',
    'metrics-port=0',
  ]
  const flags =
    which === 'azure'
      ? ofAzure.map(flag => `--${flag}`)
      : [...ofAws.map(flag => `--aws.${flag}`), ...ofAzure.map(flag => `--azure.${flag}`)]
  const env = { HOME: folder, NODE_ENV: 'production', NODE_OPTIONS: nodeOptions, AZURE_TENANT_ID: 'contoso.example' }
  const started = performance.now()
  const child = spawnPinned(process.execPath, [bundled, 'webhook', which, `--kubeconfig=${kubeconfig}`, ...flags], env)
  await until(async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).status === 200)
  const ports = which === 'azure' ? [azurePort] : [awsPort, azurePort]
  return { ...program(child, ports[0] as number, performance.now() - started), ports }
}

function writeKubeconfig(folder: string, apiPort: number): string {
  const path = join(folder, 'kubeconfig')
  const name = 'bench'
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: { server: `http://127.0.0.1:${apiPort}` } }],
    users: [{ name, user: {} }],
  }
  writeFileSync(path, JSON.stringify(config))
  return path
}

/** Waits until it is ready, unless told that it will not be: then until it answers at all. */
export async function startOurs(
  { folder, certificate, key }: Files,
  api: { readonly port: number },
  flags: readonly string[] = [],
  becomesReady = true,
): Promise<Program> {
  const [port, health] = [await freePort(), await freePort()]
  const started = performance.now()
  const child = spawnPinned(
    process.execPath,
    [
      bundled,
      ...ourArguments({ certificate, key }, api.port, port),
      '--metrics-port=0',
      `--health-addr=127.0.0.1:${health}`,
      ...flags,
    ],
    // As in the manifests.
    { HOME: folder, NODE_ENV: 'production', NODE_OPTIONS: nodeOptions },
  )
  const probe = `http://127.0.0.1:${health}/${becomesReady ? 'readyz' : 'healthz'}`
  await until(async () => (await fetch(probe)).status === 200)
  return program(child, port, performance.now() - started)
}

function ourArguments({ certificate, key }: Omit<Files, 'folder'>, apiPort: number, port: number): readonly string[] {
  return [
    'webhook',
    'aws',
    '--in-cluster=false',
    `--tls-cert=${certificate}`,
    `--tls-key=${key}`,
    `--kube-api=http://127.0.0.1:${apiPort}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
  ]
}

/** Undefined when there is no Go to build it with. */
function buildGo(folder: string): string | undefined {
  const binary = join(folder, 'plain-webhook')
  if (existsSync(binary)) return binary
  try {
    execFileSync('go', ['build', '-o', binary, '.'], { cwd: join(root, 'bench/webhook/go'), stdio: 'pipe' })
    return binary
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Undefined when there is no Go to build it with. */
export async function startGo({ folder, certificate, key }: Files): Promise<Program | undefined> {
  const binary = buildGo(folder)
  if (binary === undefined) return undefined
  const port = await freePort()
  const started = performance.now()
  const child = spawnPinned(binary, [String(port), certificate, key], { GOMAXPROCS: '1', HOME: folder })
  await until(() => isListening(port))
  return program(child, port, performance.now() - started)
}

/** A server of Node's own that answers as many bytes as ours without looking at the review: no program on Node's HTTP can be below it. */
export async function startPlainNode({ folder, certificate, key }: Files, answerBytes: number): Promise<Program> {
  const port = await freePort()
  const started = performance.now()
  const args = [join(import.meta.dirname, 'plain-server.mjs'), String(port), certificate, key, String(answerBytes)]
  const child = spawnPinned(process.execPath, args, { HOME: folder, NODE_ENV: 'production', NODE_OPTIONS: nodeOptions })
  await until(() => isListening(port))
  return program(child, port, performance.now() - started)
}

export function writePair(folder: string, pair: { certificate: string; key: string }): Files {
  const files = { folder, certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
  writeFileSync(files.certificate, pair.certificate)
  writeFileSync(files.key, pair.key, { mode: 0o600 })
  return files
}

export const isPinned: boolean = canPin()

function canPin(): boolean {
  try {
    execFileSync('taskset', ['-c', '1', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function spawnPinned(command: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const whole = isPinned ? ['taskset', '-c', '1', command, ...args] : [command, ...args]
  return spawn(whole[0] as string, whole.slice(1), {
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], ...env },
  })
}

function program(child: ChildProcess, port: number, readyMs: number): Program {
  const pid = child.pid as number
  return {
    port,
    readyMs,
    pid,
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024,
    processorMs: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
      // User and system time, in hundredths of a second.
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    scheduledMs: () =>
      readdirSync(`/proc/${pid}/task`).reduce(
        (sum, thread) => sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
        0,
      ),
    // Stopped a second time it has nothing more to say.
    stop: () =>
      new Promise(resolve => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

function isListening(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    (error: Error & { cause?: { code?: string } }) => error.cause?.code !== 'ECONNREFUSED',
  )
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (performance.now() < deadline) {
    if (await holds().catch(() => false)) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  throw new Error('a program did not become ready within a minute')
}
