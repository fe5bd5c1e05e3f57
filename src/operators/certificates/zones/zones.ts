// The zones as they are configured now, and what Route 53 said of them. Replaced as a whole when the file changes.
import type { ZoneFacts } from '../aws/cloud.ts'
import type { RegisteredZone, ZoneRegistry } from './registry.ts'

export class Zones {
  #registry: ZoneRegistry
  #facts = new Map<string, ZoneFacts>()
  readonly #denied = new Set<string>()

  constructor(zones: readonly RegisteredZone[]) {
    this.#registry = { zones }
  }

  get registry(): ZoneRegistry {
    return this.#registry
  }

  replace(zones: readonly RegisteredZone[]): void {
    this.#registry = { zones }
    const ids = new Set(zones.map(({ id }) => id))
    this.#facts = new Map([...this.#facts].filter(([id]) => ids.has(id)))
  }

  found(zone: RegisteredZone, facts: ZoneFacts): void {
    this.#facts.set(zone.id, facts)
    this.#denied.delete(zone.id)
  }

  /** We may not look at it: what was known of it stays. */
  denied(zone: RegisteredZone): void {
    this.#denied.add(zone.id)
  }

  /** Ids of those that we may not look at. */
  get deniedIds(): ReadonlySet<string> {
    return this.#denied
  }

  facts(zone: RegisteredZone): ZoneFacts | undefined {
    return this.#facts.get(zone.id)
  }

  /** Ids of those whose records nobody outside sees: by their configuration or by Route 53's word. */
  get privateIds(): ReadonlySet<string> {
    const isPrivate = (zone: RegisteredZone): boolean => zone.private === true || this.#facts.get(zone.id)?.isPrivate === true
    return new Set(this.#registry.zones.filter(isPrivate).map(({ id }) => id))
  }
}
