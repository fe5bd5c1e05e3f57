// A Python with moto, the AWS CLI and boto3, or with the SDK of Azure, at exact versions, in a folder outside the checkout that is made once
// per set of versions. Runs at the same time wait for the one that is making it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { lock } from '../../../scripts/build-lock.ts'

export interface Python {
  /** A program of the environment: `aws`, `moto_server`, `python`. */
  program(name: string): string
}

export type PythonOrNot = Python | { readonly missing: string }

/** What is installed, by whose clients it has. */
const requirementsOf = { aws: 'python-requirements.txt', azure: 'python-azure-requirements.txt' } as const

/** An install that did not finish within this time is taken to have died. */
const installMaxMs = 10 * 60_000

export async function pythonEnvironment(cloud: keyof typeof requirementsOf = 'aws'): Promise<PythonOrNot> {
  const requirements = join(import.meta.dirname, '..', requirementsOf[cloud])
  const version = spawnSync('python3', ['--version'], { encoding: 'utf8' })
  if (version.status !== 0) {
    return { missing: 'skipped: there is no python3 here; install Python 3.11 or newer to run the SDKs of Python' }
  }
  const hash = createHash('sha256').update(readFileSync(requirements)).update(version.stdout).digest('hex').slice(0, 16)
  const folder = join(homedir(), '.cache', 'vouch', 'python', hash)
  const done = join(folder, '.complete')
  const unlock = existsSync(done) ? undefined : await lock(`${folder}.lock`)
  try {
    if (!existsSync(done)) {
      const trouble = install(folder, requirements)
      if (trouble !== undefined) return { missing: `skipped: ${trouble}` }
      writeFileSync(done, '')
    }
  } finally {
    unlock?.()
  }
  return { program: name => join(folder, 'bin', name) }
}

/** Says what went wrong, in one line. */
function install(folder: string, requirements: string): string | undefined {
  rmSync(folder, { recursive: true, force: true })
  const made = spawnSync('python3', ['-m', 'venv', folder], { encoding: 'utf8' })
  if (made.status !== 0) return 'python3 cannot make virtual environments; install its venv module (Debian: python3-venv)'
  const pip = spawnSync(
    join(folder, 'bin', 'pip'),
    ['install', '-q', '--no-input', '--disable-pip-version-check', '-r', requirements],
    {
      encoding: 'utf8',
      timeout: installMaxMs,
    },
  )
  if (pip.status === 0) return undefined
  const last = pip.stderr.trim().split('\n').at(-1)
  return `pip could not install ${requirements}: ${last === undefined || last === '' ? 'it timed out' : last}`
}
