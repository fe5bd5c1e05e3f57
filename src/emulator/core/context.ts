// A service's view of the world at one place: the `Context` of service.ts.
import type { Instant, Random } from '#base'
import type { DelayName } from '../delays.ts'
import type { Knobs, QuotaName } from '../knobs.ts'
import type { Ports } from '../ports.ts'
import type { Context, Place, Service, Store } from '../service.ts'
import type { World } from '../world.ts'
import type { Faults } from './faults.ts'
import { delayFrom, keepMsFrom, quotaFrom, type Settings } from './settings.ts'

/** What contexts of all services share. */
export interface Surroundings {
  readonly settings: Settings
  readonly world: World
  readonly faults: Faults
  now(): Instant
  ports(partition: string): Ports
}

export class ServiceContext<S> implements Context<S> {
  readonly partition: string
  readonly account: string
  readonly region: string
  protected readonly owner: Service<S>
  protected readonly surroundings: Surroundings
  #store: Store<S> | undefined

  constructor(surroundings: Surroundings, owner: Service<S>, place: Place) {
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

  get ports(): Ports {
    return this.surroundings.ports(this.partition)
  }

  get store(): Store<S> {
    this.#store ??= this.#storeOf(this)
    return this.#store
  }

  storeAt({ account, region }: { readonly account: string; readonly region?: string }): Store<S> {
    return this.#storeOf({ partition: this.partition, account, region: region ?? this.region })
  }

  stores(): readonly { readonly account: string; readonly region: string; readonly store: Store<S> }[] {
    return this.surroundings.world
      .places(this.owner.name, this.partition)
      .map(({ account, region }) => ({ account, region, store: this.#storeOf({ partition: this.partition, account, region }) }))
  }

  random(name: string): Random {
    return this.surroundings.world.random.fork(`${this.#placeName()}/${name}`)
  }

  quota(name: QuotaName): number {
    return quotaFrom(this.surroundings.settings, name)
  }

  delay(name: DelayName, objectId: string): number {
    const id = `${this.#placeName()}/${objectId}`
    return delayFrom(this.surroundings.settings, name, id) + this.surroundings.faults.extraDelayMs(this.owner.name, id, this.now)
  }

  keepMs(name: DelayName): number {
    return keepMsFrom(this.surroundings.settings, name) + this.surroundings.faults.longestExtraDelayMs()
  }

  schedule(timer: {
    readonly kind: string
    readonly id: string
    readonly atMs: Instant
    readonly class: 'progress' | 'limit'
  }): void {
    const place = { partition: this.partition, account: this.account, region: this.region }
    this.surroundings.world.schedule({ ...timer, service: this.owner.name, place })
  }

  serial(): number {
    return this.surroundings.world.count(this.#placeName())
  }

  #placeName(): string {
    const { name, scope } = this.owner
    const account = scope === 'partition' ? '' : this.account
    return `${name}/${this.partition}/${account}/${scope === 'region' ? this.region : ''}`
  }

  #storeOf(place: Place): Store<S> {
    return this.surroundings.world.store(this.owner.name, this.owner.scope, place, where => this.owner.initial(where))
  }
}
