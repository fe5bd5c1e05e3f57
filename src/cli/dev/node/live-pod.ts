// One pod of a node, from its first sight to its end.
import { pods } from '#kube'
import { KubeError } from '#kube/client'
import { LiveContainer } from './live-container.ts'
import type { NodeOptions, StartedWith } from './options.ts'
import type { Pod } from './pod.ts'
import { statusOf } from './status.ts'

export class LivePod {
  readonly #node: NodeOptions
  readonly #containers: readonly LiveContainer[]
  readonly #startedAt: string
  #writing: Promise<void> = Promise.resolve()
  #written = ''
  #isTerminating = false
  pod: Pod

  constructor(node: NodeOptions, pod: Pod) {
    this.#node = node
    this.pod = pod
    this.#startedAt = `${new Date(node.clock.now()).toISOString().slice(0, 19)}Z`
    this.#containers = pod.spec.containers.map(container => new LiveContainer(node, pod, container, () => this.#report()))
    for (const container of this.#containers) container.start()
    this.#report()
  }

  see(pod: Pod): void {
    this.pod = pod
    if (pod.metadata.deletionTimestamp === undefined || this.#isTerminating) return
    this.#isTerminating = true
    void this.end().then(() => this.#remove())
  }

  logOf(container: string): string | undefined {
    return this.#containers.find(({ name }) => name === container)?.log
  }

  get logs(): string {
    return this.#containers.map(({ log }) => log).join('')
  }

  startedWith(container: string): StartedWith | undefined {
    return this.#containers.find(({ name }) => name === container)?.startedWith
  }

  async end(): Promise<void> {
    await Promise.all(this.#containers.map(container => container.end()))
    await this.#writing
  }

  /** A pod is gone only when all of its processes have ended. */
  async #remove(): Promise<void> {
    const { namespace = 'default', name, uid } = this.pod.metadata
    const options = { gracePeriodSeconds: 0, preconditions: { uid } }
    await this.#node.kube.delete(pods, { namespace, name }, options).catch((error: unknown) => this.#excuse(error))
  }

  #report(): void {
    this.#writing = this.#writing.then(() => this.#write()).catch((error: unknown) => this.#excuse(error))
  }

  async #write(): Promise<void> {
    if (this.#isTerminating) return
    const status = statusOf(this.#containers, this.#startedAt)
    const text = JSON.stringify(status)
    if (text === this.#written) return
    const { namespace = 'default', name, uid } = this.pod.metadata
    await this.#node.kube.patch(pods, { namespace, name }, 'merge', { metadata: { uid }, status }, { subresource: 'status' })
    this.#written = text
  }

  /** A pod that is gone, or that another of its name has replaced, has no status to write. */
  #excuse(error: unknown): void {
    if (error instanceof KubeError && (error.reason === 'NotFound' || error.reason === 'Conflict')) return
    this.#node.log.info('a node could not write the status of a pod', { pod: this.pod.metadata.name, error: String(error) })
  }
}
