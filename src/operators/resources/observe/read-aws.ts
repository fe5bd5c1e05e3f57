// Looks a resource up in AWS: by the kind's deviation, or by the operation that its representation names.

import { Trouble } from '#runtime'
import type { ReadContext } from '../kinds/deviation.ts'
import { readTags, withoutTags } from '../kinds/tag-reads.ts'
import { isAbsence } from '../model/absence.ts'
import { type Answered, answerOf, candidatesOf, isMatch, isSearchable, readPart } from '../model/answer.ts'
import { inputOf, type KindModel, onceOfKind, outputOf } from '../model/kind-model.ts'
import { readInput } from '../model/read-input.ts'
import { type Content, requestOf } from '../model/request.ts'
import { tagField } from '../model/tags.ts'
import { readEntries } from './read-entries.ts'
import { partsToRead, readParts } from './read-parts.ts'

/** `undefined`: it is not there, or nothing is known by which it could be found, so it was never made. */
export async function readResource(context: ReadContext): Promise<Content | undefined> {
  const { model, deviation } = context
  let found: Content | undefined
  try {
    found = await (deviation.read === undefined ? readWhole(context) : deviation.read(context))
  } catch (error) {
    if (isAbsence(error, model)) return undefined
    throw error
  }
  if (found === undefined || found.isAbsent === true || deviation.readMore === undefined) return found
  try {
    return await deviation.readMore(context, found)
  } catch (error) {
    // The resource itself was there a moment ago: the next look says whether it still is.
    if (isAbsence(error, model)) throw new Trouble({ kind: 'backoff', reason: 'NotVisibleYet', message: partGone, cause: error })
    throw error
  }
}

const partGone = 'a part of the resource went while it was looked at'

async function readWhole(context: ReadContext): Promise<Content | undefined> {
  const { model, deviation } = context
  const found = await readWithTags(context)
  if (found === undefined || found.isAbsent === true || found.isDeleted === true) return found
  const whole = partsToRead(model, deviation).length === 0 ? found : await readParts(context, found)
  return model.kind.subResources === undefined ? whole : readEntries(context, whole)
}

/** A read that says nothing of tags is followed by one that does. */
async function readWithTags(context: ReadContext): Promise<Content | undefined> {
  const { model, caller } = context
  const found = await lookByModel(context)
  const field = tagField(model)
  if (found === undefined || found.isAbsent === true || field === undefined || found.told.has(field)) return found
  try {
    return await readTags(model, found, caller)
  } catch (error) {
    if (!isAbsence(error, model)) throw error
    return withoutTagsIfThere(context)
  }
}

/**
 * Who is asked for the tags of a resource that is there and says that there is none lags behind, or looks elsewhere. The resource is not gone for
 * that: it would be let go, and stay in AWS for ever. A deletion goes on without its tags; anything else waits for them.
 */
async function withoutTagsIfThere(context: ReadContext): Promise<Content | undefined> {
  const again = await lookByModel(context)
  if (again === undefined || again.isDeleted === true) return again
  if (context.claim.metadata.deletionTimestamp !== undefined) return withoutTags(context.model, again)
  throw new Trouble({ kind: 'backoff', reason: 'NotVisibleYet', message: noTags })
}

const noTags = 'AWS shows the resource and says, when it is asked for its tags, that there is none'

/** For kinds whose code begins with it. */
export async function readByModel(context: ReadContext): Promise<Answered | undefined> {
  const found = await lookByModel(context)
  return found?.isUnasked === true ? undefined : found
}

async function lookByModel(context: ReadContext): Promise<Answered | undefined> {
  const { operations } = context.model.kind
  if (operations.readOne !== undefined) return readOne(context, operations.readOne)
  if (operations.getAttributes !== undefined) return readOne(context, operations.getAttributes)
  if (operations.readMany !== undefined) return readMany(context, operations.readMany)
  throw new Trouble({ kind: 'stop', reason: 'NotImplemented', message: `${context.model.id} has no operation that reads it` })
}

const unasked: Answered = { spec: {}, status: {}, told: new Set(), isAbsent: true, isUnasked: true }

async function readOne({ model, wanted, caller }: ReadContext, operation: string): Promise<Answered | undefined> {
  const input = readInput(model, operation, wanted)
  if (input === undefined) return unasked
  const output = await caller.call(operation, input)
  // Nothing in the one place where the resource would stand: some services say so that it is not there.
  const only = onlyStructure(model, operation)
  if (only !== undefined && (output[only] ?? undefined) === undefined) return undefined
  return answerOf(model, operation, { output, wanted, method: 'ReadOne' })
}

/** The only member of an answer, where that is a structure. */
const onlyStructure: (model: KindModel, operation: string) => string | undefined = onceOfKind(({ service }, operation) => {
  const [only, ...others] = Object.entries(outputOf(service.model, operation).members)
  const isOnly = only !== undefined && others.length === 0
  return isOnly && service.model.shapes[only[1].target]?.type === 'structure' ? only[0] : undefined
})

async function readMany({ model, wanted, caller }: ReadContext, operation: string): Promise<Answered | undefined> {
  if (!isSearchable(model, operation, wanted)) return unasked
  const input = requestOf(model, operation, wanted, { method: 'ReadMany' })
  const required = inputOf(model.service.model, operation).required
  if (required.some(name => input[name] === undefined)) return unasked
  for await (const output of caller.pages(operation, input)) {
    const { shape, values } = candidatesOf(model, operation, output)
    for (const value of values) {
      const reading = { part: { shape, value }, whole: { shape, value }, wanted, method: 'ReadMany' } as const
      if (isMatch(model, operation, reading)) return readPart(model, operation, reading)
    }
  }
  return undefined
}
