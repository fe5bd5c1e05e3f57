// Calls for the fields that operations of their own set: one call for each operation, with what differs of its fields.
import type { ResourcePart } from '#aws'
import { isGiven } from '../delta/given.ts'
import { isLookedAfter, type PlannedCall } from '../kinds/deviation.ts'
import { identifiers, partInput } from '../model/parts.ts'
import type { Content } from '../model/request.ts'
import type { Situation } from '../seen/seen.ts'
import { mayBeTakenOut } from './generic-update.ts'

export interface PartCalls {
  readonly calls: readonly PlannedCall[]
  /** The paths that the calls are about, and those of parts that are left as AWS has them. */
  readonly paths: readonly string[]
}

export function partCalls(situation: Situation, latest: Content, paths: readonly string[]): PartCalls {
  const { model, deviation, seen } = situation
  const content: Content = {
    spec: seen.wanted.spec,
    status: { ...seen.wanted.status, ...latest.status },
    arn: latest.arn ?? seen.wanted.arn,
  }
  const calls: PlannedCall[] = []
  const taken: string[] = []
  for (const part of model.kind.parts ?? []) {
    const camels = part.fields.map(({ field }) => field).filter(camel => !isLookedAfter(deviation, camel))
    const own = paths.filter(path => camels.includes(path.split('.')[1] ?? ''))
    if (own.length === 0) continue
    taken.push(...own)
    // Below a field that the manifest speaks of, what it never said is AWS's own choice.
    const said = own.filter(path => path.split('.').length === 2 || isGiven(situation, path) || mayBeTakenOut(situation, path))
    const changed = [...new Set(said.map(path => path.split('.')[1] ?? ''))]
    calls.push(...callsOf(situation, part, { content, changed }))
  }
  return { calls, paths: taken }
}

function callsOf(
  { model }: Situation,
  part: ResourcePart,
  { content, changed }: { readonly content: Content; readonly changed: readonly string[] },
): readonly PlannedCall[] {
  if (changed.length === 0) return []
  // A put replaces all that it is about; an update changes what it is told.
  const isReplaced = /^(?:Put|Set)/.test(part.operation)
  const sent = isReplaced ? part.fields.map(({ field }) => field) : changed
  const given = sent.filter(camel => valueOf(model, content, camel) !== undefined)
  const named = identifiers(model, part.operation, content)
  // What the manifest does not say any more is taken away where there is a word for it; anything else is AWS's own choice.
  if (given.length === 0)
    return part.remove === undefined
      ? []
      : [{ operation: part.remove, input: identifiers(model, part.remove, content), verb: 'DELETE' }]
  if (part.off !== undefined && valueOf(model, content, given[0] ?? '') === false)
    return [{ operation: part.off, input: identifiers(model, part.off, content), verb: 'UPDATE' }]
  return [{ operation: part.operation, input: { ...named, ...partInput(model, part, content, given) }, verb: 'UPDATE' }]
}

function valueOf(model: Situation['model'], { spec }: Content, camel: string): unknown {
  const field = model.spec.named(camel)
  return field === undefined ? undefined : (spec[field.json] ?? undefined)
}
