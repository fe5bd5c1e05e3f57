// Writes a report where the claim's status lives: the status subresource, or, for kinds that have none of ours, an annotation. Only
// what differs is sent, and only onto the generation that was looked at (S8).
import { type Clock, isRecord, readJson, renderPointer } from '#base'
import { keyOf, mergeConditions, type ResourceType, type StoredCondition, type StoredObject } from '#kube'
import { compareAndPatch, type PatchOperation, test } from './compare-and-patch.ts'
import { isEqualJson } from './difference.ts'
import type { Report } from './report.ts'
import type { Target } from './target.ts'
import { Trouble } from './trouble.ts'
import type { Writer } from './writer.ts'

/** Where what we have to say is kept. */
export type StatusPlace =
  | {
      readonly kind: 'subresource' /** Whether `status.observedGeneration` is part of the kind. */
      readonly observedGeneration: boolean
      /** False where the kind's conditions have no `observedGeneration`: the server would drop it, and it would be sent for ever. */
      readonly conditionGeneration?: boolean
      /** Fields that say what was decided once, such as a request that was taken up: they are not written over by who did not see them. */
      readonly decidedOnce?: readonly string[]
    }
  /** As JSON in one annotation. */
  | { readonly kind: 'annotation'; readonly name: string }

export interface StatusWrite {
  readonly target: Target
  readonly type: ResourceType
  readonly claim: StoredObject
  readonly report: Report
  readonly place: StatusPlace
  /** A condition turns when its write is sent, also where that is the second try. */
  readonly clock: Pick<Clock, 'now'>
}

type Fields = Readonly<Record<string, unknown>>

/** True when something was written, or would have been in a dry run. */
export async function writeStatus(writer: Writer, write: StatusWrite): Promise<boolean> {
  const { target, type, claim, place } = write
  let writes = 0
  const build = (object: StoredObject): readonly PatchOperation[] => {
    if (object.metadata.generation !== (write.report.generation ?? claim.metadata.generation)) {
      throw new Trouble({ kind: 'soon', reason: 'Stale', message: 'the spec changed while it was worked on' })
    }
    const current = readStatus(object, place)
    // What this pass has to say is a part of it: alone it would look as if nothing else had ever been said.
    if (current === undefined && readStatus(claim, place) !== undefined)
      throw new Trouble({ kind: 'soon', reason: 'Stale', message: 'the status was taken away while it was worked on' })
    const wanted = wantedStatus(current, write)
    if (isDecidedAnew(current, wanted, write)) {
      throw new Trouble({ kind: 'soon', reason: 'Stale', message: 'what was decided meanwhile has not been heard of yet' })
    }
    const operations =
      place.kind === 'annotation' ? annotate(object, place.name, current, wanted) : patchStatus(object, current, wanted)
    if (operations.length > 0) writes++
    return operations
  }
  const subresource = place.kind === 'subresource' ? { subresource: 'status' } : {}
  const written = await compareAndPatch(writer, { target, type, key: keyOf(claim), seen: claim, build, ...subresource })
  // The cache will hear of it. Until then whoever wants to look again at once finds the same claim, and would never rest.
  if (written === undefined)
    throw new Trouble({ kind: 'soon', reason: 'Stale', message: 'the claim is gone, and its end has not been heard of yet' })
  return writes > 0
}

/** Whether a field that is decided once is not any more what the decision rests on, and would be changed again. */
function isDecidedAnew(current: Fields | undefined, wanted: Fields, { claim, place }: StatusWrite): boolean {
  if (place.kind !== 'subresource' || place.decidedOnce === undefined) return false
  const seen = readStatus(claim, place)
  return place.decidedOnce.some(
    name => !isEqualJson(current?.[name], seen?.[name]) && !isEqualJson(current?.[name], wanted[name]),
  )
}

/** What is said of the claim now. Text in an annotation that is not ours is nothing said. */
export function readStatus(object: StoredObject, place: StatusPlace): Fields | undefined {
  if (place.kind === 'subresource') return (object as { readonly status?: Fields }).status
  const said = readJson(object.metadata.annotations?.[place.name] ?? '')
  return isRecord(said) ? said : undefined
}

/** Conditions as they stand, tolerating a status that somebody else wrote. */
export function conditionsIn(status: Fields | undefined): readonly StoredCondition[] {
  const conditions = status?.conditions
  return Array.isArray(conditions) ? (conditions as StoredCondition[]) : []
}

function wantedStatus(current: Fields | undefined, { report, claim, place, clock }: StatusWrite): Fields {
  const forgotten = new Set(report.forgotten)
  const held = conditionsIn(current).filter(({ type }) => !forgotten.has(type))
  const generation = report.generation ?? claim.metadata.generation
  const ofConditions = place.kind === 'subresource' && place.conditionGeneration === false ? undefined : generation
  const conditions = mergeConditions(held, report.conditions, { now: clock.now(), generation: ofConditions })
  const wanted: Record<string, unknown> = { ...current, ...report.status }
  if (conditions.length > 0) wanted.conditions = conditions
  else if (forgotten.size > 0) wanted.conditions = undefined
  if (place.kind === 'subresource' && place.observedGeneration && generation !== undefined && report.conditions.length > 0) {
    wanted.observedGeneration = generation
  }
  for (const [name, value] of Object.entries(wanted)) if (value === undefined) delete wanted[name]
  return wanted
}

function annotate(object: StoredObject, name: string, current: Fields | undefined, wanted: Fields): readonly PatchOperation[] {
  if (isEqualJson(current ?? {}, wanted)) return []
  const value = JSON.stringify(wanted)
  const { annotations } = object.metadata
  const path = renderPointer(['metadata', 'annotations', name])
  const held = annotations?.[name]
  if (held !== undefined) return [test(path, held), { op: 'replace', path, value }]
  const version = test('/metadata/resourceVersion', object.metadata.resourceVersion)
  if (annotations === undefined) return [version, { op: 'add', path: '/metadata/annotations', value: { [name]: value } }]
  return [version, { op: 'add', path, value }]
}

function patchStatus(object: StoredObject, current: Fields | undefined, wanted: Fields): readonly PatchOperation[] {
  const generation = object.metadata.generation === undefined ? [] : [test('/metadata/generation', object.metadata.generation)]
  const version = test('/metadata/resourceVersion', object.metadata.resourceVersion)
  if (current === undefined) {
    return Object.keys(wanted).length === 0 ? [] : [version, { op: 'add', path: '/status', value: wanted }]
  }
  const operations: PatchOperation[] = []
  let needsVersion = false
  for (const name of new Set([...Object.keys(current), ...Object.keys(wanted)])) {
    const held = current[name]
    const value = wanted[name]
    if (isEqualJson(held, value)) continue
    const path = renderPointer(['status', name])
    if (name === 'conditions' && Array.isArray(held) && Array.isArray(value) && value.length >= held.length)
      operations.push(...patchConditions(held, value))
    else if (value === undefined) operations.push(test(path, held), { op: 'remove', path })
    else if (held === undefined) {
      // Absence cannot be tested for: the version stands in.
      needsVersion = true
      operations.push({ op: 'add', path, value })
    } else operations.push(test(path, held), { op: 'replace', path, value })
  }
  if (operations.length === 0) return []
  return [...generation, ...(needsVersion ? [version] : []), ...operations]
}

/** Merged conditions keep the places of those that were there; new ones are at the end. */
function patchConditions(held: readonly unknown[], wanted: readonly unknown[]): readonly PatchOperation[] {
  const operations: PatchOperation[] = []
  for (const [index, value] of wanted.entries()) {
    const path = `/status/conditions/${index}`
    if (index >= held.length) operations.push({ op: 'add', path: '/status/conditions/-', value })
    else if (!isEqualJson(held[index], value)) operations.push(test(path, held[index]), { op: 'replace', path, value })
  }
  if (wanted.length > held.length) operations.unshift(test('/status/conditions', held))
  return operations
}
