// IAM's pages (§3.10): `Marker` and `MaxItems` in, `IsTruncated` and `Marker` out.
import type { IamCall } from './ask.ts'
import { validationError } from './errors.ts'

export interface PageInput {
  readonly Marker?: string
  readonly MaxItems?: number
}

export interface Page<T> {
  readonly items: readonly T[]
  /** For the answer: no `Marker` at all on the last page. */
  readonly rest: { readonly IsTruncated: boolean; readonly Marker?: string }
}

const itemsDefault = 100

/** `from` gives the items in order with their keys, beginning after a key. `filters` bind the marker to the same list. */
export function page<T>(
  call: IamCall<PageInput>,
  from: (after: string | undefined) => Iterable<readonly [string, T]>,
  filters: unknown = null,
): Page<T> {
  const { Marker: marker, MaxItems: wanted = itemsDefault } = call.input
  const after = marker === undefined ? undefined : call.tokens.open(marker, filters)
  if (marker !== undefined && after === undefined) throw validationError('Invalid Marker.')
  const size = call.knobs.shortPages ? Math.ceil(wanted / 2) : wanted
  const items: T[] = []
  let last: string | undefined
  for (const [key, item] of from(after)) {
    if (items.length === size) return { items, rest: { IsTruncated: true, Marker: call.tokens.seal(last as string, filters) } }
    items.push(item)
    last = key
  }
  return { items, rest: { IsTruncated: false } }
}

/** A short list by its own order, keyed by place. */
export function pageOfList<T>(call: IamCall<PageInput>, all: readonly T[], filters: unknown = null): Page<T> {
  return page(
    call,
    after => {
      const start = after === undefined ? 0 : Number(after) + 1
      return all.slice(start).map((item, index) => [String(start + index), item] as const)
    },
    filters,
  )
}

/** Sorted names of a record, keyed by themselves. */
export function pageOfNames(call: IamCall<PageInput>, names: readonly string[], filters: unknown = null): Page<string> {
  const sorted = names.toSorted((a, b) => (a < b ? -1 : 1))
  return page(
    call,
    after => sorted.filter(name => after === undefined || name > after).map(name => [name, name] as const),
    filters,
  )
}
