// Calls for fields whose elements are entries of their own: a put for each that is new or says something else, a deletion for each that the
// manifest does not name any more. Puts come first, so that what got another name is never without both.
import { isAtOrBelow, sameDeep } from '../delta/compare.ts'
import { isLookedAfter, type PlannedCall } from '../kinds/deviation.ts'
import { byKey, type Entries, entriesOf, keyInput, putInput } from '../model/entries.ts'
import type { Content } from '../model/request.ts'
import type { Situation } from '../seen/seen.ts'
import type { PartCalls } from './part-calls.ts'

export function entryCalls(situation: Situation, latest: Content, paths: readonly string[]): PartCalls {
  const { model, deviation, seen } = situation
  const content: Content = {
    spec: seen.wanted.spec,
    status: { ...seen.wanted.status, ...latest.status },
    arn: latest.arn ?? seen.wanted.arn,
  }
  const changed = entriesOf(model)
    .filter(({ sub }) => !isLookedAfter(deviation, sub.field))
    .map(entries => ({ entries, own: paths.filter(path => isAtOrBelow(path, `Spec.${entries.sub.field}`)) }))
    .filter(({ own }) => own.length > 0)
  return {
    calls: changed.flatMap(({ entries }) => callsOf(situation, entries, { content, latest })),
    paths: changed.flatMap(({ own }) => own),
  }
}

function callsOf(
  { model, seen }: Situation,
  entries: Entries,
  { content, latest }: { readonly content: Content; readonly latest: Content },
): readonly PlannedCall[] {
  const { field, sub } = entries
  const wanted = byKey(model, entries, seen.wanted.spec[field.json])
  const held = byKey(model, entries, latest.spec[field.json])
  const puts = [...wanted].filter(([key, element]) => !held.has(key) || !sameDeep(element, held.get(key)))
  return [
    ...puts.map(([key, element]): PlannedCall => {
      return { operation: sub.put, input: putInput(model, entries, { content, key, element }), verb: 'UPDATE' }
    }),
    ...deletions(model, entries, { content, keys: [...held.keys()].filter(key => !wanted.has(key)) }),
  ]
}

/** All that is there, before the resource itself goes. */
export function entriesBeforeDeletion({ model, deviation }: Situation, latest: Content): readonly PlannedCall[] {
  return entriesOf(model)
    .filter(({ sub }) => !isLookedAfter(deviation, sub.field))
    .flatMap(entries =>
      deletions(model, entries, { content: latest, keys: [...byKey(model, entries, latest.spec[entries.field.json]).keys()] }),
    )
}

function deletions(
  model: Situation['model'],
  { sub }: Entries,
  { content, keys }: { readonly content: Content; readonly keys: readonly string[] },
): readonly PlannedCall[] {
  return keys.map(key => ({
    operation: sub.delete,
    input: keyInput(model, sub, { operation: sub.delete, content, key }),
    verb: 'DELETE',
  }))
}
