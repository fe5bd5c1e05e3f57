// A real control plane for one run: etcd and kube-apiserver on ports of their own, files in a temporary folder, nothing left behind
// even when this process is killed. No controllers, no scheduler, no kubelet. `shared.ts` has the one that all suites use.
import { spawn } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HttpExchange } from '#base'
import { type KubernetesPrograms, obtainKubernetes } from '../../scripts/kubernetes.ts'
import { plainExchange } from './exchange.ts'
import { freePort } from './programs/free-port.ts'

export interface ProgramOutcome {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface ControlPlane {
  /** Path of an admin's kubeconfig. */
  readonly kubeconfig: string
  /** `https://127.0.0.1:port`. */
  readonly address: string
  /** PEM. */
  readonly ca: string
  /** A bearer token of a user in `system:masters`. */
  readonly adminToken: string
  /** A folder for the files of a test; goes with the control plane. */
  readonly folder: string
  readonly programs: KubernetesPrograms
  readonly etcd: Etcd
  /** As the admin, by node:https. */
  readonly exchange: HttpExchange
  /** Nobody in particular. */
  readonly anonymous: HttpExchange
  /** Process ids, for those who measure. */
  readonly pids: readonly number[]
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<ProgramOutcome>
  /** Drops history up to the revision, in etcd and in the watch cache's snapshots. */
  compact(revision: string): Promise<void>
  /** Ends the API server alone; what is returned starts it again as it was: the same address, certificate, keys and objects. */
  takeDown(): Promise<() => Promise<void>>
  /** Restarts the API server with this key for ServiceAccount tokens, in place of the one it had; those that it signed are void. */
  signWith(key: string): Promise<void>
  stop(): Promise<void>
}

export interface KubectlOptions {
  readonly input?: string
  /** Another kubeconfig: the same kubectl against the embedded server. */
  readonly kubeconfig?: string
  readonly timeoutMs?: number
}

export interface Etcd {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export interface ControlPlaneOptions {
  readonly programs?: KubernetesPrograms
  /** Share the etcd of another control plane, under a key prefix of its own. */
  readonly etcd?: Etcd
  /** The key prefix of one that was stopped, to go on with what it stored. */
  readonly prefix?: string
  /** Default false: tests do not survive power cuts, and a flush costs ten times the write. */
  readonly fsync?: boolean
  /** Who its ServiceAccount tokens are from, and which key signs them; by default one that nobody else knows. */
  readonly tokens?: { readonly issuer: string; readonly signingKey?: string; readonly audiences: readonly string[] }
  /** The flags that say all about the keys and issuers of ServiceAccount tokens, in place of the usual ones. */
  readonly serviceAccounts?: readonly string[]
  /** More flags for kube-apiserver, such as `--feature-gates=...`. */
  readonly flags?: readonly string[]
}

function tokenFlags({ tokens }: ControlPlaneOptions, key: string): string[] {
  return [
    `--service-account-issuer=${tokens?.issuer ?? 'https://kubernetes.default.svc.cluster.local'}`,
    ...(tokens === undefined ? [] : [`--api-audiences=${tokens.audiences.join(',')}`]),
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
  ]
}

const readyMsMax = 60_000
/** What an API server has to find again. */
const ownFiles = ['tokens.csv', 'sa.key', 'apiserver.crt', 'apiserver.key', 'kubeconfig']
const adminUser = 'test-admin'

/** Starts one; rejects with the end of the server's log when it does not become ready. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const programs = options.programs ?? (await programsOrThrow())
  const folder = mkdtempSync(join(tmpdir(), 'vouch-kubernetes-'))
  const etcd = options.etcd ?? (await startEtcd(programs, options.fsync ?? false))
  const adminToken = randomBytes(16).toString('hex')
  writeFileSync(join(folder, 'tokens.csv'), `${adminToken},${adminUser},${adminUser},system:masters\n`, { mode: 0o600 })
  writeFileSync(
    join(folder, 'sa.key'),
    options.tokens?.signingKey ??
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
    { mode: 0o600 },
  )
  const port = await freePort()
  const prefix = options.prefix ?? `/vouch-${randomBytes(4).toString('hex')}`
  const args = [
    `--etcd-servers=${etcd.url}`,
    `--etcd-prefix=${prefix}`,
    `--cert-dir=${folder}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    '--service-cluster-ip-range=10.96.0.0/12',
    ...(options.serviceAccounts ?? tokenFlags(options, join(folder, 'sa.key'))),
    // With it a webhook's Service is reached by its endpoints, which a test can write; nothing here routes service addresses.
    '--enable-aggregator-routing=true',
    '--profiling=false',
    ...(options.flags ?? []),
  ]
  let server = await startProgram(folder, programs.kubeApiserver, args)
  const address = `https://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    closeClients()
    await server.stop()
    if (options.etcd === undefined) await etcd.stop()
  }
  let closeClients = (): void => {}
  try {
    const ca = await certificateOf(folder, server)
    const admin = plainExchange({ origin: address, ca, headers: { authorization: `Bearer ${adminToken}` } })
    const nobody = plainExchange({ origin: address, ca })
    closeClients = () => {
      admin.close()
      nobody.close()
    }
    await ready(admin.exchange, server)
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, renderKubeconfig({ address, ca, token: adminToken }), { mode: 0o600 })
    const takeDown = async (): Promise<() => Promise<void>> => {
      const files = ownFiles.map(name => [name, readFileSync(join(folder, name))] as const)
      // The folder goes with the program.
      await server.stop()
      return async () => {
        mkdirSync(folder, { mode: 0o700 })
        for (const [name, content] of files) writeFileSync(join(folder, name), content, { mode: 0o600 })
        server = await startProgram(folder, programs.kubeApiserver, args)
        await ready(admin.exchange, server)
      }
    }
    return {
      kubeconfig,
      address,
      ca,
      adminToken,
      folder,
      programs,
      etcd,
      exchange: admin.exchange,
      anonymous: nobody.exchange,
      get pids() {
        return [server.pid, etcd.pid]
      },
      kubectl: (args, how) => runProgram(programs.kubectl, ['--kubeconfig', how?.kubeconfig ?? kubeconfig, ...args], folder, how),
      compact: revision => compactEtcd(etcd.url, revision),
      takeDown,
      signWith: async key => {
        writeFileSync(join(folder, 'sa.key'), key, { mode: 0o600 })
        const bringBack = await takeDown()
        await bringBack()
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

export function renderKubeconfig({ address, ca, token }: { address: string; ca: string; token: string }): string {
  const name = 'test'
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: address, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  })
}

async function programsOrThrow(): Promise<KubernetesPrograms> {
  const obtained = await obtainKubernetes()
  if ('skipped' in obtained) throw new Error(obtained.skipped)
  return obtained.programs
}

/** An etcd of its own; several control planes can share it. */
export async function startEtcd(programs: KubernetesPrograms, fsync = false): Promise<Etcd> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-etcd-'))
  const [client, peer] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${client}`
  const program = await startProgram(folder, programs.etcd, [
    `--data-dir=${join(folder, 'data')}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peer}`,
    `--initial-cluster=default=http://127.0.0.1:${peer}`,
    '--log-level=error',
    ...(fsync ? [] : ['--unsafe-no-fsync']),
  ])
  await until(async () => (await fetch(`${url}/health`)).ok, program, 'etcd')
  // A cluster in use has a past. Without one, revision 1 would be within every watch cache and could never be too old.
  for (let revision = 0; revision < 20; revision++)
    await callEtcd(url, '/v3/kv/put', { key: base64('past'), value: base64(`${revision}`) })
  return { url, pid: program.pid, stop: program.stop }
}

// The compactor's own protocol: kube-apiserver learns from this key up to where history is gone. Compacting etcd alone would leave
// the watch cache serving old revisions from its snapshots.
async function compactEtcd(url: string, revision: string): Promise<void> {
  await callEtcd(url, '/v3/kv/put', { key: base64('compact_rev_key'), value: base64(revision) })
  await callEtcd(url, '/v3/kv/compaction', { revision, physical: true })
}

async function callEtcd(url: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`etcd ${path}: ${response.status} ${text}`)
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

interface RunningProgram {
  readonly pid: number
  readonly exited: () => boolean
  readonly log: () => string
  stop(): Promise<void>
}

// A shell stands between: it holds our pipe, and when that closes, for whatever reason, it ends the program and removes the folder.
const guard = `folder=$1; shift
"$@" </dev/null >"$folder/log" 2>&1 3<&- &
child=$!
echo $child
(cat <&3 >/dev/null; [ -e "$folder/ended" ] || kill -9 $child) >/dev/null 2>&1 &
watch=$!
wait $child
touch "$folder/ended"
trap '' PIPE
echo ended
wait $watch
rm -rf "$folder"`

async function startProgram(folder: string, command: string, args: readonly string[]): Promise<RunningProgram> {
  const child = spawn('sh', ['-c', guard, 'sh', folder, command, ...args], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    detached: true,
  })
  const { stdout } = child
  const hold = child.stdio[3]
  if (stdout === null || !(hold instanceof Socket)) throw new Error('the pipe that keeps the program alive is missing')
  let said = ''
  stdout.on('data', chunk => {
    said += String(chunk)
  })
  await once(stdout, 'data')
  const gone = once(child, 'close')
  // A suite that forgets to stop it must not hang the run: what is left goes when this process does.
  for (const handle of [child, stdout as Socket, hold]) handle.unref()
  return {
    pid: Number.parseInt(said, 10),
    exited: () => said.includes('ended'),
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    stop: async () => {
      for (const handle of [child, stdout as Socket, hold]) handle.ref()
      hold.destroy()
      await gone
    },
  }
}

async function certificateOf(folder: string, server: RunningProgram): Promise<string> {
  const path = join(folder, 'apiserver.crt')
  let pem = ''
  await until(
    async () => (pem = readFileSync(path, 'utf8')).trimEnd().endsWith('-----END CERTIFICATE-----'),
    server,
    'kube-apiserver',
  )
  return pem
}

async function ready(exchange: HttpExchange, server: RunningProgram): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    const response = await exchange({ method: 'GET', target: '/readyz', headers: {}, body: null })
    if (response.body !== null && !(response.body instanceof Uint8Array)) for await (const _ of response.body);
    return response.status === 200
  }
  await until(isReady, server, 'kube-apiserver')
}

async function until(done: () => Promise<boolean>, program: RunningProgram, name: string): Promise<void> {
  const deadline = performance.now() + readyMsMax
  for (;;) {
    if (program.exited()) throw new Error(`${name} ended before it was ready; its log ends:\n${program.log().slice(-2_000)}`)
    if (await done().catch(() => false)) return
    if (performance.now() > deadline)
      throw new Error(`${name} is not ready after ${readyMsMax} ms; its log ends:\n${program.log().slice(-2_000)}`)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

/** Runs a program to its end with a bounded wait. HOME is the folder, so that no cache or config of the machine takes part. */
export async function runProgram(
  command: string,
  args: readonly string[],
  home: string,
  options: KubectlOptions = {},
): Promise<ProgramOutcome> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '', HOME: home } })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', chunk => out.push(chunk))
  child.stderr.on('data', chunk => err.push(chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 30_000)
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', exit => resolve(exit ?? -1))
  })
  clearTimeout(timer)
  return { code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') }
}
