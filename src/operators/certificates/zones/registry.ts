// The zones that the operator may write to: from a flag, from a file, or from both. A value; another configuration is another registry.
import { baseName, isInside, normalName } from '../names/domain-name.ts'

export interface RegisteredZone {
  readonly name: string
  readonly id: string
  /** Another account's: the role as which its records are written. */
  readonly assumeRoleArn?: string
  readonly externalId?: string
  readonly accountAlias?: string
  readonly private?: boolean
}

export interface ZoneRegistry {
  /** In the order of the configuration: the first is the default. */
  readonly zones: readonly RegisteredZone[]
}

export interface ZoneChoice {
  readonly id?: string
  readonly name?: string
}

export type ChosenZone =
  | { readonly kind: 'found'; readonly zone: RegisteredZone }
  | { readonly kind: 'unknown'; readonly asked: string }
  | { readonly kind: 'different'; readonly id: string; readonly name: string }

/** The zone that a Cert names. */
export function chooseZone({ zones }: ZoneRegistry, choice: ZoneChoice): ChosenZone {
  const id = choice.id === undefined || choice.id === '' ? undefined : bareZoneId(choice.id)
  const name = choice.name === undefined || choice.name === '' ? undefined : normalName(choice.name)
  const byId = zones.find(zone => zone.id === id)
  const byName = zones.find(zone => zone.name === name)
  if (id !== undefined && byId === undefined) return { kind: 'unknown', asked: id }
  if (name !== undefined && byName === undefined) return { kind: 'unknown', asked: name }
  if (byId !== undefined && byName !== undefined && byId !== byName) return { kind: 'different', id: byId.id, name: byName.name }
  const zone = byId ?? byName
  return zone === undefined ? { kind: 'unknown', asked: '' } : { kind: 'found', zone }
}

/** The zone with the longest name that the name is inside of. */
export function zoneOf({ zones }: ZoneRegistry, name: string): RegisteredZone | undefined {
  const base = baseName(name)
  let best: RegisteredZone | undefined
  for (const zone of zones) if (isInside(base, zone.name) && zone.name.length > (best?.name.length ?? -1)) best = zone
  return best
}

export function bareZoneId(id: string): string {
  return id.trim().replace(/^\/hostedzone\//, '')
}
