// The write that makes the signing Secret what it should be: made, taken over from the user who brought the key, repaired, or moved on by a
// step of the rotation. One write, of the whole object, with what was seen as its precondition.
import { controllerOf, controllerReference, secrets } from '#kube'
import type { Action } from '#runtime'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { labels as labelNames, singletonName } from '../api/labels.ts'
import { configLabels } from '../documents/owner-labels.ts'
import { signingSecretName } from '../names.ts'
import { defined, type KeyRing, newSecret, renderKeyRing, type SecretObject } from './key-ring.ts'

/** Why a Secret that is there cannot be used; `undefined` when it can. */
export function secretTrouble(secret: SecretObject, config: WorkloadIdentityConfig): string | undefined {
  const { uid } = config.metadata
  const name = `Secret ${secret.metadata.namespace ?? ''}/${secret.metadata.name}`
  const controller = controllerOf(secret)
  if (controller !== undefined && controller.uid !== uid) {
    return `${name} belongs to ${controller.kind} ${controller.name}; delete it or release it, a key is never shared`
  }
  const owner = secret.metadata.labels?.[labelNames.configUid]
  if (controller === undefined && owner !== undefined && owner !== uid) {
    return `${name} holds the key of an earlier Config (${labelNames.configUid}=${owner}); delete it, or remove the label to keep the key`
  }
  if (secret.metadata.deletionTimestamp !== undefined) return `${name} is being deleted; a new key is made when it is gone`
  return undefined
}

export function createSecret(config: WorkloadIdentityConfig, ring: KeyRing): Action {
  const object = newSecret({ namespace: config.metadata.namespace ?? '', name: signingSecretName(singletonName) }, ring)
  const labels = configLabels(config)
  return {
    kind: 'create',
    type: secrets,
    object: { ...object, metadata: { ...object.metadata, labels, ownerReferences: [controllerReference(config)] } },
    mark: { labels: { [labelNames.configUid]: config.metadata.uid } },
  }
}

export interface SecretUpdate {
  readonly secret: SecretObject
  readonly config: WorkloadIdentityConfig
  readonly ring: KeyRing
  /** Data that is not ours is dropped with the halves of a key that never was one (case 80). */
  readonly isNewKey?: boolean
}

/** No action when the Secret is as it should be. */
export function updateSecret({ secret, config, ring, isNewKey = false }: SecretUpdate): readonly Action[] {
  const rendered = renderKeyRing(ring)
  const { metadata } = secret
  const labels = { ...metadata.labels, ...configLabels(config) }
  const annotations = defined({ ...metadata.annotations, ...rendered.annotations })
  const data = defined(isNewKey ? rendered.data : { ...secret.data, ...keepText(secret, rendered.data) })
  const ownerReferences =
    controllerOf(secret) === undefined
      ? [...(metadata.ownerReferences ?? []), controllerReference(config)]
      : (metadata.ownerReferences ?? [])
  const isSame =
    sameStrings(labels, metadata.labels) &&
    sameStrings(annotations, metadata.annotations) &&
    sameStrings(data, secret.data) &&
    ownerReferences.length === (metadata.ownerReferences ?? []).length
  if (isSame) return []
  const object: SecretObject = { ...secret, metadata: { ...metadata, labels, annotations, ownerReferences }, data }
  return [{ kind: 'update', type: secrets, object }]
}

/** The key in use stays in the very text in which its owner brought it: it is compared with files elsewhere. */
function keepText(
  secret: SecretObject,
  data: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const { 'sa.pub': held } = secret.data ?? {}
  const wanted = data['sa.pub']
  return held !== undefined && wanted !== undefined && sameKey(held, wanted) ? { ...data, 'sa.pub': held } : data
}

function sameKey(a: string, b: string): boolean {
  const body = (text: string): string =>
    Buffer.from(text, 'base64')
      .toString()
      .replaceAll(/-----[^-]*-----|\s/g, '')
  return body(a) === body(b)
}

function sameStrings(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>> | undefined): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b ?? {}).length && names.every(name => a[name] === b?.[name])
}
