// A Go program of others, built from its module as it was published; the versions stand in a folder beside this file.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type BuiltProgram, buildMsMax, builtPath, builtProgram, lastWords } from './built-program.ts'

interface GoTool {
  readonly folder: string
  readonly what: string
  readonly package: string
  /** For the Go command, besides what this process has. */
  readonly env?: Readonly<Record<string, string>>
  readonly buildMs?: number
  /** For the linker, such as the version that the program says it is. */
  readonly linkerFlags?: readonly string[]
}

const files = ['go.mod', 'go.sum']

export function goTool({ folder, what, package: name, env = {}, buildMs = buildMsMax, linkerFlags = [] }: GoTool): BuiltProgram {
  if (spawnSync('go', ['version']).status !== 0) return { skipped: 'Go is not installed' }
  const build = (source: string, path: string): string | undefined => {
    const flags = ['-s', '-w', ...linkerFlags].join(' ')
    const built = spawnSync('go', ['build', '-mod=mod', '-buildvcs=false', `-ldflags=${flags}`, '-o', path, name], {
      cwd: source,
      timeout: buildMs,
      encoding: 'utf8',
      env: { ...process.env, GOWORK: 'off', ...env },
    })
    return built.status === 0 ? undefined : `go build failed: ${lastWords(built.stderr)}`
  }
  return builtProgram({ folder, what, files, build })
}

/** Where it is, if it was built before. */
export function keptGoTool({ folder, what }: Pick<GoTool, 'folder' | 'what'>): string | undefined {
  const path = builtPath({ folder, what, files })
  return existsSync(path) ? path : undefined
}
