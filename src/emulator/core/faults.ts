// Faults on purpose (§15.1, §15.2): rules in their order, draws from a stream of each rule.
import type { Instant, Random } from '#base'
import type { AwsFaultEffect, AwsFaultRule } from '../aws.ts'

interface Armed {
  readonly rule: AwsFaultRule
  readonly random: Random
  seen: number
  fired: number
}

export interface FaultSubject {
  readonly service: string
  readonly operation: string
  readonly caller: string
  readonly resource: string
}

export class ArmedFaults {
  readonly #armed: Armed[] = []
  readonly #random: Random
  #added = 0

  constructor(random: Random, rules: readonly AwsFaultRule[] = []) {
    this.#random = random
    for (const rule of rules) this.add(rule)
  }

  add(rule: AwsFaultRule): { remove(): void } {
    const armed: Armed = { rule, random: this.#random.fork(`fault/${this.#added++}`), seen: 0, fired: 0 }
    this.#armed.push(armed)
    return {
      remove: () => {
        const at = this.#armed.indexOf(armed)
        if (at !== -1) this.#armed.splice(at, 1)
      },
    }
  }

  clear(): void {
    this.#armed.length = 0
  }

  /** Most emulators have none: then nobody need say what a rule could match. */
  get isEmpty(): boolean {
    return this.#armed.length === 0
  }

  rules(): readonly AwsFaultRule[] {
    return this.#armed.map(({ rule }) => rule)
  }

  /** `propagation` rules that speak of this object; they do not count and do not draw, since visibility is asked again and again. */
  extraDelayMs(service: string, objectId: string, now: Instant): number {
    let extra = 0
    for (const armed of this.#armed) {
      const { effect } = armed.rule
      if (
        effect.kind === 'propagation' &&
        applies(
          armed,
          { service, operation: armed.rule.match.operation ?? '', caller: armed.rule.match.caller ?? '', resource: objectId },
          now,
        )
      ) {
        extra = Math.max(extra, effect.extraMs)
      }
    }
    return extra
  }

  longestExtraDelayMs(): number {
    let longest = 0
    for (const { rule } of this.#armed) if (rule.effect.kind === 'propagation') longest = Math.max(longest, rule.effect.extraMs)
    return longest
  }

  /** The first rule that matches wins; every matching rule before it has its chance to count `nth`. */
  effectFor(
    subject: FaultSubject,
    now: Instant,
    wanted: (effect: AwsFaultEffect) => boolean = () => true,
  ): AwsFaultEffect | undefined {
    for (const armed of this.#armed) {
      if (!wanted(armed.rule.effect) || !applies(armed, subject, now)) continue
      armed.seen++
      const { nth, probability } = armed.rule.match
      if (nth !== undefined && armed.seen !== nth) continue
      if (probability !== undefined && armed.random.float() >= probability) continue
      armed.fired++
      return armed.rule.effect
    }
    return undefined
  }
}

function applies({ rule, fired }: Armed, subject: FaultSubject, now: Instant): boolean {
  const { match } = rule
  if (rule.times !== undefined && fired >= rule.times) return false
  if ((rule.fromMs !== undefined && now < rule.fromMs) || (rule.untilMs !== undefined && now >= rule.untilMs)) return false
  return (
    (match.service === undefined || match.service === subject.service) &&
    (match.operation === undefined || match.operation === subject.operation) &&
    (match.caller === undefined || subject.caller.includes(match.caller)) &&
    (match.resource === undefined || subject.resource.includes(match.resource))
  )
}
