// Sizes of values, for `size` and for costs.
import { CelBytes, CelList, type CelValue, isMap } from '../values.ts'

export function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0xd800 && code < 0xdc00) {
      count--
      i++
    }
  }
  return count
}

/** What traversing the value is proportional to. */
export function traversal(value: CelValue | undefined): number {
  if (typeof value === 'string') return value.length
  if (value instanceof CelList) return value.items.length
  if (value instanceof CelBytes) return value.bytes.length
  if (value !== undefined && isMap(value)) return value.size
  return 1
}

/** A tenth of the length: what one pass over text costs. */
export function textCost(size: number): number {
  return Math.ceil(size * 0.1)
}
