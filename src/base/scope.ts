// Structured concurrency: tasks belong to a scope, the scope ends them and waits for them. A task that fails ends its siblings.
import type { Clock } from './seams.ts'

/** Why a scope's signal aborted when nobody failed. */
export class ScopeStopped extends Error {
  readonly code = 'scope-stopped'
  constructor(name: string) {
    super(`${name} is stopping`)
    this.name = 'ScopeStopped'
  }
}

export class Scope implements AsyncDisposable {
  readonly name: string
  readonly #controller = new AbortController()
  readonly #running = new Map<Promise<void>, string>()
  readonly #detach: () => void
  #failure: { readonly error: unknown } | undefined

  constructor(name: string, parent?: AbortSignal) {
    this.name = name
    const onAbort = (): void => this.#controller.abort(parent?.reason)
    parent?.addEventListener('abort', onAbort, { once: true })
    if (parent?.aborted === true) onAbort()
    this.#detach = () => parent?.removeEventListener('abort', onAbort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Names of the tasks that have not ended. */
  get running(): readonly string[] {
    return [...this.#running.values()]
  }

  /** Starts a task that ends when the signal says so. If it fails, so does the scope. */
  spawn(name: string, task: (signal: AbortSignal) => Promise<void>): void {
    const work = this.#guard(task)
    this.#running.set(work, name)
    void work.then(() => this.#running.delete(work))
  }

  /** Resolves when all tasks have ended; rejects with the first failure, after all have ended. */
  async done(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.keys())
    this.#detach()
    if (this.#failure !== undefined) throw this.#failure.error as Error
  }

  /** Tells all tasks to end and waits for them, but no longer than `waitMs`. Returns the names of those that did not listen. */
  async stop(clock: Pick<Clock, 'timer'>, waitMs: number): Promise<readonly string[]> {
    this.#controller.abort(new ScopeStopped(this.name))
    let expire: () => void = () => {}
    const expired = new Promise<void>(resolve => {
      expire = resolve
    })
    const timer = clock.timer(waitMs, expire)
    const ended = this.done().catch(() => {})
    await Promise.race([ended, expired])
    timer.cancel()
    this.#detach()
    return this.running
  }

  /** For `await using`: ends the tasks and waits for them without a bound. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#controller.abort(new ScopeStopped(this.name))
    await this.done()
  }

  async #guard(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await task(this.signal)
    } catch (error) {
      // What a task throws because it was told to end is no failure.
      if (this.signal.aborted) return
      this.#failure ??= { error }
      this.#controller.abort(error)
    }
  }
}
