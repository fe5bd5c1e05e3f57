// The programs that are measured: our webhook as users start it, and a plain Go webhook. Each on one core where the machine can pin it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type HttpListener, systemNet } from '#base'
import { freePort } from '../../test/real/free-port.ts'
import { bundleProgram } from '../published.ts'

export interface Program {
  readonly port: number
  readonly readyMs: number
  readonly pid: number
  residentMiB(): number
  processorMs(): number
  stop(): Promise<void>
}

export interface Files {
  readonly folder: string
  readonly certificate: string
  readonly key: string
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** As many ServiceAccounts as asked for, one in ten with a role, in pages; a watch that says nothing. */
export function accountsApi(count: number): Promise<HttpListener> {
  const account = (index: number) => ({
    metadata: {
      name: index === 0 ? 'app' : `account-${index}`,
      namespace: index === 0 ? 'ns1' : `namespace-${index % 500}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(index + 1),
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(index % 10 === 0
        ? { annotations: { 'eks.amazonaws.com/role-arn': `arn:aws:iam::111122223333:role/app-${index}` } }
        : {}),
    },
  })
  const json = (value: unknown) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  })
  return systemNet.listen({}, async ({ target, signal }) => {
    const url = new URL(target, 'http://api')
    if (url.searchParams.has('watch')) {
      await new Promise<void>(resolve => signal?.addEventListener('abort', () => resolve(), { once: true }))
      return json({})
    }
    const from = Number(url.searchParams.get('continue') ?? 0)
    const to = Math.min(count, from + Number(url.searchParams.get('limit') ?? count))
    const items = Array.from({ length: to - from }, (_, index) => account(from + index))
    const metadata = { resourceVersion: String(count + 1), ...(to < count ? { continue: String(to) } : {}) }
    return json({ apiVersion: 'v1', kind: 'ServiceAccountList', metadata, items })
  })
}

let bundled = ''

export function bundle(): void {
  bundled = bundleProgram()
  if (isPinned) execFileSync('taskset', ['-cp', '0', String(process.pid)], { stdio: 'ignore' })
}

export async function startOurs({ folder, certificate, key }: Files, api: HttpListener): Promise<Program> {
  const [port, health] = [await freePort(), await freePort()]
  const started = performance.now()
  const child = spawnPinned(
    process.execPath,
    [
      bundled,
      'webhook',
      'aws',
      '--in-cluster=false',
      `--tls-cert=${certificate}`,
      `--tls-key=${key}`,
      `--kube-api=http://127.0.0.1:${api.port}`,
      '--bind-address=127.0.0.1',
      `--port=${port}`,
      '--metrics-port=0',
      `--health-addr=127.0.0.1:${health}`,
    ],
    { HOME: folder, NODE_ENV: 'production' },
  )
  await until(async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).status === 200)
  return program(child, port, performance.now() - started)
}

/** Undefined when there is no Go to build it with. */
export async function startGo({ folder, certificate, key }: Files): Promise<Program | undefined> {
  const binary = join(folder, 'plain-webhook')
  try {
    execFileSync('go', ['build', '-o', binary, '.'], { cwd: join(root, 'bench/webhook/go'), stdio: 'pipe' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const port = await freePort()
  const started = performance.now()
  const child = spawnPinned(binary, [String(port), certificate, key], { GOMAXPROCS: '1', HOME: folder })
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
    stdio: ['ignore', 'ignore', 'inherit'],
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
    stop: () =>
      new Promise(resolve => {
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
