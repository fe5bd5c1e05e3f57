// What the webhook answers: a function of the request and of what is known of the cluster.
import type { KubeObject } from '#kube'
import type { AdmissionAnswer, AdmissionRequest } from '#runtime'
import { modelOf, versionOf } from '../convert/convert.ts'
import { isFields, type VisibleFields, valueAt } from '../convert/visible.ts'
import { cautions, newRefusals } from './cautions.ts'
import { joinRefusals, refusals } from './checks.ts'

export interface JudgeContext {
  readonly isOpenShift: boolean
  readonly hasRoutes: boolean
  /** Objects that write the same names in the same zones, as far as is known. */
  rivalsOf?(object: KubeObject): readonly string[]
}

export function judge(
  request: Pick<AdmissionRequest, 'operation' | 'object' | 'oldObject'>,
  context: JudgeContext,
): AdmissionAnswer {
  const { object, oldObject } = request
  if (request.operation === 'DELETE' || object === null || object === undefined) return { kind: 'allow' }
  const version = versionOf(object) ?? 'v1beta1'
  const isNewest = version === 'v1beta2'
  const { spec } = modelOf(object)
  const hadCrdSource = request.operation === 'UPDATE' && isFields(oldObject) && saysCrd(oldObject.spec)
  const plain = refusals(spec, { isOpenShift: context.isOpenShift, isNewest, hadCrdSource })
  const strict = newRefusals(spec, { ...context, name: object.metadata.name ?? '' })
  // A name that was emptied, and not left out, is no way to say "none" in the newest version.
  const emptied = isFields(object) ? emptyNameRefusals(object) : []
  const refused = [...plain, ...(isNewest ? [...emptied, ...strict] : [])]
  const rivals = context.rivalsOf?.(object) ?? []
  const warnings = [...(isNewest ? [] : strict), ...cautions(spec), ...rivals]
  if (refused.length === 0) return { kind: 'allow', warnings }
  return { kind: 'deny', code: 403, reason: 'Forbidden', message: joinRefusals(refused), warnings }
}

function saysCrd(spec: unknown): boolean {
  return isFields(spec) && isFields(spec.source) && spec.source.type === 'CRD'
}

function emptyNameRefusals(object: VisibleFields): readonly string[] {
  const isEmptied = [
    ['aws', 'credentials'],
    ['gcp', 'credentials'],
    ['azure', 'configFile'],
  ].some(path => valueAt(object, ['spec', 'provider', ...path, 'name']) === '')
  return isEmptied ? ['the name of a Secret cannot be empty; leave the field out'] : []
}
