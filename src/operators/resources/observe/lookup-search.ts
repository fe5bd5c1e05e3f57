// Finds the one resource that a lookup means, among all that AWS lists of the kind.

import type { ReadContext } from '../kinds/deviation.ts'
import { own } from '../model/convert.ts'
import type { Content } from '../model/request.ts'
import { tagsIn } from '../model/tags.ts'
import type { FoundByLookup, Lookup } from '../seen/notes.ts'
import { ListingError, listed } from './listed.ts'
import { readResource } from './read-aws.ts'

export type LookupAnswer =
  | { readonly kind: 'found'; readonly content: Content; readonly identifiers: Content }
  | { readonly kind: 'none' }
  /** Only a person can help. */
  | { readonly kind: 'unclear'; readonly message: string }

/** Tags are told by reads, one for each resource that the name fits. */
const readsMax = 100
export async function lookUp(
  context: Omit<ReadContext, 'wanted'>,
  lookup: Lookup,
  held: FoundByLookup | undefined,
): Promise<LookupAnswer> {
  if (held?.text === lookup.text) {
    const content = await readFitting(context, lookup, held.identifiers)
    if (content !== undefined) return { kind: 'found', content, identifiers: held.identifiers }
  }
  try {
    return await search(context, lookup)
  } catch (error) {
    if (!(error instanceof ListingError)) throw error
    const how = error.missing.length === 0 ? '' : `: say it in the lookup, "with": {"${error.missing[0]}": "…"}`
    return { kind: 'unclear', message: `${error.message}${how}` }
  }
}

async function search(context: Omit<ReadContext, 'wanted'>, lookup: Lookup): Promise<LookupAnswer> {
  const fits = pattern(lookup.name)
  const found: { readonly content: Content; readonly identifiers: Content; readonly called: string }[] = []
  let reads = 0
  for await (const { content: identifiers, names } of listed(context, lookup.given, context.caller)) {
    const called = names.find(fits)
    if (called === undefined) continue
    reads += 1
    if (reads > readsMax) return { kind: 'unclear', message: `the lookup's name fits more than ${readsMax} resources: narrow it` }
    const content = await readFitting(context, lookup, identifiers)
    if (content !== undefined) found.push({ content, identifiers, called })
    if (found.length > 1)
      return {
        kind: 'unclear',
        message: `several resources fit the lookup, such as ${found.map(each => each.called).join(' and ')}`,
      }
  }
  const [only] = found
  return only === undefined ? { kind: 'none' } : { kind: 'found', ...only }
}

async function readFitting(
  context: Omit<ReadContext, 'wanted'>,
  { tags }: Lookup,
  wanted: Content,
): Promise<Content | undefined> {
  const { model } = context
  const content = await readResource({ ...context, wanted })
  if (content === undefined || content.isAbsent === true) return undefined
  const held = tagsIn(model, content.spec)
  return Object.entries(tags).every(([key, value]) => own(held, key) === value) ? content : undefined
}

/** Case counts, as it does in AWS; a last dot of a zone's name does not. */
function pattern(name: string | undefined): (text: string) => boolean {
  if (name === undefined) return () => true
  const parts = name.split('*')
  return text => matches(text, parts) || (text.endsWith('.') && matches(text.slice(0, -1), parts))
}

/** Without a regular expression: nobody's pattern may take long. */
function matches(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  if (rest.length === 0) return text === first
  const last = rest.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
