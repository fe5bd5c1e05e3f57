// Marks that this operator alone writes: its finalizer, and what it notes of adoptions and of calls that went out. Nothing is believed by them; an object
// that carries them from somebody else is a forgery or a leftover, and is refused where people see it at once.
import type { AdmissionAnswer, AdmissionRequest } from '#runtime'
import { annotations, type Resource } from '../api.ts'
import type { KindModel } from '../model/kind-model.ts'

const ours = [annotations.adopted, annotations.createIntent]

/** The API server asks only about requests of others than the operator: its user stands in the webhook's configuration. */
export function admitMarks({ object, oldObject, subResource }: AdmissionRequest, kinds: readonly KindModel[]): AdmissionAnswer {
  const [now, before] = [object as Partial<Resource> | null | undefined, oldObject as Partial<Resource> | null | undefined]
  const model = kinds.find(({ type }) => now?.kind === type.kind && now.apiVersion?.startsWith(`${type.group}/`) === true)
  if (model === undefined || (subResource ?? '') !== '') return { kind: 'allow' }
  const added = [
    ...(isHeld(now, model) && !isHeld(before, model) ? [`the finalizer ${model.finalizer}`] : []),
    ...ours.filter(name => noteOf(now, name) !== undefined && noteOf(now, name) !== noteOf(before, name)),
  ]
  if (added.length === 0) return { kind: 'allow' }
  return { kind: 'deny', message: `${added.join(', ')}: written by the operator alone; leave it out` }
}

function isHeld(object: Partial<Resource> | null | undefined, { finalizer }: KindModel): boolean {
  const finalizers: unknown = object?.metadata?.finalizers
  return Array.isArray(finalizers) && finalizers.includes(finalizer)
}

function noteOf(object: Partial<Resource> | null | undefined, name: string): string | undefined {
  return object?.metadata?.annotations?.[name]
}
