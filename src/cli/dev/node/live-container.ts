// One container of a pod on a node: started, started again when it ends, and what it says kept for its log and its status.
import { NoImage, type StartedContainer, startContainer } from './container.ts'
import type { NodeOptions, StartedWith } from './options.ts'
import type { Pod, PodContainer } from './pod.ts'
import { NotMounted } from './volumes.ts'

export type ContainerState =
  | { readonly waiting: { readonly reason: string; readonly message?: string } }
  | { readonly running: { readonly startedAt: string } }

export interface Ended {
  readonly terminated: {
    readonly exitCode: number
    readonly reason: string
    readonly message?: string
    readonly startedAt: string
    readonly finishedAt: string
  }
}

/** A chatty program must not fill the memory; as much as a kubelet shows of a file at once. */
const logLengthMax = 1024 * 1024
/** What a kubelet takes over from the log where the program left no message. */
const messageLengthMax = 2_048
const messageLinesMax = 80
/** Secrets and ConfigMaps that are missing are looked for this often. */
const mountRetryMs = 250
const restartFactorMax = 300

export class LiveContainer {
  readonly #node: NodeOptions
  readonly #pod: Pod
  readonly #container: PodContainer
  readonly #onChange: () => void
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()
  state: ContainerState = { waiting: { reason: 'ContainerCreating' } }
  lastState: Ended | undefined
  restarts = 0
  log = ''
  startedWith: StartedWith | undefined

  constructor(node: NodeOptions, pod: Pod, container: PodContainer, onChange: () => void) {
    this.#node = node
    this.#pod = pod
    this.#container = container
    this.#onChange = onChange
  }

  get name(): string {
    return this.#container.name
  }

  get image(): string {
    return this.#container.image
  }

  start(): void {
    this.#running = this.#live().catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#node.log.error('a container cannot be run', { error: String(error) })
    })
  }

  async end(): Promise<void> {
    this.#stop.abort(new Error('the pod ends'))
    await this.#running
  }

  async #live(): Promise<void> {
    const { signal } = this.#stop
    for (let factor = 1; !signal.aborted; factor = Math.min(factor * 2, restartFactorMax)) {
      const started = await this.#startUp()
      if (started === undefined) return
      await this.#whileRunning(started)
      if (signal.aborted) return
      this.restarts++
      this.#turn({ waiting: { reason: 'CrashLoopBackOff', message: `back-off restarting failed container=${this.name}` } })
      await this.#node.clock.sleep(this.#node.restartMs * factor, signal).catch(() => {})
    }
  }

  /** Waits for what its volumes need; undefined when the pod ends before. */
  async #startUp(): Promise<StartedContainer | undefined> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      // The log begins anew with each process of the container.
      this.log = ''
      try {
        return await startContainer(this.#node, this.#pod, this.#container, text => this.#print(text))
      } catch (error) {
        if (!(error instanceof NotMounted)) throw error
        const reason = error instanceof NoImage ? 'ImagePullBackOff' : 'ContainerCreating'
        this.#turn({ waiting: { reason, message: error.message } })
        await this.#node.clock.sleep(mountRetryMs, signal).catch(() => {})
      }
    }
    return undefined
  }

  async #whileRunning({ process, ...startedWith }: StartedContainer): Promise<void> {
    this.startedWith = startedWith
    const startedAt = this.#now()
    this.#turn({ running: { startedAt } })
    const stop = (): void => process.stop()
    this.#stop.signal.addEventListener('abort', stop, { once: true })
    if (this.#stop.signal.aborted) stop()
    const exitCode = await process.ended
    this.#stop.signal.removeEventListener('abort', stop)
    const message = tailOf(this.log)
    const reason = exitCode === 0 ? 'Completed' : 'Error'
    this.lastState = { terminated: { exitCode, reason, message, startedAt, finishedAt: this.#now() } }
  }

  #turn(state: ContainerState): void {
    this.state = state
    this.#onChange()
  }

  #print(text: string): void {
    this.log = (this.log + text).slice(-logLengthMax)
    this.#node.onPrinted?.(this.#pod, this.#container, text)
  }

  #now(): string {
    return `${new Date(this.#node.clock.now()).toISOString().slice(0, 19)}Z`
  }
}

function tailOf(log: string): string {
  return log.split('\n').slice(-messageLinesMax).join('\n').slice(-messageLengthMax)
}
