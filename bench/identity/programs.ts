// The processes of the bench: bundled as they are published, started, asked, and ended with the bench.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFolder, bundleInto } from '../bundle.ts'
import { imageEnvironment } from '../image-environment.ts'
import type { Counts, TallyOrder } from './tally.ts'

const names = ['server-process', 'fleet-process', 'cloud-process', 'operator-process'] as const
type ProgramName = (typeof names)[number]

const folder = bundleFolder('identity')

export async function bundlePrograms(): Promise<void> {
  // A map for whoever reads a profile; it is three quarters of the text that a process then holds for as long as it lives.
  const map = /--cpu-prof/.test(process.env['BENCH_NODE_FLAGS'] ?? '') ? ({ sourcemap: 'inline' } as const) : {}
  await bundleInto(folder, Object.fromEntries(names.map(name => [name, `identity/${name}.ts`])), map)
}

/** What a program starts with goes by a file: the ways into a thousand clusters do not fit into an argument. */
let started = 0

export class Program {
  readonly #child: ChildProcess

  /** `BENCH_NODE_FLAGS` are flags for the identity operator's process, such as `--cpu-prof`. */
  constructor(name: ProgramName, argument?: unknown) {
    const flags = name === 'operator-process' ? (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter(Boolean) : []
    const file = join(folder, `${name}-${++started}.json`)
    if (argument !== undefined) writeFileSync(file, JSON.stringify(argument))
    const env = { ...process.env, ...(name === 'operator-process' ? imageEnvironment() : {}) }
    this.#child = fork(join(folder, `${name}.mjs`), argument === undefined ? [] : [file], { execArgv: flags, env })
    this.#child.on('exit', code => {
      if (code !== 0) console.error(`the ${name} ended with ${code}`)
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async ask(order: TallyOrder): Promise<Counts> {
    this.send(order)
    return (await this.heard()) as Counts
  }

  send(message: object | string): void {
    this.#child.send(message)
  }

  async heard(): Promise<unknown> {
    const [message] = (await once(this.#child, 'message')) as [unknown]
    return message
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    await exit
  }
}

/** Milliseconds of processor time that these processes have taken so far; 0 where the system does not say. */
export function cpuMsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0)
}

/** Linux counts in hundredths of a second. */
const msPerTick = 10

function cpuOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  } catch {
    return 0
  }
}
