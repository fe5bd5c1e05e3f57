// The real ExternalDNS, from its Go module: the oldest of the line that Vouch ships whose modules are still served, the newest release, and the
// one before it, at which the prefix of annotations changed.
import type { BuiltProgram } from './built-program.ts'
import { goTool, keptGoTool } from './go-tool.ts'

export const operandVersions = ['0.13.6', '0.22.0', '0.23.0'] as const
export type OperandVersionBuilt = (typeof operandVersions)[number]

export const oldestOperand: OperandVersionBuilt = '0.13.6'
const [, former, newest] = operandVersions

/** A first build compiles the clients of two dozen clouds. */
const buildMs = 1_200_000

/** The version of Go that a release asks for, where it is newer than what builds everything else here; Go itself fetches it. */
const toolchains: Partial<Record<OperandVersionBuilt, string>> = { '0.23.0': 'go1.27.0' }

/** For the Go command in the folder of this version. What it builds needs no libraries of the machine, so that it runs in a root of its own. */
export function goEnvironment(version: OperandVersionBuilt): Readonly<Record<string, string>> {
  const toolchain = toolchains[version]
  return { GOWORK: 'off', CGO_ENABLED: '0', ...(toolchain !== undefined && { GOTOOLCHAIN: toolchain }) }
}

/** The newest release, or the one before it where the Go that the newest asks for cannot be had. */
export function newestOperand(): OperandVersionBuilt {
  return 'path' in externalDnsProgram(newest) ? newest : former
}

export function externalDnsProgram(version: OperandVersionBuilt): BuiltProgram {
  const folder = `external-dns/v${version}`
  const env = goEnvironment(version)
  return goTool({ folder, what: `external-dns-${version}`, package: 'sigs.k8s.io/external-dns', env, buildMs })
}

/**
 * Of all versions. A machine that has the newest builds the one before it, another ten minutes, only where `VOUCH_OPERANDS=all` says so; what was
 * built once is used.
 */
export function externalDnsPrograms(): readonly (readonly [OperandVersionBuilt, BuiltProgram])[] {
  const isWanted = process.env['VOUCH_OPERANDS'] === 'all' || newestOperand() === former
  return operandVersions.map(version => {
    const program = version === former && !isWanted ? keptProgram(version) : externalDnsProgram(version)
    return [version, program] as const
  })
}

function keptProgram(version: OperandVersionBuilt): BuiltProgram {
  const kept = keptGoTool({ folder: `external-dns/v${version}`, what: `external-dns-${version}` })
  return kept === undefined ? { skipped: `ExternalDNS ${version} is built where VOUCH_OPERANDS=all says so` } : { path: kept }
}
