// When what an object says of a field of a random kind is so: AWS has it, or the object names it.
import type { Random } from '#base'
import { findCondition } from '#kube'
import type { Resource } from '#operators/resources'
import type { SmallField } from './small-aws.ts'

export function jsonOf({ name }: SmallField): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

export function valueOf({ shape, entries }: SmallField, random: Random): unknown {
  if (entries !== undefined) return entriesOf(entries, random)
  const number = 1 + Math.floor(random.float() * 3)
  if (shape === 'String') return `v${number}`
  if (shape === 'Integer') return number
  if (shape === 'Box') return boxOf(random)
  if (shape === 'Boxes') return Array.from({ length: number }, () => boxOf(random))
  return shape === 'Boolean' ? number > 1 : { k: `v${number}` }
}

/** With one of its members at least. */
function boxOf(random: Random): object {
  const key = random.float() < 0.6 ? { key: `k${1 + Math.floor(random.float() * 3)}` } : {}
  const size = random.float() < 0.6 ? { size: 1 + Math.floor(random.float() * 3) } : {}
  const tint = random.float() < 0.3 ? { tint: 'red' } : {}
  const box = { ...key, ...size, ...tint }
  return Object.keys(box).length === 0 ? { size: 1 } : box
}

/** In the order of their keys. */
function entriesOf(entries: 'list' | 'map', random: Random): unknown {
  const keys = ['a', 'b', 'c'].filter(key => key === 'a' || random.float() < 0.6).slice(random.float() < 0.3 ? 1 : 0)
  const some = keys.length === 0 ? ['c'] : keys
  return entries === 'list' ? some : Object.fromEntries(some.map(key => [key, `v${1 + Math.floor(random.float() * 3)}`]))
}

interface Sides {
  readonly wanted: unknown
  readonly held: unknown
  readonly isDrift: boolean
  /** Whether the manifest spoke of it before, where that is known. */
  readonly wasWanted?: boolean
}

/** A field that was taken out is gone where there is a word for it; drift shows where somebody tells of it. */
export function isTrueOf(field: SmallField, { wanted, held, isDrift, wasWanted = false }: Sides): boolean {
  const isTold = field.isTold || (field.isPart && field.isPartTold)
  if (isDrift && !isTold) return true
  if (wanted !== undefined) return holds(held, wanted, isDrift && field.isKeyTold === false ? ['key'] : [])
  const canGo = field.isPart && field.isPartRemoved && isTold
  // A switch that is off is one that nobody switched on.
  return held === undefined || held === false || (!canGo && (!wasWanted || isDrift))
}

/** What a manifest does not say within a box is AWS's own choice. */
function holds(held: unknown, wanted: unknown, unseen: readonly string[]): boolean {
  if (Array.isArray(wanted) && wanted.some(each => typeof each === 'object'))
    return Array.isArray(held) && held.length === wanted.length && wanted.every((each, index) => holds(held[index], each, unseen))
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return JSON.stringify(held) === JSON.stringify(wanted)
  const box = (held ?? {}) as Record<string, unknown>
  return Object.entries(wanted).every(
    ([name, value]) => unseen.includes(name) || [box[name], box[capital(name)]].some(each => holds(each, value, unseen)),
  )
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** In a condition of its own, or as what keeps the object from being Ready. */
export function isNamed(object: Resource | undefined, { name }: Pick<SmallField, 'name'>): boolean {
  const all = object?.status?.conditions ?? []
  const told = all.filter(({ type, status }) => /Advisory|Terminal|Recoverable/.test(type) && status === 'True')
  const isReady = findCondition(all, 'Ready')?.status === 'True'
  const isSaid = told.some(({ message }) => message.includes(`Spec.${name}`))
  // AWS keeps its own value: told, and Ready all the same.
  const isKept = told.some(({ message }) => /AWS keeps its own value|does not speak of/.test(message))
  return isSaid && (!isReady || isKept)
}
