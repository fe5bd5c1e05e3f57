// One file that needs no other: a Node with a program inside of it, compiled beforehand.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { withResource } from './inject.ts'

const root = dirname(dirname(import.meta.dirname))

/** Puts it there; resolves with how much of it is code of the program. */
export async function makeExecutable(entry: string, out: string): Promise<{ readonly codeBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-executable-'))
  try {
    mkdirSync(dirname(out), { recursive: true })
    const code = await bundleProgram(entry, join(folder, 'program.cjs'))
    writeFileSync(out, withResource(readFileSync(strippedNode(join(folder, 'node'))), blobOf(code, folder)))
    chmodSync(out, 0o755)
    return { codeBytes: statSync(code).size }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The program as one file for a Node that is there. */
export async function bundleProgram(entry: string, file: string): Promise<string> {
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node24',
    minify: true,
    loader: { '.json': 'json' },
    define: { VOUCH_COMMIT: '"unknown"', VOUCH_COMMIT_DATE: '"unknown"' },
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [
      {
        // There is no folder beside it in which a package could lie.
        name: 'log-inside',
        setup: ({ onLoad }) =>
          onLoad({ filter: /src\/base\/system\/log\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace('createRequire(import.meta.url)(', 'require('),
            loader: 'ts',
          })),
      },
    ],
  })
  return file
}

/** Names of functions for debuggers are a seventh of it. Without the tool they stay. */
function strippedNode(file: string): string {
  return spawnSync('strip', ['-o', file, process.execPath]).status === 0 ? file : process.execPath
}

function blobOf(main: string, folder: string): Buffer {
  const config = join(folder, 'sea.json')
  const output = join(folder, 'blob')
  writeFileSync(config, JSON.stringify({ main, output, disableExperimentalSEAWarning: true, useCodeCache: true }))
  const made = spawnSync(process.execPath, ['--experimental-sea-config', config], { encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`Node could not make the resource: ${made.stderr}`)
  return readFileSync(output)
}
