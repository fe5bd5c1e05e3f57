// The cluster's TLS profile as flags of the sidecars (§4.6.3, §4.13): OpenSSL's names become those of IANA, as far as the platform knows them.
import type { TlsProfile } from '../api/kinds.ts'

export interface TlsFlags {
  readonly minVersion: string | undefined
  readonly cipherSuites: string | undefined
}

export function tlsFlagsOf(profile: TlsProfile | undefined): TlsFlags {
  // Upstream crashes on an empty type; here it is the default.
  const { minVersion, ciphers } =
    profile?.type === 'Custom' ? customOf(profile) : (known.get(profile?.type ?? '') ?? intermediate)
  const suites = ciphers.flatMap(name => ianaNames.get(name) ?? [])
  return {
    minVersion: minVersion === '' ? undefined : minVersion,
    cipherSuites: suites.length === 0 ? undefined : suites.join(','),
  }
}

const minVersions: readonly string[] = ['VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13']

/** A version goes into the sidecar's flags as it is written, and with upstream's script past a shell. */
export function tlsTrouble(profile: TlsProfile | undefined): string | undefined {
  const version = profile?.type === 'Custom' ? (profile.custom?.minTLSVersion ?? '') : ''
  if (version === '' || minVersions.includes(version)) return undefined
  const field = 'spec.configuration.apiServer.tlsSecurityProfile.custom.minTLSVersion'
  return `${field} ${JSON.stringify(version)} is no version of TLS: write one of ${minVersions.join(', ')}`
}

interface Profile {
  readonly minVersion: string
  readonly ciphers: readonly string[]
}

function customOf(profile: TlsProfile | undefined): Profile {
  const { minTLSVersion, ciphers } = profile?.custom ?? {}
  return { minVersion: minTLSVersion ?? '', ciphers: ciphers ?? [] }
}

/** All that the platform translates; what is not here is dropped, names of TLS 1.3 and of IANA too. */
const ianaNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'ECDHE-ECDSA-AES128-GCM-SHA256': 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256': 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384': 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384': 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305': 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256',
    'ECDHE-RSA-CHACHA20-POLY1305': 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-SHA': 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA',
    'ECDHE-RSA-AES128-SHA': 'TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA',
    'ECDHE-ECDSA-AES256-SHA': 'TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA',
    'ECDHE-RSA-AES256-SHA': 'TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA',
  }),
)

const ofOld = [...ianaNames.keys()]
const intermediate: Profile = { minVersion: 'VersionTLS12', ciphers: ofOld.slice(0, 6) }

/** Every other type is taken for Intermediate. */
const known: ReadonlyMap<string, Profile> = new Map([
  ['Old', { minVersion: 'VersionTLS10', ciphers: ofOld }],
  // Suites of TLS 1.3 cannot be chosen.
  ['Modern', { minVersion: 'VersionTLS13', ciphers: [] }],
])
