/** The candidate that a misspelt name most likely meant, or nothing when none is near. Ties go to the first by name. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  const limit = slipsIn(name)
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const candidate of [...candidates].sort()) {
    if (Math.abs(candidate.length - name.length) > limit) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name: candidate, distance }
  }
  return best?.name
}

/** `; did you mean "X"?`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** True when a slip of the finger would make one of the candidates of it. */
export function isNear(name: string, candidates: Iterable<string>): boolean {
  const wanted = name.toLowerCase()
  const limit = name.length < 5 ? 1 : 2
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) <= limit && editDistance(wanted, candidate.toLowerCase()) <= limit) return true
  }
  return false
}

/** How many letters of a name may be wrong: where half of them are, every short word is near. */
function slipsIn({ length }: string): number {
  if (length < 3) return 0
  return length < 5 ? 1 : Math.max(2, Math.floor(length / 3))
}

/** Letters to add, take away, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(substitution, swap, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
