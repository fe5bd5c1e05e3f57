// Faults on purpose: an ordered list of rules, judged with the seeded generator, every strike noted so that a run can be understood
// and repeated. The plan decides; the pipeline and the watches carry out.
import type { Clock, Random } from '#base'
import type { FaultAction, FaultMatch, FaultRule } from '../fault.ts'
import type { ApiCall } from '../http/call.ts'

export interface Strike {
  readonly rule: number
  readonly request: string
}

interface Armed {
  readonly number: number
  readonly rule: FaultRule
  seen: number
  left: number
}

/** The trace of a server that runs for days must end somewhere. */
const traceMax = 100_000

export class FaultPlan {
  readonly #clock: Clock
  readonly #random: Random
  #armed: Armed[] = []
  #numbers = 0
  readonly #trace: Strike[] = []
  readonly #onHeal = new Set<() => void>()

  constructor(clock: Clock, random: Random, rules: readonly FaultRule[]) {
    this.#clock = clock
    this.#random = random
    for (const rule of rules) this.add(rule)
  }

  add(rule: FaultRule): { remove(): void } {
    const armed: Armed = { number: this.#numbers++, rule, seen: 0, left: rule.times ?? Number.POSITIVE_INFINITY }
    this.#armed.push(armed)
    return {
      remove: () => {
        this.#armed = this.#armed.filter(other => other !== armed)
        this.#heal()
      },
    }
  }

  clear(): void {
    this.#armed = []
    this.#heal()
  }

  get trace(): readonly Strike[] {
    return this.#trace
  }

  /** True when no rule can strike: the pipeline then takes its short way. */
  get isQuiet(): boolean {
    return this.#armed.length === 0
  }

  /** What strikes this request, in order of the rules. */
  strike(call: ApiCall): readonly FaultAction[] {
    if (this.#armed.length === 0) return []
    const actions: FaultAction[] = []
    for (const armed of this.#armed) {
      if (armed.left <= 0 || !this.#matches(armed, call)) continue
      armed.left--
      actions.push(armed.rule.action)
      if (this.#trace.length < traceMax)
        this.#trace.push({ rule: armed.number, request: `${call.request.method} ${call.request.target}` })
    }
    return actions
  }

  /** Resolves when the plan changes: a partition may be over then. */
  healed(): Promise<void> {
    return new Promise(resolve => this.#onHeal.add(resolve))
  }

  /** Whether the caller of this request is still cut off. */
  isPartitioned(call: ApiCall): boolean {
    return this.#armed.some(({ rule, left }) => left > 0 && rule.action.kind === 'partition' && fits(rule.match, call))
  }

  #matches(armed: Armed, call: ApiCall): boolean {
    const { match } = armed.rule
    if (!fits(match, call)) return false
    if (match.between !== undefined) {
      const now = this.#clock.monotonicMs()
      if (now < match.between[0] || now >= match.between[1]) return false
    }
    armed.seen++
    if (match.nth !== undefined && armed.seen !== match.nth) return false
    return match.probability === undefined || this.#random.float() < match.probability
  }

  #heal(): void {
    const waiting = [...this.#onHeal]
    this.#onHeal.clear()
    for (const resolve of waiting) resolve()
  }
}

function fits(match: FaultMatch, call: ApiCall): boolean {
  const { info } = call
  if (match.client !== undefined && match.client !== call.user.username) return false
  if (match.userAgent !== undefined && !call.userAgent.includes(match.userAgent)) return false
  if (match.verb !== undefined && match.verb !== info.verb) return false
  if (info.kind === 'path') {
    return [match.group, match.resource, match.namespace, match.name, match.subresource].every(wanted => wanted === undefined)
  }
  return (
    (match.group === undefined || match.group === info.group) &&
    (match.resource === undefined || match.resource === info.resource) &&
    (match.namespace === undefined || match.namespace === info.namespace) &&
    (match.name === undefined || match.name === info.name) &&
    (match.subresource === undefined || match.subresource === info.subresource)
  )
}
