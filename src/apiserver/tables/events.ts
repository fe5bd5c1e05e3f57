// The rows of events: both kinds of event, stored in one form or the other.
import type { Json, JsonObject } from '#schema'
import { ageOf } from './age.ts'
import { count, member, text } from './cells.ts'
import type { TableRow } from './types.ts'

export const eventColumns =
  'Last Seen | Type | Reason | Object | Subobject^1 | Source^1 | Message | First Seen^1 | Count^1 | Name^1'

export function eventRow(event: JsonObject, now: number): TableRow {
  const involved = event.involvedObject ?? event.regarding
  const first = text(event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? undefined, text(event.eventTime))
  const series = event.series
  const last = text(
    event.lastTimestamp ?? event.deprecatedLastTimestamp ?? undefined,
    text(member(series, 'lastObservedTime'), first),
  )
  const name = text(member(involved, 'name'))
  const kind = text(member(involved, 'kind')).toLowerCase()
  const times = count(member(series, 'count')) || count(event.count ?? event.deprecatedCount) || 1
  const cells: Json[] = [
    ageOf(last, now),
    text(event.type),
    text(event.reason),
    name === '' ? kind : `${kind}/${name}`,
    text(member(involved, 'fieldPath')),
    sourceText(event),
    text(event.message ?? event.note).trim(),
    ageOf(first, now),
    times,
    text(member(event, 'metadata', 'name')),
  ]
  return { cells }
}

function sourceText(event: JsonObject): string {
  const source = event.source ?? event.deprecatedSource
  const component = text(member(source, 'component'), text(event.reportingComponent ?? event.reportingController))
  const host = text(member(source, 'host'), text(event.reportingInstance))
  return [component, host].filter(part => part !== '').join(', ')
}
