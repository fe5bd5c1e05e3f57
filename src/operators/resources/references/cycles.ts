// References that lead back to where they began: none of them can ever be resolved, and waiting says nothing of it.

import type { Resource } from '../api.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Resolved } from '../seen/seen.ts'
import { type ReferenceTarget, targetsOf } from './references.ts'

export interface CycleSearch {
  readonly model: KindModel
  readonly claim: Resource
  find(target: ReferenceTarget): Resource | undefined | 'unserved'
  modelOf(target: ReferenceTarget): KindModel | undefined
}

/** Longer chains are not followed: each step costs a look, and people do not build them. */
const depthMax = 12

/** The objects on the way, the first one again at the end; `undefined` when no way leads back. */
export function findCycle({ model, claim, find, modelOf }: CycleSearch): readonly string[] | undefined {
  const start = nameOf(model, claim)
  const seen = new Set<string>([start])
  const follow = (from: KindModel, object: Resource, path: readonly string[]): readonly string[] | undefined => {
    if (path.length > depthMax) return undefined
    for (const target of targetsOf(from, object)) {
      const [next, found] = [modelOf(target), find(target)]
      if (next === undefined || found === undefined || found === 'unserved') continue
      const name = nameOf(next, found)
      if (name === start) return [...path, name]
      if (seen.has(name)) continue
      seen.add(name)
      const rest = follow(next, found, [...path, name])
      if (rest !== undefined) return rest
    }
    return undefined
  }
  return follow(model, claim, [start])
}

/** References that wait, with the cycle in which they stand. */
export function namingCycle(waiting: Unresolved, cycle: readonly string[] | undefined): Unresolved {
  return cycle === undefined ? waiting : { ...waiting, message: `references lead in a circle: ${cycle.join(' -> ')}` }
}

type Unresolved = Extract<Resolved, { readonly kind: 'unresolved' }>

function nameOf({ kind }: KindModel, { metadata }: Resource): string {
  return `${kind.kind} ${metadata.namespace ?? ''}/${metadata.name}`
}
