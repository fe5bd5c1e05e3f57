// ExternalDNS itself, built from its Go module while the world stays up: it takes minutes, so the next start is the first that runs it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Screen } from '../screen.ts'
import { keptFolder } from './program.ts'

/** The module stands in a checkout, where `npm run test:real` builds the same. */
const modulePath = join('test', 'real', 'external-dns', 'v0.13.6')

/** Ends with the signal, done or not. Says nothing where Go or the checkout is missing: the story has named its stand-in. */
export async function buildOperand(screen: Screen, signal: AbortSignal): Promise<void> {
  const source = findModule(import.meta.dirname)
  if (source === undefined || spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) return
  const hash = createHash('sha256')
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(source, file)))
  const path = join(keptFolder(), hash.digest('hex').slice(0, 16))
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  const partial = `${path}.${process.pid}`
  screen.line('hint', 'ExternalDNS is being built in the background; the next start runs it in the place of the stand-in')
  const code = await build(source, partial, signal)
  if (code === 0) {
    renameSync(partial, path)
    screen.line('done', 'ExternalDNS has been built: the next start runs it')
  } else rmSync(partial, { force: true })
}

function build(source: string, path: string, signal: AbortSignal): Promise<number | null> {
  const args = [
    '-n',
    '10',
    'go',
    'build',
    '-mod=mod',
    '-buildvcs=false',
    '-ldflags=-s -w',
    '-o',
    path,
    'sigs.k8s.io/external-dns',
  ]
  const env = { ...process.env, GOWORK: 'off', CGO_ENABLED: '0' }
  const child = spawn('nice', args, { cwd: source, env, stdio: 'ignore', detached: true })
  // The Go command starts compilers as processes, which have to end with it.
  const stop = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  signal.addEventListener('abort', stop, { once: true })
  process.once('exit', stop)
  return new Promise(resolve => {
    child.on('error', () => resolve(null))
    child.on('close', code => {
      signal.removeEventListener('abort', stop)
      process.removeListener('exit', stop)
      resolve(code)
    })
  })
}

function findModule(from: string): string | undefined {
  const folder = join(from, modulePath)
  if (existsSync(folder)) return folder
  return dirname(from) === from ? undefined : findModule(dirname(from))
}
