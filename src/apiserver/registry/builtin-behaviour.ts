// What built-in kinds do to a new or changed object besides their schema: the fields that only the server gives.

import { type Clock, isRecord } from '#base'
import { type Json, qualityOf, withStatusOf } from '#schema'
import { asDraft, asJson, type Draft, equalJson } from '../draft.ts'
import type { EmulatedVersion } from '../emulated-version.ts'
import { timestamp } from '../timestamp.ts'
import { certificateRequests } from './certificate-requests.ts'
import { prepareClaim, prepareClaimUpdate } from './claim-sources.ts'
import { daemonTemplates } from './daemon-templates.ts'
import { prepareJob } from './job-selector.ts'
import { narrowSelectors } from './pod-label-keys.ts'
import { keepOnlyPart } from './pod-parts.ts'
import type { Behaviour } from './resource.ts'
import { languageErrors } from './rule-language.ts'
import { prepareNewService, prepareServiceUpdate } from './service-allocation.ts'
import type { ServicePorts } from './service-pools.ts'

type Hooks = Pick<Behaviour, 'prepareCreate' | 'prepareUpdate' | 'validate'>

export interface BehaviourPorts extends ServicePorts {
  readonly clock: Clock
  readonly emulate: EmulatedVersion
}

export function builtinBehaviours(ports: BehaviourPorts): (group: string, kind: string) => Partial<Behaviour> {
  const hooks: Readonly<Record<string, Hooks | undefined>> = {
    '/Namespace': { prepareCreate: prepareNamespace, prepareUpdate: keepNamespace },
    '/Node': { prepareCreate: leaveConfiguration },
    '/Pod': {
      prepareCreate: draft => preparePod(ports, draft),
      prepareUpdate: (draft, live, part) => keepPod(ports, draft, live, part),
    },
    '/Service': {
      prepareCreate: (draft, dryRun) => prepareNewService(ports, draft, dryRun),
      prepareUpdate: (draft, live, subresource, dryRun) => {
        if (subresource === '') prepareServiceUpdate(ports, draft, live, dryRun)
      },
    },
    '/ServiceAccount': { prepareCreate: nameSecrets, prepareUpdate: nameSecrets },
    'apiregistration.k8s.io/APIService': { prepareCreate: draft => beginService(ports, draft) },
    '/LimitRange': { prepareCreate: draft => nameLimits(ports, draft) },
    'certificates.k8s.io/CertificateSigningRequest': certificateRequests(ports.clock),
    'coordination.k8s.io/Lease': { prepareCreate: leaveElection, prepareUpdate: leaveElection },
    'discovery.k8s.io/EndpointSlice': { prepareCreate: leaveTopology, prepareUpdate: leaveTopology },
    'storage.k8s.io/CSIDriver': {
      prepareCreate: leavePeriod,
      prepareUpdate: (draft, live) => {
        leavePeriod(draft)
        countChanges(draft, live)
      },
    },
    'storage.k8s.io/VolumeAttachment': { prepareCreate: detach, prepareUpdate: leaveCodes },
    'autoscaling/HorizontalPodAutoscaler': { prepareCreate: keepScalerStatus, prepareUpdate: keepScalerStatusOf },
    'batch/Job': { prepareCreate: prepareJob },
    'apps/DaemonSet': daemonTemplates,
    '/PersistentVolume': { prepareCreate: draft => beginPhase(ports, draft) },
    '/PersistentVolumeClaim': { prepareCreate: prepareClaim, prepareUpdate: prepareClaimUpdate },
    'apiextensions.k8s.io/CustomResourceDefinition': {
      prepareCreate: prepareDefinition,
      prepareUpdate: (draft, _live, subresource) => {
        if (subresource === '') rememberStorage(draft)
      },
      validate: (draft, old) => languageErrors(draft.spec as Json, old?.spec as Json | undefined, ports.emulate),
    },
  }
  return (group, kind) => hooks[`${group}/${kind}`] ?? {}
}

function keepScalerStatus(draft: Draft): void {
  keepScalerStatusOf(draft, undefined, '')
}

function keepScalerStatusOf(draft: Draft, live: Readonly<Draft> | undefined, subresource: string): void {
  if (draft.apiVersion !== 'autoscaling/v1' || subresource === 'status') return
  const metadata = withStatusOf(asJson(draft).metadata, live === undefined ? undefined : asJson(live).metadata)
  draft.metadata = asDraft({ metadata }).metadata
}

function prepareNamespace(draft: Draft): void {
  const spec = isRecord(draft.spec) ? draft.spec : {}
  const finalizers = Array.isArray(spec.finalizers) ? (spec.finalizers as string[]) : []
  draft.spec = { ...spec, finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] }
  draft.status = { phase: 'Active' }
  const { name } = draft.metadata
  if (name !== undefined) draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': name }
}

function beginPhase({ clock }: BehaviourPorts, draft: Draft): void {
  draft.status = { phase: 'Pending', lastPhaseTransitionTime: timestamp(clock.now()) }
}

/** What the server itself answers is there at once. */
function beginService({ clock }: BehaviourPorts, draft: Draft): void {
  if (!isRecord(draft.spec) || draft.spec.service !== undefined) return
  const [reason, message] = ['Local', 'Local APIServices are always available']
  const lastTransitionTime = timestamp(clock.now())
  draft.status = { conditions: [{ type: 'Available', status: 'True', lastTransitionTime, reason, message }] }
}

/** Limits without a name get one, as nothing else does. */
function nameLimits({ random }: BehaviourPorts, { metadata }: Draft): void {
  if ((metadata.name ?? '') === '') metadata.name = random.uuid()
}

/** Of a secret that an account names its name alone is kept. */
function nameSecrets(draft: Draft): void {
  if (!Array.isArray(draft.secrets)) return
  draft.secrets = draft.secrets.map((secret: Json) => (isRecord(secret) && 'name' in secret ? { name: secret.name } : {}))
}

/** Finalizers of the spec change through …/finalize only, and the name label is put back. */
function keepNamespace(draft: Draft, live: Readonly<Draft>, subresource: string): void {
  if (subresource !== 'finalize') draft.spec = live.spec
  draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': live.metadata.name as string }
}

function preparePod({ clock, emulate }: BehaviourPorts, draft: Draft): void {
  const conditions = isGated(draft) ? { conditions: [heldBack(timestamp(clock.now()))] } : {}
  draft.status = { phase: 'Pending', ...conditions, qosClass: qualityOf(asJson(draft).spec) }
  if (emulate !== '1.32') draft.metadata.generation = 1
  // How the older ones do it has not been seen.
  if (emulate === '1.34') narrowSelectors(draft)
}

function isGated({ spec }: Draft): boolean {
  return isRecord(spec) && Array.isArray(spec.schedulingGates) && spec.schedulingGates.length > 0
}

/** Who waits for a place learns at once why there is none. */
function heldBack(now: string): object {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
}

function keepPod(ports: BehaviourPorts, draft: Draft, live: Readonly<Draft>, subresource: string): void {
  keepOnlyPart(draft, live, subresource)
  if (subresource === 'status') draft.status = completePodStatus(draft.status, live.status)
  if (ports.emulate === '1.32') return
  const { generation } = live.metadata
  if (generation !== undefined) draft.metadata.generation = equalJson(draft.spec, live.spec) ? generation : generation + 1
}

/** The quality of a pod stays, and its one address is the first of its addresses: where they differ the one counts alone. */
function completePodStatus(wanted: unknown, live: unknown): Record<string, unknown> {
  const status = isRecord(wanted) ? wanted : {}
  const { qosClass } = isRecord(live) ? live : {}
  const podIPs = Array.isArray(status.podIPs) ? (status.podIPs as unknown[]) : []
  const first = isRecord(podIPs[0]) ? podIPs[0].ip : ''
  const podIP = typeof status.podIP === 'string' && status.podIP !== '' ? status.podIP : first
  return {
    ...status,
    ...((status.qosClass ?? '') === '' && qosClass !== undefined && { qosClass }),
    ...(typeof podIP === 'string' && podIP !== '' && { podIP, podIPs: podIP === first ? podIPs : [{ ip: podIP }] }),
  }
}

/** Every definition goes through the removal of its objects, so it begins with the finalizer for that. */
function prepareDefinition(draft: Draft): void {
  const storage = storageOf(draft)
  const storedVersions = storage === undefined ? [] : [storage]
  draft.status = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions }
}

/** From now on objects are stored in it, beside what was stored in others before. */
function rememberStorage(draft: Draft): void {
  const storage = storageOf(draft)
  const status = isRecord(draft.status) ? draft.status : {}
  const stored = Array.isArray(status.storedVersions) ? (status.storedVersions as unknown[]) : []
  if (storage !== undefined && !stored.includes(storage)) draft.status = { ...status, storedVersions: [...stored, storage] }
}

/** Of several, which validation refuses, the first. */
function storageOf(draft: Draft): string | undefined {
  const spec = isRecord(draft.spec) ? draft.spec : {}
  const versions = Array.isArray(spec.versions) ? (spec.versions as { name?: string; storage?: boolean }[]) : []
  return versions.find(version => version.storage === true)?.name
}

/** Elections that the servers hold among themselves are not switched on: what a lease says of them is taken and not kept. */
function leaveElection(draft: Draft): void {
  if (!isRecord(draft.spec)) return
  const { strategy: _strategy, preferredHolder: _holder, ...spec } = draft.spec
  draft.spec = spec
}

/** Nodes were told once where their programs find what to do; that is not switched on any more. */
function leaveConfiguration(draft: Draft): void {
  for (const [part, field] of [
    ['spec', 'configSource'],
    ['status', 'config'],
  ] as const) {
    const value = draft[part]
    if (!isRecord(value) || !(field in value)) continue
    const { [field]: _gone, ...rest } = value
    draft[part] = rest
  }
}

/** Slices of an older version said in a map where an endpoint is; this version has fields for it, and does not take the map any more. */
function leaveTopology(draft: Draft): void {
  if (!Array.isArray(draft.endpoints)) return
  draft.endpoints = draft.endpoints.map((endpoint: unknown) => {
    if (!isRecord(endpoint)) return endpoint
    const { deprecatedTopology: _topology, ...rest } = endpoint
    return rest
  })
}

/** How often a node is asked what fits on it is not switched on. */
function leavePeriod(draft: Draft): void {
  if (!isRecord(draft.spec)) return
  const { nodeAllocatableUpdatePeriodSeconds: _period, ...spec } = draft.spec
  draft.spec = spec
}

/** Whoever asks for an attachment has none yet. */
function detach(draft: Draft): void {
  draft.status = { attached: false }
}

/** A driver begins without a generation, and has one from its first change on. */
function countChanges(draft: Draft, live: Readonly<Draft>): void {
  if (!equalJson(draft.spec, live.spec)) draft.metadata.generation = (live.metadata.generation ?? 0) + 1
}

/** By which number an attachment failed is not switched on. */
function leaveCodes(draft: Draft): void {
  if (!isRecord(draft.status)) return
  const status: Record<string, unknown> = { ...draft.status }
  for (const field of ['attachError', 'detachError']) {
    const error = status[field]
    if (!isRecord(error)) continue
    const { errorCode: _code, ...rest } = error
    status[field] = rest
  }
  draft.status = status
}
