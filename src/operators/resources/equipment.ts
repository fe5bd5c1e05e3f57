// What a controller of one kind holds: the kind, the settings, the clients, and the ways to look around.

import type { ResourceService, ServiceModel } from '#aws'
import type { AwsClient, AwsClients } from '#aws/client'
import { Gathering } from '#cloud'
import { namespaces, type StoredObject } from '#kube'
import type { Reads } from '#runtime'
import type { Resource } from './api.ts'
import { awsCaller } from './aws-caller.ts'
import type { Caller, DeviatingKind } from './kinds/deviation.ts'
import type { Memory } from './memory.ts'
import type { OnCall } from './metrics.ts'
import { type KindModel, kindModel } from './model/kind-model.ts'
import { sameName } from './model/names.ts'
import { Rolls } from './observe/list-prints.ts'
import type { Settings } from './options.ts'
import { clientChoice, dependencyOf } from './place/client-choice.ts'
import { matchSelectors } from './place/match-selectors.ts'
import { type RoleSelector, roleSelectorKind } from './place/role-selector.ts'
import type { MatchedSelector, Place } from './place/select-place.ts'
import { type ReferenceTarget, referenceType } from './references/references.ts'

export interface Equipment extends DeviatingKind {
  readonly settings: Settings
  readonly memory: Memory
  namespaceAnnotations(reads: Reads, claim: Resource): Readonly<Record<string, string>>
  /** The kind that a reference leads to, where it is served. */
  modelOf(target: ReferenceTarget): KindModel | undefined
  findReferenced(reads: Reads, target: ReferenceTarget): Resource | undefined | 'unserved'
  matchingSelectors(reads: Reads, claim: Resource): readonly MatchedSelector[]
  caller(place: Place, signal: AbortSignal): Caller
  /** Under which name the engine holds back calls when the service is in trouble. */
  dependency(place: Place): string
  nowMs(): number
  readonly rolls: Rolls
}

export interface EquipmentOptions extends DeviatingKind {
  readonly settings: Settings
  readonly services: readonly ResourceService[]
  readonly aws: AwsClients
  readonly memory: Memory
  readonly nowMs: () => number
  /** Told of each read, for metrics. */
  readonly onCall?: OnCall
}

export function createEquipment(options: EquipmentOptions): Equipment {
  const { model, deviation, settings, services, memory, nowMs } = options
  return {
    model,
    deviation,
    settings,
    memory,
    nowMs,
    rolls: new Rolls(),
    namespaceAnnotations: (reads, claim) =>
      // Annotations of Kubernetes' own namespaces choose no role and no region, whoever may write them.
      ofKubernetes.includes(claim.metadata.namespace ?? '') ? {} : (namespaceOf(reads, claim)?.metadata.annotations ?? {}),
    modelOf: target => modelIn(services, target),
    findReferenced: (reads, target) => {
      const type = referenceType(services, target)
      if (type === undefined) return 'unserved'
      // A kind that is not installed has no objects.
      if (!reads.isSynced(type)) return undefined
      return reads.find<Resource>(type, { namespace: target.namespace, name: target.name })
    },
    matchingSelectors: (reads, claim) => {
      if (!reads.isSynced(roleSelectorKind.type)) return []
      const selected = { claim, type: model.type, namespaceLabels: namespaceOf(reads, claim)?.metadata.labels ?? {} }
      return matchSelectors(reads.list<RoleSelector>(roleSelectorKind.type), selected)
    },
    caller: callerWith(options),
    dependency: place => dependencyOf(model, place),
  }
}

function namespaceOf(reads: Reads, claim: Resource): StoredObject | undefined {
  return reads.find(namespaces, { namespace: '', name: claim.metadata.namespace ?? '' })
}

function modelIn(services: readonly ResourceService[], { service: alias, resource }: ReferenceTarget): KindModel | undefined {
  const service = services.find(each => each.alias === alias)
  const kind = Object.values(service?.kinds ?? {}).find(
    each => sameName(each.resource, resource) || sameName(each.kind, resource),
  )
  return service === undefined || kind === undefined ? undefined : kindModel(service, kind)
}

/** Its callers share what was asked for all claims of the kind. */
function callerWith({ model, settings, aws, onCall }: EquipmentOptions): Equipment['caller'] {
  const constants = new Map<string, Readonly<Record<string, unknown>>>()
  const gathering = new Gathering<unknown, unknown>(questionsMax)
  return (place, signal) => {
    const choice = clientChoice({ model, settings, place })
    const clientOf = (service: ServiceModel): AwsClient => aws.for({ ...choice, model: service })
    return awsCaller(aws.for(choice), { place, signal, constants, gathering, onCall, clientOf })
  }
}

const ofKubernetes = ['kube-system', 'kube-public', 'kube-node-lease']

/** Claims that one read serves: more than work at once. */
const questionsMax = 1_000
