// Resources that nothing marks, whose ids AWS chooses: one that a call of ours made, whose answer came to nobody, is told from others by a count
// that was taken before the call. What looks as the manifest asks for, and was not there then, is what the call made.

import { createHash } from 'node:crypto'
import { compareSpecs } from '../delta/compare.ts'
import { isGiven } from '../delta/given.ts'
import { candidatesOf, readPart } from '../model/answer.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content, Values } from '../model/request.ts'
import type { Situation } from '../seen/seen.ts'
import { isRepeatable } from './intent.ts'
import { marksAtCreate } from './ownership.ts'

/** More of them than that are not counted: the record stands in the status of an object. */
export const alikeMax = 100

/** Whether what is made for the object can be told by nothing but such a count. */
export function needsCount(
  situation: Pick<Situation, 'model' | 'deviation' | 'settings'> & { readonly seen: Pick<Situation['seen'], 'wanted'> },
): boolean {
  const { print, proves, read } = situation.deviation
  if (print !== undefined || proves !== undefined || read !== undefined) return false
  return !marksAtCreate(situation) && !isRepeatable(situation)
}

/** Whether an entry of the kind's list is, in all that the list tells and the manifest speaks of, what is asked for. */
export function isAlike(
  model: KindModel,
  operation: string,
  entry: { readonly element: Values; readonly wanted: Content },
): boolean {
  const { element, wanted } = entry
  const part = { shape: candidatesOf(model, operation, {}).shape, value: element }
  const read = readPart(model, operation, { part, whole: part, wanted: { spec: {}, status: {} }, method: 'ReadMany' })
  const differing = compareSpecs(model, wanted.spec, read.spec, { except: field => !read.told.has(field.camel) })
  return differing.every(path => !isGiven({ model, seen: { wanted } }, path))
}

/** By what a counted resource is known in the record. */
export function countedAs({ arn, spec, status }: Content): string {
  const fields = { ...spec, ...status }
  const named = Object.keys(fields).sort()
  const text = arn ?? JSON.stringify(named.map(name => [name, fields[name]]))
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
