// What each version of the operand can do. An object that needs more is told so before anything is changed: the operand ends with an error
// at a flag that it does not know.

export type OperandVersion = readonly [number, number, number]

/** Versions of which something is known to differ; the release ships an operand of the line in which all providers work. */
export const bakedOperandVersion = '0.14.2'

export interface Capability {
  /** For people. */
  readonly name: string
  readonly from?: string
  /** The first version without it. */
  readonly until?: string
}

const capabilities: Readonly<Record<string, Capability>> = {
  '--aws-assume-role-external-id': { name: 'an external id', from: '0.13.0' },
  '--provider=infoblox': { name: 'the provider Infoblox', until: '0.15.0' },
  '--provider=bluecat': { name: 'the provider BlueCat', until: '0.15.0' },
  // Its source has no such flag up to 0.13.2 and has it in 0.13.5; what lies between cannot be had any more.
  '--ingress-class': { name: 'a filter by the class of an Ingress', from: '0.13.5' },
  '--annotation-prefix': { name: 'a prefix of annotations', from: '0.20.0' },
}

/** Where annotations have another prefix unless they are told otherwise. */
const newPrefixFrom = '0.22.0'

/** What one of these arguments asks for and this version has not; undefined when it has all. */
export function missingCapability(version: string, args: readonly string[]): string | undefined {
  const ours = parseOperandVersion(version)
  if (ours === undefined) return undefined
  for (const argument of args) {
    const capability = capabilities[argument] ?? capabilities[argument.split('=')[0] ?? '']
    if (capability === undefined) continue
    const { name, from, until } = capability
    if (from !== undefined && isBefore(ours, from)) return `${name} needs ExternalDNS ${from} or newer, and this is ${version}`
    if (until !== undefined && !isBefore(ours, until)) return `${name} is gone since ExternalDNS ${until}, and this is ${version}`
  }
  return undefined
}

/** What a version needs to hear so that it does as all before it did. */
export function versionArgs(version: string): readonly string[] {
  const ours = parseOperandVersion(version)
  const isNew = ours !== undefined && !isBefore(ours, newPrefixFrom)
  return isNew ? ['--annotation-prefix=external-dns.alpha.kubernetes.io/'] : []
}

/** `0.14.2`, with or without a `v` and what follows a hyphen; undefined for anything else. */
export function parseOperandVersion(text: string): OperandVersion | undefined {
  const match = /^v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(?:[-+].*)?$/.exec(text)
  return match === null ? undefined : [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)]
}

function isBefore(version: OperandVersion, text: string): boolean {
  const other = parseOperandVersion(text) ?? [0, 0, 0]
  const at = [0, 1, 2].find(place => version[place] !== other[place])
  return at !== undefined && (version[at] ?? 0) < (other[at] ?? 0)
}
