// Prints of what was sent of fields that no read tells: read by those who look and by those who decide.
import { annotations, type Resource } from '../api.ts'
import { parseRecord } from './convert.ts'

/** Prints by Camel name. One that begins with `?` was taken as it is: what AWS has there was never sent by us. */
export type Sent = Readonly<Record<string, string>>

export function sentOf(claim: Resource): Sent {
  const record = parseRecord(claim.metadata.annotations?.[annotations.sent] ?? '') ?? {}
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
