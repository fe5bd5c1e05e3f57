// Reads fields whose elements are entries of their own: a list of the keys, and each entry by itself where the list does not tell it. Of a field
// that the manifest never spoke of nothing is asked, but before a deletion, when what is there may be in the way.
import { AwsError } from '#aws'
import { isLookedAfter, type ReadContext } from '../kinds/deviation.ts'
import { isRecord } from '../model/convert.ts'
import { asValue, byKey, type Entries, elementIn, entriesOf, keyIn, keyInput } from '../model/entries.ts'
import { identifiers } from '../model/parts.ts'
import type { Content } from '../model/request.ts'
import { sentOf } from '../model/sent.ts'

export async function readEntries(context: ReadContext, found: Content): Promise<Content> {
  const { model, deviation, claim, adopting, wanted } = context
  const all = entriesOf(model).filter(({ sub }) => !isLookedAfter(deviation, sub.field))
  if (all.length === 0) return found
  const sent = sentOf(claim)
  const isAsked = ({ field, sub }: Entries): boolean =>
    adopting ||
    claim.metadata.deletionTimestamp !== undefined ||
    (wanted.spec[field.json] ?? undefined) !== undefined ||
    sent[sub.field] !== undefined
  const spec: Record<string, unknown> = { ...found.spec }
  for (const entries of all) {
    delete spec[entries.field.json]
    if (!isAsked(entries)) continue
    const asked = byKey(model, entries, wanted.spec[entries.field.json])
    const value = asValue(entries, await read(context, entries, { found, asked }), asked.keys())
    if (value !== undefined) spec[entries.field.json] = value
  }
  return { ...found, spec }
}

interface Reading {
  readonly found: Content
  /** Of the manifest. */
  readonly asked: ReadonlyMap<string, unknown>
}

async function read(
  { model, caller }: ReadContext,
  entries: Entries,
  { found, asked }: Reading,
): Promise<ReadonlyMap<string, unknown>> {
  const { sub } = entries
  const content = { ...found, arn: found.arn }
  const elements = new Map<string, unknown>()
  for (const listed of await caller.list(sub.list, identifiers(model, sub.list, content), sub.entries)) {
    const key = keyIn(entries, listed)
    if (key === undefined) continue
    const told =
      sub.get === undefined
        ? listed
        : await unlessGone(caller.call(sub.get, keyInput(model, sub, { operation: sub.get, content, key })))
    const element = told === undefined ? undefined : elementIn(model, entries, { told, operation: sub.get ?? sub.list })
    if (element !== undefined) elements.set(key, asFarAs(asked.get(key), element))
  }
  return elements
}

/** What the manifest leaves out of an element is AWS's own choice. */
function asFarAs(wanted: unknown, element: unknown): unknown {
  if (!isRecord(wanted) || !isRecord(element)) return element
  return Object.fromEntries(Object.entries(element).filter(([name]) => wanted[name] !== undefined))
}

/** `undefined`: somebody deleted it since it was listed. */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof AwsError && (error.class === 'not-found' || /NotFound|NoSuch|DoesNotExist/.test(error.code)))
      return undefined
    throw error
  }
}
