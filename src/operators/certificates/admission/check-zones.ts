// Checks against the zones that are configured.
import type { CertSpec } from '../api.ts'
import { isInside, parseDomainName } from '../names/domain-name.ts'
import type { WantedNames } from '../names/wanted.ts'
import { chooseZone } from '../zones/registry.ts'
import type { AdmissionRules, AdmissionSeen } from './seen.ts'

/** Checks 6, 7, 8 and 11. */
export function zoneErrors(
  spec: CertSpec,
  wanted: WantedNames,
  { seen, rules }: { seen: AdmissionSeen; rules: AdmissionRules },
): readonly string[] {
  const choice = choiceErrors(spec, wanted, seen)
  const needsZones = wanted.isPublic || !rules.anyPrivateName
  return [
    ...(rules.allowsCrossZone ? [] : crossZoneErrors(spec, wanted)),
    ...(needsZones ? missingErrors(spec, wanted, { seen, isChoiceWrong: choice.length > 0 }) : []),
    ...choice,
    ...issuerErrors(wanted, seen),
  ]
}

/** Names that are none have been told already. */
function pathsOf(spec: CertSpec, { primary }: WantedNames): readonly { readonly path: string; readonly name: string }[] {
  const first = primary === undefined ? [] : [{ path: 'spec.domainName', name: primary }]
  const others = spec.subjectAlternativeNames.flatMap((text, index) => {
    const parsed = parseDomainName(text)
    return parsed.ok ? [{ path: `spec.subjectAlternativeNames[${index}]`, name: parsed.name }] : []
  })
  return [...first.filter(({ name }) => parseDomainName(name).ok), ...others]
}

function crossZoneErrors(spec: CertSpec, wanted: WantedNames): readonly string[] {
  const [first] = wanted.names
  const main = first?.zone
  if (main === undefined) return []
  return pathsOf(spec, wanted).flatMap(({ path, name }) => {
    const zone = wanted.names.find(each => each.name === name)?.zone
    if (path === 'spec.domainName' || zone === undefined || zone.id === main.id) return []
    return [
      `${path}: "${name}" belongs to zone "${zone.name}" but the certificate uses zone "${main.name}"; all names must be in one zone`,
    ]
  })
}

function missingErrors(
  spec: CertSpec,
  wanted: WantedNames,
  { seen, isChoiceWrong }: { readonly seen: AdmissionSeen; readonly isChoiceWrong: boolean },
): readonly string[] {
  const configured = seen.registry.zones.map(({ name }) => name).join(', ')
  return pathsOf(spec, wanted).flatMap(({ path, name }) => {
    const found = wanted.names.find(each => each.name === name)
    // What is wrong with the zone that the object names is said by its own check.
    if (found?.zone !== undefined || (path === 'spec.domainName' && isChoiceWrong)) return []
    return [`${path}: no configured zone matches "${name}"; configured zones: ${configured}`]
  })
}

function choiceErrors({ dnsZone }: CertSpec, { primary }: WantedNames, { registry }: AdmissionSeen): readonly string[] {
  if (dnsZone === undefined) return []
  const chosen = chooseZone(registry, dnsZone)
  if (chosen.kind === 'unknown') return [`spec.dnsZone: zone "${chosen.asked}" is not configured`]
  if (chosen.kind === 'different') return [`spec.dnsZone: id "${chosen.id}" and name "${chosen.name}" are different zones`]
  if (primary === undefined || isInside(primary, chosen.zone.name)) return []
  return [`spec.domainName: "${primary}" is not inside zone "${chosen.zone.name}"`]
}

function issuerErrors(wanted: WantedNames, { privateZones }: AdmissionSeen): readonly string[] {
  if (!wanted.isPublic) return []
  const hidden = wanted.names.find(({ zone }) => zone !== undefined && privateZones.has(zone.id))
  return hidden === undefined
    ? []
    : [
        `spec.issuer: "${hidden.name}" lies in the private zone "${hidden.zone?.name ?? ''}", where nobody outside sees a validation record`,
      ]
}
