// What may not be deleted, and what AWS would refuse. Pure: the request, the kinds and the mode (S19). Nothing is safe by it alone: the
// controller keeps what is protected, too, and AWS has the last word on values.
import type { AdmissionAnswer, AdmissionRequest } from '#runtime'
import { annotations, type Resource } from '../api.ts'
import { isRecord } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import { constraintProblems } from './constraints.ts'

/** What becomes of a value that the API's model does not allow. */
export type ManifestChecks = 'warn' | 'deny'

const allow: AdmissionAnswer = { kind: 'allow' }
/** As the API server says of what a schema refuses. */
const asBySchema = 'Invalid'

export function admit(request: AdmissionRequest, kinds: readonly KindModel[], mode: ManifestChecks): AdmissionAnswer {
  const { resource, operation } = request
  if ((request.subResource ?? '') !== '') return allow
  const model = kinds.find(({ type }) => type.group === resource.group && type.plural === resource.resource)
  if (model === undefined) return allow
  return operation === 'DELETE' ? admitDeletion(request, model) : admitManifest(request, model, mode)
}

function admitDeletion({ oldObject, namespace, name }: AdmissionRequest, { kind }: KindModel): AdmissionAnswer {
  const held = isRecord(oldObject?.metadata) ? oldObject.metadata.annotations : undefined
  const value = isRecord(held) ? held[annotations.deletionProtection] : undefined
  if (typeof value !== 'string' || value.toLowerCase() !== 'true') return allow
  return {
    kind: 'deny',
    message: `${kind.kind} ${namespace ?? ''}/${name ?? ''} is protected: take its annotation ${annotations.deletionProtection} away first`,
  }
}

function admitManifest({ object, oldObject }: AdmissionRequest, model: KindModel, mode: ManifestChecks): AdmissionAnswer {
  const [now, before] = [object as Partial<Resource> | null | undefined, oldObject as Partial<Resource> | null | undefined]
  if (now?.metadata?.deletionTimestamp !== undefined || !isRecord(now?.spec)) return allow
  // Problems that the manifest had before are not told again: they must not keep anybody from changing something else.
  const known = isRecord(before?.spec) ? constraintProblems(model, before.spec) : []
  const problems = constraintProblems(model, now.spec).filter(problem => !known.includes(problem))
  if (problems.length === 0) return allow
  if (mode === 'warn') return { kind: 'allow', warnings: problems.map(problem => `AWS will refuse this: ${problem}`) }
  return { kind: 'deny', code: 422, reason: asBySchema, message: problems.join('; ') }
}
