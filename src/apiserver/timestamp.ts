/** The text changes once a second, and a busy server writes thousands of objects in each. */
let last = { second: Number.NaN, text: '' }

/** RFC 3339 in whole seconds, as metadata carries it. */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1_000)
  if (second !== last.second) last = { second, text: `${new Date(second * 1_000).toISOString().slice(0, 19)}Z` }
  return last.text
}
