// From differences to calls. The own fields of a deviation have theirs, tags have the tag operations that most services share, and the
// kind's Update takes what its input has members for. What nothing can change is refused; what only AWS knows is left alone.

import { createHash } from 'node:crypto'
import { type Condition, findCondition } from '#kube'
import { annotations, conditions } from '../api.ts'
import { compareSpecs, isAtOrBelow } from '../delta/compare.ts'
import type { PlannedCall } from '../kinds/deviation.ts'
import { tagCalls } from '../kinds/tag-calls.ts'
import { isRecord, own, textOf } from '../model/convert.ts'
import { inputOf, structureFields } from '../model/kind-model.ts'
import { nameKey, sameName } from '../model/names.ts'
import { type Content, fieldOf, isIdentifierName, requestOf } from '../model/request.ts'
import { tagField } from '../model/tags.ts'
import { mayHoldSecret } from '../secrets/secret-watch.ts'
import { secretPaths } from '../secrets/secrets.ts'
import type { Situation } from '../seen/seen.ts'

export type Update =
  | { readonly kind: 'in-step'; readonly advisories: readonly Condition[] }
  | {
      readonly kind: 'calls'
      readonly calls: readonly PlannedCall[]
      readonly hash: string
      readonly paths: readonly string[]
      readonly secretHash?: string
    }
  | { readonly kind: 'refused'; readonly message: string }

/** The same update so often in a row without effect, and it is one that AWS does not take. */
const sentMax = 2

export function planUpdate(situation: Situation, latest: Content): Update {
  const secret = changedSecrets(situation)
  const all = [...differences(situation, latest), ...secret.paths]
  const { model, deviation, seen, claim } = situation
  const unchangeable = [...(deviation.unchangeable ?? []), ...(deviation.unchangeableOf?.(claim) ?? [])]
  const fixed = all.filter(path => unchangeable.some(name => isAtOrBelow(path, `Spec.${name}`)))
  const refused = fixed.filter(path => isGiven(situation, path))
  if (refused.length > 0) return { kind: 'refused', message: `no API changes ${list(refused)}; make a new object instead` }
  const delta = all.filter(path => !fixed.includes(path))
  if (delta.length === 0) return { kind: 'in-step', advisories: [] }
  const hash = hashOf(situation, delta)
  const advisory = persistent(delta, hash)
  // Of this very wish, by whichever process it was tried.
  const known = findCondition(claim.status?.conditions, conditions.advisory)
  const isKnown = known?.message.includes(advisory.message) === true
  const { update: held } = seen.notes
  if (isKnown || (held?.hash === hash && held.sent >= sentMax)) return { kind: 'in-step', advisories: [advisory] }
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
  const generic = genericUpdate(situation, latest, rest)
  if (generic.kind === 'refused') return generic
  calls.push(...generic.calls)
  if (calls.length === 0) return { kind: 'in-step', advisories: [] }
  return { kind: 'calls', calls, hash, paths: delta, ...(secret.hash === undefined ? {} : { secretHash: secret.hash }) }
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
  return [...general, ...special].filter(path => !isLate(path)).sort()
}

/** Whether the manifest says anything at the path. What it never spoke of may be AWS's own choice. */
function isGiven({ model, seen }: Situation, path: string): boolean {
  let fields = model.kind.spec
  let value: unknown = seen.wanted.spec
  for (const camel of path.split('.').slice(1)) {
    const field = fields.find(each => each.camel === camel)
    if (field === undefined || !isRecord(value)) return false
    value = value[field.json]
    fields = field.type.kind === 'structure' ? structureFields(model.service, field.type.shape) : []
  }
  return value !== undefined && value !== null
}

type Generic =
  | { readonly kind: 'calls'; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'refused'; readonly message: string }

function genericUpdate(situation: Situation, latest: Content, paths: readonly string[]): Generic {
  if (paths.length === 0) return { kind: 'calls', calls: [] }
  const { model } = situation
  const operation = model.kind.operations.update ?? model.kind.operations.replace ?? model.kind.operations.setAttributes
  const takes = (path: string): boolean => operation !== undefined && takesField(situation, operation, path.split('.')[1] ?? '')
  const cannot = paths.filter(path => !takes(path))
  const refused = cannot.filter(path => isGiven(situation, path))
  if (refused.length > 0)
    return {
      kind: 'refused',
      message:
        operation === undefined
          ? `not implemented: no operation changes ${list(refused)}`
          : `${operation} does not change ${list(refused)}`,
    }
  const sent = paths.filter(path => takes(path))
  if (sent.length === 0 || operation === undefined) return { kind: 'calls', calls: [] }
  const calls = updateCalls(situation, latest, operation, sent)
  const isSaid = sent.some(path => isGiven(situation, path)) || situation.deviation.update !== undefined
  return { kind: 'calls', calls: isSaid ? calls : calls.filter(call => saysSomething(situation, call)) }
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
    names.some(name => ['attributes', 'attributename'].includes(nameKey(name))) &&
    (field.attribute === true || sameName(camel, 'Attributes'))
  )
}

function updateCalls(situation: Situation, latest: Content, operation: string, paths: readonly string[]): readonly PlannedCall[] {
  const { model, deviation, seen, claim, place } = situation
  const { settings, operations } = model.kind
  const isAttributes = operation === operations.setAttributes
  const changed = (camel: string): boolean => paths.some(path => isAtOrBelow(path, `Spec.${camel}`))
  const content: Content = {
    spec: seen.wanted.spec,
    status: { ...seen.wanted.status, ...latest.status },
    arn: latest.arn ?? seen.wanted.arn,
  }
  const sends = settings.omitUnchanged === true ? { sends: ({ camel }: { readonly camel: string }) => changed(camel) } : {}
  const base = requestOf(model, operation, content, { method: 'Update', token: updateToken(situation, paths), ...sends })
  const verb = isAttributes ? 'SET_ATTRIBUTES' : 'UPDATE'
  if (isAttributes) return attributeCalls(situation, latest, { operation, base })
  const context = { model, claim, wanted: seen.wanted, latest, place, delta: paths, isNew: false }
  return [{ operation, input: deviation.update?.(base, context) ?? base, verb }]
}

function attributeCalls(
  { seen, model }: Situation,
  latest: Content,
  { operation, base }: { readonly operation: string; readonly base: Readonly<Record<string, unknown>> },
): readonly PlannedCall[] {
  const names = Object.keys(inputOf(model.service.model, operation).members)
  const single = names.find(name => sameName(name, 'AttributeName'))
  const value = names.find(name => sameName(name, 'AttributeValue'))
  if (single === undefined || value === undefined) return [{ operation, input: base, verb: 'SET_ATTRIBUTES' }]
  const [wanted, held] = [attributesOf(model, seen.wanted), attributesOf(model, latest)]
  return Object.entries(wanted)
    .filter(([name, each]) => own(held, name) !== each)
    .map(([name, each]) => ({ operation, input: { ...base, [single]: name, [value]: each }, verb: 'SET_ATTRIBUTES' }))
}

/** Attributes by their name in the API, whether the kind shows them as fields or as one map. */
function attributesOf(model: Situation['model'], { spec }: Content): Readonly<Record<string, string>> {
  const made: Record<string, string> = {}
  for (const field of model.kind.spec) {
    const value = spec[field.json]
    if (value === undefined || value === null) continue
    if (field.attribute === true) made[field.member] = textOf(value)
    else if (field.type.kind === 'map' && sameName(field.camel, 'Attributes')) Object.assign(made, value)
  }
  return made
}

/** Of one change: repeated until it is done, and another one for the next. */
function updateToken({ claim }: Situation, paths: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([claim.metadata.uid, claim.metadata.generation, paths]))
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

function list(paths: readonly string[]): string {
  return paths.join(', ')
}
