// Events of the core group and of their own group are the same events: every field of one has its place in the other.
import type { JsonObject } from '../../json.ts'

/** Field of the core group beside field of `events.k8s.io`; all others are named alike. */
const names: readonly (readonly [string, string])[] = [
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]

export const eventToCore: (event: JsonObject) => JsonObject = renaming(names.map(([core, own]) => [own, core]))
export const eventFromCore: (event: JsonObject) => JsonObject = renaming(names)

function renaming(pairs: readonly (readonly [string, string])[]): (event: JsonObject) => JsonObject {
  const renamed = new Map(pairs)
  return event => Object.fromEntries(Object.entries(event).map(([field, value]) => [renamed.get(field) ?? field, value]))
}
