// Zones in which nobody sees a record: the DNS leads past one, another is private, and a third is not in Route 53 any more.
import { astrayMessage } from '../../zones/dns-looks.ts'
import type { Sighted } from '../seen.ts'

/** What to say of the first such zone. */
export function astrayIn({ records }: Pick<Sighted, 'records'>): string | undefined {
  const found = records.find(({ astray }) => astray !== undefined)
  return found?.astray === undefined ? undefined : astrayMessage(found.astray, found.zone)
}

export function zoneGoneIn({ records }: Pick<Sighted, 'records'>): string | undefined {
  const gone = records.find(({ standing }) => standing?.kind === 'zone-gone')
  return gone === undefined ? undefined : `the hosted zone of "${gone.zone.name}" does not exist in Route 53`
}

export function zoneHiddenIn({ wanted, privateZones }: Pick<Sighted, 'wanted' | 'privateZones'>): string | undefined {
  const hidden = wanted.isPublic ? wanted.names.find(({ zone }) => zone !== undefined && privateZones.has(zone.id)) : undefined
  return hidden === undefined
    ? undefined
    : `the zone of "${hidden.name}" is private: nobody outside sees a validation record in it`
}
