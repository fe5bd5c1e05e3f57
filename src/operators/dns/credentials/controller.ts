// The credentials controller: what an object names, or the platform wrote, as the Secret that its operand mounts.
import { type KubeObject, type StoredObject, secrets } from '#kube'
import { type AnyController, defineController, emptyPlan, isEqualJson, type Plan, type Reads } from '#runtime'
import type { ExternalDns } from '../api/kinds.ts'
import { targetSecretName } from '../api/names.ts'
import { modelOf } from '../convert/convert.ts'
import { claimsOfSecret, secretSource } from '../external-dns/controller.ts'
import type { CredentialsSecret } from '../external-dns/seen.ts'
import { decodeSecret, encodeSecret } from '../operand/content-hash.ts'
import { ownerOf } from '../operand/deployment.ts'
import { holdOn } from '../ownership/hold.ts'
import { claimType, type DnsSurroundings } from '../settings.ts'
import { sourceProblem, sourceSecretName } from './source.ts'
import { targetData } from './target-data.ts'

export const credentialsControllerName = 'credentials-secret'

export interface CredentialsSeen {
  readonly dns: ExternalDns
  readonly surroundings: DnsSurroundings
  readonly sourceName: string | undefined
  readonly source: CredentialsSecret | undefined
  readonly target: CredentialsSecret | undefined
}

export function credentialsController(surroundings: DnsSurroundings): AnyController {
  return defineController<CredentialsSeen | undefined>({
    name: credentialsControllerName,
    claims: { type: claimType(surroundings) },
    watches: [{ ...secretSource(surroundings), toClaims: (object, world) => claimsOfSecret(object, world, surroundings) }],
    isWorth: change => change.kind !== 'changed' || change.previous.metadata.generation !== change.object.metadata.generation,
    reconciler: { observe: (key, world) => observeCredentials(key, world, surroundings), decide: decideCredentials },
    status: { kind: 'none' },
    workers: surroundings.settings.workers,
  })
}

function observeCredentials(
  key: { readonly namespace: string; readonly name: string },
  world: Reads,
  surroundings: DnsSurroundings,
): CredentialsSeen | undefined {
  const dns = world.find<ExternalDns>(claimType(surroundings), key)
  if (dns === undefined) return undefined
  const { settings, platform } = surroundings
  const sourceName = sourceSecretName(key.name, modelOf(dns).spec, platform.isOpenShift)
  const find = (namespace: string, name: string): CredentialsSecret | undefined =>
    world.find<CredentialsSecret>(secrets, { namespace, name })
  return {
    dns,
    surroundings,
    sourceName,
    source: sourceName === undefined ? undefined : find(settings.operatorNamespace, sourceName),
    target: find(settings.operandNamespace, targetSecretName(key.name)),
  }
}

/** A source that is missing is nothing to do: its arrival wakes us, and what was copied from it stays. */
export function decideCredentials(seen: CredentialsSeen | undefined): Plan {
  if (seen === undefined || seen.source === undefined || seen.dns.metadata.deletionTimestamp !== undefined) return emptyPlan
  if (isSameObject(seen) || sourceProblem(seen.source, seen.dns) !== undefined) return emptyPlan
  const { dns, source, target, surroundings } = seen
  const made = targetData(modelOf(dns).spec, decodeSecret(source.data), surroundings.platform.isOpenShift)
  // What is wrong with it is said in the status of the object.
  if ('problem' in made) return emptyPlan
  const data = encodeSecret(made.data)
  if (target === undefined)
    return { ...emptyPlan, actions: [{ kind: 'create', type: secrets, object: targetObject(seen, data) }] }
  if (holdOn(target, dns) !== 'ours') return foreignTarget(target.metadata.name)
  if (isEqualJson(target.data ?? {}, data)) return emptyPlan
  const object: StoredObject & { readonly data: typeof data } = { ...target, data }
  return { ...emptyPlan, actions: [{ kind: 'update', type: secrets, object }] }
}

/** Of one namespace, where an object names the very Secret that would be made for it. */
function isSameObject({ dns, sourceName, surroundings: { settings } }: CredentialsSeen): boolean {
  return settings.operatorNamespace === settings.operandNamespace && sourceName === targetSecretName(dns.metadata.name)
}

function foreignTarget(name: string): Plan {
  return {
    ...emptyPlan,
    next: { kind: 'stalled', reason: 'OwnedByAnother', message: `the secret ${name} exists and is not ours` },
  }
}

function targetObject({ dns, surroundings }: CredentialsSeen, data: Readonly<Record<string, string>>): KubeObject {
  const { name, uid } = dns.metadata
  const metadata = {
    namespace: surroundings.settings.operandNamespace,
    name: targetSecretName(name),
    ownerReferences: [ownerOf({ name, uid })],
  }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', data }
  return secret
}
