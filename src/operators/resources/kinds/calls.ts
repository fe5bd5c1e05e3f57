// What deviations are written with: calls, and values of manifests that may not be what they should be.
import { given } from '#base'
import { isRecord, textOf } from '../model/convert.ts'
import type { Values } from '../model/request.ts'
import type { PlannedCall } from './deviation.ts'

export function update(operation: string, input: Values, tolerates?: readonly string[]): PlannedCall {
  return { operation, input, verb: 'UPDATE', ...given({ tolerates }) }
}

/** Those that are wanted and not there, once each. */
export function missing(wanted: readonly string[], held: readonly string[]): readonly string[] {
  const has = new Set(held)
  return [...new Set(wanted)].filter(each => !has.has(each))
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : []
}

export function recordOf(value: unknown): Readonly<Record<string, string>> {
  return isRecord(value) ? (value as Record<string, string>) : {}
}

/** Elements that are structures. */
export function structuresOf(value: unknown): readonly Values[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** As most services take tags. */
export function tagList(tags: Readonly<Record<string, string>>): readonly Values[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }))
}

/** As most services give tags. */
export function tagsFromList(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(structuresOf(value).map(({ Key, Value }) => [textOf(Key), textOf(Value ?? '')]))
}

/** Whether two texts are the same, where an empty text counts as none. */
export function sameText(wanted: unknown, latest: unknown): boolean {
  return (wanted ?? '') === (latest ?? '')
}
