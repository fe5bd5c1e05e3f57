// moto as a second opinion: its server on a port of the system's choice.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

export async function startMoto(python: Python): Promise<Moto> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(python.program('moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'ignore'],
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

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/moto-api/data.json`)).ok
  } catch {
    return false
  }
}
