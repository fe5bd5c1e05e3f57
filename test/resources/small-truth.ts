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
  return shape === 'Boolean' ? number > 1 : { k: `v${number}` }
}

/** In the order of their keys. */
function entriesOf(entries: 'list' | 'map', random: Random): unknown {
  const keys = ['a', 'b', 'c'].filter(key => key === 'a' || random.float() < 0.6).slice(random.float() < 0.3 ? 1 : 0)
  const some = keys.length === 0 ? ['c'] : keys
  return entries === 'list' ? some : Object.fromEntries(some.map(key => [key, `v${1 + Math.floor(random.float() * 3)}`]))
}

/** A field that was taken out is gone where there is a word for it; drift shows where somebody tells of it. */
export function isTrueOf(
  field: SmallField,
  { wanted, held, isDrift }: { readonly wanted: unknown; readonly held: unknown; readonly isDrift: boolean },
): boolean {
  const isTold = field.isTold || (field.isPart && field.isPartTold)
  if (isDrift && !isTold) return true
  if (wanted !== undefined) return JSON.stringify(wanted) === JSON.stringify(held)
  const canGo = field.isPart && field.isPartRemoved && isTold
  // A switch that is off is one that nobody switched on.
  return held === undefined || held === false || !canGo
}

/** In a condition of its own, or as what keeps the object from being Ready. */
export function isNamed(object: Resource | undefined, { name }: SmallField): boolean {
  const all = object?.status?.conditions ?? []
  const told = all.filter(({ type, status }) => /Advisory|Terminal|Recoverable/.test(type) && status === 'True')
  const isReady = findCondition(all, 'Ready')?.status === 'True'
  const isSaid = told.some(({ message }) => message.includes(`Spec.${name}`))
  // AWS keeps its own value: told, and Ready all the same.
  const isKept = told.some(({ message }) => message.includes('AWS keeps its own value'))
  return isSaid && (!isReady || isKept)
}
