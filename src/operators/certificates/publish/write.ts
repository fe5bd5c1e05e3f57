// What is written into one object: an action, nothing, or why it cannot be. Each write takes hold only on the version that was read.
import { given, isRecord } from '#base'
import { type KubeObject, ownerReference, type StoredObject } from '#kube'
import { type Action, isEqualJson } from '#runtime'
import type { Cert } from '../api/kinds.ts'
import { publishedLabel } from '../api/labels.ts'
import { type OwnArns, parseArnList, withOwnArn } from './arn-list.ts'
import type { PublishTypes } from './kinds.ts'
import type { PlaceSeen } from './seen.ts'

export type PlaceWrite =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'write'; readonly action: Action }
  | { readonly kind: 'not'; readonly reason: PublishReason }

export type PublishReason = 'TargetMissing' | 'Conflict' | 'Forbidden'

export interface Writing {
  readonly claim: Cert
  readonly place: PlaceSeen
  readonly arns: OwnArns
  readonly types: PublishTypes
}

const annotationOf = {
  Ingress: 'alb.ingress.kubernetes.io/certificate-arn',
  Service: 'service.beta.kubernetes.io/aws-load-balancer-ssl-cert',
} as const

const gatewayOption = 'application-networking.k8s.aws/certificate-arn'

export function writeInto(writing: Writing): PlaceWrite {
  const { place } = writing
  const { found } = place
  if (found.kind === 'forbidden') return place.isLeft ? { kind: 'nothing' } : { kind: 'not', reason: 'Forbidden' }
  if (place.kind === 'ConfigMap') return intoConfigMap(writing, found.kind === 'present' ? found.object : undefined)
  if (found.kind === 'missing') return place.isLeft ? { kind: 'nothing' } : { kind: 'not', reason: 'TargetMissing' }
  switch (place.kind) {
    case 'Gateway':
      return intoGateway(writing, found.object)
    case 'LoadBalancerConfiguration':
      return intoConfiguration(writing, found.object)
    default:
      return intoAnnotation(writing, found.object, annotationOf[place.kind])
  }
}

function intoAnnotation({ arns, place, types }: Writing, object: StoredObject, annotation: string): PlaceWrite {
  const held = object.metadata.annotations?.[annotation]
  const before = parseArnList(held)
  const after = withOwnArn(before, arns)
  if (after.join() === before.join()) return { kind: 'nothing' }
  const value = after.length === 0 ? null : after.join(',')
  const { namespace = '', name, uid, resourceVersion } = object.metadata
  const body = { metadata: { annotations: { [annotation]: value } } }
  const key = { namespace, name }
  return { kind: 'write', action: { kind: 'patch', type: types[place.kind], key, patch: 'merge', body, uid, resourceVersion } }
}

/** One value for each listener: another's is not taken over. */
function intoGateway({ arns, place, types }: Writing, object: StoredObject): PlaceWrite {
  const listeners = listOf(specOf(object).listeners)
  const index = listeners.findIndex(({ name }) => name === place.listener)
  const missing: PlaceWrite = place.isLeft ? { kind: 'nothing' } : { kind: 'not', reason: 'TargetMissing' }
  if (index < 0) return missing
  const tls = recordOf(listeners[index]?.tls)
  const options = recordOf(tls.options)
  const held = options[gatewayOption]
  const isOurs = isFree(held, arns)
  if (!isOurs) return place.isLeft ? { kind: 'nothing' } : { kind: 'not', reason: 'Conflict' }
  if (held === arns.current) return { kind: 'nothing' }
  const { [gatewayOption]: _, ...others } = options
  const after = arns.current === undefined ? others : { ...others, [gatewayOption]: arns.current }
  const listener = { ...listeners[index], tls: { ...tls, options: after } }
  return update(types.Gateway, object, { listeners: listeners.with(index, listener) })
}

/** The default certificate where ours is the primary one, else one of the list. */
function intoConfiguration({ arns, place, types }: Writing, object: StoredObject): PlaceWrite {
  const listeners = listOf(specOf(object).listenerConfigurations)
  const index = listeners.findIndex(({ protocolPort }) => protocolPort === place.protocolPort)
  if (index < 0) return place.isLeft ? { kind: 'nothing' } : { kind: 'not', reason: 'TargetMissing' }
  const listener = listeners[index] ?? {}
  const held = listener.defaultCertificate
  const isOurs = isFree(held, arns)
  if (place.isPrimary && !isOurs && !place.isLeft) return { kind: 'not', reason: 'Conflict' }
  const wantsDefault = place.isPrimary && arns.current !== undefined
  const first = wantsDefault ? arns.current : isOurs ? undefined : held
  const before = Array.isArray(listener.certificates) ? listener.certificates.map(String) : []
  const list = withOwnArn(before, { ...arns, current: wantsDefault ? undefined : arns.current, isPrimary: false })
  const { defaultCertificate: _default, certificates: _list, ...rest } = listener
  const after = {
    ...rest,
    ...given({ defaultCertificate: first }),
    ...(list.length === 0 ? {} : { certificates: list }),
  }
  if (isEqualJson(after, listener)) return { kind: 'nothing' }
  return update(types.LoadBalancerConfiguration, object, { listenerConfigurations: listeners.with(index, after) })
}

/** Nothing stands there, or what we wrote. */
function isFree(held: unknown, { current, former }: OwnArns): boolean {
  return held === undefined || (typeof held === 'string' && (held === current || former.has(held)))
}

function intoConfigMap({ claim, place, arns, types }: Writing, held: StoredObject | undefined): PlaceWrite {
  const type = types.ConfigMap
  const isOurs = held !== undefined && hasLabel(held)
  if (arns.current === undefined || place.isLeft)
    return isOurs && isOwned(held, claim)
      ? { kind: 'write', action: { kind: 'delete', type, object: held, precondition: 'any-version' } }
      : { kind: 'nothing' }
  if (held !== undefined && !(isOurs && isOwned(held, claim))) return { kind: 'not', reason: 'Conflict' }
  const { certificateArn = '', domainName = '', expirationDate = '' } = claim.status ?? {}
  const data = { certificateArn, domainName, expirationDate }
  if (held !== undefined && isEqualJson(recordOf(Reflect.get(held, 'data')), data)) return { kind: 'nothing' }
  const { namespace = '' } = claim.metadata
  const object: KubeObject & { readonly data: object } = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: place.name, labels: publishedLabel, ownerReferences: [ownerReference(claim)] },
    data,
  }
  return { kind: 'write', action: { kind: 'apply', type, object, mark: { labels: publishedLabel } } }
}

function hasLabel({ metadata }: StoredObject): boolean {
  return Object.entries(publishedLabel).every(([key, value]) => metadata.labels?.[key] === value)
}

function isOwned({ metadata }: StoredObject, { metadata: owner }: Cert): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === owner.uid) === true
}

/** A list has no single fields that a patch could name safely: the whole object, on the version that was read. */
function update(type: PublishTypes['Gateway'], object: StoredObject, part: object): PlaceWrite {
  const after: StoredObject & { readonly spec: object } = { ...object, spec: { ...specOf(object), ...part } }
  return { kind: 'write', action: { kind: 'update', type, object: after } }
}

function specOf(object: StoredObject): Readonly<Record<string, unknown>> {
  return recordOf(Reflect.get(object, 'spec'))
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

function listOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
