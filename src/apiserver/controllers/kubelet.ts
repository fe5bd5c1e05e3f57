// One pretend node: pods are bound to it, their volumes are resolved, they start and become ready, and they end when they are told to.
// Nothing runs; what can be seen through the API is as if it did.

import type { Committed } from '../draft.ts'
import { timestamp } from '../timestamp.ts'
import { findObject } from './look.ts'
import type { ControllerContext, MakeController } from './runner.ts'

export const nodeName = 'embedded-node-0'
const hostIp = '192.168.0.10'
/** How often a pod that waits for a Secret or a ConfigMap is looked at again. */
const mountRetryMs = 1_000
const leaseSeconds = 10

interface PodSpec {
  readonly nodeName?: string
  readonly restartPolicy?: string
  readonly containers?: readonly Container[]
  readonly initContainers?: readonly Container[]
  readonly volumes?: readonly Volume[]
  readonly readinessGates?: readonly { readonly conditionType: string }[]
}

interface Container {
  readonly name: string
  readonly image?: string
}

interface Volume {
  readonly name: string
  readonly secret?: { readonly secretName: string; readonly optional?: boolean }
  readonly configMap?: { readonly name: string; readonly optional?: boolean }
  readonly projected?: { readonly sources?: readonly ProjectedSource[] }
}

interface ProjectedSource {
  readonly secret?: { readonly name: string; readonly optional?: boolean }
  readonly configMap?: { readonly name: string; readonly optional?: boolean }
}

export const kubelet: MakeController = context => {
  let addresses = 0
  return {
    name: 'kubelet',
    keys: (event, table) => {
      if (table.name !== 'pods') return []
      if (event.type === 'DELETED') context.ports.logs.drop(event.version.object.metadata.uid)
      return event.type === 'DELETED' ? [] : [event.key]
    },
    reconcile: async key => {
      const pod = findObject(context.ports, 'pods', key)
      const spec = (pod?.spec ?? {}) as PodSpec
      if (pod === undefined || spec.nodeName !== nodeName) return undefined
      if (pod.metadata.deletionTimestamp !== undefined) return terminate(context, pod)
      const { phase } = statusOf(pod)
      if (phase === 'Succeeded' || phase === 'Failed') return undefined
      if (phase === 'Running') return refreshReadiness(context, pod)
      const missing = missingVolume(context, pod)
      if (missing !== undefined) return waitForVolume(context, pod, missing)
      return start(context, pod, podAddress(addresses++))
    },
  }
}

/** The next host of the next network of 254, as often as there are networks. */
function podAddress(index: number): string {
  return `10.244.${Math.floor(index / 254) % 256}.${(index % 254) + 1}`
}

async function terminate({ ports, api }: ControllerContext, pod: Committed): Promise<number | undefined> {
  const left = Date.parse(pod.metadata.deletionTimestamp as string) - ports.clock.now()
  // Containers here end as soon as they are asked to; only a wish to wait is honoured.
  const waits = pod.metadata.annotations?.['sim/slow-termination'] === 'true'
  if (waits && left > 0) return left
  await api.delete(`/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}`, {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    gracePeriodSeconds: 0,
    preconditions: { uid: pod.metadata.uid },
  })
  return undefined
}

/** The first Secret or ConfigMap that a volume needs and the namespace has not. */
function missingVolume({ ports }: ControllerContext, pod: Committed): string | undefined {
  const { namespace } = pod.metadata
  const lacks = (table: string, name: string, optional: boolean | undefined): string | undefined =>
    optional !== true && findObject(ports, table, `${namespace}/${name}`) === undefined
      ? `${table.slice(0, -1)} ${JSON.stringify(name)} not found`
      : undefined
  for (const { name, secret, configMap, projected } of specOf(pod).volumes ?? []) {
    const problems = [
      secret && lacks('secrets', secret.secretName, secret.optional),
      configMap && lacks('configmaps', configMap.name, configMap.optional),
      ...(projected?.sources ?? []).flatMap(source => [
        source.secret && lacks('secrets', source.secret.name, source.secret.optional),
        source.configMap && lacks('configmaps', source.configMap.name, source.configMap.optional),
      ]),
    ]
    const problem = problems.find(found => found !== undefined)
    if (problem !== undefined) return `MountVolume.SetUp failed for volume ${JSON.stringify(name)} : ${problem}`
  }
  return undefined
}

async function waitForVolume(context: ControllerContext, pod: Committed, problem: string): Promise<number> {
  const waiting = { waiting: { reason: 'ContainerCreating' } }
  const status = { ...baseStatus(context, pod), phase: 'Pending', containerStatuses: statuses(pod, waiting, false) }
  const { containerStatuses } = statusOf(pod)
  if (containerStatuses === undefined) {
    await writeStatus(context, pod, status)
    await recordEvent(context, pod, { type: 'Warning', reason: 'FailedMount', message: problem })
  }
  return mountRetryMs
}

async function start(context: ControllerContext, pod: Committed, podIp: string): Promise<undefined> {
  const { annotations = {} } = pod.metadata
  const startedAt = timestamp(context.ports.clock.now())
  const exitCode = annotations['sim/exit-code']
  if (exitCode !== undefined) {
    const code = Number(exitCode)
    const terminated = {
      terminated: { exitCode: code, reason: code === 0 ? 'Completed' : 'Error', startedAt, finishedAt: startedAt },
    }
    const phase = code === 0 ? 'Succeeded' : 'Failed'
    await writeStatus(context, pod, {
      ...baseStatus(context, pod),
      phase,
      podIP: podIp,
      podIPs: [{ ip: podIp }],
      containerStatuses: statuses(pod, terminated, false),
    })
    return undefined
  }
  const ready = annotations['sim/never-ready'] !== 'true'
  const status = {
    ...baseStatus(context, pod),
    phase: 'Running',
    podIP: podIp,
    podIPs: [{ ip: podIp }],
    containerStatuses: statuses(pod, { running: { startedAt } }, ready),
    conditions: conditions(context, pod, ready),
  }
  await writeStatus(context, pod, status)
  for (const { name, image } of specOf(pod).containers ?? []) {
    await recordEvent(context, pod, {
      type: 'Normal',
      reason: 'Pulled',
      message: `Container image ${JSON.stringify(image ?? '')} already present on machine`,
    })
    await recordEvent(context, pod, { type: 'Normal', reason: 'Created', message: `Created container: ${name}` })
    await recordEvent(context, pod, { type: 'Normal', reason: 'Started', message: `Started container ${name}` })
  }
  return undefined
}

/** Readiness gates are set by others; readiness follows them. */
async function refreshReadiness(context: ControllerContext, pod: Committed): Promise<undefined> {
  const ready = pod.metadata.annotations?.['sim/never-ready'] !== 'true'
  const wanted = conditions(context, pod, ready)
  const present = statusOf(pod).conditions ?? []
  const isSame = wanted.every(condition =>
    present.some(other => other.type === condition.type && other.status === condition.status),
  )
  if (!isSame) await writeStatus(context, pod, { ...(pod.status as object), conditions: wanted })
  return undefined
}

interface PodCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string
}

function conditions({ ports }: ControllerContext, pod: Committed, containersReady: boolean): PodCondition[] {
  const now = timestamp(ports.clock.now())
  const present = statusOf(pod).conditions ?? []
  const gates = (specOf(pod).readinessGates ?? []).map(gate => gate.conditionType)
  const gatesMet = gates.every(gate => present.some(condition => condition.type === gate && condition.status === 'True'))
  const make = (type: string, isTrue: boolean): PodCondition => {
    const status = isTrue ? 'True' : 'False'
    const old = present.find(condition => condition.type === type)
    return {
      type,
      status,
      lastProbeTime: null,
      lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? now) : now,
    } as PodCondition
  }
  const own = [
    make('PodReadyToStartContainers', true),
    make('Initialized', true),
    make('Ready', containersReady && gatesMet),
    make('ContainersReady', containersReady),
    make('PodScheduled', true),
  ]
  return [...present.filter(condition => !own.some(other => other.type === condition.type)), ...own]
}

function baseStatus({ ports }: ControllerContext, pod: Committed): Record<string, unknown> {
  const status = statusOf(pod)
  return { ...status, hostIP: hostIp, hostIPs: [{ ip: hostIp }], startTime: status.startTime ?? timestamp(ports.clock.now()) }
}

function statuses(pod: Committed, state: object, ready: boolean): object[] {
  return (specOf(pod).containers ?? []).map(({ name, image = '' }) => ({
    name,
    state,
    lastState: {},
    ready,
    restartCount: 0,
    image,
    imageID: 'running' in state ? `${image}@sha256:embedded` : '',
    ...('running' in state ? { containerID: `embedded://${pod.metadata.uid}/${name}`, started: true } : { started: false }),
  }))
}

async function writeStatus({ api }: ControllerContext, pod: Committed, status: object): Promise<void> {
  const { status: code, object } = await api.update(
    `/api/v1/namespaces/${pod.metadata.namespace}/pods/${pod.metadata.name}/status`,
    { ...pod, status },
  )
  // A newer version brings the key back by itself.
  if (code >= 500) throw new Error(`writing the status of a pod: ${object.message as string}`)
}

async function recordEvent(
  { api, ports }: ControllerContext,
  pod: Committed,
  event: { type: string; reason: string; message: string },
): Promise<void> {
  const { namespace, name, uid, resourceVersion } = pod.metadata
  const now = timestamp(ports.clock.now())
  await api.create(`/api/v1/namespaces/${namespace}/events`, {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { kind: 'Pod', apiVersion: 'v1', name, namespace, uid, resourceVersion },
    source: { component: 'kubelet', host: nodeName },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
    ...event,
  })
}

/** Keeps the node itself: there from the start, ready, with its lease renewed. */
export const node: MakeController = context => ({
  name: 'node',
  keys: (event, table) =>
    table.name === 'namespaces' && event.key === 'kube-node-lease' && event.type === 'ADDED' ? [nodeName] : [],
  reconcile: async () => {
    const { ports, api } = context
    const now = ports.clock.now()
    if (findObject(ports, 'nodes', nodeName) === undefined) {
      const { object, status } = await api.create('/api/v1/nodes', {
        kind: 'Node',
        apiVersion: 'v1',
        metadata: {
          name: nodeName,
          labels: { 'kubernetes.io/hostname': nodeName, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
        },
        spec: {},
      })
      if (status === 201)
        await api.update(`/api/v1/nodes/${nodeName}/status`, { ...object, status: nodeStatus(timestamp(now), ports.emulate) })
    }
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'
    const renewTime = new Date(now).toISOString().replace('Z', '000Z')
    const lease = findObject(ports, 'leases.coordination.k8s.io', `kube-node-lease/${nodeName}`)
    const spec = { holderIdentity: nodeName, leaseDurationSeconds: 40, renewTime }
    if (lease === undefined)
      await api.create(path, { kind: 'Lease', apiVersion: 'coordination.k8s.io/v1', metadata: { name: nodeName }, spec })
    else await api.update(`${path}/${nodeName}`, { ...lease, spec })
    return leaseSeconds * 1_000
  },
})

function nodeStatus(now: string, version: string): object {
  const condition = (type: string, status: string, reason: string, message: string): object => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })
  const resources = { cpu: '8', memory: '32Gi', pods: '110' }
  return {
    capacity: resources,
    allocatable: resources,
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
      condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
    ],
    addresses: [
      { type: 'InternalIP', address: hostIp },
      { type: 'Hostname', address: nodeName },
    ],
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: 'embedded',
      osImage: 'embedded',
      containerRuntimeVersion: 'embedded://1',
      kubeletVersion: `v${version}.0`,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  }
}

interface PodStatus {
  readonly phase?: string
  readonly startTime?: string
  readonly containerStatuses?: unknown
  readonly conditions?: readonly PodCondition[]
}

function specOf(pod: Committed): PodSpec {
  return (pod.spec ?? {}) as PodSpec
}

function statusOf(pod: Committed): PodStatus {
  return (pod.status ?? {}) as PodStatus
}
