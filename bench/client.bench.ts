// `npm run bench -- client [OBJECTS] [EVENTS]`: our client beside the official JavaScript client, each in a process of its own, against
// the same stub server over TLS: a list into a map, then a burst of watch events. The stub is not measured.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type HttpRequest, type HttpResponse, issueCertificate, systemKeys, systemNet, systemSeams } from '#base'

interface Phase {
  readonly ms: number
  readonly cpuMs: number
  readonly heapMb: number
  readonly rssMb: number
}

interface Measured {
  readonly importMs: number
  readonly list: Phase
  readonly watch: Phase & { readonly events: number }
}

export async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'child') return child(args.slice(1))
  const objects = Number(args[0] ?? 10_000)
  const events = Number(args[1] ?? 50_000)
  const folder = mkdtempSync(join(tmpdir(), 'bench-client-'))
  const server = await startStub(objects, events, join(folder, 'kubeconfig'))
  try {
    const rounds = 3
    const results = { ours: [] as Measured[], official: [] as Measured[] }
    for (let round = 0; round < rounds; round++) {
      for (const who of ['ours', 'official'] as const) {
        results[who].push(await measureIn(who, join(folder, 'kubeconfig'), objects, events))
      }
    }
    print(best(results.ours), best(results.official), objects, events)
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
}

/** The run with the least CPU: the others were disturbed. */
function best(runs: readonly Measured[]): Measured {
  return runs.reduce((a, b) => (a.list.cpuMs + a.watch.cpuMs <= b.list.cpuMs + b.watch.cpuMs ? a : b))
}

function print(ours: Measured, official: Measured, objects: number, events: number): void {
  const row = (what: string, mine: number, theirs: number, unit: string): void => {
    const ratio = (mine / theirs).toFixed(2)
    console.log(
      `${what.padEnd(34)}${mine.toFixed(1).padStart(10)}${theirs.toFixed(1).padStart(12)} ${unit.padEnd(9)}${ratio.padStart(6)}`,
    )
  }
  console.log(`${''.padEnd(34)}${'ours'.padStart(10)}${'official'.padStart(12)} ${''.padEnd(9)}${'ratio'.padStart(6)}`)
  row('import', ours.importMs, official.importMs, 'ms')
  row(`list of ${objects}: time`, ours.list.ms, official.list.ms, 'ms')
  row(`list of ${objects}: CPU`, ours.list.cpuMs, official.list.cpuMs, 'ms')
  row(`list of ${objects}: heap held`, ours.list.heapMb, official.list.heapMb, 'MB')
  row(`list of ${objects}: RSS`, ours.list.rssMb, official.list.rssMb, 'MB')
  row(
    `${events} events: rate`,
    (ours.watch.events / ours.watch.ms) * 1_000,
    (official.watch.events / official.watch.ms) * 1_000,
    'events/s',
  )
  row(`${events} events: CPU`, ours.watch.cpuMs, official.watch.cpuMs, 'ms')
  row(`${events} events: heap grown`, ours.watch.heapMb - ours.list.heapMb, official.watch.heapMb - official.list.heapMb, 'MB')
  row('RSS at the end', ours.watch.rssMb, official.watch.rssMb, 'MB')
}

async function startStub(objects: number, events: number, kubeconfig: string): Promise<{ close(): Promise<void> }> {
  const key = await systemKeys.generateEc()
  const validity = { validFrom: Date.now() - 60_000, validUntil: Date.now() + 3_600_000, serial: Uint8Array.of(1) }
  const ca = issueCertificate({ ...validity, subject: { commonName: 'bench' }, key, usage: 'ca' })
  const certificate = issueCertificate({
    ...validity,
    subject: { commonName: 'stub' },
    key,
    usage: 'server',
    names: { dns: ['localhost'], ips: ['127.0.0.1'] },
    issuer: { certificate: ca, key },
  })
  const items = Array.from({ length: objects }, (_, n) => configMap(n, n))
  const pages = new Map<string, Uint8Array>()
  const changes = burst(objects, events)
  const listener = await systemNet.listen({ tls: { certificate, key } }, async (request: HttpRequest): Promise<HttpResponse> => {
    const query = new URL(request.target, 'http://x').searchParams
    const headers = { 'content-type': 'application/json' }
    if (query.has('watch')) return { status: 200, headers, body: Readable.from(changes) }
    const start = Number(query.get('continue') ?? 0)
    const end = Math.min(objects, start + Number(query.get('limit') ?? objects))
    const name = `${start}-${end}`
    let body = pages.get(name)
    if (body === undefined)
      pages.set(
        name,
        (body = Buffer.from(JSON.stringify(listOf(items.slice(start, end), end < objects ? String(end) : undefined)))),
      )
    return { status: 200, headers, body }
  })
  const config = {
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    clusters: [
      {
        name: 'c',
        cluster: {
          server: `https://127.0.0.1:${listener.port}`,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
    users: [{ name: 'u', user: { token: 't' } }],
  }
  writeFileSync(kubeconfig, JSON.stringify(config))
  return listener
}

function listOf(items: readonly object[], next: string | undefined): object {
  return {
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '100000', ...(next !== undefined && { continue: next }) },
    items,
  }
}

/** About a kilobyte, as small objects with managed fields are. */
function configMap(n: number, version: number): object {
  return {
    metadata: {
      name: `object-${n}`,
      namespace: `team-${n % 50}`,
      uid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      resourceVersion: String(1_000 + version),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `app-${n % 100}`, tier: 'backend', 'app.kubernetes.io/managed-by': 'bench' },
      annotations: { 'example.com/checksum': 'a'.repeat(64) },
      managedFields: [
        {
          manager: 'bench',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:data': { '.': {}, 'f:key': {}, 'f:other': {} },
            'f:metadata': { 'f:labels': { '.': {}, 'f:app': {}, 'f:tier': {} } },
          },
        },
      ],
    },
    data: { key: 'value '.repeat(20), other: String(version) },
  }
}

/** All events, a hundred to a piece; made beforehand, so that the stub is never the slower one. */
function burst(objects: number, events: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let sent = 0; sent < events; ) {
    let text = ''
    for (let n = 0; n < 100 && sent < events; n++, sent++) {
      const object = { kind: 'ConfigMap', apiVersion: 'v1', ...configMap(sent % objects, 100_000 + sent) }
      text += `${JSON.stringify({ type: 'MODIFIED', object })}\n`
    }
    pieces.push(Buffer.from(text))
  }
  return pieces
}

function measureIn(who: string, kubeconfig: string, objects: number, events: number): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const main = join(import.meta.dirname, 'main.ts')
    const args = [
      '--expose-gc',
      '--disable-warning=ExperimentalWarning',
      main,
      'client',
      'child',
      who,
      kubeconfig,
      String(objects),
      String(events),
    ]
    const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    running.stdout.on('data', piece => {
      output += String(piece)
    })
    running.on('close', code => {
      if (code === 0) resolve(JSON.parse(output.trim().split('\n').at(-1) ?? '') as Measured)
      else reject(new Error(`measuring ${who} ended with ${code}`))
    })
  })
}

async function child([who, kubeconfig = '', objects, events]: readonly string[]): Promise<void> {
  const started = performance.now()
  const subject = who === 'ours' ? await ours(kubeconfig) : await official(kubeconfig)
  const importMs = performance.now() - started
  const cache = new Map<string, unknown>()
  const list = await phase(() => subject.list(cache))
  if (cache.size !== Number(objects)) throw new Error(`listed ${cache.size} objects`)
  let seen = 0
  const watch = await phase(() => subject.watch(cache, () => seen++))
  if (seen !== Number(events)) throw new Error(`saw ${seen} events`)
  console.log(JSON.stringify({ importMs, list, watch: { ...watch, events: seen } } satisfies Measured))
}

async function phase(work: () => Promise<void>): Promise<Phase> {
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  const rss = process.memoryUsage().rss
  globalThis.gc?.()
  return { ms, cpuMs: (user + system) / 1_000, heapMb: process.memoryUsage().heapUsed / 1_048_576, rssMb: rss / 1_048_576 }
}

interface Subject {
  list(cache: Map<string, unknown>): Promise<void>
  watch(cache: Map<string, unknown>, onEvent: () => void): Promise<void>
}

async function ours(kubeconfig: string): Promise<Subject> {
  const { connect } = await import('#kube/client')
  const { client } = await connect(systemSeams({}), { kubeconfig: [kubeconfig] })
  const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }
  return {
    list: async cache => {
      const list = await client.listAll(type)
      for (const item of list.items) cache.set(item.metadata.uid, item)
    },
    watch: async (cache, onEvent) => {
      for await (const event of client.watch(type, { resourceVersion: '100000' })) {
        if (event.type !== 'MODIFIED') continue
        cache.set(event.object.metadata.uid, event.object)
        onEvent()
      }
    },
  }
}

async function official(kubeconfig: string): Promise<Subject> {
  const { CoreV1Api, KubeConfig, Watch } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  return {
    list: async cache => {
      const api = config.makeApiClient(CoreV1Api)
      let token: string | undefined
      do {
        const page = await api.listConfigMapForAllNamespaces({ limit: 500, ...(token !== undefined && { _continue: token }) })
        for (const item of page.items) cache.set(item.metadata?.uid ?? '', item)
        token = page.metadata?._continue
      } while (token !== undefined && token !== '')
    },
    watch: (cache, onEvent) =>
      new Promise((resolve, reject) => {
        const take = (_type: string, object: { metadata: { uid: string } }): void => {
          cache.set(object.metadata.uid, object)
          onEvent()
        }
        const done = (error: unknown): void => (error === null || error === undefined ? resolve() : reject(error as Error))
        new Watch(config).watch('/api/v1/configmaps', { resourceVersion: '100000' }, take, done).catch(reject)
      }),
  }
}
