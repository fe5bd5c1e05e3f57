// Reads what a decision about one ExternalDNS rests on.
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
import type { ClaimKey, Reads } from '#runtime'
import { roleKind, type ServiceAccountRole } from '../../identity/api.ts'
import type { DnsObject, ExternalDns } from '../api/kinds.ts'
import { operandName, targetCaName, targetSecretName } from '../api/names.ts'
import { type BindingSeen, bindingRefOf } from '../binding/view.ts'
import { type CleanupJob, cleanupJobName, jobs } from '../cleanup/job.ts'
import { type Model, modelOf } from '../convert/convert.ts'
import { credentialsRequests, wantedCredentialsRequest } from '../credentials/request.ts'
import { sourceSecretName } from '../credentials/source.ts'
import type { LogFindings } from '../findings/findings.ts'
import type { Deployment } from '../operand/deployment.ts'
import { chooseOwner } from '../ownership/owner-id.ts'
import { areRivals, type Contender } from '../ownership/rivals.ts'
import type { SourceBinding } from '../rbac/binding-actions.ts'
import { claimType, type DnsSurroundings } from '../settings.ts'
import { type PlatformDns, platformDnses, platformDnsName } from '../zones/platform-dns.ts'
import type { PodLike } from './deployment-conditions.ts'
import type { ConfigMapObject, CredentialsSecret, DnsSeen, StoredRequest } from './seen.ts'

export interface Observing {
  readonly surroundings: DnsSurroundings
  readonly findings: LogFindings
  readonly contenders: Contenders
}

/** What each object of the cache writes under. Every pass compares its object with all others, which stay the same most of the time. */
export class Contenders {
  readonly #known = new WeakMap<ExternalDns, Contender>()
  readonly #clusterId: string

  constructor(clusterId: string) {
    this.#clusterId = clusterId
  }

  of(dns: ExternalDns): Contender {
    const known = this.#known.get(dns)
    if (known !== undefined) return known
    const contender = contenderOf(dns, this.#clusterId)
    this.#known.set(dns, contender)
    return contender
  }
}

export function observeDns(key: ClaimKey, world: Reads, { surroundings, findings, contenders }: Observing): DnsSeen | undefined {
  const dns = world.find<ExternalDns>(claimType(surroundings), key)
  if (dns === undefined) {
    findings.forget(key.name)
    return undefined
  }
  const { settings, platform } = surroundings
  const { operandNamespace: namespace, operatorNamespace } = settings
  const model = modelOf(dns)
  const { name } = key
  const sourceName = sourceSecretName(name, model.spec, platform.isOpenShift)
  const asked = wantedCredentialsRequest({ name, spec: model.spec, platform, operatorNamespace })
  return {
    dns,
    model,
    surroundings,
    target: world.find<CredentialsSecret>(secrets, { namespace, name: targetSecretName(name) }),
    source:
      sourceName === undefined
        ? undefined
        : {
            name: sourceName,
            secret: world.find<CredentialsSecret>(secrets, { namespace: operatorNamespace, name: sourceName }),
          },
    request:
      asked === undefined
        ? undefined
        : servedBy(world, credentialsRequests)?.find<StoredRequest>(credentialsRequests, {
            namespace: asked.metadata.namespace ?? '',
            name: asked.metadata.name ?? '',
          }),
    account: world.find(serviceAccounts, { namespace, name: operandName(name) }),
    deployment: world.find<Deployment & StoredObject>(deployments, { namespace, name: operandName(name) }),
    trustedCa:
      settings.trustedCaConfigMap === '' ? undefined : world.find<ConfigMapObject>(configMaps, { namespace, name: targetCaName }),
    pods: world.byIndex<PodLike>(pods, 'instance', name),
    ...othersOf(dns, world.list<ExternalDns>(claimType(surroundings)), contenders),
    sourceBinding: settings.perInstanceRbac
      ? world.find<SourceBinding>(clusterRoleBindings, { namespace: '', name: operandName(name) })
      : undefined,
    cleanupJob: world.find<CleanupJob>(jobs, { namespace, name: cleanupJobName(name) }),
    preflight: findings.preflight.get(name),
    operand: findings.operand.get(name),
    platformDns: platform.isOpenShift
      ? servedBy(world, platformDnses)?.find<PlatformDns>(platformDnses, { namespace: '', name: platformDnsName })
      : undefined,
    binding: bindingOf(model, world),
  }
}

/** Of kinds that may not be served, nothing is known there. */
function servedBy(world: Reads, type: ResourceType): Reads | undefined {
  return world.isSynced(type) ? world : undefined
}

function bindingOf({ spec }: Model, world: Reads): BindingSeen | undefined {
  const ref = bindingRefOf(spec)
  if (ref === undefined) return undefined
  const key = { namespace: ref.namespace ?? '', name: ref.name ?? '' }
  const isKindMissing = !world.isSynced(roleKind.type)
  return { isKindMissing, object: servedBy(world, roleKind.type)?.find<ServiceAccountRole>(roleKind.type, key) }
}

function othersOf(dns: ExternalDns, all: readonly ExternalDns[], contenders: Contenders): Pick<DnsSeen, 'rivals' | 'sameOwner'> {
  const own = contenders.of(dns)
  const others = all.filter(({ metadata }) => metadata.uid !== dns.metadata.uid).map(other => contenders.of(other))
  const rivals = others.filter(other => areRivals(own, other)).map(({ name }) => name)
  return { rivals: rivals.sort(), sameOwner: others.filter(({ ownerId }) => ownerId === own.ownerId) }
}

/** What an object writes under, as far as others are concerned. */
export function contenderOf(object: DnsObject, clusterId: string): Contender {
  const model = modelOf(object)
  const { name = '', creationTimestamp } = object.metadata
  return { name, since: creationTimestamp ?? '', ownerId: chooseOwner(object, model, clusterId).ownerId, spec: model.spec }
}
