// `npm run bench -- dns [--objects 200] [--zones 10]`: what an ExternalDNS takes from nothing to Available, at rest and after a restart, over an
// API server of ours on a socket; and, where Go is there, how long it takes from a Service to its record with ExternalDNS itself.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApiServer } from '#apiserver'
import { systemClock as clock } from '#base'
import {
  customResourceDefinitions,
  deployments,
  type KubeObject,
  namespaces,
  pods,
  type StoredObject,
  secrets,
  serviceAccounts,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { dnsKind, type ExternalDns, renderDnsCrd } from '#operators/dns'
import { operandNamespace, operatorNamespace } from '../src/operators/dns/testing/dns-world.ts'
import { bundleFolder, bundleInto } from './bundle.ts'
import { measureRecords } from './dns/records.ts'
import { each, ms } from './identity/print.ts'
import { cpuMsOf } from './identity/programs.ts'
import type { Counts, TallyOrder } from './identity/tally.ts'

const folder = bundleFolder('dns')

export async function run(args: readonly string[]): Promise<void> {
  const [objects, zones] = [numberAfter(args, '--objects') ?? 200, numberAfter(args, '--zones') ?? 10]
  await bundleInto(folder, { 'operator-process': 'dns/operator-process.ts' })
  await measureMany(objects, zones)
  await measureRecords()
}

function numberAfter(args: readonly string[], flag: string): number | undefined {
  const given = args.indexOf(flag)
  return given === -1 ? undefined : Number(args[given + 1])
}

async function measureMany(objects: number, zones: number): Promise<void> {
  // Who makes Deployments available is this bench, so that every write can be told to its writer.
  const server = createApiServer({ controllers: ['namespace'], clock })
  const listener = await server.listen()
  const access = { origin: `https://127.0.0.1:${listener.port}`, ca: server.ca, token: server.adminToken }
  const admin = createKubeClient({ clock, address: 'bench', exchange: server.as() })
  await prepare(admin, objects)
  const operator = new Operator(access)
  await operator.ask('start')
  const began = performance.now()
  for (let index = 0; index < objects; index++) await admin.create(dnsKind.type, objectOf(index, zones))
  await untilAvailable(admin, objects)
  const tookMs = performance.now() - began
  const cpuMs = cpuMsOf([operator.pid])
  const { onHub, events } = await operator.ask('counts')
  console.log(
    `\n${objects} objects with ${zones} zones each, from nothing to Available: ${ms(tookMs)} (${ms(cpuMs)} of a processor), ${each(onHub, objects)} API writes an object and ${each(events, objects)} events`,
  )
  const { rssMb, heapMb } = await operator.ask('memory')
  console.log(
    `memory: ${rssMb.toFixed(0)} MB resident, ${heapMb.toFixed(0)} MB of heap after a collection (256 MiB is the contract)`,
  )
  // Events follow behind the writes, at a pace of their own.
  await untilQuiet(operator)
  await rest(operator)
  await operator.stop()
  await restart(access, admin, objects)
  await server.close()
}

async function untilQuiet(operator: Operator): Promise<void> {
  for (let before = -1; ; ) {
    const { writes } = await operator.ask('counts')
    if (writes === before) return
    before = writes
    await clock.sleep(5_000)
  }
}

/** A quarter of a minute, of which every write would be one too many. */
async function rest(operator: Operator): Promise<void> {
  await operator.ask('start')
  await clock.sleep(15_000)
  const { writes, passes } = await operator.ask('counts')
  console.log(`at rest, in 15 s: ${writes} API writes, ${passes} passes`)
}

async function restart(access: object, admin: KubeClient, objects: number): Promise<void> {
  const before = await versionsOf(admin)
  const began = performance.now()
  const operator = new Operator(access)
  // Both controllers look at every object once.
  while ((await operator.ask('counts')).passes < objects * 2) await clock.sleep(20)
  const tookMs = performance.now() - began
  const cpuMs = cpuMsOf([operator.pid])
  const { onHub } = await operator.ask('counts')
  const changed = [...(await versionsOf(admin))].filter(([name, version]) => before.get(name) !== version).length
  console.log(
    `after a restart all are looked at in ${ms(tookMs)} (60 s is the contract; ${ms(cpuMs)} of a processor, its own start included), with ${onHub} API writes and ${changed} Deployments updated`,
  )
  const { rssMb } = await operator.ask('memory')
  const peak = peakMb(operator.pid)
  keep('60 s after a restart', tookMs < 60_000)
  keep('no Deployment updated by a restart', changed === 0)
  keep('256 MiB', (peak ?? rssMb) < 256)
  console.log(
    `memory after the restart: ${rssMb.toFixed(0)} MB resident${peak === undefined ? '' : `, ${peak.toFixed(0)} MB at its highest`}`,
  )
  await operator.stop()
}

/** What is promised is more than a figure: where it is not kept, the command fails. */
function keep(promise: string, isKept: boolean): void {
  if (isKept) return
  console.error(`not kept: ${promise}`)
  process.exitCode = 1
}

class Operator {
  readonly #child: ReturnType<typeof fork>

  constructor(access: object) {
    this.#child = fork(join(folder, 'operator-process.mjs'), [JSON.stringify(access)])
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  async ask(order: TallyOrder): Promise<Counts> {
    this.#child.send(order)
    const [counts] = (await once(this.#child, 'message')) as [Counts]
    return counts
  }

  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit')
    this.#child.disconnect()
    await exit
  }
}

async function prepare(admin: KubeClient, objects: number): Promise<void> {
  for (const name of [operatorNamespace, operandNamespace])
    await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  // Pods need one, and the controller that makes it does not run here.
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: operandNamespace, name: 'default' } }
  await admin.create(serviceAccounts, account)
  const crd: KubeObject = renderDnsCrd({ service: { namespace: 'vouch', name: 'vouch-webhook' } })
  await admin.create(customResourceDefinitions, crd)
  const data = { aws_access_key_id: 'QUtJQQ==', aws_secret_access_key: 'c2VjcmV0' }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: operatorNamespace, name: 'keys' }, data }
  await admin.create(secrets, secret)
  for (let index = 0; index < objects; index++) await makePod(admin, nameOf(index))
}

const nameOf = (index: number): string => `dns-${index}`

async function makePod(admin: KubeClient, instance: string): Promise<void> {
  const labels = { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': instance }
  const metadata = { namespace: operandNamespace, name: `external-dns-${instance}-0`, labels }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'main', image: 'x' }] } }
  await admin.create(pods, pod)
  const status = { phase: 'Running', conditions: [{ type: 'PodScheduled', status: 'True' }] }
  await admin.patch(pods, { namespace: operandNamespace, name: metadata.name }, 'merge', { status }, { subresource: 'status' })
}

function objectOf(index: number, zones: number): KubeObject {
  const spec = {
    provider: { type: 'AWS', aws: { credentials: { name: 'keys' } } },
    source: { type: 'Service', fqdnTemplate: ['{{.Name}}.example.com'], labelFilter: { matchLabels: { object: nameOf(index) } } },
    domains: [{ filterType: 'Include', matchType: 'Exact', name: `${nameOf(index)}.example.com` }],
    zones: Array.from({ length: zones }, (_, zone) => `Z${index}X${zone}`),
  }
  const object = {
    apiVersion: `${dnsKind.type.group}/${dnsKind.type.version}`,
    kind: 'ExternalDNS',
    metadata: { name: nameOf(index) },
    spec,
  }
  return object
}

type DeploymentLike = StoredObject & { readonly status?: { readonly observedGeneration?: number } }

/** Makes Deployments available as they come, and waits until every object says so. */
async function untilAvailable(admin: KubeClient, objects: number): Promise<void> {
  for (;;) {
    const { items: present } = await admin.listAll<DeploymentLike>(deployments, { namespace: operandNamespace })
    const stale = present.filter(({ metadata, status }) => status?.observedGeneration !== metadata.generation)
    await Promise.all(stale.map(deployment => makeAvailable(admin, deployment)))
    const { items } = await admin.listAll<ExternalDns>(dnsKind.type)
    const available = items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Available' && is === 'True'),
    )
    if (available.length === objects) return
    // Looking at all of them is dear in itself.
    await clock.sleep(500)
  }
}

async function makeAvailable(admin: KubeClient, { metadata }: DeploymentLike): Promise<void> {
  const conditions = [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' }]
  const status = {
    observedGeneration: metadata.generation,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    conditions,
  }
  await admin.patch(
    deployments,
    { namespace: operandNamespace, name: metadata.name },
    'merge',
    { status },
    { subresource: 'status' },
  )
}

async function versionsOf(admin: KubeClient): Promise<ReadonlyMap<string, string>> {
  const { items } = await admin.listAll(deployments, { namespace: operandNamespace })
  return new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]))
}

/** Where the system says it. */
function peakMb(pid: number): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024
  } catch {
    return undefined
  }
}
