/** By code unit: the one order of texts that every machine agrees on, whatever its language. For lists that are written or compared. */
export function compareText(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0
  return a < b ? -1 : 1
}
