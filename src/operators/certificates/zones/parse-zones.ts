// Zones as people write them down: `name:id` pairs of a flag.
import { parseDomainName } from '../names/domain-name.ts'
import { bareZoneId, type RegisteredZone } from './registry.ts'

/** A configuration that cannot be: one line that says what is wrong. */
export class ZoneError extends Error {
  readonly code = 'bad-zones'
  constructor(message: string) {
    super(message)
    this.name = 'ZoneError'
  }
}

/** Throws `ZoneError`. An empty text is no zone at all, which may be right where a file has some. */
export function parseZonePairs(text: string, flag: string): readonly RegisteredZone[] {
  if (text.trim() === '') return []
  return text.split(',').map(entry => parsePair(entry.trim(), flag))
}

function parsePair(pair: string, flag: string): RegisteredZone {
  const colon = pair.indexOf(':')
  if (colon < 0) throw new ZoneError(`${flag}: ${JSON.stringify(pair)} is no name:id`)
  return checkedZone({ name: pair.slice(0, colon), id: pair.slice(colon + 1) }, flag)
}

/** One zone in its normal form. Throws `ZoneError`. */
export function checkedZone(zone: RegisteredZone, where: string): RegisteredZone {
  const parsed = parseDomainName(zone.name)
  if (!parsed.ok || parsed.name.startsWith('*.')) {
    const why = parsed.ok ? 'a zone is no wildcard' : parsed.why
    throw new ZoneError(`${where}: ${JSON.stringify(zone.name.trim())} is no name of a zone: ${why}`)
  }
  const id = bareZoneId(zone.id)
  if (id === '') throw new ZoneError(`${where}: the zone ${JSON.stringify(parsed.name)} has no id`)
  if (!/^[A-Z0-9]{1,32}$/.test(id))
    throw new ZoneError(`${where}: ${JSON.stringify(id)} is no id of a hosted zone, which has capitals and digits`)
  return { ...zone, name: parsed.name, id }
}

/** One list without repetitions; `warn` hears of each. Throws `ZoneError` where two entries disagree. */
export function mergeZones(
  zones: readonly RegisteredZone[],
  where: string,
  warn: (message: string) => void,
): readonly RegisteredZone[] {
  const merged: RegisteredZone[] = []
  for (const zone of zones) {
    const byName = merged.find(other => other.name === zone.name)
    const byId = merged.find(other => other.id === zone.id)
    if (byName !== undefined && byName === byId) warn(`${where}: the zone ${zone.name}:${zone.id} is there twice`)
    else if (byName !== undefined)
      throw new ZoneError(`${where}: the zone ${JSON.stringify(zone.name)} has two ids, ${byName.id} and ${zone.id}`)
    else if (byId !== undefined)
      throw new ZoneError(
        `${where}: the id ${zone.id} has two names, ${JSON.stringify(byId.name)} and ${JSON.stringify(zone.name)}`,
      )
    else merged.push(zone)
  }
  if (merged.length === 0) throw new ZoneError(`${where}: there is no zone; name at least one`)
  return merged
}
