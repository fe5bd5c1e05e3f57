// One request as its operation sees it: the `Call` of service.ts, with the questions of access it may ask.
import type { Instant } from '#base'
import type { AccessDecision, AccessQuestion, AccessStep } from '../policy/access.ts'
import type { Principal } from '../principal.ts'
import type { Call, PageTokens, RawRequest, ReplyDraft, Service, ServicePlace } from '../service.ts'
import { familyOf, refusal } from '../wire/family.ts'
import { ServiceContext, type Surroundings } from './context.ts'
import { pageTokens } from './page-tokens.ts'
import { stateChange } from './state-change.ts'

export interface RequestParts {
  readonly operation: string
  readonly requestId: string
  readonly input: unknown
  readonly caller: Principal
  readonly request: RawRequest
}

export class RequestCall<S> extends ServiceContext<S> implements Call<S> {
  readonly operation: string
  readonly requestId: string
  readonly input: unknown
  readonly caller: Principal
  readonly request: RawRequest
  readonly reply: ReplyDraft = { headers: {} }
  readonly steps: AccessStep[] = []
  asked = false

  constructor(surroundings: Surroundings, owner: Service<S>, place: ServicePlace, parts: RequestParts) {
    super(surroundings, owner, place)
    this.operation = parts.operation
    this.requestId = parts.requestId
    this.input = parts.input
    this.caller = parts.caller
    this.request = parts.request
  }

  get service(): string {
    return this.owner.name
  }

  get tokens(): PageTokens {
    return pageTokens(this.surroundings.settings.seed, `${this.service}/${this.operation}/${this.account}/${this.region}`)
  }

  explain(...steps: readonly AccessStep[]): void {
    this.steps.push(...steps)
  }

  untilChanged(untilMs: Instant): Promise<void> {
    const { state, settings } = this.surroundings
    return stateChange({ state, clock: settings.clock, delayMs: untilMs - this.now, signal: this.request.signal })
  }

  authorise(...questions: readonly AccessQuestion[]): void {
    for (const question of questions) {
      const decision = this.decide(question)
      this.explain(...decision.steps.map(step => ({ ...step, detail: `${question.action}: ${step.detail}` })))
      if (!decision.allowed)
        throw this.owner.denied?.(decision, this) ?? refusal(familyOf(this.owner.model), 'access denied', decision.message)
    }
  }

  decide(question: AccessQuestion): AccessDecision {
    this.asked = true
    return this.decideFor(this.caller, question, this.request)
  }
}
