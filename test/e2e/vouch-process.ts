// The front door as a process of its own, in a folder and with an environment of its own.
import { spawn } from 'node:child_process'
import { join } from 'node:path'

export const main: string = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

export interface Told {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function vouchIn(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Told> {
  return runIn(folder, process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], env)
}

/** Until what it says holds this; then it is told to stop. */
export function vouchUntil(folder: string, args: readonly string[], said: RegExp): Promise<Told> {
  return runIn(folder, process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {}, said)
}

export function runIn(
  folder: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  until?: RegExp,
): Promise<Told> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const own = { PATH, NODE_COMPILE_CACHE, HOME: folder, AWS_EC2_METADATA_DISABLED: 'true', ...env }
  const child = spawn(command, [...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env: own })
  const told = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8')
    child[name].on('data', (text: string) => {
      told[name] += text
      if (until?.test(told[name]) === true) child.kill('SIGTERM')
    })
  }
  return new Promise(resolve => child.on('close', code => resolve({ code, ...told })))
}
