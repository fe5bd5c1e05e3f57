// The tool of Prometheus itself, built from its Go module as it was published; the version stands in the folder beside this file.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BuiltProgram, buildMsMax, builtProgram, lastWords } from './built-program.ts'

const command = 'github.com/prometheus/prometheus/cmd/promtool'

export function promtoolProgram(): BuiltProgram {
  if (spawnSync('go', ['version']).status !== 0) return { skipped: 'Go is not installed' }
  return builtProgram({
    folder: 'go-promtool',
    what: 'promtool',
    files: ['go.mod', 'go.sum'],
    build: (source, path) => {
      // Without the clients of all the clouds in which Prometheus finds its targets: they are most of the build, and rules need none.
      const args = ['build', '-mod=mod', '-buildvcs=false', '-tags=remove_all_sd', '-o', path, command]
      const built = spawnSync('go', args, {
        cwd: source,
        timeout: buildMsMax,
        encoding: 'utf8',
        env: { ...process.env, GOWORK: 'off' },
      })
      return built.status === 0 ? undefined : `go build failed: ${lastWords(built.stderr)}`
    },
  })
}

export interface PromtoolRun {
  readonly code: number
  readonly text: string
}

/** In a folder with these files, which is gone afterwards. */
export function runPromtool(
  path: string,
  args: readonly string[],
  { files = {}, input = '' }: { readonly files?: Readonly<Record<string, string>>; readonly input?: string } = {},
): PromtoolRun {
  const folder = mkdtempSync(join(tmpdir(), 'promtool-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const { status, stdout, stderr } = spawnSync(path, args, { cwd: folder, encoding: 'utf8', input, timeout: 60_000 })
    return { code: status ?? -1, text: `${stdout}${stderr}` }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
