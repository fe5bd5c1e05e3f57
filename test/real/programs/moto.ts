// moto as a second opinion: its server on a port of the system's choice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { AwsClients, netTransport, staticCredentials } from '#aws/client'
import { systemClock, systemNet, systemRandom } from '#base'
import { freePort } from './free-port.ts'
import type { Python } from './python.ts'

export interface Moto {
  readonly url: string
  readonly pid: number
  /** Forgets everything. */
  reset(): Promise<void>
  stop(): Promise<void>
}

const readyWithinMs = 60_000

/** `env`: choices of moto's own. */
export async function startMoto(python: Python, env: Readonly<Record<string, string>> = {}): Promise<Moto> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(python.program('moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, ...env },
  })
  const stopped = once(server, 'exit')
  // Whoever started it may die of an error: it must not be left behind.
  const endWithUs = (): boolean => server.kill('SIGKILL')
  process.once('exit', endWithUs)
  const until = Date.now() + readyWithinMs
  while (!(await answers(url))) {
    if (server.exitCode !== null || Date.now() > until) {
      server.kill('SIGKILL')
      throw new Error('moto_server did not start')
    }
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return {
    url,
    pid: server.pid ?? 0,
    reset: async () => {
      await fetch(`${url}/moto-api/reset`, { method: 'POST' })
    },
    stop: async () => {
      server.kill('SIGTERM')
      const timer = setTimeout(() => server.kill('SIGKILL'), 3_000)
      await stopped
      clearTimeout(timer)
      process.removeListener('exit', endWithUs)
    },
  }
}

/** Clients for moto, which takes whoever comes; `close` ends their connections. */
export function motoClients(url: string): { readonly clients: AwsClients; close(): Promise<void> } {
  const transport = netTransport(systemNet)
  const clients = new AwsClients({
    credentials: staticCredentials({ accessKeyId: 'test', secretAccessKey: 'test' }),
    transport,
    clock: systemClock,
    random: systemRandom,
    endpointOf: () => url,
  })
  return { clients, close: () => transport.close() }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/moto-api/data.json`)).ok
  } catch {
    return false
  }
}
