// From differences to calls. The own fields of a deviation have theirs, tags have the tag operations that most services share, and the
// kind's Update takes what its input has members for. What nothing can change is refused; what only AWS knows is left alone.

import { createHash } from 'node:crypto'
import { given } from '#base'
import { type Condition, findCondition } from '#kube'
import { annotations, conditions } from '../api.ts'
import { compareSpecs, contains, isAtOrBelow } from '../delta/compare.ts'
import type { PlannedCall } from '../kinds/deviation.ts'
import { isLookedAfter } from '../kinds/looked-after.ts'
import { tagCalls } from '../kinds/tag-calls.ts'
import { changedAttributes, isWholeMap, singleAttribute } from '../model/attributes.ts'
import { inputOf } from '../model/kind-model.ts'
import { nameKey } from '../model/names.ts'
import { type Content, fieldOf, isIdentifierName, requestOf } from '../model/request.ts'
import { tagField } from '../model/tags.ts'
import { mayHoldSecret } from '../secrets/secret-watch.ts'
import { secretPaths } from '../secrets/secrets.ts'
import type { Situation } from '../seen/seen.ts'
import { entryCalls } from './entry-calls.ts'
import { isGiven } from './given.ts'
import { partCalls } from './part-calls.ts'
import { changedSince } from './sent.ts'
import { wasSpokenOf } from './spoken-of.ts'

export type Update =
  | {
      readonly kind: 'in-step'
      readonly advisories: readonly Condition[]
      /** Paths of the manifest that differ and that nothing carries out. */
      readonly left?: readonly string[]
      /** Why the resource is not as the manifest says, although it was told so. */
      readonly kept?: string
    }
  | {
      readonly kind: 'calls'
      readonly calls: readonly PlannedCall[]
      readonly hash: string
      readonly paths: readonly string[]
      /** Those of the paths that the calls are about. */
      readonly sent: readonly string[]
      /** What cannot be changed, beside what the calls are about. */
      readonly refused?: string
      readonly secretHash?: string
    }
  | { readonly kind: 'refused'; readonly message: string }

/** The same update so often in a row without effect, and it is one that AWS does not take. */
const sentMax = 2

export function planUpdate(situation: Situation, latest: Content): Update {
  const secret = changedSecrets(situation)
  const all = [...new Set([...differences(situation, latest), ...secret.paths, ...changedSince(situation)])]
  const { model, deviation, seen, claim } = situation
  const unchangeable = [...(deviation.unchangeable ?? []), ...(deviation.unchangeableOf?.(claim) ?? [])]
  const fixed = all.filter(path => unchangeable.some(name => isAtOrBelow(path, `Spec.${name}`)))
  const refused = fixed.filter(path => isGiven(situation, path))
  const delta = all.filter(path => !fixed.includes(path))
  const refusal = refused.length === 0 ? undefined : `no API changes ${list(refused)}; make a new object instead`
  if (delta.length === 0)
    return refusal === undefined ? { kind: 'in-step', advisories: [] } : { kind: 'refused', message: refusal }
  const hash = hashOf(situation, delta)
  const advisory = persistent(delta, hash)
  // Of this very wish, by whichever process it was tried.
  const known = findCondition(claim.status?.conditions, conditions.advisory)
  const isKnown = known?.message.includes(advisory.message) === true
  const { update: held } = seen.notes
  if (isKnown || (held?.hash === hash && held.sent >= sentMax))
    return refusal === undefined ? keptBy(situation, delta, advisory) : { kind: 'refused', message: refusal }
  const owned = delta.filter(path => (deviation.own ?? []).some(name => isAtOrBelow(path, `Spec.${name}`)))
  const calls: PlannedCall[] = []
  if (owned.length > 0 && deviation.sync !== undefined)
    calls.push(...deviation.sync({ model, claim, wanted: seen.wanted, latest, place: situation.place, delta, isNew: false }))
  const tags = tagField(model)
  const isTags = (path: string): boolean => tags !== undefined && isAtOrBelow(path, `Spec.${tags}`)
  const tagPaths = delta.filter(path => isTags(path) && !owned.includes(path))
  const ofTags = tagPaths.length === 0 ? [] : tagCalls(model, { wanted: seen.wanted, latest })
  if (ofTags !== undefined) calls.push(...ofTags)
  const rest = delta.filter(path => !owned.includes(path) && !(tagPaths.includes(path) && ofTags !== undefined))
  const [parts, entries] = [partCalls(situation, latest, rest), entryCalls(situation, latest, rest)]
  calls.push(...parts.calls, ...entries.calls)
  const generic = genericUpdate(
    situation,
    latest,
    rest.filter(path => !parts.paths.includes(path) && !entries.paths.includes(path)),
  )
  calls.push(...generic.calls)
  const messages = [refusal, generic.refused].filter(each => each !== undefined)
  const left = [...generic.left, ...tagPaths.filter(() => ofTags === undefined)].filter(path => isGiven(situation, path))
  // What can be carried out is, before it is said what cannot.
  if (calls.length > 0) {
    const sent = delta.filter(path => !generic.held.includes(path))
    return {
      kind: 'calls',
      calls,
      hash,
      paths: delta,
      sent,
      ...(messages.length === 0 ? {} : { refused: messages.join('; ') }),
      ...given({ secretHash: secret.hash }),
    }
  }
  if (messages.length > 0) return { kind: 'refused', message: messages.join('; ') }
  return { kind: 'in-step', advisories: [], ...(left.length === 0 ? {} : { left }) }
}

/** Secrets cannot be compared with what AWS has; their hash is compared with the one that they had. */
function changedSecrets({ model, claim, seen }: Situation): { readonly paths: readonly string[]; readonly hash?: string } {
  const hash = seen.secrets.kind === 'read' ? seen.secrets.hash : undefined
  const held = claim.metadata.annotations?.[annotations.secretHash]
  if (hash === undefined || held === undefined || held === hash) return { paths: [] }
  return { paths: secretPaths(model, claim.spec ?? {}), hash }
}

/** Paths that differ, by the general rules and by those of the kind. */
export function differences({ model, deviation, seen }: Situation, latest: Content): readonly string[] {
  const { wanted } = seen
  const own = deviation.same ?? {}
  const general = compareSpecs(model, wanted.spec, latest.spec, { except: ({ camel }) => Object.hasOwn(own, camel) })
  const special = Object.entries(own).flatMap(([camel, same]) => {
    const field = model.spec.named(camel)
    if (field === undefined) return []
    return same(wanted.spec[field.json], latest.spec[field.json], { model, wanted, latest }) ? [] : [`Spec.${camel}`]
  })
  // What AWS is to choose is no difference: it is copied into the manifest.
  const isLate = (path: string): boolean => {
    const field = model.spec.named(path.split('.')[1] ?? '')
    return field?.lateInitialize !== undefined && (wanted.spec[field.json] ?? undefined) === undefined
  }
  return [...general, ...special, ...ignoredDifferences({ model, deviation }, wanted, latest)]
    .filter(path => !isLate(path))
    .sort()
}

/**
 * Fields whose comparison a config takes away from the general rules, since code of its own compares them: what the manifest says must be
 * there, whatever else is.
 */
function ignoredDifferences(
  { model, deviation }: Pick<Situation, 'model' | 'deviation'>,
  wanted: Content,
  latest: Content,
): readonly string[] {
  if (deviation.read !== undefined || deviation.readMore !== undefined) return []
  const tags = tagField(model)
  const fields = model.kind.spec.filter(
    ({ camel, compare }) =>
      compare?.ignored === true &&
      camel !== tags &&
      !isLookedAfter(deviation, camel) &&
      model.kind.untold?.includes(camel) !== true,
  )
  return fields
    .filter(({ json }) => (wanted.spec[json] ?? undefined) !== undefined && !contains(latest.spec[json], wanted.spec[json]))
    .map(({ camel }) => `Spec.${camel}`)
}

interface Generic {
  readonly calls: readonly PlannedCall[]
  /** Paths that a config leaves to code which is not here. */
  readonly left: readonly string[]
  /** Paths that no call is about. */
  readonly held: readonly string[]
  readonly refused?: string
}

function genericUpdate(situation: Situation, latest: Content, paths: readonly string[]): Generic {
  if (paths.length === 0) return { calls: [], left: [], held: [] }
  const { model } = situation
  const operation = model.kind.operations.update ?? model.kind.operations.replace ?? model.kind.operations.setAttributes
  const takes = (path: string): boolean => operation !== undefined && takesField(situation, operation, path.split('.')[1] ?? '')
  const held = paths.filter(path => !takes(path))
  // What a config leaves to code that is not here is told, and stops nothing.
  const isLeft = (path: string): boolean => model.spec.named(path.split('.')[1] ?? '')?.compare?.ignored === true
  const left = held.filter(isLeft)
  const refused = held.filter(path => isGiven(situation, path) && !isLeft(path))
  const why = operation === undefined ? 'not implemented: no operation changes' : `${operation} does not change`
  const common = { left, held, ...(refused.length === 0 ? {} : { refused: `${why} ${list(refused)}` }) }
  const sent = paths.filter(path => takes(path))
  if (sent.length === 0 || operation === undefined) return { calls: [], ...common }
  if (sent.every(path => !isGiven(situation, path) && !mayBeTakenOut(situation, path))) return { calls: [], ...common }
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
function mayBeTakenOut({ model, claim, seen }: Situation, path: string): boolean {
  if (claim.metadata.generation === 1) return false
  return seen.notes.given === undefined || wasSpokenOf(model, seen.notes.given, path)
}

/** A call that only names the resource changes nothing: what differs there is AWS's own choice, of which the manifest says nothing. */
function saysSomething({ model }: Situation, { operation, input }: PlannedCall): boolean {
  const { members, required } = inputOf(model.service.model, operation)
  return Object.keys(input).some(
    name => !required.includes(name) && members[name]?.idempotencyToken !== true && !isIdentifierName(model, name),
  )
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

/** Of what differs and of what is wanted there: another wish is another update. It is told in a condition: nothing of a Secret is in it. */
function hashOf({ model, seen, claim }: Situation, delta: readonly string[]): string {
  const names = new Set(delta.map(path => path.split('.')[1]))
  const fields = model.kind.spec.filter(({ camel }) => names.has(camel))
  const secret = fields.filter(field => mayHoldSecret(model, [field]))
  const wanted = fields.map(field => (secret.includes(field) ? claim.spec : seen.wanted.spec)?.[field.json] ?? null)
  const hash = secret.length > 0 && seen.secrets.kind === 'read' ? seen.secrets.hash : undefined
  return createHash('sha256')
    .update(JSON.stringify(hash === undefined ? [delta, wanted] : [delta, wanted, hash]))
    .digest('hex')
    .slice(0, 12)
}

function persistent(paths: readonly string[], hash: string): Condition {
  const message = `AWS keeps its own value of ${list(paths)} although it was updated twice (wish ${hash})`
  return { type: conditions.advisory, status: 'True', reason: 'PersistentDiff', message }
}

/** What the manifest speaks of and AWS has otherwise is not carried out; of what it never spoke of, AWS may keep its own. */
function keptBy(situation: Situation, delta: readonly string[], advisory: Condition): Update {
  const given = delta.filter(path => isGiven(situation, path))
  const kept = `AWS keeps its own value of ${list(given)}`
  return { kind: 'in-step', advisories: [advisory], ...(given.length === 0 ? {} : { kept }) }
}

function list(paths: readonly string[]): string {
  return paths.join(', ')
}
