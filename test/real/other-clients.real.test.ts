// Unmodified programs in Go and Python, given nothing but a kubeconfig, against both servers. Built and installed once, into the cache.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { cacheFolder } from '../../scripts/kubernetes.ts'
import { runProgram } from './control-plane.ts'
import { goProgram } from './programs/go-program.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const pythonClientVersion = '34.1.0'
/** Room for a first build or install; with the cache filled both take a second. */
const setUpMsMax = 240_000
const caches = dirname(dirname(cacheFolder()))
const noControlPlane = await controlPlaneSkipped()

interface Program {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

const programs: readonly (Program | { readonly name: string; readonly skipped: string })[] = [clientGoProgram(), pythonProgram()]
let embedded: Promise<ApiServer> | undefined

after(async () => (await embedded)?.close())

for (const program of programs) {
  describe(program.name, { skip: 'skipped' in program ? program.skipped : false }, () => {
    it('does all it wants on the embedded API server', async () => {
      embedded ??= listening()
      await run(program as Program, (await embedded).kubeconfig())
    })
    it('does all it wants on the real kube-apiserver', { skip: noControlPlane ?? false }, async () => {
      await run(program as Program, readFileSync((await sharedControlPlane()).kubeconfig, 'utf8'))
    })
  })
}

async function run(program: Program, kubeconfig: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-client-'))
  try {
    const path = join(folder, 'kubeconfig')
    writeFileSync(path, kubeconfig, { mode: 0o600 })
    const { code, stdout, stderr } = await runProgram(program.command, [...program.args, path], folder, { timeoutMs: 60_000 })
    assert.equal(code, 0, `${stdout}\n${stderr}`)
    assert.match(stdout, /all done\n$/)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function listening(): Promise<ApiServer> {
  const server = createApiServer({ emulate: '1.34' })
  await server.listen()
  return server
}

function clientGoProgram(): Program | { name: string; skipped: string } {
  const name = 'a Go program with client-go informers and leader election'
  const built = goProgram('go', 'client-go')
  return 'skipped' in built ? { name, skipped: built.skipped } : { name, command: built.path, args: [] }
}

function pythonProgram(): Program | { name: string; skipped: string } {
  const name = 'a Python program with the official client'
  if (spawnSync('python3', ['-c', 'import venv, ensurepip']).status !== 0)
    return { name, skipped: 'Python 3 with venv is not installed' }
  const folder = join(caches, 'python', `kubernetes-${pythonClientVersion}`)
  const python = join(folder, 'bin', 'python')
  const complete = join(folder, '.complete')
  if (!existsSync(complete)) {
    process.stderr.write(`Installing the Python client ${pythonClientVersion} (once) ...\n`)
    const steps: readonly (readonly [string, readonly string[]])[] = [
      ['python3', ['-m', 'venv', folder]],
      [python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `kubernetes==${pythonClientVersion}`]],
    ]
    for (const [command, args] of steps) {
      const done = spawnSync(command, [...args], { timeout: setUpMsMax, encoding: 'utf8' })
      if (done.status !== 0)
        return { name, skipped: `${command} ${args.join(' ')} failed: ${done.stderr.trim().split('\n').at(-1) ?? ''}` }
    }
    writeFileSync(complete, '')
  }
  return { name, command: python, args: [join(import.meta.dirname, 'python', 'client.py')] }
}
