// live + applied: what is applied wins for leaves and atomic parts, maps are joined key by key, keyed lists and sets item by item.
import { copyObject, isList, isObject, type Json, type JsonObject, setKey } from '../json.ts'
import { type MergeList, type MergeMap, type MergeShape, untyped } from '../shape.ts'
import { elementOf } from './path-element.ts'

export function merge(shape: MergeShape, live: Json | undefined, applied: Json): Json {
  if (live === undefined) return applied
  switch (shape.kind) {
    case 'scalar':
      return applied
    case 'map':
      if (isEmptyFor(shape.atomic, isObject(live) && Object.keys(live).length > 0, applied)) return live
      return shape.atomic || !isObject(live) || !isObject(applied) ? applied : mergeMaps(shape, live, applied)
    case 'list':
      if (isEmptyFor(shape.how === 'atomic', isList(live) && live.length > 0, applied)) return live
      return shape.how === 'atomic' || !isList(live) || !isList(applied) ? applied : mergeLists(shape, live, applied)
    default:
      if (isEmptyFor(false, isObject(live) && Object.keys(live).length > 0, applied)) return live
      return isObject(live) && isObject(applied) ? mergeMaps(untypedMap, live, applied) : applied
  }
}

/** A null has nothing to add to what is joined part by part; where there are no parts it is a value like another. */
function isEmptyFor(isAtomic: boolean, hasParts: boolean, applied: Json): boolean {
  return !isAtomic && hasParts && applied === null
}

const untypedMap: MergeMap = { kind: 'map', fields: Object.create(null) as MergeMap['fields'], rest: untyped, atomic: false }

function mergeMaps(shape: MergeMap, live: JsonObject, applied: JsonObject): JsonObject {
  let out: Record<string, Json> | undefined
  for (const key of Object.keys(applied)) {
    const below = shape.fields[key]?.shape ?? shape.rest ?? untyped
    const old = Object.hasOwn(live, key) ? live[key] : undefined
    const merged = merge(below, old, applied[key] as Json)
    if (merged === old) continue
    out ??= copyObject(live)
    setKey(out, key, merged)
  }
  return out ?? live
}

/**
 * Items that the applier lists come in its order. Items that only the live list has keep their place between their neighbours: they
 * are taken as they come up, but an item that both have never overtakes the applier's next common item.
 */
function mergeLists(shape: MergeList, live: readonly Json[], applied: readonly Json[]): Json {
  const left = new Elements(shape, live)
  const right = new Elements(shape, applied)
  const common = right.names.filter(name => left.items.has(name))
  const out: Json[] = []
  const taken = new Set<string>()
  let next = 0
  let l = 0
  let r = 0
  const take = (name: string): void => {
    out.push(merge(shape.items, left.items.get(name), right.items.get(name) as Json))
    taken.add(name)
    if (common[next] === name) next++
  }
  while (l < left.names.length || r < right.names.length) {
    const name = left.names[l]
    if (name !== undefined && !right.items.has(name)) out.push(live[left.positions[l++] as number] as Json)
    else if (name !== undefined && taken.has(name)) l++
    else if (name !== undefined && name === right.names[r]) {
      take(name)
      l++
      r++
    } else if (name !== undefined && r < right.names.length && common[next] !== undefined && common[next] !== name) l++
    else if (r < right.names.length) take(right.names[r++] as string)
    else l++
  }
  return out
}

class Elements {
  readonly names: string[] = []
  readonly positions: number[] = []
  readonly items = new Map<string, Json>()
  constructor(shape: MergeList, list: readonly Json[]) {
    list.forEach((item, position) => {
      const name = elementOf(shape, item)
      if (typeof name !== 'string') return
      this.names.push(name)
      this.positions.push(position)
      if (!this.items.has(name)) this.items.set(name, item)
    })
  }
}
