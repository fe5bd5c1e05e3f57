// What built-in kinds do to a new or changed object besides their schema: the fields that only the server gives.
import type { Core } from '../core.ts'
import { type Draft, equalJson, isRecord } from '../draft.ts'
import type { Behaviour } from './resource.ts'

type Hooks = Pick<Behaviour, 'prepareCreate' | 'prepareUpdate'>

export function builtinBehaviours(core: () => Core): (group: string, kind: string) => Partial<Behaviour> {
  const hooks: Readonly<Record<string, Hooks | undefined>> = {
    '/Namespace': { prepareCreate: prepareNamespace, prepareUpdate: keepNamespace },
    '/Pod': { prepareCreate: draft => preparePod(core(), draft), prepareUpdate: (draft, live) => keepPod(core(), draft, live) },
    '/Service': { prepareCreate: draft => prepareService(core(), draft) },
    'apiextensions.k8s.io/CustomResourceDefinition': { prepareCreate: prepareDefinition },
  }
  return (group, kind) => hooks[`${group}/${kind}`] ?? {}
}

function prepareNamespace(draft: Draft): void {
  const spec = isRecord(draft.spec) ? draft.spec : {}
  const finalizers = Array.isArray(spec.finalizers) ? (spec.finalizers as string[]) : []
  draft.spec = { ...spec, finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] }
  draft.status = { phase: 'Active' }
  const { name } = draft.metadata
  if (name !== undefined) draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': name }
}

/** Finalizers of the spec change through …/finalize only, and the name label is put back. */
function keepNamespace(draft: Draft, live: Readonly<Draft>, subresource: string): void {
  if (subresource !== 'finalize') draft.spec = live.spec
  draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': live.metadata.name as string }
}

function preparePod(core: Core, draft: Draft): void {
  draft.status = { phase: 'Pending', qosClass: qosClassOf(draft.spec) }
  if (core.emulate !== '1.32') draft.metadata.generation = 1
}

function keepPod(core: Core, draft: Draft, live: Readonly<Draft>): void {
  if (core.emulate === '1.32') return
  const { generation } = live.metadata
  if (generation !== undefined) draft.metadata.generation = equalJson(draft.spec, live.spec) ? generation : generation + 1
}

/** By what the containers ask for: all limits equal to requests, some, or nothing at all. */
export function qosClassOf(spec: unknown): string {
  const containers = isRecord(spec) && Array.isArray(spec.containers) ? (spec.containers as unknown[]) : []
  let any = false
  let all = containers.length > 0
  for (const container of containers) {
    const resources = isRecord(container) && isRecord(container.resources) ? container.resources : {}
    const limits = isRecord(resources.limits) ? resources.limits : {}
    const requests = isRecord(resources.requests) ? resources.requests : {}
    for (const name of ['cpu', 'memory']) {
      if (limits[name] !== undefined || requests[name] !== undefined) any = true
      if (limits[name] === undefined || (requests[name] !== undefined && requests[name] !== limits[name])) all = false
    }
  }
  return all ? 'Guaranteed' : any ? 'Burstable' : 'BestEffort'
}

/** Addresses come from 10.96.0.0/12, random and not taken, as a real allocator gives them. */
function prepareService(core: Core, draft: Draft): void {
  draft.status = { loadBalancer: {} }
  const spec = isRecord(draft.spec) ? draft.spec : {}
  if (spec.type === 'ExternalName') return
  const given = typeof spec.clusterIP === 'string' && spec.clusterIP !== '' ? spec.clusterIP : undefined
  const clusterIP = given ?? freeAddress(core)
  const isHeadlessWithoutSelector = clusterIP === 'None' && spec.selector === undefined
  draft.spec = {
    ...spec,
    clusterIP,
    clusterIPs: [clusterIP],
    ipFamilies: spec.ipFamilies ?? ['IPv4'],
    ipFamilyPolicy: spec.ipFamilyPolicy ?? (isHeadlessWithoutSelector ? 'RequireDualStack' : 'SingleStack'),
    ...(spec.type === 'NodePort' || spec.type === 'LoadBalancer' ? { ports: withNodePorts(core, spec.ports) } : {}),
  }
}

const nodePortFirst = 30_000
const nodePortCount = 2_768

function withNodePorts(core: Core, ports: unknown): unknown {
  if (!Array.isArray(ports)) return ports
  return (ports as { nodePort?: number }[]).map(port =>
    port.nodePort === undefined || port.nodePort === 0
      ? { ...port, nodePort: nodePortFirst + core.random.integer(nodePortCount) }
      : port,
  )
}

const triesMax = 1_000

function freeAddress(core: Core): string {
  const taken = new Set<unknown>()
  core.store.table('services').rows.visit('', version => {
    taken.add((version.object.spec as { clusterIP?: string } | undefined)?.clusterIP)
    return true
  })
  for (let tries = 0; tries < triesMax; tries++) {
    const number = core.random.integer(2 ** 20 - 2) + 1
    const address = `10.${96 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`
    if (!taken.has(address)) return address
  }
  throw new Error('no free cluster address after a thousand tries')
}

/** Every definition goes through the removal of its objects, so it begins with the finalizer for that. */
function prepareDefinition(draft: Draft): void {
  const spec = isRecord(draft.spec) ? draft.spec : {}
  const versions = Array.isArray(spec.versions) ? (spec.versions as { name?: string; storage?: boolean }[]) : []
  const storedVersions = versions.filter(version => version.storage === true).map(version => version.name)
  draft.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions }
}
