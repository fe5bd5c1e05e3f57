// Checks of single fields: what each name is, before it is asked what it means for others.
import type { CertSpec } from '../api.ts'
import { parseDomainName } from '../names/domain-name.ts'
import { joinedLabel, primaryOctetsMax, type WantedNames } from '../names/wanted.ts'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const labelWords = '(lowercase letters, digits and hyphens, at most 63 characters)'
const labelOctetsMax = 63
const namesMax = 100

/** Checks 1 to 5. */
export function nameErrors(spec: CertSpec, wanted: WantedNames): readonly string[] {
  return [
    ...labelErrors('serviceName', spec.serviceName),
    ...labelErrors('environment', spec.environment),
    ...lengthErrors(spec, wanted),
    ...domainErrors(spec),
    ...countErrors(spec, wanted),
  ]
}

function labelErrors(field: string, value: string): readonly string[] {
  return label.test(value) ? [] : [`spec.${field}: "${value}" is not a valid RFC 1123 label ${labelWords}`]
}

/** A generated name: each part alone may be right and the pair too long. */
function lengthErrors(spec: CertSpec, { primary }: WantedNames): readonly string[] {
  if (primary === undefined || (spec.domainName ?? '') !== '') return []
  const joined = joinedLabel(spec).length
  if (joined <= labelOctetsMax && primary.length <= primaryOctetsMax) return []
  return [
    `spec: generated name "${primary}" is too long: label ${joined} of ${labelOctetsMax}, name ${primary.length} of ${primaryOctetsMax}`,
  ]
}

function domainErrors({ domainName, subjectAlternativeNames }: CertSpec): readonly string[] {
  const primary =
    domainName === undefined || domainName === '' ? [] : domainError('spec.domainName', domainName, primaryOctetsMax)
  return [
    ...primary,
    ...subjectAlternativeNames.flatMap((name, index) => domainError(`spec.subjectAlternativeNames[${index}]`, name)),
  ]
}

function domainError(path: string, value: string, octetsMax?: number): readonly string[] {
  const parsed = parseDomainName(value)
  if (!parsed.ok) return [`${path}: "${value}" is not a valid DNS name: ${parsed.why}`]
  if (octetsMax === undefined || parsed.name.length <= octetsMax) return []
  return [`${path}: "${value}" is not a valid DNS name: it has ${parsed.name.length} octets, more than ${octetsMax}`]
}

function countErrors({ subjectAlternativeNames }: CertSpec, { names }: WantedNames): readonly string[] {
  const most = Math.max(names.length, subjectAlternativeNames.length)
  if (names.length <= namesMax && subjectAlternativeNames.length <= namesMax) return []
  return [`spec.subjectAlternativeNames: ${most} names, ACM allows at most ${namesMax} per certificate`]
}
