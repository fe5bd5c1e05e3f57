// One replica of the operators as a process, which is killed, stopped and started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

export interface ReplicaOptions {
  readonly name: string
  readonly flags: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly folder: string
}

const main = join(import.meta.dirname, '../../src/cli/main.ts')

export class Replica {
  readonly name: string
  readonly log: string
  readonly #options: ReplicaOptions
  #child: ChildProcess | undefined
  /** Ends that nobody asked for: a crash of our own. */
  #crashes: string[] = []
  #isAsked = false

  constructor(options: ReplicaOptions) {
    this.name = options.name
    this.log = join(options.folder, `${options.name.replaceAll(' ', '-')}.log`)
    this.#options = options
  }

  get crashes(): readonly string[] {
    return this.#crashes
  }

  get runs(): boolean {
    return this.#child !== undefined
  }

  start(): void {
    if (this.#child !== undefined) return
    const log = openSync(this.log, 'a')
    const { flags, environment } = this.#options
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'operator', ...flags], {
      env: environment,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    this.#isAsked = false
    this.#child = child
    child.on('exit', (code, signal) => {
      if (this.#child !== child) return
      this.#child = undefined
      // Whoever lost the lease ends, and is started again: that is no crash.
      if (!this.#isAsked && code !== 0) this.#crashes.push(`${this.name} ended with ${code ?? signal}`)
    })
  }

  /** Without a word, as a machine that loses its power. */
  kill(): void {
    this.#isAsked = true
    this.#child?.kill('SIGKILL')
  }

  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  async end(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    this.#isAsked = true
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}
