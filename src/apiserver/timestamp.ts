/** RFC 3339 in whole seconds, as metadata carries it. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
