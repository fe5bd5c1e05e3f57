// A Go program of others, built from its module as it was published; the versions stand in a folder beside this file.
import { spawnSync } from 'node:child_process'
import { type BuiltProgram, buildMsMax, builtProgram, lastWords } from './built-program.ts'

interface GoTool {
  readonly folder: string
  readonly what: string
  readonly package: string
  /** Needs no libraries of the machine, so that it runs in a root of its own. */
  readonly isStatic?: boolean
  readonly buildMs?: number
}

export function goTool({ folder, what, package: name, isStatic = false, buildMs = buildMsMax }: GoTool): BuiltProgram {
  if (spawnSync('go', ['version']).status !== 0) return { skipped: 'Go is not installed' }
  const build = (source: string, path: string): string | undefined => {
    const built = spawnSync('go', ['build', '-mod=mod', '-buildvcs=false', '-ldflags=-s -w', '-o', path, name], {
      cwd: source,
      timeout: buildMs,
      encoding: 'utf8',
      env: { ...process.env, GOWORK: 'off', ...(isStatic && { CGO_ENABLED: '0' }) },
    })
    return built.status === 0 ? undefined : `go build failed: ${lastWords(built.stderr)}`
  }
  return builtProgram({ folder, what, files: ['go.mod', 'go.sum'], build })
}
