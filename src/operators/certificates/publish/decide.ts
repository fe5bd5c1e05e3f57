// What is written where. Pure; a target that cannot be written is told and keeps nobody else's from being written.
import { given } from '#base'
import { type Condition } from '#kube'
import { type Action, emptyPlan, type Plan } from '#runtime'
import { conditionTypes } from '../api/conditions.ts'
import { type Cert, certKind } from '../api/kinds.ts'
import { annotations, finalizer, publishFinalizer } from '../api/labels.ts'
import { mayHoldMax, type PublishedPlace } from '../api/publish.ts'
import type { PublishTypes } from './kinds.ts'
import { isAnyOursIn, placeId } from './place.ts'
import type { PlaceSeen, PublishPlace, PublishSeen } from './seen.ts'
import { type PlaceWrite, type PublishReason, writeInto } from './write.ts'

export interface PublishSettings {
  readonly types: PublishTypes
  readonly readyMs: number
}

/** What becomes of each place if its write succeeds. */
export interface PlannedPlace {
  readonly place: PlaceSeen
  readonly written: PlaceWrite
  /** What the status said of it. */
  readonly before: PublishedPlace | undefined
}

export function decidePublishing(seen: PublishSeen, settings: PublishSettings): Plan {
  const { claim } = seen
  if (claim === undefined) return emptyPlan
  const places = planPlaces(seen, settings)
  const branches = places.flatMap(({ written }) => (written.kind === 'write' ? [[written.action]] : []))
  if (claim.metadata.deletionTimestamp !== undefined) return release(claim, branches)
  if (places.length === 0 && (claim.status?.published ?? []).length === 0) return emptyPlan
  const noted = notesOf(claim, places)
  if (noted !== undefined)
    return { actions: [addFinalizer(claim)], conditions: [], status: { published: noted }, next: notedFirst }
  const said = saidOf(claim, places, new Map())
  const isAnyThere = said.published.some(isAnyOursIn)
  return {
    actions: [
      ...(isAnyThere ? [addFinalizer(claim)] : []),
      ...(branches.length === 0 ? [] : [{ kind: 'together', branches } as const]),
      ...(isAnyThere || !isHeld(claim) ? [] : [dropFinalizer(claim)]),
    ],
    conditions: said.conditions,
    status: { published: said.published.length === 0 ? undefined : said.published },
    next: { kind: 'look-again', afterMs: settings.readyMs, why: 'what was published is looked at every hour', lane: 'drift' },
  }
}

/** Also for the report, which knows what became of the writes. */
export function planPlaces({ claim, places }: PublishSeen, { types }: Pick<PublishSettings, 'types'>): readonly PlannedPlace[] {
  if (claim === undefined) return []
  const { certificateArn, supersededCertificates = [], published = [] } = claim.status ?? {}
  const former = new Set(supersededCertificates.map(({ arn }) => arn))
  return places.map(place => {
    const before = published.find(entry => placeId(entry) === placeId(place))
    const held = before?.arn
    const ours = new Set([...former, ...(held === undefined ? [] : [held]), ...(before?.mayHold ?? [])])
    // One that is not issued yet, or is lost, leaves what stands there as it is.
    const current = place.isLeft ? undefined : (certificateArn ?? held)
    if (place.isLeft && certificateArn !== undefined) ours.add(certificateArn)
    const isWritable = place.isLeft || claim.status?.certReady === true
    const arns = { current, former: ours, isPrimary: place.isPrimary }
    return { place, before, written: isWritable ? writeInto({ claim, place, arns, types }) : { kind: 'nothing' as const } }
  })
}

const notedFirst = { kind: 'look-again', afterMs: 0, why: 'our record comes before what it is about', lane: 'begun' } as const

/**
 * What the status has to say before anything is written: a place that gets an ARN is known even where the pass ends right after the
 * write, and the Cert names it no more afterwards. `undefined` where all of it is said.
 */
export function notesOf(claim: Cert, places: readonly PlannedPlace[]): readonly PublishedPlace[] | undefined {
  const { certificateArn, published = [] } = claim.status ?? {}
  if (certificateArn === undefined) return undefined
  const fresh = places.flatMap(({ place, written, before }): readonly PublishedPlace[] => {
    if (written.kind !== 'write' || place.isLeft) return []
    const { arn, mayHold = [] } = before ?? {}
    if (arn === certificateArn || mayHold.includes(certificateArn)) return []
    return [entryOf(place, { applied: false, arn, mayHold: [...mayHold, certificateArn].slice(-mayHoldMax), reason: undefined })]
  })
  if (fresh.length === 0) return undefined
  const isFresh = new Set(fresh.map(placeId))
  return [...published.filter(entry => !isFresh.has(placeId(entry))), ...fresh]
}

export interface SaidOfPlaces {
  readonly published: readonly PublishedPlace[]
  readonly conditions: readonly Condition[]
}

/** `failed`: what became of writes that did not succeed, by place. */
export function saidOf(
  claim: Cert,
  places: readonly PlannedPlace[],
  failed: ReadonlyMap<string, PublishReason | 'pending'>,
): SaidOfPlaces {
  const { certificateArn, certReady } = claim.status ?? {}
  const published = places.flatMap(({ place, written, before }): readonly PublishedPlace[] => {
    const reason = written.kind === 'not' ? written.reason : failed.get(placeId(place))
    const asBefore = { applied: false, arn: before?.arn, mayHold: before?.mayHold, reason }
    if (place.isLeft) return reason === undefined ? [] : [entryOf(place, asBefore)]
    if (certReady !== true) return isAnyOursIn(before) ? [entryOf(place, { ...asBefore, reason: undefined })] : []
    if (reason !== undefined) return [entryOf(place, asBefore)]
    return [entryOf(place, { applied: true, arn: certificateArn, mayHold: undefined, reason })]
  })
  return { published, conditions: certReady === true && claim.spec.publish !== undefined ? [conditionOf(published)] : [] }
}

interface SaidOfPlace {
  readonly applied: boolean
  readonly arn: string | undefined
  readonly mayHold: readonly string[] | undefined
  readonly reason: string | undefined
}

function entryOf(
  { kind, name, listener, protocolPort }: PublishPlace,
  { applied, arn, mayHold, reason }: SaidOfPlace,
): PublishedPlace {
  return {
    kind,
    name,
    ...given({ listener, protocolPort }),
    applied,
    ...given({ arn, mayHold }),
    ...(reason === undefined || reason === 'pending' ? {} : { reason }),
  }
}

const words: Readonly<Record<string, string>> = {
  TargetMissing: 'does not exist, or has no such listener',
  Conflict: 'has something else there, which is not overwritten',
  Forbidden: 'may not be written by this operator: a right is missing',
}

function conditionOf(published: readonly PublishedPlace[]): Condition {
  const type = conditionTypes.published
  const wrong = published.find(({ applied, reason }) => !applied && reason !== undefined)
  if (wrong !== undefined) {
    const { kind, name, reason = '' } = wrong
    return { type, status: 'False', reason, message: `${kind} ${name} ${words[reason] ?? ''}` }
  }
  return { type, status: 'True', reason: 'Published', message: 'every target has the current ARN' }
}

/** The last step. A person who lets it go does not wait for targets. */
function release(claim: Cert, branches: readonly (readonly Action[])[]): Plan {
  // The certificate comes first: while something keeps it, what was published stays.
  if (!isHeld(claim) || claim.metadata.finalizers?.includes(finalizer) === true) return emptyPlan
  const isForced = claim.metadata.annotations?.[annotations.forceOrphan] === 'true'
  const last = dropFinalizer(claim)
  const actions: readonly Action[] = isForced
    ? [{ kind: 'together', branches: [...branches, [last]] }]
    : [...(branches.length === 0 ? [] : [{ kind: 'together', branches } as const]), last]
  return { actions, conditions: [], next: { kind: 'await-change' } }
}

function addFinalizer(claim: Cert): Action {
  return { kind: 'add-finalizer', type: certKind.type, object: claim, finalizer: publishFinalizer }
}

function isHeld({ metadata }: Cert): boolean {
  return metadata.finalizers?.includes(publishFinalizer) === true
}

function dropFinalizer(claim: Cert): Action {
  return { kind: 'remove-finalizer', type: certKind.type, object: claim, finalizer: publishFinalizer }
}
