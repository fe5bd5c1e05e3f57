// Whether an API server made what is stored of what was wanted: fields that nobody set are those that it fills in.
import { isRecord } from '#base'
import { isEqualJson } from '#runtime'

/** What is filled in, by the name of the field. */
export type FilledIn = Readonly<Record<string, unknown>>

export function isSameButFilledIn(wanted: unknown, stored: unknown, filledIn: FilledIn, field = ''): boolean {
  if (wanted === undefined) return isEqualJson(stored, filledIn[field])
  if (Array.isArray(wanted) && Array.isArray(stored))
    return wanted.length === stored.length && wanted.every((item, place) => isSameButFilledIn(item, stored[place], filledIn))
  if (!isRecord(wanted) || !isRecord(stored)) return isEqualJson(wanted, stored)
  const names = new Set([...Object.keys(wanted), ...Object.keys(stored)])
  return [...names].every(name => isSameButFilledIn(wanted[name], stored[name], filledIn, name))
}
