// Where the programs of a real control plane come from: `obtainKubernetes()` for the suites, `node scripts/run.mjs scripts/kubernetes.ts`
// by hand. In this order: KUBEBUILDER_ASSETS, our cache outside the checkout, the official download (checksums verified), and a
// build by Go from the modules in scripts/kubernetes/, which pin every source file by go.sum. Whoever comes second waits for the first.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lock } from './build-lock.ts'

export const kubernetesVersion = '1.34.4'
export const etcdVersion = '3.6.7'

export interface KubernetesPrograms {
  readonly etcd: string
  readonly kubeApiserver: string
  readonly kubectl: string
  /** Where they were found, in words. */
  readonly from: string
}

export type Obtained = { readonly programs: KubernetesPrograms } | { readonly skipped: string }

const programNames = ['etcd', 'kube-apiserver', 'kubectl'] as const
type ProgramName = (typeof programNames)[number]

/** A download that has not answered within this time will not: the point is to find out quickly that there is no network. */
const answerMsMax = 5_000
/** Then it may take its time: the three programs together are about 170 MB. */
const downloadMsMax = 300_000

/** Finds, fetches or builds the programs; `skipped` says in one line what is missing and how to get it. */
export async function obtainKubernetes(
  say: (line: string) => void = line => process.stderr.write(`${line}\n`),
): Promise<Obtained> {
  const assets = process.env['KUBEBUILDER_ASSETS']
  if (assets !== undefined && assets !== '') {
    const programs = programsIn(assets, 'KUBEBUILDER_ASSETS')
    if (programs !== undefined) return { programs }
    return {
      skipped: `KUBEBUILDER_ASSETS is ${assets}, which does not hold ${programNames.join(', ')}: put them there or unset it`,
    }
  }
  const cache = cacheFolder()
  const cached = programsIn(cache, 'cache')
  if (cached !== undefined) return { programs: cached }
  const unlock = await lock(`${cache}.lock`, () =>
    say('Another run is fetching or building the Kubernetes programs: waiting for it ...'),
  )
  try {
    const meanwhile = programsIn(cache, 'cache')
    if (meanwhile !== undefined) return { programs: meanwhile }
    mkdirSync(cache, { recursive: true })
    const reasons: string[] = []
    for (const attempt of [download, build]) {
      const failure = await attempt(cache, say)
      const programs = programsIn(cache, 'cache')
      if (programs !== undefined) return { programs }
      if (failure !== undefined) reasons.push(failure)
    }
    return {
      skipped:
        `no kube-apiserver ${kubernetesVersion} (${reasons.join('; ')}): set KUBEBUILDER_ASSETS to a folder with ` +
        `${programNames.join(', ')}, or install Go 1.24 or newer so that they can be built`,
    }
  } finally {
    unlock()
  }
}

/** `$XDG_CACHE_HOME/vouch/kubernetes/<version>`, outside any checkout so that fresh clones share it. */
export function cacheFolder(): string {
  const base = process.env['XDG_CACHE_HOME']
  return join(base !== undefined && base !== '' ? base : join(homedir(), '.cache'), 'vouch', 'kubernetes', kubernetesVersion)
}

function programsIn(folder: string, from: string): KubernetesPrograms | undefined {
  if (!programNames.every(name => existsSync(join(folder, name)))) return undefined
  return { etcd: join(folder, 'etcd'), kubeApiserver: join(folder, 'kube-apiserver'), kubectl: join(folder, 'kubectl'), from }
}

// ---- download

/** Undefined when all three are in place, else why not. Kubernetes publishes no kube-apiserver for other systems than Linux. */
async function download(folder: string, say: (line: string) => void): Promise<string | undefined> {
  if (process.platform !== 'linux') return `there is no official kube-apiserver for ${process.platform}`
  const arch = process.arch === 'x64' ? 'amd64' : process.arch
  try {
    say(`Fetching Kubernetes ${kubernetesVersion} and etcd ${etcdVersion} (about 170 MB, once) ...`)
    for (const name of ['kube-apiserver', 'kubectl'] as const) {
      if (existsSync(join(folder, name))) continue
      const url = `https://dl.k8s.io/v${kubernetesVersion}/bin/linux/${arch}/${name}`
      const wanted = (await fetchText(`${url}.sha256`)).trim().split(/\s/)[0]
      install(folder, name, verified(await fetchBytes(url), wanted, url))
    }
    if (!existsSync(join(folder, 'etcd'))) await downloadEtcd(folder, arch)
    return undefined
  } catch (error) {
    return `download failed: ${reasonOf(error)}`
  }
}

async function downloadEtcd(folder: string, arch: string): Promise<void> {
  const release = `https://github.com/etcd-io/etcd/releases/download/v${etcdVersion}`
  const base = `etcd-v${etcdVersion}-linux-${arch}`
  const sums = await fetchText(`${release}/SHA256SUMS`)
  const wanted = sums
    .split('\n')
    .find(line => line.endsWith(`${base}.tar.gz`))
    ?.split(/\s/)[0]
  const archive = verified(await fetchBytes(`${release}/${base}.tar.gz`), wanted, `${base}.tar.gz`)
  const unpacked = spawnSync('tar', ['-xzO', '-f', '-', `${base}/etcd`], { input: archive, maxBuffer: 1 << 29 })
  if (unpacked.status !== 0) throw new Error(`tar could not unpack ${base}.tar.gz: ${unpacked.stderr.toString().trim()}`)
  install(folder, 'etcd', unpacked.stdout)
}

async function fetchText(url: string): Promise<string> {
  return Buffer.from(await fetchBytes(url)).toString('utf8')
}

async function fetchBytes(url: string): Promise<Uint8Array> {
  const answered = new AbortController()
  const timer = setTimeout(
    () => answered.abort(new Error(`${new URL(url).host} did not answer within ${answerMsMax} ms`)),
    answerMsMax,
  )
  try {
    const response = await fetch(url, { signal: AbortSignal.any([answered.signal, AbortSignal.timeout(downloadMsMax)]) })
    clearTimeout(timer)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  } finally {
    clearTimeout(timer)
  }
}

function verified(bytes: Uint8Array, wanted: string | undefined, what: string): Uint8Array {
  const actual = createHash('sha256').update(bytes).digest('hex')
  if (wanted !== actual) throw new Error(`${what}: SHA-256 is ${actual}, published is ${wanted ?? 'nothing'}`)
  return bytes
}

/** A program appears under its name only when it is whole, so a run that is killed half-way leaves no broken cache. */
function install(folder: string, name: ProgramName, bytes: Uint8Array): void {
  const partial = join(folder, `.${name}.${process.pid}`)
  writeFileSync(partial, bytes)
  chmodSync(partial, 0o755)
  renameSync(partial, join(folder, name))
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

// ---- build

const kubernetesFlags = [
  '-s',
  '-w',
  ...Object.entries({ gitVersion: `v${kubernetesVersion}`, gitMajor: '1', gitMinor: kubernetesVersion.split('.')[1] }).flatMap(
    ([name, value]) =>
      ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'].flatMap(pack => ['-X', `${pack}.${name}=${value}`]),
  ),
].join(' ')

async function build(folder: string, say: (line: string) => void): Promise<string | undefined> {
  if (spawnSync('go', ['version']).status !== 0) return 'Go is not installed'
  const modules = join(dirname(fileURLToPath(import.meta.url)), 'kubernetes')
  const jobs: { name: ProgramName; module: string; target: string; flags: string; about: string }[] = [
    { name: 'etcd', module: 'etcd', target: 'go.etcd.io/etcd/server/v3', flags: '-s -w', about: '20 seconds' },
    {
      name: 'kube-apiserver',
      module: 'apiserver',
      target: 'k8s.io/kubernetes/cmd/kube-apiserver',
      flags: kubernetesFlags,
      about: '3 minutes',
    },
    { name: 'kubectl', module: 'apiserver', target: 'k8s.io/kubernetes/cmd/kubectl', flags: kubernetesFlags, about: '1 minute' },
  ]
  for (const job of jobs) {
    if (existsSync(join(folder, job.name))) continue
    const failure = await goBuild({ ...job, cwd: join(modules, job.module), output: join(folder, job.name), say })
    if (failure !== undefined) return `go build of ${job.name} failed: ${failure}`
  }
  return undefined
}

interface GoBuild {
  readonly name: string
  readonly cwd: string
  readonly target: string
  readonly flags: string
  readonly about: string
  readonly output: string
  readonly say: (line: string) => void
}

/** Runs one build and says every ten seconds that it is alive: four silent minutes look like a hang. */
async function goBuild({ name, cwd, target, flags, about, output, say }: GoBuild): Promise<string | undefined> {
  const partial = `${output}.${process.pid}.partial`
  say(`Building ${name} with Go (once, about ${about} on two cores) ...`)
  const started = Date.now()
  const args = ['build', '-mod=readonly', '-buildvcs=false', '-ldflags', flags, '-o', partial, target]
  const child = spawn('go', args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GOWORK: 'off' },
  })
  let errors = ''
  child.stderr.on('data', chunk => {
    errors = (errors + String(chunk)).slice(-2_000)
  })
  const ticker = setInterval(() => say(`  ... ${name}: ${Math.round((Date.now() - started) / 1000)} s`), 10_000)
  const killChild = (): void => void child.kill()
  process.once('exit', killChild)
  const code = await new Promise<number | null>(resolve => {
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
  clearInterval(ticker)
  process.off('exit', killChild)
  if (code !== 0) {
    rmSync(partial, { force: true })
    return errors.trim().split('\n').slice(-3).join(' | ') || `exit code ${code}`
  }
  renameSync(partial, output)
  say(`  done in ${((Date.now() - started) / 1000).toFixed(0)} s`)
  return undefined
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const obtained = await obtainKubernetes()
  if ('skipped' in obtained) {
    console.error(`skipped: ${obtained.skipped}`)
    process.exitCode = 1
  } else {
    const folder = dirname(obtained.programs.etcd)
    console.log(`kube-apiserver and kubectl ${kubernetesVersion}, etcd ${etcdVersion} (${obtained.programs.from}): ${folder}`)
    console.log(`use them yourself with PATH=${folder}${delimiter}$PATH`)
  }
}
