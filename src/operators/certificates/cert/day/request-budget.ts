// How many certificates a day may be asked for: a runaway loop must not use up the year's quota, and one namespace not the day of all others.
// No namespace takes more of a day than it leaves to the others, so that there is always one for whoever comes next; and a tenth is kept for
// certificates that are at their end.
import type { Clock } from '#base'
import { renderTime } from '#kube'
import { Trouble } from '#runtime'
import { type FaultClass, faultOf } from '../../aws/faults.ts'
import { type DayRequest, dayFlag } from './day-requests.ts'

export interface BudgetOptions {
  readonly max: number
  /** Whether namespaces share the day; who comes first has it all otherwise. */
  readonly isShared: boolean
}

const dayMs = 86_400_000
/** So many parts of the day make one that is kept. */
const keptPart = 10
/** With these answers nothing was made. */
const refusals = new Set<FaultClass | undefined>(['held-back', 'denied', 'invalid', 'quota', 'conflict', 'throttled'])

interface Share {
  ordinary: number
  urgent: number
}

export class RequestBudget {
  readonly #clock: Pick<Clock, 'now'>
  readonly #max: number
  readonly #isShared: boolean
  readonly #taken = new Map<string, DayRequest>()
  readonly #shares = new Map<string, Share>()
  #day: number
  #urgent = 0
  #isBegun = false

  constructor(clock: Pick<Clock, 'now'>, { max, isShared }: BudgetOptions) {
    this.#clock = clock
    this.#max = max
    this.#isShared = isShared
    this.#day = this.#today()
  }

  /** What another process asked for today, as far as it can be known: once, and of no namespace more than it could have had. */
  begin(asked: (sinceMs: number) => readonly DayRequest[]): void {
    if (this.#isBegun) return
    this.#turn()
    const requests = asked(this.#day * dayMs)
    // A cache that is not whole yet throws, and is asked again.
    this.#isBegun = true
    for (const request of requests) if (this.refusal(request) === undefined) this.#take(request)
  }

  /** Why it cannot be asked for today, and when it can. */
  refusal(request: DayRequest): string | undefined {
    this.#turn()
    if (this.#taken.has(request.token)) return undefined
    const why = this.#why(request)
    return why === undefined ? undefined : `${why}; the next one at ${renderTime((this.#day + 1) * dayMs)}`
  }

  /** A request of which nothing came is none of the day's. */
  async spend<T>(request: DayRequest, send: () => Promise<T>): Promise<T> {
    const refusal = this.refusal(request)
    // Somebody else took it since the look of this pass: the next look says so.
    if (refusal !== undefined) throw new Trouble({ kind: 'soon', reason: 'DependencyDown', message: refusal })
    const isFirst = this.#take(request)
    try {
      return await send()
    } catch (error) {
      if (isFirst && refusals.has(faultOf(error)?.class)) this.#giveBack(request)
      throw error
    }
  }

  /** How many more a namespace without any could have today. */
  left(): number {
    this.#turn()
    return Math.max(0, this.#isShared ? this.#ordinaryLeft() : this.#left())
  }

  #why({ namespace, isUrgent }: DayRequest): string | undefined {
    const [max, left] = [this.#max, this.#left()]
    if (left <= 0) return `${max} certificates were requested today, the most of ${dayFlag}`
    if (!this.#isShared) return undefined
    const { ordinary, urgent } = this.#shares.get(namespace) ?? { ordinary: 0, urgent: 0 }
    const [own, free] = isUrgent ? [urgent, left] : [ordinary, this.#ordinaryLeft()]
    if (free <= 0) return `what is left of the ${max} certificates of today (${dayFlag}) is kept for those that are at their end`
    if (own < free) return undefined
    return `namespace "${namespace}" had ${own} of the ${max} certificates of today (${dayFlag}), and the rest is for others`
  }

  #left(): number {
    return this.#max - this.#taken.size
  }

  #ordinaryLeft(): number {
    return this.#left() - Math.max(0, Math.floor(this.#max / keptPart) - this.#urgent)
  }

  #take(request: DayRequest): boolean {
    if (this.#taken.has(request.token)) return false
    this.#taken.set(request.token, request)
    this.#count(request, 1)
    return true
  }

  #giveBack(request: DayRequest): void {
    // The day may have turned since.
    if (this.#taken.delete(request.token)) this.#count(request, -1)
  }

  #count({ namespace, isUrgent }: DayRequest, by: 1 | -1): void {
    const { ordinary, urgent } = this.#shares.get(namespace) ?? { ordinary: 0, urgent: 0 }
    this.#shares.set(namespace, isUrgent ? { ordinary, urgent: urgent + by } : { ordinary: ordinary + by, urgent })
    if (isUrgent) this.#urgent += by
  }

  #today(): number {
    return Math.floor(this.#clock.now() / dayMs)
  }

  #turn(): void {
    const day = this.#today()
    if (day === this.#day) return
    this.#day = day
    this.#taken.clear()
    this.#shares.clear()
    this.#urgent = 0
  }
}
