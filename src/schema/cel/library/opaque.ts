// How values of libraries read as text.
import type { CelOpaque } from '../values.ts'

/** Undefined for those that have no text. */
export function renderOpaque(value: CelOpaque): string | undefined {
  const { content } = value
  return typeof content === 'object' && content !== null && 'text' in content && typeof content.text === 'string'
    ? content.text
    : undefined
}
