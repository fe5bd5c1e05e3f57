// The part of jq that leads to a field: `.status.location`, `.status.conditions[0].type`, `.metadata.annotations["a.b/c"]`, `.spec.tags[]`,
// and several of them joined by `|`.

/** A name, a place in a list (from its end when it is negative), or every element. */
export type PathStep = string | number | typeof each

export const each: unique symbol = Symbol('each element')

const step = /^\.?\[(-?\d{1,6})\]|^\.?\["((?:[^"\\]|\\.)*)"\]|^\."((?:[^"\\]|\\.)*)"|^(\.?\[\])|^\.([A-Za-z_]\w*)/

/** The longest way through a resource has some fifteen steps; a path is walked step by step, and its text is told in conditions. */
const lengthMax = 1_024

/** `undefined` for what is no such path. */
export function parseFieldPath(text: string): readonly PathStep[] | undefined {
  if (text.length > lengthMax) return undefined
  const steps: PathStep[] = []
  for (const part of pipes(text)) {
    let rest = part.trim()
    if (!rest.startsWith('.')) return undefined
    while (rest !== '') {
      const match = step.exec(rest)
      if (match === null) return undefined
      const [whole, index, bracketed, quoted, all, plain] = match
      if (index !== undefined) steps.push(Number(index))
      else if (all !== undefined) steps.push(each)
      else steps.push(plain ?? (bracketed ?? quoted ?? '').replaceAll(/\\(.)/g, '$1'))
      rest = rest.slice(whole.length)
    }
  }
  return steps.length === 0 ? undefined : steps
}

/** Parts between `|`, but for those in quotes. */
function pipes(text: string): readonly string[] {
  return text.match(/(?:"(?:[^"\\]|\\.)*"|[^|"])+|"/g) ?? []
}

/** A step that the value has no place for, such as a name in a text: jq calls it an error, and so do we. */
export class PathError extends Error {
  override readonly name = 'PathError'
}

/** The first thing that the path leads to; `undefined` where it leads to nothing. */
export function valueAtPath(object: unknown, [first, ...rest]: readonly PathStep[]): unknown {
  if (first === undefined) return object ?? undefined
  if (object === undefined || object === null) {
    if (first === each) throw new PathError('cannot iterate over null')
    return undefined
  }
  if (first === each) {
    if (typeof object !== 'object') throw new PathError(`cannot iterate over ${typeof object}`)
    const [element] = Object.values(object)
    return element === undefined ? undefined : valueAtPath(element, rest)
  }
  const isList = Array.isArray(object)
  if (typeof first === 'number') {
    if (!isList) throw new PathError(`cannot index ${typeof object} with a number`)
    return valueAtPath((object as readonly unknown[]).at(first), rest)
  }
  if (isList || typeof object !== 'object')
    throw new PathError(`cannot index ${isList ? 'array' : typeof object} with "${first}"`)
  return valueAtPath(Object.hasOwn(object, first) ? (object as Record<string, unknown>)[first] : undefined, rest)
}
