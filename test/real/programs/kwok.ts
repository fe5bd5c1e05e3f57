// The real kwok, built from its Go module as it was published, with the stages that it ships: what a node and a pod go through.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltProgram, buildMsMax, builtProgram, lastWords } from './built-program.ts'

const module = 'sigs.k8s.io/kwok'
const stageFolders = ['node/fast', 'node/heartbeat-with-lease', 'pod/fast']

/** A folder with the program `kwok` and its `stages.yaml`. */
export function kwokProgram(): BuiltProgram {
  if (spawnSync('go', ['version']).status !== 0) return { skipped: 'Go is not installed' }
  return builtProgram({ folder: 'go-kwok', what: 'kwok', files: ['go.mod', 'go.sum'], build })
}

function build(source: string, path: string): string | undefined {
  mkdirSync(path, { recursive: true })
  const env = { ...process.env, GOWORK: 'off' }
  const go = (...args: string[]) => spawnSync('go', args, { cwd: source, timeout: buildMsMax * 2, encoding: 'utf8', env })
  const built = go('build', '-mod=mod', '-buildvcs=false', '-ldflags=-s -w', '-o', join(path, 'kwok'), `${module}/cmd/kwok`)
  const found = go('list', '-mod=mod', '-m', '-f', '{{ .Dir }}', module)
  if (built.status === 0 && found.status === 0) {
    writeFileSync(join(path, 'stages.yaml'), stagesIn(join(found.stdout.trim(), 'kustomize', 'stage')))
    return undefined
  }
  rmSync(path, { recursive: true, force: true })
  return `go build failed: ${lastWords(`${built.stderr}${found.stderr}`)}`
}

function stagesIn(folder: string): string {
  const files = stageFolders.flatMap(name => readdirSync(join(folder, name)).map(file => join(folder, name, file)))
  const stages = files.filter(file => file.endsWith('.yaml') && !file.endsWith('kustomization.yaml'))
  return stages.map(file => readFileSync(file, 'utf8')).join('\n---\n')
}
