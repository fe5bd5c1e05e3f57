// Resource versions. Kubernetes says that those of one resource can be compared as decimal numbers; a server that uses something
// else gets equality only, and the engine then trusts the order of the stream.

/** Negative, zero or positive; `undefined` when the two cannot be compared. */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0
  if (!isDecimal(a) || !isDecimal(b)) return undefined
  // Longer means larger, as there are no leading zeros. Compared as text: a revision may pass 2^53.
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : 1
}

/** True when `a` is known to be older than `b`. */
export function isOlder(a: string, b: string): boolean {
  const order = compareVersions(a, b)
  return order !== undefined && order < 0
}

function isDecimal(text: string): boolean {
  if (text.length === 0 || (text.length > 1 && text.charCodeAt(0) === 48)) return false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 48 || code > 57) return false
  }
  return true
}
