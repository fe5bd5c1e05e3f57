// What came of a run, in a form in which two runs can be compared: how often each object was written, and how the world ended.

import { isRecord } from '#base'
import type { ObjectRole } from '../subject.ts'
import { cloudName } from '../world/cloud.ts'
import type { World } from '../world/world.ts'

export interface WriteCount {
  readonly role: ObjectRole
  readonly writes: number
  readonly retries: number
}

/** How often processes wrote each claim and each external object, by server and path. */
export function countWrites(world: World): ReadonlyMap<string, WriteCount> {
  const counts = new Map<string, WriteCount>()
  const seen = new Set<string>()
  for (const { by, server, key, before, after } of world.effects) {
    const object = after ?? before
    if (by === 'user' || object === undefined) continue
    const role = world.subject.roleOf(object)
    if (role !== 'claim' && role !== 'external') continue
    const raw = `${server} ${key}`
    const place = withoutUids(world, raw)
    const held = counts.get(place)
    // Two that have one name but for a uid count as one.
    const retries = server !== cloudName && seen.has(raw) ? 0 : world.counts.retriesOf(server, key)
    seen.add(raw)
    counts.set(place, { role, writes: (held?.writes ?? 0) + 1, retries: (held?.retries ?? 0) + retries })
  }
  return counts
}

function withoutUids({ subject: { madeOfUids } }: World, text: string): string {
  return madeOfUids === undefined ? text : text.replaceAll(madeOfUids, '<made of a uid>')
}

/** The final objects without what the server makes up, for comparing two runs (D1, D3). */
export function renderState(world: World): string {
  const lines: string[] = []
  for (const [server, shadow] of world.shadows) {
    for (const [key, object] of shadow.objects) {
      const role = world.subject.roleOf(object)
      if (role !== 'claim' && role !== 'external') continue
      lines.push(
        withoutUids(world, `${server} ${key} ${JSON.stringify(withoutFreeFields(world.subject.endsAs?.(object) ?? object))}`),
      )
    }
  }
  return lines.sort().join('\n')
}

const freeFields = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'lastTransitionTime',
  'managedFields',
  'time',
  'generation',
  'observedGeneration',
])

function withoutFreeFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFreeFields)
  if (typeof value === 'string') return value.replaceAll(uuids, '<uid>').replaceAll(instants, '<time>')
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !freeFields.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, child]) => [name, withoutFreeFields(inOrderOfKeys(child))]),
  )
}

/** Lists that the API server keeps as maps, conditions by type and named objects by their place: which was said first is nobody's news. */
function inOrderOfKeys(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const keys = value.map(keyOfEntry)
  if (keys.includes(undefined)) return value
  return value.toSorted((a, b) => ((keyOfEntry(a) ?? '') < (keyOfEntry(b) ?? '') ? -1 : 1))
}

function keyOfEntry(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined
  const { type, status, apiVersion, kind, namespace, name } = entry
  if (typeof type === 'string' && typeof status === 'string') return type
  const place = [apiVersion, kind, name]
  return place.every(part => typeof part === 'string') ? [...place, namespace].join('/') : undefined
}

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const instants = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g
