// One informer in a process of its own, ours or the official one, driven over stdin-less IPC: the figures of one do not touch the other.
// Arguments: WHO (`ours`, `ours-pages`, `ours-projected`, `official`, or a floor) and the stand-in's port.

import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KubeConfig } from '@kubernetes/client-node'
import { configMaps } from '#kube'

interface Subject {
  /** Resolves when everything is in the cache. */
  readonly synced: Promise<void>
  size(): number
  events(): number
}

const [who = 'ours', port = '0', ...orders] = process.argv.slice(2)
const origin = `http://127.0.0.1:${port}`
await load()
const loadCpuMs = cpuMs({ user: 0, system: 0 })
const startedCpu = process.cpuUsage()
const startedMs = performance.now()
const subject = await start()
await subject.synced
const listMs = performance.now() - startedMs
const listCpuMs = cpuMs(startedCpu)
const report: Record<string, number | string> = { who, loadCpuMs, listMs, listCpuMs, objects: subject.size(), ...memory() }

if (orders.includes('burst')) {
  await sleep(300)
  const burstMax = 50_000
  const before = subject.events()
  const heapBefore = heapMb()
  const cpu = process.cpuUsage()
  const from = performance.now()
  await fetch(`${origin}/control?burst=${burstMax}`)
  while (subject.events() - before < burstMax) await sleep(5)
  report.burstMs = performance.now() - from
  report.burstCpuMs = cpuMs(cpu)
  report.heapSlopeMb = heapMb() - heapBefore
}
const cut = orders.find(order => order.startsWith('cut='))
if (cut !== undefined) {
  await sleep(1_500)
  const before = subject.events()
  const from = performance.now()
  await fetch(`${origin}/control?${cut}`)
  let recovered = Number.NaN
  while (performance.now() - from < 8_000) {
    await sleep(20)
    // A change now and then: does it come through?
    await fetch(`${origin}/control?burst=1`)
    if (subject.events() > before) {
      recovered = performance.now() - from
      break
    }
  }
  report.recoveredMs = recovered
}
process.send?.(report)
process.exit(0)

/** Everything that a program loads once and then has, Node's own modules too: each makes a call, so that none of it counts as listing. */
async function load(): Promise<void> {
  await (await fetch(`${origin}/control`)).text()
  if (who === 'official') {
    const { CoreV1Api } = await import('@kubernetes/client-node')
    // Any answer will do.
    await (await officialConfig())
      .makeApiClient(CoreV1Api)
      .listNamespace()
      .catch(() => undefined)
  } else if (!who.startsWith('floor')) {
    const [{ systemNet }] = await Promise.all([import('#base'), import('#runtime'), import('#kube/client')])
    const http = systemNet.dial({ origin })
    await http.exchange({ method: 'GET', target: '/control', headers: {}, body: null })
    await http.close()
  }
}

async function officialConfig(): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node')
  const config = new KubeConfig()
  config.loadFromClusterAndUser({ name: 'bench', server: origin, skipTLSVerify: true }, { name: 'bench' })
  return config
}

function start(): Promise<Subject> {
  if (who === 'official') return startOfficial()
  return who.startsWith('floor') ? startFloor() : startOurs()
}

/**
 * What no client that reads the stream can do without: `floor-bytes` takes the bytes and counts lines, `floor-text` keeps the text of each
 * object unparsed, `floor-parse` parses each line and keeps nothing, `floor-keep` keeps what it parsed, as a cache must.
 */
function startFloor(): Promise<Subject> {
  const held = new Map<string, unknown>()
  const namePattern = /"name":"([^"]*)"/
  let events = 0
  let rest: Buffer = Buffer.alloc(0)
  const { promise: synced, resolve: isSynced } = Promise.withResolvers<void>()
  const line = (bytes: Buffer, from: number, to: number): void => {
    if (who === 'floor-bytes') {
      if (++events === 10_001) isSynced()
      return
    }
    const text = bytes.toString('utf8', from, to)
    if (who === 'floor-text') held.set(namePattern.exec(text)?.[1] ?? '', text)
    else {
      const { object } = JSON.parse(text) as { object: { metadata: { name: string } } }
      if (who === 'floor-keep') held.set(object.metadata.name, object)
    }
    if (text.startsWith('{"type":"BOOKMARK"')) isSynced()
    else events++
  }
  const take = (piece: Buffer): void => {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    let from = 0
    for (let to = bytes.indexOf(10); to >= 0; to = bytes.indexOf(10, from)) {
      line(bytes, from, to)
      from = to + 1
    }
    rest = bytes.subarray(from)
  }
  get(`${origin}/api/v1/configmaps?watch=true&sendInitialEvents=true`, response => response.on('data', take))
  return Promise.resolve({ synced, size: () => held.size, events: () => events })
}

async function startOurs(): Promise<Subject> {
  const { Informer, keepIdentity, keepOwnFields } = await import('#runtime')
  const { createKubeClient } = await import('#kube/client')
  const { systemClock, systemNet, systemRandom, silentLog } = await import('#base')
  const http = systemNet.dial({ origin })
  let events = 0
  const informer = new Informer({
    client: createKubeClient({ clock: systemClock, address: origin, exchange: http.exchange }),
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    type: configMaps,
    project: who === 'ours-projected' ? keepIdentity : keepOwnFields(['bench']),
    listing: who === 'ours-pages' ? 'pages' : 'stream',
  })
  informer.cache.listen(() => events++)
  const synced = new Promise<void>(resolve => {
    const off = informer.onState(() => {
      if (!informer.cache.synced) return
      off()
      resolve()
    })
  })
  void informer.run(new AbortController().signal)
  return { synced, size: () => informer.cache.store.size, events: () => events }
}

async function startOfficial(): Promise<Subject> {
  const { CoreV1Api, makeInformer } = await import('@kubernetes/client-node')
  const config = await officialConfig()
  const api = config.makeApiClient(CoreV1Api)
  const informer = makeInformer(config, '/api/v1/configmaps', () => api.listConfigMapForAllNamespaces())
  let events = 0
  for (const verb of ['add', 'update', 'delete'] as const) informer.on(verb, () => events++)
  informer.on('error', () => {})
  const synced = informer.start()
  return { synced, size: () => informer.list().length, events: () => events }
}

function memory(): { heapMb: number; rssMb: number; rssPeakMb: number } {
  const heap = heapMb()
  return { heapMb: heap, rssMb: process.memoryUsage().rss / 1_048_576, rssPeakMb: process.resourceUsage().maxRSS / 1_024 }
}

function heapMb(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1_048_576
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}
