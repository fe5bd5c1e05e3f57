// The servers that are asked, each a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { dirname, join } from 'node:path'
import type { HttpExchange } from '#base'
import { startMoto } from '../../test/real/programs/moto.ts'
import { pythonEnvironment } from '../../test/real/programs/python.ts'
import type { Recordable } from './calls.ts'

export interface Server extends Recordable {
  readonly address: string
  /** User and system time so far; not a number where its process is not known. */
  processorMs(): number
  stop(): Promise<void>
}

export interface Emulator extends Server {
  /** Start of the process to the line that says it is ready. */
  readonly readyMs: number
}

const checkout = dirname(dirname(import.meta.dirname))

export async function startEmulator(): Promise<Emulator> {
  const startedMs = performance.now()
  const flags = ['--port', '0', '--control-port', '0', '--signatures', 'verify']
  const { process: child, line } = await started([join(checkout, 'src/cli/main.ts'), 'aws', ...flags])
  const readyMs = performance.now() - startedMs
  const value = (name: string): string => new RegExp(`${name}=(\\S+)`).exec(line)?.[1] ?? ''
  const address = value('AWS_ENDPOINT_URL')
  return {
    readyMs,
    address,
    exchange: exchangeOver(address),
    credentials: { accessKeyId: value('AWS_ACCESS_KEY_ID'), secretAccessKey: value('AWS_SECRET_ACCESS_KEY') },
    processorMs: () => processorMs(child.pid),
    stop: () => ended(child),
  }
}

/** A server of Node that does nothing: what no server on Node can undercut. */
export async function startEmpty(): Promise<Omit<Server, keyof Recordable>> {
  const { process: child, line } = await started([join(import.meta.dirname, 'empty-server.ts')])
  return {
    address: `http://127.0.0.1:${Number(line)}`,
    processorMs: () => processorMs(child.pid),
    stop: () => ended(child),
  }
}

export async function motoAt(url: string | undefined): Promise<Server | undefined> {
  const credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'x' }
  if (url !== undefined)
    return {
      address: url,
      exchange: exchangeOver(url),
      credentials,
      processorMs: () => Number.NaN,
      stop: () => Promise.resolve(),
    }
  const python = await pythonEnvironment()
  if ('missing' in python) {
    console.log(`moto ${python.missing}`)
    return undefined
  }
  const moto = await startMoto(python)
  return {
    address: moto.url,
    exchange: exchangeOver(moto.url),
    credentials,
    processorMs: () => processorMs(moto.pid),
    stop: () => moto.stop(),
  }
}

async function started(args: readonly string[]): Promise<{ readonly process: ChildProcess; readonly line: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [data] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer]
  return { process: child, line: data.toString() }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

/** The kernel counts in ticks of 10 ms. Not a number where there is no /proc. */
export function processorMs(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** For recording; what is measured goes over connections of replay.ts. */
function exchangeOver(address: string): HttpExchange {
  const { hostname, port } = new URL(address)
  const agent = new Agent({ keepAlive: false })
  return ({ method, target, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        { agent, hostname, port, method, path: target, headers: headers as Record<string, string> },
        response => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(body instanceof Uint8Array ? body : undefined)
    })
}
