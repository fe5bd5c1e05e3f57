// Reads what a decision about one ExternalDNS rests on.
import { configMaps, controllerOf, deployments, pods, type StoredObject, secrets, serviceAccounts } from '#kube'
import type { ClaimKey, Reads } from '#runtime'
import { dnsKind, type ExternalDns } from '../api/kinds.ts'
import { operandName, targetCaName, targetSecretName } from '../api/names.ts'
import { modelOf } from '../convert/convert.ts'
import { credentialsRequests, wantedCredentialsRequest } from '../credentials/request.ts'
import { sourceSecretName } from '../credentials/source.ts'
import type { LogFindings } from '../findings/findings.ts'
import type { Deployment } from '../operand/deployment.ts'
import { chooseOwner } from '../ownership/owner-id.ts'
import { areRivals, type Contender } from '../ownership/rivals.ts'
import type { DnsSurroundings } from '../settings.ts'
import type { PodLike } from './deployment-conditions.ts'
import type { ConfigMapObject, CredentialsSecret, DnsSeen, StoredRequest } from './seen.ts'

export interface Observing {
  readonly surroundings: DnsSurroundings
  readonly findings: LogFindings
}

export function observeDns(key: ClaimKey, world: Reads, { surroundings, findings }: Observing): DnsSeen | undefined {
  const dns = world.find<ExternalDns>(dnsKind.type, key)
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
    request: asked === undefined ? undefined : findRequest(world, asked.metadata.namespace ?? '', asked.metadata.name ?? ''),
    account: world.find(serviceAccounts, { namespace, name: operandName(name) }),
    deployment: world.find<Deployment & StoredObject>(deployments, { namespace, name: operandName(name) }),
    trustedCa:
      settings.trustedCaConfigMap === '' ? undefined : world.find<ConfigMapObject>(configMaps, { namespace, name: targetCaName }),
    pods: world.byIndex<PodLike>(pods, 'instance', name),
    rivals: rivalsOf(dns, world, settings.clusterId),
    preflight: findings.preflight.get(name),
    operand: findings.operand.get(name),
    platformZones: [],
    binding: undefined,
    wasToldOfSource: findings.told.has(name),
  }
}

function findRequest(world: Reads, namespace: string, name: string): StoredRequest | undefined {
  return world.isSynced(credentialsRequests) ? world.find<StoredRequest>(credentialsRequests, { namespace, name }) : undefined
}

function rivalsOf(dns: ExternalDns, world: Reads, clusterId: string): readonly string[] {
  const contender = (object: ExternalDns): Contender => {
    const model = modelOf(object)
    return { name: object.metadata.name, ownerId: chooseOwner(object, model, clusterId).ownerId, spec: model.spec }
  }
  const own = contender(dns)
  return world
    .list<ExternalDns>(dnsKind.type)
    .filter(other => areRivals(own, contender(other)))
    .map(({ metadata }) => metadata.name)
    .sort()
}

export type OperandHold = 'ours' | 'former' | 'free' | 'foreign'

/** Whose an object of the operand is: of this very object, of one of the same name that is gone, nobody's, or of somebody else. */
export function holdOn(object: StoredObject, dns: StoredObject): OperandHold {
  const controller = controllerOf(object)
  if (controller === undefined) return 'free'
  if (controller.uid === dns.metadata.uid) return 'ours'
  return controller.kind === dns.kind && controller.name === dns.metadata.name ? 'former' : 'foreign'
}
