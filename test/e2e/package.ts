// The package as an outsider has it: built, packed, unpacked into a folder that knows nothing of this checkout. Beside it lie only the
// dependencies that it names itself, as an install would lay them, and what the test asks for by name.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export interface Outsider {
  readonly folder: string
  /** Writes files, each path from the folder. */
  write(files: Readonly<Record<string, string>>): void
  /** A dependency of the outsider's own, taken from this checkout's installation. */
  add(...names: readonly string[]): void
  /** What the compiler says of the files, with the strictest settings that people use; empty when all is well. */
  compile(files: readonly string[]): string
  run(args: readonly string[], env?: Readonly<Record<string, string>>): RunResult
  /** Starts it and goes on; the caller stops it. */
  start(args: readonly string[], env?: Readonly<Record<string, string>>): ReturnType<typeof spawn>
  remove(): void
}

export interface RunResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The package, packed; the first who asks in a process has it built, which takes some seconds. */
export function packedTarball(): string {
  tarball ??= pack()
  return tarball
}

let tarball: string | undefined

function pack(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-packed-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const built = join(folder, 'built')
  succeed(run(root, ['scripts/build.ts', built]))
  succeed(spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built, encoding: 'utf8' }))
  // Out of reach: what is not in the tarball does not exist.
  rmSync(built, { recursive: true })
  const [name = ''] = globSync('*.tgz', { cwd: folder })
  return join(folder, name)
}

export function unpackForOutsider(): Outsider {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-outsider-'))
  const unpacked = join(folder, 'node_modules', 'vouch')
  mkdirSync(unpacked, { recursive: true })
  succeed(spawnSync('tar', ['-xzf', packedTarball(), '-C', unpacked, '--strip-components=1'], { encoding: 'utf8' }))
  const outsider = inFolder(folder)
  const { dependencies } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as { dependencies: object }
  outsider.add(...Object.keys(dependencies), '@types/node')
  outsider.write({ 'package.json': '{"type":"module"}' })
  return outsider
}

function inFolder(folder: string): Outsider {
  return {
    folder,
    write: files => {
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
    },
    add: (...names) => {
      for (const name of names) link(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    },
    compile: files => {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: strict, files }))
      const compiler = join(root, 'node_modules', '.bin', 'tsc')
      return spawnSync(compiler, ['-p', folder], { cwd: folder, encoding: 'utf8' }).stdout
    },
    run: (args, env) => run(folder, args, env),
    start: (args, env = {}) => spawn(process.execPath, [...args], { cwd: folder, env: { ...process.env, ...env } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const strict = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable'],
  types: ['node'],
  // Declarations of the AWS SDK, which are not ours to mend, do not pass without it.
  skipLibCheck: true,
}

function link(from: string, to: string): void {
  assert.ok(existsSync(from), `${from} is not installed`)
  if (existsSync(to)) return
  mkdirSync(dirname(to), { recursive: true })
  symlinkSync(from, to)
}

function run(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): RunResult {
  const all = ['--disable-warning=ExperimentalWarning', ...args]
  return spawnSync(process.execPath, all, { cwd, encoding: 'utf8', env: { ...process.env, ...env } })
}

function succeed({ status, stdout, stderr }: RunResult): void {
  assert.equal(status, 0, stderr + stdout)
}
