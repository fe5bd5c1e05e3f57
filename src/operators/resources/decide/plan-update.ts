// From differences to calls. The own fields of a deviation have theirs, tags have the tag operations that most services share, and the
// kind's Update takes what its input has members for. What nothing can change is refused; what only AWS knows is left alone.

import { createHash } from 'node:crypto'
import { given } from '#base'
import { type Condition, findCondition } from '#kube'
import { annotations, conditions } from '../api.ts'
import { isAtOrBelow } from '../delta/compare.ts'
import { differences } from '../delta/differences.ts'
import { isGiven } from '../delta/given.ts'
import type { PlannedCall } from '../kinds/deviation.ts'
import { tagCalls } from '../kinds/tag-calls.ts'
import type { Content } from '../model/request.ts'
import { staysSaid } from '../model/sent.ts'
import { tagField } from '../model/tags.ts'
import { mayHoldSecret, secretPaths } from '../secrets/named-secrets.ts'
import type { Situation } from '../seen/seen.ts'
import { entryCalls } from './entry-calls.ts'
import { type GenericUpdate, genericUpdate, isOrderAlone } from './generic-update.ts'
import { partCalls } from './part-calls.ts'
import { changedSince } from './sent.ts'
import { stayingPaths } from './taken-out.ts'

export type Update =
  | {
      readonly kind: 'in-step'
      readonly advisories: readonly Condition[]
      /** Paths of the manifest that differ and that nothing carries out. */
      readonly left?: readonly string[]
      /** Paths of which the manifest spoke, and which stay in AWS. */
      readonly staying?: readonly string[]
      /** AWS has chosen something of which the manifest does not speak. */
      readonly hasOwnChoices?: boolean
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
  | { readonly kind: 'refused'; readonly message: string; readonly hasOwnChoices: boolean }

/** The same update so often in a row without effect, and it is one that AWS does not take. */
const sentMax = 2

export function planUpdate(situation: Situation, latest: Content): Update {
  const secret = changedSecrets(situation)
  const { delta, refusal } = whatDiffers(situation, latest, secret.paths)
  if (delta.length === 0)
    return refusal === undefined
      ? inStep(situation, { delta, left: [], ordered: [] })
      : { kind: 'refused', message: refusal, hasOwnChoices: false }
  const hash = hashOf(situation, delta)
  const advisory = persistent(delta, hash)
  if (hadNoEffect(situation, hash, advisory))
    return refusal === undefined ? keptBy(situation, latest, { delta, advisory }) : refusedWith(situation, delta, [refusal])
  const { calls, held, left, ordered, refused } = callsFor(situation, latest, delta)
  const messages = [refusal, refused].filter(each => each !== undefined)
  // Changes that can be made are made first; what cannot be changed is said after that.
  if (calls.length > 0) {
    const sent = delta.filter(path => !held.includes(path) && !ordered.includes(path))
    const said = given({ refused: messages.length === 0 ? undefined : messages.join('; '), secretHash: secret.hash })
    return { kind: 'calls', calls, hash, paths: delta, sent, ...said }
  }
  if (messages.length > 0) return refusedWith(situation, delta, messages)
  return inStep(situation, { delta, left, ordered })
}

function refusedWith(situation: Situation, delta: readonly string[], messages: readonly string[]): Update {
  return { kind: 'refused', message: messages.join('; '), hasOwnChoices: delta.some(path => !isGiven(situation, path)) }
}

/** Nothing is to be sent: of what differs all the same, it is said why. */
function inStep(
  situation: Situation,
  { delta, left, ordered }: { readonly delta: readonly string[] } & Pick<GenericUpdate, 'left' | 'ordered'>,
): Update {
  const staying = stayingPaths(situation, delta)
  const advisories = [...(ordered.length === 0 ? [] : [ownOrder(ordered)]), ...staysSaid(staying)]
  const hasOwnChoices = delta.some(path => !isGiven(situation, path))
  return { kind: 'in-step', advisories, staying, hasOwnChoices, ...(left.length === 0 ? {} : { left }) }
}

/** The paths that an update is to be about, and what is said of those that no API changes. */
function whatDiffers(
  situation: Situation,
  latest: Content,
  secretPaths: readonly string[],
): { readonly delta: readonly string[]; readonly refusal: string | undefined } {
  const { deviation, claim } = situation
  const told = [...new Set([...differences(situation, latest), ...secretPaths])]
  const unseen = changedSince(situation).filter(path => !told.some(each => isAtOrBelow(path, each)))
  const all = [...told, ...unseen]
  const unchangeable = [...(deviation.unchangeable ?? []), ...(deviation.unchangeableOf?.(claim) ?? [])]
  const fixed = all.filter(path => unchangeable.some(name => isAtOrBelow(path, `Spec.${name}`)))
  const refused = fixed.filter(path => isGiven(situation, path))
  const refusal = refused.length === 0 ? undefined : `no API changes ${list(refused)}; make a new object instead`
  return { delta: all.filter(path => !fixed.includes(path)), refusal }
}

/** Whether this process, or by the advisory in the status one before it, sent the same update so often that AWS does not take it. */
function hadNoEffect({ claim, seen }: Situation, hash: string, { message }: Condition): boolean {
  const isKnown = findCondition(claim.status?.conditions, conditions.advisory)?.message.includes(message) === true
  const held = seen.notes.update
  return isKnown || (held?.hash === hash && held.sent >= sentMax)
}

/** Each path by the first that has a call for it: the code of the kind, the tags, the parts and entries, the kind's own update. */
function callsFor(situation: Situation, latest: Content, delta: readonly string[]): GenericUpdate {
  const { model, deviation, seen, claim, place } = situation
  const owned = delta.filter(path => (deviation.own ?? []).some(name => isAtOrBelow(path, `Spec.${name}`)))
  const ofOwn =
    owned.length > 0 ? deviation.sync?.({ model, claim, wanted: seen.wanted, latest, place, delta, isNew: false }) : undefined
  const tags = tagField(model)
  const tagPaths = delta.filter(path => tags !== undefined && isAtOrBelow(path, `Spec.${tags}`) && !owned.includes(path))
  const ofTags = tagPaths.length === 0 ? [] : tagCalls(model, { wanted: seen.wanted, latest })
  const rest = delta.filter(path => !owned.includes(path) && !(tagPaths.includes(path) && ofTags !== undefined))
  const [parts, entries] = [partCalls(situation, latest, rest), entryCalls(situation, latest, rest)]
  const others = rest.filter(path => !parts.paths.includes(path) && !entries.paths.includes(path))
  const { calls, left, held, ordered, refused } = genericUpdate(situation, latest, others)
  return {
    calls: [...(ofOwn ?? []), ...(ofTags ?? []), ...parts.calls, ...entries.calls, ...calls],
    left: left.filter(path => isGiven(situation, path)),
    held,
    ordered,
    ...given({ refused }),
  }
}

/** Secrets cannot be compared with what AWS has; their hash is compared with the one that they had. */
function changedSecrets({ model, claim, seen }: Situation): { readonly paths: readonly string[]; readonly hash?: string } {
  const hash = seen.secrets.kind === 'read' ? seen.secrets.hash : undefined
  const held = claim.metadata.annotations?.[annotations.secretHash]
  if (hash === undefined || held === undefined || held === hash) return { paths: [] }
  return { paths: secretPaths(model, claim.spec ?? {}), hash }
}

/** Of what differs and of what is wanted there: another wish is another update. It is told in a condition: nothing of a Secret is in it. */
function hashOf({ model, seen, claim }: Situation, delta: readonly string[]): string {
  const names = new Set(delta.map(path => path.split('.')[1]))
  const fields = model.kind.spec.filter(({ camel }) => names.has(camel))
  const secret = fields.filter(field => mayHoldSecret(model, field))
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

function ownOrder(paths: readonly string[]): Condition {
  const message = `AWS keeps its own order of ${list(paths)}`
  return { type: conditions.advisory, status: 'True', reason: 'PersistentDiff', message }
}

/**
 * What the manifest speaks of and AWS has otherwise is not carried out; of what it never spoke of, AWS may keep its own, and of what it has as
 * the manifest says its own order.
 */
function keptBy(situation: Situation, latest: Content, { delta, advisory }: Kept): Update {
  const given = delta.filter(path => isGiven(situation, path) && !isOrderAlone(situation, latest, path))
  const kept = `AWS keeps its own value of ${list(given)}`
  const staying = stayingPaths(situation, []).filter(path => !delta.includes(path))
  return {
    kind: 'in-step',
    advisories: [advisory, ...staysSaid(staying)],
    staying: [...delta, ...staying],
    ...(given.length === 0 ? {} : { kept }),
  }
}

interface Kept {
  readonly delta: readonly string[]
  readonly advisory: Condition
}

function list(paths: readonly string[]): string {
  return paths.join(', ')
}
