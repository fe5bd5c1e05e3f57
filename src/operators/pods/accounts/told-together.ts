// Lines about one ServiceAccount after another: the first goes out at once, and what follows within a second goes out together when the
// second is over. So many names and no more; the rest are counted.
import type { Clock, Log, Timer } from '#base'
import { type ObjectKey, renderKey } from '#kube'

export interface ToldTogetherOptions {
  readonly clock: Clock
  readonly log: Log
  readonly message: string
}

const everyMs = 1_000
const namesMax = 20

export class ToldTogether {
  readonly #options: ToldTogetherOptions
  /** Pods by ServiceAccount. */
  readonly #gathered = new Map<string, number>()
  #timer: Timer | undefined

  constructor(options: ToldTogetherOptions) {
    this.#options = options
  }

  tell(key: ObjectKey, pods: number): void {
    const id = renderKey(key)
    this.#gathered.set(id, (this.#gathered.get(id) ?? 0) + pods)
    if (this.#timer === undefined) this.#flush()
  }

  /** What is gathered goes out now, and nothing is waited for any more. */
  close(): void {
    this.#timer?.cancel()
    this.#timer = undefined
    if (this.#gathered.size > 0) this.#write()
  }

  #flush(): void {
    this.#timer = undefined
    if (this.#gathered.size === 0) return
    this.#write()
    this.#timer = this.#options.clock.timer(everyMs, () => this.#flush())
  }

  #write(): void {
    const names = [...this.#gathered.keys()]
    this.#options.log.warn(this.#options.message, {
      serviceAccounts: names.slice(0, namesMax),
      pods: [...this.#gathered.values()].reduce((sum, pods) => sum + pods, 0),
      ...(names.length > namesMax ? { moreServiceAccounts: names.length - namesMax } : {}),
    })
    this.#gathered.clear()
  }
}
