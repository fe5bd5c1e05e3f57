// What a Cert asks for, worked out: its names in order, the zone of each, and the hash by which it is told whether a certificate is the one
// that is wanted. Pure, and the same at admission and in the reconciler.
import type { CertSpec } from '../api/spec.ts'
import type { CertStatus } from '../api/status.ts'
import { chooseZone, type RegisteredZone, type ZoneRegistry, zoneOf } from '../zones/registry.ts'
import { normalName, parseDomainName } from './domain-name.ts'
import { specHash } from './spec-hash.ts'

export interface WantedName {
  readonly name: string
  readonly zone: RegisteredZone | undefined
}

export interface WantedNames {
  /** `undefined` where there is no zone to make it with. */
  readonly primary: string | undefined
  /** The primary name first, each once. */
  readonly names: readonly WantedName[]
  readonly issuer: string
  readonly isPublic: boolean
  readonly hash: string | undefined
  /** Why a zone is missing, for people; `undefined` where every name has one. */
  readonly zoneTrouble: string | undefined
  /** Why the names cannot be asked for at all. */
  readonly nameTrouble: string | undefined
}

/** Of the common name, which X.509 limits. */
export const primaryOctetsMax = 64

/**
 * The primary name of a Cert; `undefined` where no zone can complete it. `settled`: the name that a certificate was requested for, which a
 * generated name keeps although the zones of the configuration change.
 */
export function primaryName(spec: CertSpec, registry: ZoneRegistry, settled?: string): string | undefined {
  if (spec.domainName !== undefined && spec.domainName !== '') return normalName(spec.domainName)
  if (settled?.startsWith(`${joinedLabel(spec)}.`) === true) return settled
  const zone = generatingZone(spec, registry)
  return zone === undefined ? undefined : `${joinedLabel(spec)}.${zone.name}`
}

export function joinedLabel({ serviceName, environment }: Pick<CertSpec, 'serviceName' | 'environment'>): string {
  return `${serviceName}-${environment}`.toLowerCase()
}

/** The name that a certificate was requested for. */
export function settledName(status: CertStatus | undefined): string | undefined {
  const hasOne = status?.certificateArn !== undefined || status?.pendingCertificateArn !== undefined
  return hasOne ? status.domainName : undefined
}

/** The zone whose name completes a generated one: that of the spec, else the first. */
export function generatingZone(spec: CertSpec, registry: ZoneRegistry): RegisteredZone | undefined {
  if (spec.dnsZone === undefined) return registry.zones[0]
  const chosen = chooseZone(registry, spec.dnsZone)
  return chosen.kind === 'found' ? chosen.zone : undefined
}

export interface WantedOptions {
  /** Certificates of private authorities may have names outside the zones. */
  readonly anyPrivateName?: boolean
  readonly settled?: string | undefined
}

export function wantedOf(
  spec: CertSpec,
  registry: ZoneRegistry,
  { anyPrivateName = false, settled }: WantedOptions = {},
): WantedNames {
  const primary = primaryName(spec, registry, settled)
  const isPublic = spec.issuer?.type !== 'PrivateCA'
  const issuer = isPublic ? 'public' : (spec.issuer?.certificateAuthorityArn ?? '')
  const all = [...new Set([...(primary === undefined ? [] : [primary]), ...spec.subjectAlternativeNames.map(normalName)])]
  const names = all.map((name, index) => ({
    name,
    zone: index === 0 ? primaryZone(spec, registry, name) : zoneOf(registry, name),
  }))
  const needsZones = isPublic || !anyPrivateName
  return {
    primary,
    names,
    issuer,
    isPublic,
    hash:
      primary === undefined
        ? undefined
        : specHash({
            primary,
            domains: all,
            keyAlgorithm: spec.keyAlgorithm,
            issuer,
            exportable: isPublic && spec.export !== undefined,
          }),
    zoneTrouble: needsZones ? zoneTroubleOf(spec, registry, { primary, names }) : undefined,
    nameTrouble: nameTroubleOf(all),
  }
}

function primaryZone(spec: CertSpec, registry: ZoneRegistry, name: string): RegisteredZone | undefined {
  if (spec.dnsZone === undefined) return zoneOf(registry, name)
  const chosen = chooseZone(registry, spec.dnsZone)
  // A name outside the zone that it names proves nothing there.
  return chosen.kind === 'found' && zoneOf({ zones: [chosen.zone] }, name) !== undefined ? chosen.zone : undefined
}

function zoneTroubleOf(
  spec: CertSpec,
  registry: ZoneRegistry,
  { primary, names }: Pick<WantedNames, 'primary' | 'names'>,
): string | undefined {
  if (spec.dnsZone !== undefined) {
    const chosen = chooseZone(registry, spec.dnsZone)
    if (chosen.kind === 'unknown') return `zone "${chosen.asked}" is not configured`
    if (chosen.kind === 'different') return `id "${chosen.id}" and name "${chosen.name}" are different zones`
  }
  if (primary === undefined) return 'no zone is configured'
  const without = names.find(({ zone }) => zone === undefined)
  return without === undefined ? undefined : `no configured zone matches "${without.name}"`
}

/** The webhook says it first and better; this holds where it was not asked. */
function nameTroubleOf(names: readonly string[]): string | undefined {
  for (const [index, name] of names.entries()) {
    const parsed = parseDomainName(name)
    if (!parsed.ok) return `"${name}" is not a valid DNS name: ${parsed.why}`
    if (index === 0 && name.length > primaryOctetsMax)
      return `"${name}" has ${name.length} octets, and a primary name at most ${primaryOctetsMax}`
  }
  return names.length > 100 ? `${names.length} names, ACM allows at most 100 per certificate` : undefined
}
