// A service's view of the world at one place: the `Context` of service.ts.
import type { Instant, Random } from '#base'
import type { Delay } from '../delays.ts'
import type { ControlPolicies, Knobs } from '../knobs.ts'
import type { AccessDecision, AccessQuestion } from '../policy/access.ts'
import { type CallerPolicies, decide, freeDecision, isFree, type NamedPolicy } from '../policy/decide.ts'
import type { PolicyReader } from '../policy/document.ts'
import type { Ports } from '../ports.ts'
import type { Principal } from '../principal.ts'
import type { Quota } from '../quotas.ts'
import type { Context, RawRequest, Service, ServicePlace, StateCell } from '../service.ts'
import type { AwsState } from '../state/aws-state.ts'
import { conditionKeys } from './caller/condition-keys.ts'
import type { ArmedFaults } from './faults.ts'
import { organizationAccounts, organizationOf } from './organization.ts'
import { delayFrom, type EmulatorSettings, keepMsFrom, managementAccount, quotaFrom } from './settings.ts'

/** What contexts of all services share. */
export interface Surroundings {
  readonly settings: EmulatorSettings
  readonly state: AwsState
  readonly faults: ArmedFaults
  /** Shared, so that a document is parsed once however many callers it applies to. */
  readonly reader: PolicyReader
  now(): Instant
  ports(partition: string): Ports
}

export class ServiceContext<S> implements Context<S> {
  readonly partition: string
  readonly account: string
  readonly region: string
  protected readonly owner: Service<S>
  protected readonly surroundings: Surroundings
  #store: StateCell<S> | undefined

  constructor(surroundings: Surroundings, owner: Service<S>, place: ServicePlace) {
    this.surroundings = surroundings
    this.owner = owner
    this.partition = place.partition
    this.account = place.account
    this.region = place.region
  }

  get now(): Instant {
    return this.surroundings.now()
  }

  get knobs(): Knobs {
    return this.surroundings.settings.knobs
  }

  get seed(): string {
    return this.surroundings.settings.seed
  }

  get accounts(): readonly string[] {
    return organizationAccounts(this.surroundings.settings)
  }

  get ports(): Ports {
    return this.surroundings.ports(this.partition)
  }

  get store(): StateCell<S> {
    this.#store ??= this.#storeOf(this)
    return this.#store
  }

  storeAt({ account, region }: { readonly account: string; readonly region?: string }): StateCell<S> {
    return this.#storeOf({ partition: this.partition, account, region: region ?? this.region })
  }

  stores(): readonly { readonly account: string; readonly region: string; readonly store: StateCell<S> }[] {
    return this.surroundings.state
      .places(this.owner.name, this.partition)
      .map(({ account, region }) => ({ account, region, store: this.#storeOf({ partition: this.partition, account, region }) }))
  }

  random(name: string): Random {
    return this.surroundings.state.random.fork(`${this.#placeName()}/${name}`)
  }

  quota(quota: Quota): number {
    return quotaFrom(this.surroundings.settings, quota)
  }

  delay(delay: Delay, objectId: string): number {
    const id = `${this.#placeName()}/${objectId}`
    return delayFrom(this.surroundings.settings, delay, id) + this.surroundings.faults.extraDelayMs(this.owner.name, id, this.now)
  }

  keepMs(delay: Delay): number {
    return keepMsFrom(this.surroundings.settings, delay) + this.surroundings.faults.longestExtraDelayMs()
  }

  schedule(timer: {
    readonly kind: string
    readonly id: string
    readonly atMs: Instant
    readonly class: 'progress' | 'limit'
  }): void {
    const place = { partition: this.partition, account: this.account, region: this.region }
    this.surroundings.state.schedule({ ...timer, service: this.owner.name, place })
  }

  serial(): number {
    return this.surroundings.state.count(this.#placeName())
  }

  decideFor(caller: Principal, question: AccessQuestion, request?: RawRequest): AccessDecision {
    const { settings, reader } = this.surroundings
    const account = caller.kind === 'anonymous' || caller.kind === 'service' ? undefined : caller.account
    const serviceControls =
      account === undefined || account === managementAccount
        ? []
        : controls('SCP', settings.knobs.serviceControlPolicies, account)
    const resourceControls = controls('RCP', settings.knobs.resourceControlPolicies, question.resourceAccount ?? account ?? '')
    if (serviceControls.length + resourceControls.length === 0 && isFree(question, caller, settings.enforce))
      return freeDecision(settings.enforce)
    const evaluated = caller.kind === 'user' || caller.kind === 'session' ? caller : undefined
    const managed = evaluated !== undefined && (evaluated.kind === 'session' || evaluated.managed)
    const context = conditionKeys(question, {
      caller,
      tags: managed ? this.ports.identities.tagsOf(evaluated) : {},
      request,
      region: this.region,
      now: this.now,
      organization: name => organizationOf(settings, name),
    })
    return decide(question, {
      caller,
      mode: settings.enforce,
      context,
      policies: () => (managed ? this.ports.identities.policiesOf(evaluated) : noPolicies),
      serviceControls,
      resourceControls,
      reader,
    })
  }

  #placeName(): string {
    const { name, scope } = this.owner
    const account = scope === 'partition' ? '' : this.account
    return `${name}/${this.partition}/${account}/${scope === 'region' ? this.region : ''}`
  }

  #storeOf(place: ServicePlace): StateCell<S> {
    return this.surroundings.state.store(this.owner.name, this.owner.scope, place, where => this.owner.initial(where))
  }
}

const noPolicies: CallerPolicies = { identity: [], boundary: undefined, session: [] }

/** Named by level and place, from 1. */
function controls(kind: string, policies: ControlPolicies, account: string): readonly (readonly NamedPolicy[])[] {
  return (policies[account] ?? []).map((level, index) =>
    [level].flat().map((text, place) => ({
      name: `${kind} ${index + 1}${typeof level === 'string' ? '' : `.${place + 1}`} of account ${account}`,
      text,
    })),
  )
}
