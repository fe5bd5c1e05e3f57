// What a manifest spoke of, speaks of no more, and nothing takes out of AWS: it is named on the object.

import { isGiven } from '../delta/given.ts'
import { isSaidToStay } from '../model/sent.ts'
import type { Situation } from '../seen/seen.ts'
import { sentAndGone } from './sent.ts'
import { isWithinElement, jsonPath, spokenOf, wasSpokenOf } from './spoken-of.ts'

/**
 * Of the paths that differ, and of what no read tells. That a manifest spoke of one is known from when it was in step last, from what was sent,
 * or from what the status says already.
 */
export function stayingPaths(situation: Situation, delta: readonly string[]): readonly string[] {
  const { model, claim, seen } = situation
  const { given, elements = [] } = seen.notes
  const wasSpoken = (path: string): boolean =>
    (given !== undefined && wasSpokenOf(model, given, path) && !isWithinElement(model, seen.wanted.spec, path, elements)) ||
    isSaidToStay(claim, path)
  return [...delta.filter(path => !isGiven(situation, path) && wasSpoken(path)), ...sentAndGone(situation)]
}

/** What is remembered as spoken of: all that the manifest says, and what it said before and stays in AWS. */
export function rememberedOf({ model, seen }: Situation, staying: readonly string[]): readonly string[] {
  const spoken = spokenOf(model, seen.wanted.spec)
  const paths = staying.map(path => jsonPath(model, path))
  const isOn = (one: string, other: string): boolean => one === other || other.startsWith(`${one}.`)
  const before = (seen.notes.given ?? []).filter(
    each => !spoken.includes(each) && paths.some(path => isOn(each, path) || isOn(path, each)),
  )
  return [...spoken, ...before]
}
