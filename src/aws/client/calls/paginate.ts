import type { Operation } from '../../model/service-model.ts'
import type { MultiPagination } from '../services/deviation.ts'
import type { Values } from '../wire/protocols.ts'

interface Page {
  readonly request: Values
  readonly output: Values
  readonly multi: MultiPagination | undefined
}

/** The input members that ask for the page after this one, or `undefined` at the end. A token that comes twice is an end too. */
export function nextTokens({ paginated }: Operation, { request, output, multi }: Page): Values | undefined {
  const pairs = multi?.tokens ?? (paginated === undefined ? [] : [[paginated.inputToken, paginated.outputToken] as const])
  if (output['IsTruncated'] === false) return undefined
  // Members of the last token that the next one lacks are unset too: `undefined` counts as not given.
  const next = pairs.map(([input, path]) => [input, valueAt(output, path)] as const)
  const hasNext = next.some(([, value]) => value !== undefined && value !== '')
  const isNew = next.some(([input, value]) => JSON.stringify(value) !== JSON.stringify(request[input]))
  return hasNext && isNew ? Object.fromEntries(next) : undefined
}

/** The value at a dotted path. */
function valueAt(output: Values, path: string): unknown {
  let value: unknown = output
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Values)[name]
  }
  return value ?? undefined
}
