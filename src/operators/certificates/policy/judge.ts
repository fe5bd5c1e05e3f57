// Whether policies allow a Cert. Without any policy everything is allowed; with one, a single policy has to allow all of it. Pure, and the
// same at admission and before a request.
import { type LabelSelectorObject, type Labels, selectorFromObject } from '#kube'
import type { CertPolicy } from '../api/policy.ts'
import type { CertSpec } from '../api/spec.ts'
import { normalName } from '../names/domain-name.ts'
import type { WantedNames } from '../names/wanted.ts'

export interface PolicyQuestion {
  readonly namespace: string
  readonly labels: Labels
  readonly spec: CertSpec
  readonly wanted: WantedNames
  /** Certs of the namespace that were there before. */
  readonly others: number
}

/** What is wrong, for people; empty where it is allowed. */
export function policyErrors(policies: readonly CertPolicy[], question: PolicyQuestion): readonly string[] {
  if (policies.length === 0) return []
  const matching = policies
    .filter(({ spec }) => isMeant(spec.namespaceSelector, question.labels))
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const judged = matching.map(policy => troubleUnder(policy, question))
  if (judged.some(trouble => trouble.length === 0)) return []
  // Of several the first by name is told: a person can change only one thing at a time.
  return judged[0] ?? question.wanted.names.map(({ name }) => namesWord('(none)', question.namespace, name))
}

function troubleUnder({ metadata, spec }: CertPolicy, question: PolicyQuestion): readonly string[] {
  const { namespace, wanted, spec: asked, others } = question
  const may = (what: string): string => `policy "${metadata.name}": namespace "${namespace}" ${what}`
  const issuer = wanted.isPublic ? 'Public' : wanted.issuer
  const { allowedDomains, allowedZones, allowedIssuers, maxCertificates, allowDeleteOnRemoval } = spec
  const zones = new Set(wanted.names.flatMap(({ zone }) => (zone === undefined ? [] : [zone.name])))
  return [
    ...wanted.names
      .filter(({ name }) => allowedDomains !== undefined && !allowedDomains.some(allowed => covers(allowed, name)))
      .map(({ name }) => namesWord(metadata.name, namespace, name)),
    ...[...zones]
      .filter(zone => allowedZones !== undefined && !allowedZones.map(normalName).includes(zone))
      .map(zone => may(`may not use the zone "${zone}"`)),
    ...(allowedIssuers === undefined || allowedIssuers.includes(issuer)
      ? []
      : [may(`may not use the issuer ${issuerWord(issuer)}`)]),
    ...(maxCertificates === undefined || others < maxCertificates
      ? []
      : [may(`has ${others} Certs already, and may have at most ${maxCertificates}`)]),
    ...(asked.deleteOnRemoval && !allowDeleteOnRemoval ? [may('may not set spec.deleteOnRemoval')] : []),
  ]
}

function namesWord(policy: string, namespace: string, name: string): string {
  return `policy "${policy}": namespace "${namespace}" may not request "${name}"`
}

/** An ARN is nobody's business. */
function issuerWord(issuer: string): string {
  return issuer === 'Public' ? 'Public' : 'of spec.issuer'
}

/** `*.suffix` stands for any depth below it, and not for the suffix itself. */
function covers(allowed: string, name: string): boolean {
  const text = allowed.trim()
  if (!text.startsWith('*.')) return normalName(text) === name
  // A suffix may be a single label, which is no name of its own: it is read below another one.
  const suffix = normalName(`below.${text.slice(2)}`).slice('below'.length)
  return name.endsWith(suffix) && name !== suffix.slice(1)
}

/** One that cannot be understood means nobody: it must not allow what nobody wrote down. */
function isMeant(selector: LabelSelectorObject | undefined, labels: Labels): boolean {
  if (selector === undefined) return true
  try {
    return selectorFromObject(selector).matches(labels)
  } catch {
    return false
  }
}
