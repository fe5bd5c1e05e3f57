// JSON pointers (RFC 6901): the path to a member of a JSON value, as patches name it.

/** One step of a pointer: its two characters with a meaning are written otherwise. */
export function escapePointer(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function renderPointer(path: readonly (string | number)[]): string {
  return path.map(step => `/${escapePointer(String(step))}`).join('')
}
