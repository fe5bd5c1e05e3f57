// A program that runs beside a test until the test is over: what it says is kept, for whoever waits for a line and for the failure's report.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const wordsKept = 20_000

export class StartedProgram implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  #words = ''

  constructor(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = spawn(command, args, { env: { PATH: process.env['PATH'] ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#exit = once(this.#child, 'exit')
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#words = (this.#words + chunk.toString()).slice(-wordsKept)))
  }

  /** The last of what it said on both streams. */
  get words(): string {
    return this.#words
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.hasEnded) return
    this.#child.kill('SIGKILL')
    await this.#exit
  }
}
