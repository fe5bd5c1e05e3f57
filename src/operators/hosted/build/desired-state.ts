// What the platform's framework notes on an object that it wrote: a hash of the object as it was wanted, by which it knows that nothing has to be
// written. Only in upstream's form: ours compares the objects themselves.
import { createHash } from 'node:crypto'
import { isRecord } from '#base'
import type { KubeObject } from '#kube'

export const desiredStateAnnotation = 'hypershift.openshift.io/desired-state-hash'

/** Of the object as JSON without blanks, the names of its fields in order, as Go writes maps. */
export function desiredStateHash(wanted: KubeObject): string {
  return createHash('sha256')
    .update(JSON.stringify(inOrder(wanted)))
    .digest('hex')
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isRecord(value)) return value
  const entries = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, field]) => [name, inOrder(field)]),
  )
}
