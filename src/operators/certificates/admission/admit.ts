// Whether a Cert is let through. All checks run, and everything that is wrong is told in one answer. Pure.
import { type AdmissionAnswer, isEqualJson } from '#runtime'
import type { Cert } from '../api.ts'
import { hasName } from '../cert/rivals.ts'
import { primaryName, settledName, type WantedNames, wantedOf } from '../names/wanted.ts'
import { changeErrors } from './check-change.ts'
import { fieldErrors } from './check-fields.ts'
import { nameErrors } from './check-names.ts'
import { zoneErrors } from './check-zones.ts'
import type { AdmissionRules, AdmissionSeen } from './seen.ts'
import { warningsFor } from './warnings.ts'

export interface ReviewedCert {
  readonly cert: Cert
  /** Of an update. */
  readonly before: Cert | undefined
}

/** What is never blocked: an end, and what leaves the spec as it is. */
export function isFreeToPass({ cert, before }: ReviewedCert): boolean {
  if (before === undefined) return false
  return cert.metadata.deletionTimestamp !== undefined || isEqualJson(cert.spec, before.spec)
}

export function admitCert(asked: ReviewedCert, seen: AdmissionSeen, rules: AdmissionRules): AdmissionAnswer {
  if (isFreeToPass(asked)) return { kind: 'allow' }
  const { cert, before } = asked
  const options = { ...rules, settled: settledName(before?.status) }
  const wanted = wantedOf(cert.spec, seen.registry, options)
  const errors = [
    ...nameErrors(cert.spec, wanted),
    ...zoneErrors(cert.spec, wanted, { seen, rules }),
    ...fieldErrors(cert.spec),
    ...duplicateErrors(cert, wanted, seen),
    ...(before === undefined
      ? []
      : changeErrors(before, cert, { before: wantedOf(before.spec, seen.registry, options), after: wanted })),
    ...seen.forbidden(cert, wanted),
  ]
  if (errors.length > 0) return { kind: 'deny', code: 422, reason: 'Invalid', message: errors.join('; ') }
  const warnings = warningsFor(cert.spec, wanted, { primariesOfOthers: primariesOf(cert, seen), publishes: rules.publishes })
  return warnings.length === 0 ? { kind: 'allow' } : { kind: 'allow', warnings }
}

/** Check 9. */
function duplicateErrors(cert: Cert, { primary }: WantedNames, { others, registry }: AdmissionSeen): readonly string[] {
  if (primary === undefined) return []
  const other = others.find(each => !isSame(each, cert) && hasName(each, primary, registry))
  if (other === undefined) return []
  const { namespace = '', name, deletionTimestamp } = other.metadata
  const end = deletionTimestamp === undefined ? '' : ' (being deleted)'
  return [`certificate for ${primary} already exists: ${namespace}/${name}${end}`]
}

/** By uid; one that is only just being made has none, and is known by its name. */
function isSame({ metadata: other }: Cert, { metadata: own }: Cert): boolean {
  if ((own.uid ?? '') !== '') return other.uid === own.uid
  return other.namespace === own.namespace && other.name === own.name
}

function primariesOf(cert: Cert, { others, registry }: AdmissionSeen): ReadonlyMap<string, string> {
  return new Map(
    others
      .filter(other => !isSame(other, cert))
      .flatMap(other => {
        const primary = primaryName(other.spec, registry)
        return primary === undefined ? [] : [[primary, `${other.metadata.namespace ?? ''}/${other.metadata.name}`]]
      }),
  )
}
