// The part of jq that names a field: `.status.location`, `.status.conditions[0].type`, `.metadata.annotations["a.b/c"]`.

export type PathStep = string | number

/** `undefined` for what is no such path. */
export function parseFieldPath(text: string): readonly PathStep[] | undefined {
  const steps: PathStep[] = []
  let rest = text.trim()
  if (!rest.startsWith('.')) return undefined
  if (rest === '.') return undefined
  while (rest !== '') {
    const match = /^\.?\[(\d{1,6})\]|^\.?\["((?:[^"\\]|\\.)*)"\]|^\."((?:[^"\\]|\\.)*)"|^\.([A-Za-z_]\w*)/.exec(rest)
    if (match === null) return undefined
    const [whole, index, bracketed, quoted, plain] = match
    if (index !== undefined) steps.push(Number(index))
    else steps.push(plain ?? (bracketed ?? quoted ?? '').replaceAll(/\\(.)/g, '$1'))
    rest = rest.slice(whole.length)
  }
  return steps
}

export function valueAtPath(object: unknown, steps: readonly PathStep[]): unknown {
  let value: unknown = object
  for (const step of steps) {
    if (typeof value !== 'object' || value === null) return undefined
    if (typeof step === 'number') value = Array.isArray(value) ? (value as unknown[])[step] : undefined
    else value = Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined
  }
  return value
}
