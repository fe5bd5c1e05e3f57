// Upstream's webhook, or ours, as a process beside an API server of a few lines, and what it answers in the form in which two are compared.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { type HttpListener, systemNet } from '#base'
import { applyJsonPatch } from '#kube'
import { comesAbout } from '../eventually.ts'
import { plainExchange } from '../exchange.ts'
import { freePort } from './free-port.ts'

/** Ours, from this checkout. */
export const ourWebhook: readonly string[] = [
  process.execPath,
  join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts'),
  'webhook',
  'aws',
]

export interface Running {
  readonly child: ChildProcess
  /** The effective pod, normalised, or the refusal. */
  ask(pod: object, request?: object, version?: string): Promise<unknown>
}

export interface StartOptions {
  readonly command: readonly string[]
  readonly flags: readonly string[]
  /** With `tls.crt` and `tls.key`. */
  readonly folder: string
  readonly api: HttpListener
  readonly ca: string
  /** ServiceAccounts whose pods get a token once the caches are whole. */
  readonly known: readonly string[]
}

/** Upstream's program or ours, as a user starts it. */
export async function startWebhook({ command, flags, folder, api, ca, known }: StartOptions): Promise<Running> {
  const [port, metrics] = [await freePort(), await freePort()]
  const args = [
    ...command.slice(1),
    '--in-cluster=false',
    `--kube-api=http://127.0.0.1:${api.port}`,
    `--tls-cert=${join(folder, 'tls.crt')}`,
    `--tls-key=${join(folder, 'tls.key')}`,
    `--port=${port}`,
    `--metrics-port=${metrics}`,
    ...flags,
  ]
  const child = spawn(command[0] as string, args, { stdio: 'ignore', env: { PATH: process.env['PATH'], HOME: folder } })
  const { exchange } = plainExchange({ origin: `https://127.0.0.1:${port}`, ca })
  const ask: Running['ask'] = async (pod, request = {}, version = 'v1') => {
    const review = {
      apiVersion: `admission.k8s.io/${version}`,
      kind: 'AdmissionReview',
      request: { uid: 'u', namespace: 'ns1', object: pod, ...request },
    }
    const body = Buffer.from(JSON.stringify(review))
    const response = await exchange({
      method: 'POST',
      target: '/mutate?timeout=10s',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(chunk)
    const answer = (JSON.parse(Buffer.concat(chunks).toString()) as { response: { allowed: boolean; patch?: string } }).response
    if (!answer.allowed) return 'refused'
    const patch = JSON.parse(Buffer.from(answer.patch ?? 'W10=', 'base64').toString()) as unknown[]
    return normalised(applyJsonPatch(structuredClone(pod), patch), [])
  }
  // What the caches know shows in what is answered.
  try {
    for (const name of known)
      await comesAbout(
        async () => {
          const review = await ask({ spec: { serviceAccountName: name, containers: [{ name: 'a' }] } }).catch(() => undefined)
          return JSON.stringify(review ?? '').includes('serviceAccountToken')
        },
        () => 'a review gets its token',
        15_000,
      )
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { child, ask }
}

/** §0.3: what a typed decoder adds or leaves out, and the jitter, make no difference. */
export function normalised(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => normalised(item, [...path, String(index)]))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).flatMap(([name, child]) => {
    if (child === null || (name === 'namespace' && child === 'ns1')) return []
    if (name === 'expirationSeconds' && Number(child) >= 79_200 && Number(child) <= 86_400 && isContainerCredentials(value))
      return [[name, 'jittered'] as const]
    const clean = normalised(child, [...path, name])
    const isEmpty = typeof clean === 'object' && clean !== null && Object.keys(clean).length === 0
    return isEmpty && name !== 'emptyDir' ? [] : [[name, clean] as const]
  })
  return Object.fromEntries(kept)
}

function isContainerCredentials(source: object): boolean {
  return (source as { audience?: string }).audience === 'pods.eks.amazonaws.com'
}

export interface TinyApiState {
  /** Annotations of the ServiceAccounts of ns1, by name. */
  readonly accounts: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Of the ConfigMap. */
  readonly entries: object
}

/** ServiceAccounts and the ConfigMap; a watch that says nothing. */
export function tinyApi({ accounts, entries }: TinyApiState): Promise<HttpListener> {
  const account = ([name, annotations]: readonly [string, Readonly<Record<string, string>>]) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      namespace: 'ns1',
      name,
      uid: name,
      resourceVersion: '1',
      annotations,
    },
  })
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'eks', name: 'pod-identity-webhook', uid: 'cm', resourceVersion: '1' },
    data: { config: JSON.stringify(entries) },
  }
  const json = (status: number, value: unknown) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(value)),
  })
  const missing = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', reason: 'NotFound', code: 404 }
  return systemNet.listen({}, async ({ target, signal }) => {
    const url = new URL(target, 'http://api')
    // A list as a stream is refused, as older servers do.
    if (url.searchParams.has('sendInitialEvents')) return json(400, { ...missing, reason: 'BadRequest', code: 400 })
    if (url.searchParams.has('watch')) {
      await new Promise<void>(resolve => signal?.addEventListener('abort', () => resolve(), { once: true }))
      return json(200, {})
    }
    const kind = url.pathname.includes('/configmaps') ? 'ConfigMap' : 'ServiceAccount'
    const items = kind === 'ConfigMap' ? [configMap] : Object.entries(accounts).map(account)
    const name = /\/(?:serviceaccounts|configmaps)\/(.+)$/.exec(url.pathname)?.[1]
    if (name === undefined) return json(200, { apiVersion: 'v1', kind: `${kind}List`, metadata: { resourceVersion: '1' }, items })
    const found = items.find(({ metadata }) => metadata.name === name)
    return found === undefined ? json(404, missing) : json(200, found)
  })
}
