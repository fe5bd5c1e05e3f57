// One request as its operation sees it: the `Call` of service.ts, with the questions of access it may ask.
import type { AccessDecision, AccessQuestion, AccessStep } from '../policy/access.ts'
import { type CallerPolicies, decide, type NamedPolicy } from '../policy/decide.ts'
import type { PolicyReader } from '../policy/document.ts'
import type { Principal } from '../principal.ts'
import type { Call, PageTokens, Place, RawRequest, ReplyDraft, Service, ServiceName } from '../service.ts'
import { familyOf, refusal } from '../wire/family.ts'
import { conditionKeys } from './condition-keys.ts'
import { ServiceContext, type Surroundings } from './context.ts'
import { organizationOf } from './organization.ts'
import { pageTokens } from './page-tokens.ts'
import { managementAccount } from './settings.ts'

export interface RequestParts {
  readonly operation: string
  readonly requestId: string
  readonly input: unknown
  readonly caller: Principal
  readonly request: RawRequest
  readonly reader: PolicyReader
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
  readonly #reader: PolicyReader

  constructor(surroundings: Surroundings, owner: Service<S>, place: Place, parts: RequestParts) {
    super(surroundings, owner, place)
    this.operation = parts.operation
    this.requestId = parts.requestId
    this.input = parts.input
    this.caller = parts.caller
    this.request = parts.request
    this.#reader = parts.reader
  }

  get service(): ServiceName {
    return this.owner.name
  }

  get tokens(): PageTokens {
    return pageTokens(this.surroundings.settings.seed, `${this.service}/${this.operation}/${this.account}/${this.region}`)
  }

  explain(...steps: readonly AccessStep[]): void {
    this.steps.push(...steps)
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
    const { caller, surroundings } = this
    const { settings } = surroundings
    const account = caller.kind === 'anonymous' || caller.kind === 'service' ? undefined : caller.account
    const evaluated = caller.kind === 'user' || caller.kind === 'session' ? caller : undefined
    const managed = evaluated !== undefined && (evaluated.kind === 'session' || evaluated.managed)
    return decide(question, {
      caller,
      mode: settings.enforce,
      context: conditionKeys(question, {
        caller,
        tags: managed ? this.ports.identities.tagsOf(evaluated) : {},
        request: this.request,
        region: this.region,
        now: this.now,
        organization: name => organizationOf(settings, name),
      }),
      policies: () => (managed ? this.ports.identities.policiesOf(evaluated) : noPolicies),
      serviceControls:
        account === undefined || account === managementAccount
          ? []
          : controls('SCP', settings.knobs.serviceControlPolicies, account),
      resourceControls: controls('RCP', settings.knobs.resourceControlPolicies, question.resourceAccount ?? account ?? ''),
      reader: this.#reader,
    })
  }
}

const noPolicies: CallerPolicies = { identity: [], boundary: undefined, session: [] }

/** Each policy of the knob is a level of its own: all of them must allow. */
function controls(
  kind: string,
  policies: Readonly<Record<string, readonly string[]>>,
  account: string,
): readonly (readonly NamedPolicy[])[] {
  return (policies[account] ?? []).map((text, index) => [{ name: `${kind} ${index + 1} of account ${account}`, text }])
}
