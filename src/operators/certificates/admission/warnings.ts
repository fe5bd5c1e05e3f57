// What is let through, and worth a word.
import type { CertSpec } from '../api.ts'
import { normalName } from '../names/domain-name.ts'
import type { WantedNames } from '../names/wanted.ts'

/** ACM's quota at first. */
const namesAtFirst = 10

export function warningsFor(
  spec: CertSpec,
  wanted: WantedNames,
  { primariesOfOthers, publishes }: { readonly primariesOfOthers: ReadonlyMap<string, string>; readonly publishes: boolean },
): readonly string[] {
  const others = spec.subjectAlternativeNames.map(normalName)
  const warnings: string[] = []
  if (wanted.primary !== undefined && others.includes(wanted.primary))
    warnings.push(`spec.subjectAlternativeNames: "${wanted.primary}" is the primary name already`)
  for (const name of new Set(others)) {
    const owner = primariesOfOthers.get(name)
    if (owner !== undefined) warnings.push(`spec.subjectAlternativeNames: "${name}" is also the primary name of ${owner}`)
  }
  if (wanted.names.length > namesAtFirst)
    warnings.push(`${wanted.names.length} names: ACM allows ${namesAtFirst} until the quota is raised`)
  if (spec.publish !== undefined && spec.publish.length > 0) {
    if (spec.deleteOnRemoval)
      warnings.push('spec.deleteOnRemoval: with spec.publish the certificate goes only once nothing that has its ARN uses it')
    if (!publishes) warnings.push('spec.publish: this operator runs without --enable-publishing and writes the ARN nowhere')
  }
  const names = wanted.names.map(({ name }) => name)
  for (const wildcard of names.filter(name => name.startsWith('*.'))) {
    const covered = names.find(name => isCovered(name, wildcard))
    if (covered !== undefined) warnings.push(`"${wildcard}" covers "${covered}" already`)
  }
  return warnings
}

/** A wildcard stands for exactly one label. */
function isCovered(name: string, wildcard: string): boolean {
  return !name.startsWith('*.') && name.slice(name.indexOf('.') + 1) === wildcard.slice(2)
}
