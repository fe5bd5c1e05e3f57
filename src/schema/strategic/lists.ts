// Lists in strategic patches: sets of plain values, and the order that a patch asks for.
import { isList, isObject, type Json, renderJson } from '../json.ts'

export function mergePrimitiveList(current: readonly Json[], value: readonly Json[], order: Json | undefined): Json {
  const out = [...new Map([...current, ...value].map(item => [textOf(item), item] as const)).values()]
  // Without an order of its own the patch itself is one: what it adds comes before what only the server knows.
  return ordered(out, { listed: isList(order) ? order : value, live: current, name: item => item })
}

/** Equal values have equal texts, so that a list of any length is read once and not once for each item. */
export function textOf(value: Json): string {
  return renderJson(value, { sorted: true })
}

export interface Ordering {
  /** `$setElementOrder`: the items that the patch's author knows, in their order. */
  readonly listed: readonly Json[]
  readonly live: readonly Json[]
  /** What tells items apart; entries of the order answer to it as well. */
  readonly name: (item: Json) => Json
}

/** Listed items in their order; items that only the server knows keep their place relative to the live ones around them. */
export function ordered(items: readonly Json[], { listed, live, name }: Ordering): readonly Json[] {
  const keyOf = (item: Json): string => textOf(isObject(item) ? name(item) : item)
  const listedRank = new Map(listed.map((entry, index) => [keyOf(entry), index]))
  const liveRank = new Map(live.map((item, index) => [keyOf(item), index]))
  const rank = (item: Json): number => listedRank.get(keyOf(item)) ?? 0
  const known = items.filter(item => listedRank.has(keyOf(item))).sort((a, b) => rank(a) - rank(b))
  const serverOnly = items.filter(item => !listedRank.has(keyOf(item)))
  return interleaved(known, serverOnly, item => liveRank.get(keyOf(item)))
}

function interleaved(
  known: readonly Json[],
  serverOnly: readonly Json[],
  liveIndex: (item: Json) => number | undefined,
): readonly Json[] {
  const out: Json[] = []
  let k = 0
  let s = 0
  while (k < known.length && s < serverOnly.length) {
    const left = liveIndex(known[k] as Json)
    const right = liveIndex(serverOnly[s] as Json)
    // New items have no live place: they go where their author put them, before what only the server knows.
    if (left === undefined || right === undefined || left < right) out.push(known[k++] as Json)
    else out.push(serverOnly[s++] as Json)
  }
  return [...out, ...known.slice(k), ...serverOnly.slice(s)]
}
