// Which version the API server is: from 1.32 on it knows init containers that go on running, and the proxy becomes one (§3.9).
import type { Clock, Log, Random } from '#base'
import type { KubeClient } from '#kube/client'
import { openScope, pause } from '#runtime'
import type { IdentitySource } from '../provider.ts'

/**
 * Undefined for what is no semantic version. A pre-release of 1.32.0 counts as 1.32.0: that is how every recorded answer of the upstream to
 * v1.32.0-rc.1 has it.
 */
export function hasNativeSidecars(gitVersion: string): boolean | undefined {
  const match = /^\s*v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?\s*$/.exec(gitVersion)
  if (match === null) return undefined
  const [major, minor] = [Number(match[1]), Number(match[2])]
  return major > 1 || (major === 1 && minor >= 32)
}

export interface ServerVersionOptions {
  readonly client: Pick<KubeClient, 'serverVersion'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Upstream does not start where the version is none; told once, when the first reading is such. */
  readonly onIllegal: (error: Error) => void
}

const retryMsMin = 250
const retryMsMax = 10_000
/** An upgrade of the API server takes minutes; a pod made during it is good in either form. */
const readAgainMs = 60_000
const readTimeoutMs = 5_000

export class ServerVersion {
  readonly #options: ServerVersionOptions
  readonly #waiting = new Set<() => void>()
  #native: boolean | undefined

  constructor(options: ServerVersionOptions) {
    this.#options = options
  }

  /** Undefined until it was read. */
  get hasNativeSidecars(): boolean | undefined {
    return this.#native
  }

  /** Not waited for at the start: only pods that want the proxy need it, and they wait a moment themselves. */
  source(): IdentitySource {
    return { name: 'server version', synced: true, run: signal => this.#follow(signal), onState: () => () => {} }
  }

  /** Resolves when it is known, or after so long. */
  async known(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#native !== undefined) return
    const stop = new AbortController()
    const read = (): void => stop.abort()
    this.#waiting.add(read)
    const scope = openScope({ parents: [signal, stop.signal] })
    try {
      await pause(this.#options.clock, ms, scope.signal)
    } finally {
      scope.end()
      this.#waiting.delete(read)
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options
    let retryMs = retryMsMin
    for (;;) {
      const isRead = await this.#read(signal)
      const jittered = retryMs * (0.8 + random.float() * 0.4)
      retryMs = isRead ? retryMsMin : Math.min(retryMsMax, retryMs * 2)
      if (!(await pause(clock, isRead ? readAgainMs : jittered, signal))) return
    }
  }

  async #read(signal: AbortSignal): Promise<boolean> {
    const { client, log, onIllegal } = this.#options
    try {
      const { gitVersion } = await client.serverVersion({ signal, timeoutMs: readTimeoutMs })
      const native = hasNativeSidecars(gitVersion)
      if (native === undefined) {
        const error = new Error(`failed to check kubernetes version: illegal version string ${JSON.stringify(gitVersion)}`)
        if (this.#native === undefined) onIllegal(error)
        else log.warn(error.message)
        return true
      }
      if (this.#native !== undefined && this.#native !== native) log.info('the API server is another version', { gitVersion })
      this.#native = native
      for (const read of this.#waiting) read()
      return true
    } catch (error) {
      if (!signal.aborted) log.warn('the version of the API server is not known yet', { error: String(error) })
      return false
    }
  }
}
