// The ExternalDNS controller: one Deployment for each object, and what there is to say of it.
import {
  clusterRoleBindings,
  configMaps,
  deployments,
  pods,
  type ResourceType,
  type StoredObject,
  secrets,
  serviceAccounts,
} from '#kube'
import {
  type AnyController,
  type Change,
  defineController,
  indexBy,
  isEqualJson,
  type Reads,
  type Targets,
  toController,
  type Watch,
} from '#runtime'
import { roleKind } from '../../identity/api.ts'
import type { ExternalDns } from '../api/kinds.ts'
import { kindName, operandName, targetCaName } from '../api/names.ts'
import { bindingRefOf } from '../binding/view.ts'
import { jobs } from '../cleanup/job.ts'
import { modelOf } from '../convert/convert.ts'
import { credentialsRequests, requestNamespace } from '../credentials/request.ts'
import { sourceSecretName } from '../credentials/source.ts'
import type { LogFindings } from '../findings/findings.ts'
import type { PreflightRunner } from '../preflight/runner.ts'
import { bindingSelector } from '../rbac/binding-actions.ts'
import { claimType, type DnsSurroundings } from '../settings.ts'
import { platformDnses, platformDnsName } from '../zones/platform-dns.ts'
import { type DnsAction, decideDns } from './decide.ts'
import type { PodLike } from './deployment-conditions.ts'
import { transitionEvents } from './events.ts'
import { Contenders, observeDns } from './observe.ts'
import type { DnsSeen } from './seen.ts'

export const dnsControllerName = 'externaldns'

export interface DnsControllerOptions {
  readonly surroundings: DnsSurroundings
  readonly findings: LogFindings
  /** Where credentials are tried; nowhere when absent. */
  readonly preflight?: Pick<PreflightRunner, 'ask'>
}

export function dnsController({ surroundings, findings, preflight }: DnsControllerOptions): AnyController {
  const { settings, platform } = surroundings
  const type = claimType(surroundings)
  const everyClaim: Watch['toClaims'] = (_object, world) => allClaims(world, type)
  const contenders = new Contenders(settings.clusterId)
  const inOperands = { namespaces: [settings.operandNamespace] }
  const owned = (type: ResourceType): Watch => ({ type, ...inOperands, toClaims: claimsOfOwned })
  return defineController<DnsSeen | undefined, DnsAction>({
    name: dnsControllerName,
    claims: { type },
    watches: [
      owned(deployments),
      owned(serviceAccounts),
      { ...secretSource(surroundings), toClaims: (object, world) => claimsOfSecret(object, world, surroundings) },
      { type, name: 'rivals', isWorth: isOtherSpec, toClaims: everyClaim },
      { type: pods, ...inOperands, indexes: { instance: instanceIndex }, isWorth: isOtherPod, toClaims: claimsOfPod },
      ...(settings.trustedCaConfigMap === '' ? [] : [trustedCaWatch(settings.operandNamespace, everyClaim)]),
      bindingWatch(type),
      { type: jobs, ...inOperands, toClaims: toController(type) },
      ...(settings.perInstanceRbac ? [sourceBindingWatch(type)] : []),
      ...(platform.isOpenShift ? [requestWatch(everyClaim), platformDnsWatch(everyClaim)] : []),
    ],
    reconciler: {
      observe: (key, world) => observeDns(key, world, { surroundings, findings, contenders }),
      decide: decideDns,
      act: async action => {
        if (action.kind === 'act:notice') return { changed: findings.tell(action) }
        preflight?.ask(action)
        return { changed: false }
      },
    },
    summary: 'Available',
    eventsOf: transitionEvents,
    workers: settings.workers,
  })
}

/** Whose it is, and whose name it bears: an object of a stranger in the place of ours is in the way of that one, and its leaving is its news. */
function claimsOfOwned(object: StoredObject): Targets {
  const owners = ownersOf(object)
  const { name } = object.metadata
  const prefix = operandName('')
  const claim = name.startsWith(prefix) ? name.slice(prefix.length) : undefined
  return claim === undefined || owners.some(owner => owner.name === claim) ? owners : [...owners, { namespace: '', name: claim }]
}

/** Both namespaces, which may be one. */
export function secretSource({ settings }: DnsSurroundings): Pick<Watch, 'type' | 'namespaces'> {
  return { type: secrets, namespaces: [...new Set([settings.operatorNamespace, settings.operandNamespace])] }
}

function trustedCaWatch(namespace: string, toClaims: Watch['toClaims']): Watch {
  return { type: configMaps, namespaces: [namespace], names: [targetCaName], toClaims }
}

function requestWatch(toClaims: Watch['toClaims']): Watch {
  return { type: credentialsRequests, namespaces: [requestNamespace], optional: true, toClaims }
}

function platformDnsWatch(toClaims: Watch['toClaims']): Watch {
  return { type: platformDnses, names: [platformDnsName], optional: true, toClaims }
}

function sourceBindingWatch(claims: ResourceType): Watch {
  return { type: clusterRoleBindings, labelSelector: bindingSelector, toClaims: toController(claims) }
}

/** A cluster without the operator of identities does not serve the kind. */
function bindingWatch(claims: ResourceType): Watch {
  return {
    type: roleKind.type,
    optional: true,
    toClaims: ({ metadata }, world) =>
      world.list<ExternalDns>(claims).flatMap(dns => {
        const ref = bindingRefOf(modelOf(dns).spec)
        const isMeant = ref?.namespace === metadata.namespace && ref?.name === metadata.name
        return isMeant ? [{ namespace: '', name: dns.metadata.name }] : []
      }),
  }
}

function allClaims(world: Reads, claims: ResourceType): Targets {
  return world.list(claims).map(({ metadata }) => ({ namespace: '', name: metadata.name }))
}

/** The target of one object, or the source of any. */
export function claimsOfSecret(object: StoredObject, world: Reads, surroundings: DnsSurroundings): Targets {
  const { settings, platform } = surroundings
  const { namespace, name } = object.metadata
  const owners = namespace === settings.operandNamespace ? ownersOf(object) : []
  const users =
    namespace === settings.operatorNamespace
      ? world
          .list<ExternalDns>(claimType(surroundings))
          .filter(dns => sourceSecretName(dns.metadata.name, modelOf(dns).spec, platform.isOpenShift) === name)
          .map(({ metadata }) => ({ namespace: '', name: metadata.name }))
      : []
  return [...owners, ...users]
}

function ownersOf({ metadata }: StoredObject): Targets {
  return (metadata.ownerReferences ?? [])
    .filter(({ kind, controller }) => controller === true && kind === kindName)
    .map(({ name }) => ({ namespace: '', name }))
}

const instanceLabel = 'app.kubernetes.io/instance'
const instanceIndex = indexBy<PodLike>(({ metadata }) => {
  const instance = metadata.labels?.['app.kubernetes.io/name'] === 'external-dns' ? metadata.labels[instanceLabel] : undefined
  return instance === undefined ? [] : [instance]
})

function claimsOfPod({ metadata }: StoredObject): Targets {
  const instance = metadata.labels?.['app.kubernetes.io/name'] === 'external-dns' ? metadata.labels[instanceLabel] : undefined
  return instance === undefined ? [] : [{ namespace: '', name: instance }]
}

/** Phase, schedule and the state of containers; a heartbeat is no news. */
function isOtherPod(change: Change): boolean {
  return change.kind !== 'changed' || !isEqualJson(podView(change.previous), podView(change.object))
}

function podView({ metadata, status }: PodLike): unknown {
  return [
    metadata.labels,
    metadata.deletionTimestamp,
    status?.phase,
    status?.conditions?.find(({ type }) => type === 'PodScheduled'),
    status?.containerStatuses,
  ]
}

function isOtherSpec(change: Change): boolean {
  return change.kind !== 'changed' || change.previous.metadata.generation !== change.object.metadata.generation
}
