// What the webhook answers: a function of the request and of what is known of the cluster.
import type { AdmissionAnswer, AdmissionRequest } from '#runtime'
import type { DnsObject } from '../api/kinds.ts'
import { modelOf, versionOf } from '../convert/convert.ts'
import { isFields } from '../convert/visible.ts'
import { cautions, newRefusals } from './cautions.ts'
import { joinRefusals, refusals } from './checks.ts'

export interface JudgeContext {
  readonly isOpenShift: boolean
  readonly hasRoutes: boolean
  /** Objects that write the same names in the same zones, as far as is known. */
  rivalsOf?(object: DnsObject): readonly string[]
}

export function judge(
  request: Pick<AdmissionRequest, 'operation' | 'object' | 'oldObject'>,
  context: JudgeContext,
): AdmissionAnswer {
  const object = request.object as DnsObject | null | undefined
  if (request.operation === 'DELETE' || object === null || object === undefined) return { kind: 'allow' }
  const version = versionOf(object) ?? 'v1beta1'
  const isNewest = version === 'v1beta2'
  const { spec } = modelOf(object)
  const old = request.operation === 'UPDATE' ? (request.oldObject as DnsObject | null | undefined) : undefined
  const hadCrdSource = isFields(old?.spec) && isFields(old.spec.source) && old.spec.source.type === 'CRD'
  const plain = refusals(spec, { isOpenShift: context.isOpenShift, isNewest, hadCrdSource })
  const strict = newRefusals(spec, { name: object.metadata.name ?? '', hasRoutes: context.hasRoutes })
  // A name that was emptied, and not left out, is no way to say "none" in the newest version.
  const emptied = isNewest ? emptyNameRefusals(object) : []
  const refused = [...plain, ...(isNewest ? [...emptied, ...strict] : [])]
  const rivals = context.rivalsOf?.(object) ?? []
  const warnings = [...(isNewest ? [] : strict), ...cautions(spec), ...rivals]
  if (refused.length === 0) return { kind: 'allow', warnings }
  return { kind: 'deny', code: 403, reason: 'Forbidden', message: joinRefusals(refused), warnings }
}

function emptyNameRefusals(object: DnsObject): readonly string[] {
  const { aws, gcp, azure } = object.spec.provider ?? {}
  const names = [aws?.credentials, gcp?.credentials, azure?.configFile]
  return names.some(secret => secret?.name === '') ? ['the name of a Secret cannot be empty; leave the field out'] : []
}
