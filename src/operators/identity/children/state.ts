// How a child is, as far as its parent cares: there or not, whose, in sync or why not, and its ARN.
import { given, type Instant } from '#base'
import { customResourceDefinitions, type ObjectKey, type StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import { awaitChange, lookAgain, type Next, type Reads, sooner, Trouble } from '#runtime'
import type { ChildParent } from './child.ts'
import { type AckResourceEntry, ackConditionsOf, entryOf } from './entry.ts'
import type { ChildKind } from './kinds.ts'
import { ownershipOf } from './ownership.ts'
import { type ChildTrouble, troubleOf } from './trouble.ts'

/** Whether it is there, and whose. Only of what is ours more is told. */
export type ChildState<Arn extends string = string> = AbsentChild | ForeignChild | OwnChild<Arn>

/** What is told of a child that is ours, and of no other. */
interface Untold {
  readonly arn?: undefined
  readonly trouble?: undefined
  readonly madeAt?: undefined
  readonly entry?: undefined
}

/** Nothing has the name. */
export interface AbsentChild extends Untold {
  readonly owned: 'none'
  readonly object?: undefined
  readonly lookAgainMs?: undefined
}

/** Somebody else's has the name. */
export interface ForeignChild extends Untold {
  readonly owned: 'foreign'
  /** The object that has it, for those who tell of it. */
  readonly object?: StoredObject
  /** When to look again, where nobody tells of a change: a stranger's resource in AWS, whose name may be free again. */
  readonly lookAgainMs?: number
}

/** `Arn` is as narrow as whoever reads the child has proven it. */
export interface OwnChild<Arn extends string = string> {
  readonly owned: 'ours'
  readonly stage: OwnStage
  readonly arn?: Arn
  /** What the child says is wrong. */
  readonly trouble?: ChildTrouble
  /** When it was made; unknown counts as long ago. */
  readonly madeAt?: Instant
  /** For the parent's status. */
  readonly entry?: AckResourceEntry
  /** The object itself, for those who change or delete it. */
  readonly object?: StoredObject
  readonly lookAgainMs?: undefined
}

/**
 * `synced`: `ACK.ResourceSynced` is True, of what the child was made for. `waiting`: not yet. `refused`: its controller will not try again
 * before something is changed; its trouble says why. `going`: somebody deletes it.
 */
export type OwnStage = 'synced' | 'waiting' | 'refused' | 'going'

export function isSynced(state: ChildState): boolean {
  return state.owned === 'ours' && state.stage === 'synced'
}

export function isGoing(state: ChildState): boolean {
  return state.owned === 'ours' && state.stage === 'going'
}

/** The trouble of an object that belongs to the other way of writing (direct/left-over.ts). */
export const leftOverReason = 'LeftOver'

/** The trouble of a child that stands for another resource than the one that it was made for. */
const otherReason = 'OtherResource'

/** When one of these has to be looked at by itself, which is when what is in its way may be over. */
export function lookForChildren(...states: readonly ({ readonly lookAgainMs?: number | undefined } | undefined)[]): Next {
  const looks = states.map(state => lookAgain(state?.lookAgainMs, 'what is in the way may be over by then'))
  return looks.reduce(sooner, awaitChange)
}

/** Of a child that is not there. */
export const absentChild: AbsentChild = { owned: 'none' }

export interface ChildPlace {
  readonly kind: ChildKind
  readonly key: ObjectKey
  /** What AWS knows the resource by, where that is not the child's name: the URL of a provider's issuer. */
  readonly identity?: string
  readonly parent: Pick<ChildParent, 'object' | 'uidLabel'>
}

/** Judges what was read. */
export function readChild(object: StoredObject | undefined, place: ChildPlace): ChildState {
  const { kind, key, parent } = place
  if (object === undefined) return absentChild
  if (ownershipOf(object, parent) !== 'ours') return { owned: 'foreign', object }
  const conditions = ackConditionsOf(object)
  const { creationTimestamp } = object.metadata
  const named = arnOf(object)
  const isOther = named !== undefined && !standsFor(named, place)
  const arn = isOther ? undefined : named
  const trouble = isOther ? otherResource(named) : troubleOf(conditions)
  return {
    owned: 'ours',
    stage: stageOf(object, conditions, trouble),
    entry: entryOf(kind.type, key, conditions),
    object,
    ...(creationTimestamp === undefined || creationTimestamp === null ? {} : { madeAt: Date.parse(creationTimestamp) }),
    ...given({ arn, trouble }),
  }
}

function stageOf(
  object: StoredObject,
  conditions: ReturnType<typeof ackConditionsOf>,
  trouble: ChildTrouble | undefined,
): OwnStage {
  const says = (wanted: string): boolean => conditions.some(({ type, status }) => type === wanted && status === 'True')
  if (object.metadata.deletionTimestamp !== undefined) return 'going'
  if (trouble !== undefined && says('ACK.Terminal')) return 'refused'
  return trouble?.reason !== otherReason && says('ACK.ResourceSynced') ? 'synced' : 'waiting'
}

/**
 * A child can be made to stand for another resource, by the annotations with which its controller adopts what is there, or by its status:
 * the role of a neighbour would be handed out. The names are ours, and ARNs end in them.
 */
function standsFor(arn: string, { kind, key, identity }: ChildPlace): boolean {
  if (identity !== undefined) return arn.endsWith(`:oidc-provider/${identity.replace(/^https:\/\//, '')}`)
  return !kind.isNamedInArn || arn.endsWith(`/${key.name}`)
}

/** Nothing is done to such a child: what is written to it, its controller writes to somebody else's resource. */
export function standsForOther({ trouble }: ChildState): boolean {
  return trouble?.reason === otherReason
}

function otherResource(arn: string): ChildTrouble {
  const step =
    'take the annotations services.k8s.aws/adoption-* off it, or delete it while its controller keeps what it stands for'
  return { reason: otherReason, message: `the object stands for ${arn}, which is not what it was made for: ${step}` }
}

/**
 * Looks the child up. From the cache; where there is none, since the kind came late or never, from the server: a kind that is missing
 * has no objects. A 404 does not tell a kind that is missing from one that is not served just now, as by an API server that starts: the
 * definition does, and while it is there nothing is known of the child (P5).
 */
export async function findChild(
  world: Reads,
  kind: ChildKind,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<StoredObject | undefined> {
  if (world.isSynced(kind.type)) return world.find(kind.type, key)
  try {
    return await world.read(kind.type, key, signal)
  } catch (error) {
    if (!(error instanceof KubeError) || error.reason !== 'NotFound') throw error
    const definition = `${kind.type.plural}.${kind.type.group}`
    if (world.find(customResourceDefinitions, { namespace: '', name: definition }) === undefined) return undefined
    const message = `the API server does not serve ${definition} just now, though its definition is there`
    throw new Trouble({ kind: 'backoff', reason: 'KindMissing', message, cause: error })
  }
}

function arnOf(object: StoredObject): string | undefined {
  const { status } = object as { readonly status?: { readonly ackResourceMetadata?: { readonly arn?: unknown } } }
  const arn = status?.ackResourceMetadata?.arn
  return typeof arn === 'string' && arn !== '' ? arn : undefined
}
