// AdoptedResource: makes the object of a resource that is there already, once, in its own namespace, and tells what became of it. What it made
// stays when it goes, and nothing that somebody else made is touched.
import { given } from '#base'
import { findCondition, type KubeObject, type ObjectKey, renderKey, type StoredObject } from '#kube'
import {
  type AnyController,
  type ClaimKey,
  defineController,
  emptyPlan,
  failuresOf,
  indexBy,
  type Plan,
  type Reads,
  type Report,
  type ReportInput,
  type Watch,
} from '#runtime'
import { annotations, conditions, type Resource } from '../api.ts'
import { readyOf } from '../decide/at-rest.ts'
import type { KindModel } from '../model/kind-model.ts'
import { AdoptedResourceError, adoptingObject, askedKey, askedKind } from './adopting-object.ts'
import { type AdoptionWish, adoptedUid, adoptionIn, adoptionNote, isNoted } from './adoption-note.ts'
import { type AdoptedResource, adoptedFinalizer, adoptedResourceKind } from './api.ts'

export interface Adopting {
  readonly claim: AdoptedResource | undefined
  /** Of the kind that is asked for; absent where another process may look after it. */
  readonly model: KindModel | undefined
  /** The object that is asked for, where one of that name is there. */
  readonly target: Resource | undefined
}

export interface AdoptedResourceOptions {
  readonly models: readonly KindModel[]
  /** Which objects are seen. */
  readonly scope: Pick<Watch, 'namespaces' | 'labelSelector'>
}

const targetIndex = 'target of adopted-resource'

export function adoptedResourceController({ models, scope }: AdoptedResourceOptions): AnyController {
  return defineController<Adopting>({
    name: 'resources-adopted-resource',
    fieldManager: 'vouch-resources',
    claims: {
      type: adoptedResourceKind.type,
      optional: true,
      ...given({ namespaces: scope.namespaces }),
      indexes: { [targetIndex]: indexBy<AdoptedResource>(claim => [placeOf(askedKind(claim), askedKey(claim))]) },
    },
    watches: models.map(model => ({ ...targetWatch(model), ...scope })),
    status: { kind: 'subresource', observedGeneration: false, conditionGeneration: false },
    reconciler: {
      observe: (key, reads, signal) => observe(key, models, reads, signal),
      decide: decideAdoption,
      report: reportAdoption,
    },
  })
}

function placeOf({ group, kind }: { readonly group: string; readonly kind: string }, key: ObjectKey): string {
  return `${group}/${kind}/${renderKey(key)}`
}

function targetWatch({ type }: KindModel): Watch {
  return {
    type,
    optional: true,
    toClaims: ({ metadata }, world) =>
      world
        .byIndex(adoptedResourceKind.type, targetIndex, placeOf(type, { ...metadata, namespace: metadata.namespace ?? '' }))
        .map(claim => ({ namespace: claim.metadata.namespace ?? '', name: claim.metadata.name })),
  }
}

async function observe(key: ClaimKey, models: readonly KindModel[], reads: Reads, signal: AbortSignal): Promise<Adopting> {
  const claim = reads.find<AdoptedResource>(adoptedResourceKind.type, key)
  const asked = claim === undefined ? undefined : askedKind(claim)
  const model = models.find(({ type }) => type.group === asked?.group && type.kind === asked.kind)
  const nothing = { claim, model, target: undefined }
  if (claim === undefined || model === undefined) return nothing
  const at = askedKey(claim)
  if (at.namespace !== key.namespace) return nothing
  // What is done is only held against what is seen of its object: a read that fails takes nothing back. Before that the server is asked: an
  // object that lacks the labels by which we select is there as well.
  const target = isDone(claim, model) ? reads.find<Resource>(model.type, at) : await reads.read<Resource>(model.type, at, signal)
  return { ...nothing, target }
}

export function decideAdoption({ claim, model, target }: Adopting): Plan {
  if (claim === undefined) return emptyPlan
  if (claim.metadata.deletionTimestamp !== undefined) return released(claim)
  if (model === undefined) return emptyPlan
  const object = madeBy(claim, model)
  const wish = object instanceof AdoptedResourceError ? undefined : wishOf(object, model, askedKey(claim))
  const before = doneBefore({ claim, target, wish })
  if (before !== undefined) return before
  const { namespace = '' } = claim.metadata
  const at = askedKey(claim)
  if (at.namespace !== namespace)
    return refused(
      'TargetRefused',
      `an AdoptedResource makes objects in its own namespace only, not in ${at.namespace}: move it there, or print the object by vouch export AdoptedResource`,
    )
  if (object instanceof AdoptedResourceError) return refused('InvalidManifest', object.message)
  return adoptionBy(object, target, wishOf(object, model, at))
}

function adoptionBy(object: KubeObject, target: Resource | undefined, wish: AdoptionWish): Plan {
  const { model, at } = wish
  if (target === undefined) {
    const mark = { annotations: { [annotations.adoptionFields]: wish.fields } }
    return {
      ...said('Waiting', `${what(model, at)} is not there yet`),
      actions: [{ kind: 'create', type: model.type, object, mark }],
    }
  }
  if (target.metadata.annotations?.[annotations.adoptionFields] !== wish.fields)
    return refused(
      'TargetRefused',
      `${what(model, at)} is there already and adopts another resource, or none: choose another name`,
    )
  return ofTarget(target, wish)
}

/** What its object tells of itself. */
function ofTarget(target: Resource, wish: AdoptionWish): Plan {
  const told = target.status?.conditions
  const terminal = findCondition(told, conditions.terminal)
  const name = what(wish.model, wish.at)
  if (terminal?.status === 'True') return refused(terminal.reason, `${name}: ${terminal.message}`)
  const adoption = adoptionIn(target, wish)
  if (adoption === 'another') return refused('TargetRefused', `${name} has another resource: choose another name`)
  if (adoption === 'wished' && findCondition(told, conditions.synced)?.status === 'True') return noted(wish, target.metadata.uid)
  const recoverable = findCondition(told, conditions.recoverable)
  return recoverable?.status === 'True'
    ? said(recoverable.reason, `${name}: ${recoverable.message}`)
    : said('Waiting', `${name} is there and has not adopted its resource yet`)
}

function what({ type }: KindModel, at: ObjectKey): string {
  return `${type.kind} ${renderKey(at)}`
}

function wishOf({ metadata }: KubeObject, model: KindModel, at: ObjectKey): AdoptionWish {
  return { model, at, fields: metadata.annotations?.[annotations.adoptionFields] ?? '' }
}

function isDone(claim: AdoptedResource, model: KindModel): boolean {
  if (isLeftByOthers(claim)) return true
  const object = madeBy(claim, model)
  if (object instanceof AdoptedResourceError) return false
  return adoptedUid(claim, wishOf(object, model, askedKey(claim))) !== undefined
}

/** ACK's controllers say that it is done, and leave no note. */
function isLeftByOthers(claim: AdoptedResource): boolean {
  return !isNoted(claim) && findCondition(claim.status?.conditions, conditions.adopted)?.status === 'True'
}

interface DoneOrNot {
  readonly claim: AdoptedResource
  readonly target: Resource | undefined
  readonly wish: AdoptionWish | undefined
}

/**
 * It stays done, so that an object which somebody deleted is not made again: by our note, which the object itself contradicts where it is
 * there and has none of the resource; and as ACK's controllers left it, which have no note. What they adopted is noted where it is seen.
 */
function doneBefore({ claim, target, wish }: DoneOrNot): Plan | undefined {
  const uid = wish === undefined ? undefined : adoptedUid(claim, wish)
  if (wish !== undefined && uid !== undefined)
    return target?.metadata.uid === uid && adoptionIn(target, wish) !== 'wished' ? undefined : noted(wish, uid)
  if (!isLeftByOthers(claim)) return undefined
  return wish !== undefined && target !== undefined && adoptionIn(target, wish) === 'wished'
    ? noted(wish, target.metadata.uid)
    : done(messageOf(findCondition(claim.status?.conditions, conditions.adopted)))
}

function noted(wish: AdoptionWish, uid: string): Plan {
  const plan = done(`adopted as ${what(wish.model, wish.at)}: ${wish.fields}`)
  return { ...plan, conditions: [...plan.conditions, adoptionNote(wish, uid)] }
}

function done(message: string): Plan {
  const adopted = { type: conditions.adopted, status: 'True', reason: 'Adopted', message } as const
  return { actions: [], conditions: [adopted, { ...adopted, type: conditions.ready }], next: { kind: 'await-change' } }
}

/** The published CRD lets it be absent. */
function messageOf(told: { readonly message?: string } | undefined): string {
  return told?.message ?? ''
}

function madeBy(claim: AdoptedResource, model: KindModel): ReturnType<typeof adoptingObject> | AdoptedResourceError {
  try {
    return adoptingObject(claim, model)
  } catch (error) {
    if (error instanceof AdoptedResourceError) return error
    throw error
  }
}

/** On its way: its object tells us when that changes. */
function said(reason: string, message: string): Plan {
  const adopted = { type: conditions.adopted, status: 'False', reason, message } as const
  const recoverable = { type: conditions.recoverable, status: 'True', reason, message } as const
  return { actions: [], conditions: [adopted, recoverable, readyOf([recoverable])], next: { kind: 'await-change' } }
}

/** Only a person can help, who may have to change something else than this object. */
function refused(reason: string, message: string): Plan {
  const adopted = { type: conditions.adopted, status: 'False', reason, message } as const
  const terminal = { type: conditions.terminal, status: 'True', reason, message } as const
  return {
    actions: [],
    conditions: [adopted, terminal, readyOf([terminal])],
    next: { kind: 'look-again', afterMs: refusedLookMs, why: message },
  }
}

const refusedLookMs = 60_000

/** The finalizer of ACK's controllers is for nothing any more: what was adopted is its own object's. */
function released(claim: StoredObject): Plan {
  if (claim.metadata.finalizers?.includes(adoptedFinalizer) !== true) return emptyPlan
  const action = { kind: 'remove-finalizer', type: adoptedResourceKind.type, object: claim, finalizer: adoptedFinalizer } as const
  return { ...emptyPlan, actions: [action] }
}

/** A pass that failed takes back nothing of what was done. */
function reportAdoption({ plan, outcomes }: ReportInput): Report | undefined {
  const [failed] = failuresOf(outcomes)
  if (failed?.kind === 'soon') return undefined
  const all = [conditions.terminal, conditions.recoverable, conditions.ready]
  if (failed !== undefined) {
    const { reason, message } = failed
    return reported(
      said(reason, message).conditions.filter(({ type }) => type !== conditions.adopted),
      all,
    )
  }
  return plan.conditions.length === 0 ? undefined : reported(plan.conditions, [conditions.adopted, ...all])
}

function reported(said: Report['conditions'], all: readonly string[]): Report {
  return { conditions: said, forgotten: all.filter(type => !said.some(each => each.type === type)) }
}
