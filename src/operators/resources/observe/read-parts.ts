// Reads the parts of a resource that its own read does not tell, each by the operation that was found for it. Of what the manifest never spoke
// nothing is asked: it is AWS's own choice, and a call for each look.
import { AwsError, type ResourceField, type ResourcePart } from '#aws'
import { type Deviation, isLookedAfter, type ReadContext } from '../kinds/deviation.ts'
import { isAbsence } from '../model/absence.ts'
import { inputOf, type KindModel, onceOfKind } from '../model/kind-model.ts'
import { identifiers, partValue } from '../model/parts.ts'
import type { Content, Values } from '../model/request.ts'
import { isSaidToStay, sentOf } from '../model/sent.ts'

/** What is not there is taken out of what was wanted; a part that cannot be asked for yet stays as it is. */
export async function readParts(context: ReadContext, found: Content): Promise<Content> {
  const { model, deviation, claim, adopting } = context
  if (claim.metadata.deletionTimestamp !== undefined) return found
  const sent = sentOf(claim)
  const isAsked = (camel: string, json: string): boolean =>
    adopting ||
    (context.wanted.spec[json] ?? undefined) !== undefined ||
    sent[camel] !== undefined ||
    context.spoken?.includes(json) === true ||
    isSaidToStay(claim, `Spec.${camel}`)
  const spec: Record<string, unknown> = { ...found.spec }
  for (const { part, operation, fields: all } of partsToRead(model, deviation)) {
    const fields = all.filter(({ field }) => isAsked(field.camel, field.json))
    if (fields.length === 0) continue
    const isWanted = fields.some(
      ({ field }) => (context.wanted.spec[field.json] ?? undefined) !== undefined || sent[field.camel] !== undefined,
    )
    const output = await answerTo(context, operation, { found, isWanted })
    if (output === 'unknown') continue
    for (const { field, path } of fields) {
      const value = output === undefined ? undefined : partValue(model, field, { part, path, output })
      if (value === undefined) delete spec[field.json]
      else spec[field.json] = value
    }
  }
  return { ...found, spec }
}

interface ReadPart {
  readonly part: ResourcePart
  /** By which it is read. */
  readonly operation: string
  readonly fields: readonly { readonly field: ResourceField; readonly path: string }[]
}

/** With the fields that no code of the kind's own looks after. */
export const partsToRead: (model: KindModel, deviation: Deviation) => readonly ReadPart[] = onceOfKind((model, deviation) =>
  (model.kind.parts ?? []).flatMap(part => {
    if (part.read === undefined) return []
    const { operation, paths } = part.read
    const fields = Object.entries(paths).flatMap(([camel, path]) => {
      const field = model.spec.named(camel)
      return field === undefined || isLookedAfter(deviation, camel) ? [] : [{ field, path }]
    })
    return fields.length === 0 ? [] : [{ part, operation, fields }]
  }),
)

/** `undefined`: there is none. */
async function answerTo(
  { model, caller }: ReadContext,
  operation: string,
  { found, isWanted }: { readonly found: Content; readonly isWanted: boolean },
): Promise<Values | undefined | 'unknown'> {
  const input = identifiers(model, operation, found)
  if (inputOf(model.service.model, operation).required.some(name => input[name] === undefined)) return 'unknown'
  try {
    return await caller.call(operation, input)
  } catch (error) {
    if (isAbsence(error, model) || isPartAbsence(error)) return undefined
    // What the manifest does not speak of, and never did, is not worth the whole look.
    if (!isWanted) return 'unknown'
    throw error
  }
}

/** Of a part some services say so in the name of the error alone. */
function isPartAbsence(error: unknown): boolean {
  return error instanceof AwsError && /NotFound|NoSuch|DoesNotExist/.test(error.code)
}
