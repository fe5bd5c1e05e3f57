// The real ExternalDNS, from its Go module: the newest release that this Go builds, and the oldest of the line
// that Vouch ships whose modules are still served.
import type { BuiltProgram } from './built-program.ts'
import { goTool } from './go-tool.ts'

export const operandVersions = ['0.13.6', '0.22.0'] as const
export type OperandVersionBuilt = (typeof operandVersions)[number]

/** A first build compiles the clients of two dozen clouds. */
const buildMs = 1_200_000

export function externalDnsProgram(version: OperandVersionBuilt): BuiltProgram {
  const folder = `external-dns/v${version}`
  return goTool({ folder, what: `external-dns-${version}`, package: 'sigs.k8s.io/external-dns', isStatic: true, buildMs })
}
