// cert-manager from its Go module: its three programs as one of ours, which wires them as its own commands do, and the definitions of its
// kinds as it ships them.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltProgram, buildMsMax, builtProgram, lastWords } from './built-program.ts'

const module = 'github.com/cert-manager/cert-manager'

/** A folder with the program `cert-manager` and its `crds.yaml`. */
export function certManagerProgram(): BuiltProgram {
  if (spawnSync('go', ['version']).status !== 0) return { skipped: 'Go is not installed' }
  return builtProgram({ folder: 'go-cert-manager', what: 'cert-manager', files: ['main.go', 'go.mod', 'go.sum'], build })
}

function build(source: string, path: string): string | undefined {
  mkdirSync(path, { recursive: true })
  const env = { ...process.env, GOWORK: 'off' }
  const go = (...args: string[]) => spawnSync('go', args, { cwd: source, timeout: buildMsMax * 2, encoding: 'utf8', env })
  const built = go('build', '-mod=readonly', '-buildvcs=false', '-ldflags=-s -w', '-o', join(path, 'cert-manager'), '.')
  const found = go('list', '-mod=readonly', '-m', '-f', '{{ .Dir }}', module)
  if (built.status === 0 && found.status === 0) {
    writeFileSync(join(path, 'crds.yaml'), definitionsIn(join(found.stdout.trim(), 'deploy', 'crds')))
    return undefined
  }
  rmSync(path, { recursive: true, force: true })
  return `go build failed: ${lastWords(`${built.stderr}${found.stderr}`)}`
}

function definitionsIn(folder: string): string {
  const files = readdirSync(folder).filter(file => file.endsWith('.yaml'))
  return files.map(file => readFileSync(join(folder, file), 'utf8')).join('\n---\n')
}
