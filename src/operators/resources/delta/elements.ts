// Structures in lists and maps, set side by side: of what the manifest says, and of what AWS has.
import { isRecord } from '../model/convert.ts'

export interface PathThatDiffers {
  readonly path: string
  /** Whether the manifest says anything there. What it does not speak of may be AWS's own choice. */
  readonly isSpoken: boolean
}

export interface BothSides {
  readonly wanted: unknown
  readonly latest: unknown
}

export interface BothSidesAt extends BothSides {
  /** Index or key. */
  readonly at: string
}

/** Elements of the same index; `undefined` where one side has more. */
export function elementsOf({ wanted, latest }: BothSides): readonly BothSidesAt[] | undefined {
  const [a, b] = [listOf(wanted), listOf(latest)]
  return a.length === b.length ? a.map((item, index) => ({ at: String(index), wanted: item, latest: b[index] })) : undefined
}

/** Values under the same key; `undefined` where one side has another key, or a key would not be found again in a path. */
export function keyedElements({ wanted, latest }: BothSides): readonly BothSidesAt[] | undefined {
  const [a, b] = [isRecord(wanted) ? wanted : {}, isRecord(latest) ? latest : {}]
  const keys = Object.keys(a)
  const isPaired = keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && !key.includes('.'))
  return isPaired ? keys.map(key => ({ at: key, wanted: a[key], latest: b[key] })) : undefined
}

/** Longer lists are not searched: each element may be held against each. */
const searchedMax = 200

/** Whether each wanted element is there, another one for each, and nothing else. */
export function sameInAnotherOrder(
  { wanted, latest }: BothSides,
  compare: (pair: BothSides) => readonly PathThatDiffers[],
): boolean {
  const [a, b] = [listOf(wanted), [...listOf(latest)]]
  if (a.length !== b.length || a.length > searchedMax) return false
  return a.every(item => {
    const index = b.findIndex(each => compare({ wanted: item, latest: each }).every(({ isSpoken }) => !isSpoken))
    if (index >= 0) b.splice(index, 1)
    return index >= 0
  })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
