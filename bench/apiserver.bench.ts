// `npm run bench -- apiserver [--seconds N] [--warm N] [--creates] [--full]`: the embedded API server beside kube-apiserver with etcd, in
// one run, by the same load generator over TLS. `--full` goes on to 100,000 objects, which takes the real pair minutes.
// Creates are told twice: of a server that has just begun, whose code is not compiled yet, and after some seconds of them.
// etcd runs once without and once with fsync. Then the embedded one in process, without sockets. A server that decides nothing (empty)
// says what Node's HTTP/2 over TLS and the load generator leave for creates.
import { parseArgs } from 'node:util'
import { createApiServer } from '#apiserver'
import { obtainKubernetes } from '../scripts/kubernetes.ts'
import { type Contender, processorMsOf, rssOf, startEmbedded, startEmpty, startReal } from './apiserver/contenders.ts'
import { Connection, type Endpoint, type LoadRequest, load } from './load.ts'

/** what → contender → value */
const results = new Map<string, Map<string, number>>()
const units = new Map<string, string>()

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '1' },
      warm: { type: 'string', default: '5' },
      full: { type: 'boolean', default: false },
      creates: { type: 'boolean', default: false },
    },
  })
  const isCreatesAlone = values.creates
  const [ms, warmMs] = [Number(values.seconds) * 1000, Number(values.warm) * 1000]
  const obtained = await obtainKubernetes()
  const starters: (() => Promise<Contender>)[] = [startEmbedded, startEmpty]
  if ('skipped' in obtained) console.log(`skipped: the real pair: ${obtained.skipped}`)
  else
    starters.push(
      () => startReal(false),
      () => startReal(true),
    )
  const names: string[] = []
  for (const start of starters) {
    const contender = await start()
    names.push(contender.name)
    try {
      await measure(contender, { ms, warmMs, objectsMax: values.full ? 100_000 : 0, isCreatesAlone })
    } finally {
      await contender.stop()
    }
  }
  await inProcess(ms, isCreatesAlone)
  names.push('in process')
  print(names)
}

interface Extent {
  readonly ms: number
  readonly warmMs: number
  readonly objectsMax: number
  readonly isCreatesAlone: boolean
}

async function measure(contender: Contender, { ms, warmMs, objectsMax, isCreatesAlone }: Extent): Promise<void> {
  const { name, endpoint } = contender
  const note = (what: string, unit: string, value: number): void => {
    units.set(what, unit)
    results.set(what, (results.get(what) ?? new Map<string, number>()).set(name, value))
  }
  const rate = async (what: string, clients: number, make: (client: number, round: number) => LoadRequest): Promise<void> => {
    const { perSecond } = await load(endpoint, clients, ms, make)
    note(what, '/s', perSecond)
  }
  const creates = async (clients: number, when: string): Promise<void> => {
    const what = `creates ${when}, ${clients} client${clients === 1 ? '' : 's'}`
    const { perSecond, serverUs, ownUs } = await load(
      endpoint,
      clients,
      ms,
      create(`${when.replaceAll(' ', '-')}-${clients}`),
      () => processorMsOf(contender),
    )
    note(what, '/s', perSecond)
    note(`${what}: processor time of the server`, 'µs', serverUs)
    note(`${what}: of the load generator`, 'µs', ownUs)
  }
  note('start to ready', 'ms', contender.readyMs)
  note('RSS empty', 'MB', rssOf(contender))
  if (contender.measured !== 'creates') await prepare(endpoint)
  for (const when of ['at first', 'warm']) {
    if (when === 'warm') await load(endpoint, 8, warmMs, create('warming'))
    for (const clients of [1, 64]) await creates(clients, when)
  }
  if (isCreatesAlone || contender.measured === 'creates') return
  await rate('creates of CRs with CEL, 64', 64, createWidget)
  await rate('updates (PUT), 64', 64, (client, round) => put(client, round))
  await rate('merge patches of status, 64', 64, (client, round) => patchStatus(client, round))
  await rate('applies, 64', 64, (client, round) => apply(client, round))
  if (contender.measured === 'writes') return
  await rate('gets, 1 client', 1, () => ({ method: 'GET', path: `${configMaps('bench')}/own-0` }))
  await rate('gets, 64', 64, client => ({ method: 'GET', path: `${configMaps('bench')}/own-${client}` }))
  await fill(endpoint, 'thousand', 0, 1_000)
  await rate('lists of 1,000, 1 client', 1, () => ({ method: 'GET', path: configMaps('thousand') }))
  for (const watchers of [100, 1_000])
    note(`watch events delivered, ${watchers} watchers`, '/s', await fanOut(endpoint, watchers))
  await fill(endpoint, 'many', 0, 10_000)
  note('RSS with 10,000 objects', 'MB', rssOf(contender))
  await rate('lists of 10,000, 1 client', 1, () => ({ method: 'GET', path: configMaps('many') }))
  if (objectsMax === 0) return
  await fill(endpoint, 'many', 10_000, objectsMax)
  note('RSS with 100,000 objects', 'MB', rssOf(contender))
}

const configMaps = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps`
const widgets = '/apis/bench.example.com/v1/namespaces/bench/widgets'

function configMap(name: string, value = 'x'): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'bench' } },
    data: { key: value },
  })
}

function widget(name: string, size: number): string {
  return JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Widget',
    metadata: { name },
    spec: { size, color: 'red', names: ['a', 'b'] },
  })
}

const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.bench.example.com' },
  spec: {
    group: 'bench.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', minimum: 1 },
                  color: { type: 'string', enum: ['red', 'blue'], default: 'red' },
                  names: { type: 'array', maxItems: 10, items: { type: 'string', maxLength: 20 } },
                },
                'x-kubernetes-validations': [
                  { rule: 'self.size < 10000000' },
                  { rule: '!has(self.names) || self.names.all(n, n.matches("^[a-z]+$"))', message: 'names are lower case' },
                ],
              },
              status: { type: 'object', properties: { seen: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
})

async function prepare(endpoint: Endpoint): Promise<void> {
  const connection = new Connection(endpoint)
  const post = async (path: string, body: string): Promise<void> => {
    const reply = await connection.ask({ method: 'POST', path, body })
    if (reply.status >= 400) throw new Error(`${path}: ${reply.text}`)
  }
  for (const name of ['bench', 'thousand', 'many']) {
    await post('/api/v1/namespaces', JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  }
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)
  while ((await connection.ask({ method: 'GET', path: widgets })).status !== 200)
    await new Promise(resolve => setTimeout(resolve, 50))
  for (let client = 0; client < 64; client++) {
    await post(configMaps('bench'), configMap(`own-${client}`))
    await post(widgets, widget(`own-${client}`, 1))
  }
  connection.close()
}

const create =
  (prefix: string) =>
  (client: number, round: number): LoadRequest => ({
    method: 'POST',
    path: configMaps('bench'),
    body: configMap(`${prefix}-${client}-${round}`),
  })

function createWidget(client: number, round: number): LoadRequest {
  return { method: 'POST', path: widgets, body: widget(`w-${client}-${round}`, round + 1) }
}

function put(client: number, round: number): LoadRequest {
  return { method: 'PUT', path: `${configMaps('bench')}/own-${client}`, body: configMap(`own-${client}`, `put ${round}`) }
}

function patchStatus(client: number, round: number): LoadRequest {
  const path = `${widgets}/own-${client}/status`
  return { method: 'PATCH', path, type: 'application/merge-patch+json', body: JSON.stringify({ status: { seen: round } }) }
}

function apply(client: number, round: number): LoadRequest {
  const path = `${widgets}/own-${client}?fieldManager=bench&force=true`
  return { method: 'PATCH', path, type: 'application/apply-patch+yaml', body: widget(`own-${client}`, round + 2) }
}

async function fill(endpoint: Endpoint, namespace: string, from: number, to: number): Promise<void> {
  const connections = Array.from({ length: 32 }, () => new Connection(endpoint))
  let next = from
  await Promise.all(
    connections.map(async connection => {
      while (next < to) {
        const reply = await connection.ask({ method: 'POST', path: configMaps(namespace), body: configMap(`o-${next++}`) })
        if (reply.status >= 400) throw new Error(reply.text)
      }
    }),
  )
  for (const connection of connections) connection.close()
}

/** So many watchers of one namespace, fifty writes: events that reached a watcher, per second. */
async function fanOut(endpoint: Endpoint, watchers: number): Promise<number> {
  const writes = 50
  const connections = Array.from({ length: 10 }, () => new Connection(endpoint))
  let seen = 0
  let all = (): void => {}
  const done = new Promise<void>(resolve => (all = resolve))
  const list = await (connections[0] as Connection).ask({ method: 'GET', path: `${configMaps('bench')}?limit=1` }, true)
  const { resourceVersion } = (JSON.parse(list.text) as { metadata: { resourceVersion: string } }).metadata
  const path = `${configMaps('bench')}?watch=true&resourceVersion=${resourceVersion}`
  for (let index = 0; index < watchers; index++) {
    await (connections[index % 10] as Connection).watch(path, count => {
      seen += count
      if (seen >= watchers * writes) all()
    })
  }
  const writer = new Connection(endpoint)
  const started = performance.now()
  for (let round = 0; round < writes; round++) await writer.ask(put(0, 1_000_000 + watchers + round))
  await done
  const elapsed = performance.now() - started
  for (const connection of [...connections, writer]) connection.close()
  return (watchers * writes * 1000) / elapsed
}

async function inProcess(ms: number, isCreatesAlone: boolean): Promise<void> {
  const started = performance.now()
  const server = createApiServer({ emulate: '1.34', controllers: 'none' })
  const note = (what: string, unit: string, value: number): void => {
    units.set(what, unit)
    results.set(what, (results.get(what) ?? new Map<string, number>()).set('in process', value))
  }
  note('start to ready', 'ms', performance.now() - started)
  const exchange = server.as()
  const ask = async ({ method, path, type, body }: LoadRequest): Promise<number> => {
    const headers = body === undefined ? {} : { 'content-type': type ?? 'application/json' }
    const reply = await exchange({ method, target: path, headers, body: body === undefined ? null : Buffer.from(body) })
    if (reply.status >= 400)
      throw new Error(`${method} ${path}: ${reply.status} ${Buffer.from(reply.body as Uint8Array).toString()}`)
    return reply.status
  }
  const rate = async (what: string, make: (round: number) => LoadRequest): Promise<void> => {
    for (let warm = 0; warm < 20; warm++) await ask(make(1_000_000 + warm))
    const began = performance.now()
    let count = 0
    for (; performance.now() < began + ms; count++) await ask(make(count))
    note(what, '/s', (count * 1000) / (performance.now() - began))
  }
  for (const name of ['bench', 'thousand', 'many']) {
    await ask({
      method: 'POST',
      path: '/api/v1/namespaces',
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    })
  }
  await ask({ method: 'POST', path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body: definition })
  await ask({ method: 'POST', path: configMaps('bench'), body: configMap('own-0') })
  await ask({ method: 'POST', path: widgets, body: widget('own-0', 1) })
  await rate('creates warm, 1 client', round => create('c')(0, round))
  if (isCreatesAlone) return server.close()
  await rate('creates of CRs with CEL, 64', round => createWidget(0, round))
  await rate('updates (PUT), 64', round => put(0, round))
  await rate('merge patches of status, 64', round => patchStatus(0, round))
  await rate('applies, 64', round => apply(0, round))
  await rate('gets, 1 client', () => ({ method: 'GET', path: `${configMaps('bench')}/own-0` }))
  for (let index = 0; index < 1_000; index++)
    await ask({ method: 'POST', path: configMaps('thousand'), body: configMap(`o-${index}`) })
  await rate('lists of 1,000, 1 client', () => ({ method: 'GET', path: configMaps('thousand') }))
  for (let index = 0; index < 10_000; index++)
    await ask({ method: 'POST', path: configMaps('many'), body: configMap(`o-${index}`) })
  await rate('lists of 10,000, 1 client', () => ({ method: 'GET', path: configMaps('many') }))
  await server.close()
}

function print(names: readonly string[]): void {
  const width = Math.max(...[...results.keys()].map(what => what.length))
  console.log(`\n${''.padEnd(width)}  ${names.map(name => name.padStart(15)).join('')}   embedded against real, no fsync`)
  for (const [what, byName] of results) {
    const unit = units.get(what) ?? ''
    const cells = names.map(name => {
      const value = byName.get(name)
      return (value === undefined ? '' : `${render(value)} ${unit}`).padStart(15)
    })
    console.log(`${what.padEnd(width)}  ${cells.join('')}   ${ratio(what, byName)}`)
  }
}

function ratio(what: string, byName: ReadonlyMap<string, number>): string {
  const [ours, theirs] = [byName.get('embedded'), byName.get('real, no fsync')]
  if (theirs === undefined || ours === undefined) return ''
  if (units.get(what) !== '/s') return `${(ours / theirs).toFixed(2)} of it`
  const others = ['in process', 'empty'].flatMap(name => {
    const value = byName.get(name)
    return value === undefined ? [] : [`, ${(value / theirs).toFixed(1)}x ${name}`]
  })
  return `${(ours / theirs).toFixed(1)}x${others.join('')}`
}

function render(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(1)
}
