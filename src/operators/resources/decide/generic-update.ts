// The update that the kind itself has: one call with what its input has members for, or calls for its attributes. What it has no member for is
// refused, or told where a config leaves it to code that is not here.
import { createHash } from 'node:crypto'
import { differsInOrderOnly, isAtOrBelow } from '../delta/compare.ts'
import { isGiven } from '../delta/given.ts'
import type { PlannedCall } from '../kinds/deviation.ts'
import { changedAttributes, isWholeMap, singleAttribute } from '../model/attributes.ts'
import { inputOf } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import { fieldOf, isIdentifierName } from '../model/own-names.ts'
import { type Content, requestOf } from '../model/request.ts'
import { sentOf } from '../model/sent.ts'
import { takesWithin } from '../model/untold.ts'
import type { Situation } from '../seen/seen.ts'
import { isWithinElement, spokenKey, spokenPrint, wasSpokenOf } from './spoken-of.ts'

/** Calls that change a resource, and the paths about which none of them is. */
export interface GenericUpdate {
  readonly calls: readonly PlannedCall[]
  /** Paths that a config leaves to code which is not here. */
  readonly left: readonly string[]
  /** Paths that no call is about. */
  readonly held: readonly string[]
  /** Paths of lists that AWS has in another order, which no call changes. */
  readonly ordered: readonly string[]
  readonly refused?: string
}

export function genericUpdate(situation: Situation, latest: Content, paths: readonly string[]): GenericUpdate {
  if (paths.length === 0) return { calls: [], left: [], held: [], ordered: [] }
  const { model } = situation
  const operation = model.kind.operations.update ?? model.kind.operations.replace ?? model.kind.operations.setAttributes
  const takes = (path: string): boolean => operation !== undefined && takesPath(situation, operation, path)
  const others = paths.filter(path => !takes(path))
  const ordered = others.filter(path => isOrderAlone(situation, latest, path))
  const held = others.filter(path => !ordered.includes(path))
  // A difference that a config leaves to code of ACK's which is not here is told in a condition, and refuses no update.
  const isLeft = (path: string): boolean => model.spec.named(path.split('.')[1] ?? '')?.compare?.ignored === true
  const left = held.filter(isLeft)
  const refused = held.filter(path => isGiven(situation, path) && !isLeft(path))
  const why = operation === undefined ? 'not implemented: no operation changes' : `${operation} does not change`
  const common = { left, held, ordered, ...(refused.length === 0 ? {} : { refused: `${why} ${list(refused)}` }) }
  const sent = paths.filter(path => takes(path))
  if (operation === undefined || sent.every(path => !isGiven(situation, path) && !mayBeTakenOut(situation, path)))
    return { calls: [], ...common }
  const calls = updateCalls(situation, latest, operation, sent)
  const isSaid =
    sent.some(path => isGiven(situation, path)) ||
    situation.deviation.update !== undefined ||
    operation === model.kind.operations.setAttributes
  return { calls: isSaid ? calls : calls.filter(call => saysSomething(situation, call)), ...common }
}

/**
 * Whether the manifest may have spoken of a field of which it does not speak now. Not where nobody ever changed it, or where it did not speak of
 * the field when it was in step last: then what differs is AWS's own choice.
 */
export function mayBeTakenOut(situation: Situation, path: string): boolean {
  const { model, claim, seen } = situation
  if (claim.metadata.generation === 1) return false
  if (isWithinElement(model, seen.wanted.spec, path, seen.notes.elements ?? [])) return false
  if (seen.notes.given !== undefined) return wasSpokenOf(model, seen.notes.given, path)
  return sentOf(claim)[spokenKey] !== spokenPrint(situation)
}

/** Whether AWS has a list as the manifest says it, and in another order. */
export function isOrderAlone({ model, seen }: Situation, latest: Content, path: string): boolean {
  return differsInOrderOnly(model, { wanted: seen.wanted.spec, latest: latest.spec }, path)
}

/** A call that only names the resource changes nothing: what differs there is AWS's own choice, of which the manifest says nothing. */
function saysSomething({ model }: Situation, { operation, input }: PlannedCall): boolean {
  const { members, required } = inputOf(model.service.model, operation)
  return Object.keys(input).some(
    name => !required.includes(name) && members[name]?.idempotencyToken !== true && !isIdentifierName(model, name),
  )
}

function takesPath(situation: Situation, operation: string, path: string): boolean {
  const [, camel = '', ...below] = path.split('.')
  return takesField(situation, operation, camel) && takesWithin(situation.model, operation, [camel, ...below].join('.'))
}

function takesField({ model }: Situation, operation: string, camel: string): boolean {
  const field = model.spec.named(camel)
  if (field === undefined) return false
  const names = Object.keys(inputOf(model.service.model, operation).members)
  if (names.some(member => fieldOf(model, operation, member)?.camel === field.camel)) return true
  return (
    names.some(name => ['attributes', 'attributename'].includes(nameKey(name))) && (field.attribute === true || isWholeMap(field))
  )
}

function updateCalls(situation: Situation, latest: Content, operation: string, paths: readonly string[]): readonly PlannedCall[] {
  const { model, deviation, seen, claim, place } = situation
  const { settings, operations } = model.kind
  if (operation === operations.setAttributes) return attributeCalls(situation, latest, operation, paths)
  const changed = (camel: string): boolean => paths.some(path => isAtOrBelow(path, `Spec.${camel}`))
  const content: Content = {
    spec: seen.wanted.spec,
    status: { ...seen.wanted.status, ...latest.status },
    arn: latest.arn ?? seen.wanted.arn,
  }
  const sends = settings.omitUnchanged === true ? { sends: ({ camel }: { readonly camel: string }) => changed(camel) } : {}
  const base = requestOf(model, operation, content, { method: 'Update', token: updateToken(situation, latest, paths), ...sends })
  const context = { model, claim, wanted: seen.wanted, latest, place, delta: paths, isNew: false }
  return [{ operation, input: deviation.update?.(base, context) ?? base, verb: 'UPDATE' }]
}

/** One call for all attributes that differ, or one for each where the service takes one at a time. */
function attributeCalls(
  situation: Situation,
  latest: Content,
  operation: string,
  paths: readonly string[],
): readonly PlannedCall[] {
  const { model, deviation, claim, place } = situation
  const { wanted } = situation.seen
  const content: Content = { ...wanted, status: { ...wanted.status, ...latest.status }, arn: latest.arn ?? wanted.arn }
  const attributes = changedAttributes(model, { wanted, latest, paths })
  if (Object.keys(attributes).length === 0) return []
  const single = singleAttribute(model, operation)
  const base = requestOf(model, operation, content, {
    method: 'Update',
    token: updateToken(situation, latest, paths),
    attributes,
  })
  if (single === undefined) {
    const context = { model, claim, wanted, latest, place, delta: paths, isNew: false }
    return [{ operation, input: deviation.update?.(base, context) ?? base, verb: 'SET_ATTRIBUTES' }]
  }
  return Object.entries(attributes).map(([name, value]) => ({
    operation,
    input: { ...base, [single.name]: name, [single.value]: value },
    verb: 'SET_ATTRIBUTES',
  }))
}

/** Of one change: repeated until it is done, and another one for the next, also where somebody else undid it. */
function updateToken({ model, claim }: Situation, latest: Content, paths: readonly string[]): string {
  const held = paths.map(path => latest.spec[model.spec.named(path.split('.')[1] ?? '')?.json ?? ''] ?? null)
  return createHash('sha256')
    .update(JSON.stringify([claim.metadata.uid, claim.metadata.generation, paths, held]))
    .digest('hex')
    .slice(0, 36)
}

function list(paths: readonly string[]): string {
  return paths.join(', ')
}
