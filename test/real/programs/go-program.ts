// A program in Go, built by the machine's own toolchain from pinned modules.
import { spawnSync } from 'node:child_process'
import { type BuiltProgram, buildMsMax, builtProgram, lastWords } from './built-program.ts'

export function goProgram(folder: string, what: string): BuiltProgram {
  if (spawnSync('go', ['version']).status !== 0) return { skipped: 'Go is not installed' }
  return builtProgram({ folder, what, files: ['main.go', 'go.mod', 'go.sum'], build })
}

function build(source: string, path: string): string | undefined {
  const built = spawnSync('go', ['build', '-mod=readonly', '-buildvcs=false', '-o', path, '.'], {
    cwd: source,
    timeout: buildMsMax,
    encoding: 'utf8',
    env: { ...process.env, GOWORK: 'off' },
  })
  return built.status === 0 ? undefined : `go build failed: ${lastWords(built.stderr)}`
}
