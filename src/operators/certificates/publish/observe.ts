// Looks at the objects that a Cert names, on the server itself: they change with every hand, and a pass is rare. What may not be looked at
// is a value too.
import { given } from '#base'
import { type ObjectKey, renderLabelSelector, type StoredObject, selectorFromObject } from '#kube'
import { KubeError } from '#kube/client'
import type { Reads } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import { finalizer } from '../api/labels.ts'
import { objectsPerTargetMax, type PublishedPlace, type PublishTarget, publishKinds } from '../api/publish.ts'
import type { PublishTypes } from './kinds.ts'
import { isAnyOursIn, placeId } from './place.ts'
import type { FoundObject, PlaceSeen, PublishPlace, PublishSeen } from './seen.ts'

export interface PublishLook {
  readonly world: Reads
  readonly types: PublishTypes
  readonly signal: AbortSignal
}

export async function observePublishing(key: ObjectKey, look: PublishLook): Promise<PublishSeen> {
  const claim = look.world.find<Cert>(certKind.type, key)
  if (claim === undefined || !isTime(claim)) return { claim, places: [] }
  const wanted: PlaceSeen[] = []
  const isGoing = claim.metadata.deletionTimestamp !== undefined
  // What a claim that goes asked for may hold its ARN, whatever became of its status.
  for (const target of claim.spec.publish ?? [])
    wanted.push(
      ...(await placesOf(target, key, look)).map(place => (isGoing ? { ...place, isPrimary: false, isLeft: true } : place)),
    )
  const known = new Set(wanted.map(placeId))
  const left: PlaceSeen[] = []
  for (const entry of claim.status?.published ?? []) {
    const place = placeIn(entry)
    if (place === undefined || !isAnyOursIn(entry) || known.has(placeId(place))) continue
    left.push({ ...place, isPrimary: false, isLeft: true, found: await find(place, key, look) })
  }
  return { claim, places: [...wanted, ...left] }
}

/** While it goes, only once the certificate is settled: whoever still uses it keeps what was written. */
function isTime({ metadata, status }: Cert): boolean {
  if (metadata.deletionTimestamp !== undefined) return metadata.finalizers?.includes(finalizer) !== true
  return status?.certificateArn !== undefined || (status?.published ?? []).length > 0
}

async function placesOf(target: PublishTarget, { namespace }: ObjectKey, look: PublishLook): Promise<readonly PlaceSeen[]> {
  const { kind, name, selector = {}, primary: isPrimary, listener, protocolPort } = target
  const where = {
    kind,
    isPrimary,
    isLeft: false,
    ...given({ listener, protocolPort }),
  }
  if (name !== undefined) return [{ ...where, name, found: await find({ kind, name }, { namespace, name }, look) }]
  const text = renderLabelSelector(selectorFromObject({ matchLabels: selector }))
  const selected = await select(kind, { namespace, text }, look)
  if (selected.length === 0) return [{ ...where, name: text, found: { kind: 'missing' } }]
  if (selected === 'forbidden') return [{ ...where, name: text, found: { kind: 'forbidden' } }]
  return selected.map(object => ({ ...where, name: object.metadata.name, found: { kind: 'present', object } }))
}

async function select(
  kind: PublishPlace['kind'],
  { namespace, text }: { readonly namespace: string; readonly text: string },
  { world, types, signal }: PublishLook,
): Promise<readonly StoredObject[] | 'forbidden'> {
  try {
    const found = await world.readAll(types[kind], { namespace, labelSelector: text }, signal)
    return found.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1)).slice(0, objectsPerTargetMax)
  } catch (error) {
    const refused = refusalOf(error)
    if (refused === undefined) throw error
    return refused === 'Forbidden' ? 'forbidden' : []
  }
}

async function find(
  { kind, name }: Pick<PublishPlace, 'kind' | 'name'>,
  { namespace }: ObjectKey,
  { world, types, signal }: PublishLook,
): Promise<FoundObject> {
  try {
    const object = await world.read(types[kind], { namespace, name }, signal)
    return object === undefined ? { kind: 'missing' } : { kind: 'present', object }
  } catch (error) {
    const refused = refusalOf(error)
    if (refused === undefined) throw error
    return { kind: refused === 'Forbidden' ? 'forbidden' : 'missing' }
  }
}

/** A kind that is not installed has no objects. */
function refusalOf(error: unknown): 'Forbidden' | 'NotFound' | undefined {
  if (!(error instanceof KubeError) || error.code !== 'refused') return undefined
  return error.reason === 'Forbidden' || error.reason === 'NotFound' ? error.reason : undefined
}

function placeIn({ kind: text, name, listener, protocolPort }: PublishedPlace): PublishPlace | undefined {
  const kind = publishKinds.find(each => each === text)
  if (kind === undefined) return undefined
  return { kind, name, ...given({ listener, protocolPort }) }
}
