// POST …/serviceaccounts/NAME/token.

import { type Clock, given, isRecord, type Random } from '#base'
import { type FieldError, fieldError } from '#schema'
import type { Committed, Draft } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, conflict, invalid, notFound } from '../refusals.ts'
import type { Registry } from '../registry/registry.ts'
import type { StorePort } from '../store/store.ts'
import { timestamp } from '../timestamp.ts'
import type { ServiceAccountIssuer } from '../tokens/issuer.ts'
import { trackBuiltin } from '../verbs/field-management.ts'
import { type RequestWriteOptions, readWriteOptions } from '../verbs/options.ts'
import type { DecodePorts } from '../verbs/ports.ts'
import { requireLive } from '../verbs/subject.ts'
import { checkNameParameter, decodeAs, servedAs } from './readable.ts'

const lifetimeDefault = 3_600
const lifetimeMin = 600
const lifetimeMax = 2 ** 32
/** What the admission plugin asks for in every pod; such tokens live longer than they say, so that old clients survive. */
const injectedLifetime = 3_607
const extendedLifetime = 31_536_000

interface TokenSpec {
  readonly audiences: readonly string[]
  readonly lifetime: number
  readonly bound: Readonly<Record<string, unknown>> | undefined
}

interface Binding {
  readonly kind: 'pod' | 'secret' | 'node'
  readonly object: Committed
}

export interface TokenRequestPorts extends StorePort, DecodePorts {
  readonly clock: Clock
  readonly random: Random
  readonly registry: Registry
}

export function requestToken(ports: TokenRequestPorts, issuer: ServiceAccountIssuer, call: ResourceCall): Reply {
  const options = readWriteOptions(call, 'CreateOptions')
  const body = decodeAs(ports, call, options, tokenRequest)
  checkIdentity(body, call)
  const account = requireLive(ports, call).object
  const spec = readSpec(body, issuer)
  const binding = spec.bound === undefined ? undefined : findBound(ports, call, spec.bound)
  const nowSeconds = Math.floor(ports.clock.now() / 1_000)
  const extended =
    binding?.kind === 'pod' &&
    spec.lifetime === injectedLifetime &&
    spec.audiences.every(audience => issuer.apiAudiences.includes(audience))
  const claims = {
    aud: spec.audiences,
    exp: nowSeconds + (extended ? extendedLifetime : spec.lifetime),
    iat: nowSeconds,
    iss: issuer.issuer,
    jti: ports.random.uuid(),
    'kubernetes.io': {
      namespace: call.info.namespace,
      ...(binding === undefined ? {} : boundClaims(ports, binding)),
      serviceaccount: { name: call.info.name, uid: account.metadata.uid },
      ...(extended ? { warnafter: nowSeconds + injectedLifetime } : {}),
    },
    nbf: nowSeconds,
    sub: `system:serviceaccount:${call.info.namespace}:${call.info.name}`,
  }
  return {
    type: 'value',
    code: 201,
    value: {
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: {
        ...ownedBy(ports, call, body, options).metadata,
        name: call.info.name,
        namespace: call.info.namespace,
        // A token request is answered with the identity of the account that it is for.
        uid: account.metadata.uid,
        creationTimestamp: timestamp(ports.clock.now()),
      },
      spec: {
        audiences: spec.audiences,
        expirationSeconds: spec.lifetime,
        boundObjectRef: spec.bound ?? null,
      },
      status: { token: issuer.sign(claims), expirationTimestamp: timestamp((nowSeconds + spec.lifetime) * 1_000) },
    },
  }
}

/** Even a token request says who asked for what. */
function ownedBy(ports: TokenRequestPorts, call: ResourceCall, body: Draft, options: RequestWriteOptions): Draft {
  return trackBuiltin(ports, { ...call, kind: servedAs(call.kind, tokenRequest) }, body, options)
}

function readSpec(body: Draft, issuer: ServiceAccountIssuer): TokenSpec {
  const spec = isRecord(body.spec) ? body.spec : {}
  const errors: FieldError[] = []
  const lifetime = typeof spec.expirationSeconds === 'number' ? spec.expirationSeconds : lifetimeDefault
  if (lifetime < lifetimeMin) {
    errors.push(fieldError.invalid('spec.expirationSeconds', lifetime, 'may not specify a duration less than 10 minutes'))
  }
  if (lifetime > lifetimeMax) {
    errors.push(fieldError.invalid('spec.expirationSeconds', lifetime, 'may not specify a duration larger than 2^32 seconds'))
  }
  if (errors.length > 0) throw invalid(tokenRequest, '', errors)
  const audiences =
    Array.isArray(spec.audiences) && spec.audiences.length > 0 ? (spec.audiences as string[]) : issuer.apiAudiences
  return { audiences, lifetime, bound: isRecord(spec.boundObjectRef) ? spec.boundObjectRef : undefined }
}

const tokenRequest = { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' }

/** A request need not say whose token it asks for; if it does, it is the account of the address. */
function checkIdentity({ metadata: { name = '' } }: Draft, { info }: ResourceCall): void {
  if (name === '' || name === info.name) return
  const error = fieldError.invalid('metadata.name', name, 'must match the service account name if specified')
  throw invalid(tokenRequest, info.name, [error])
}

interface Bindable {
  readonly plural: string
  readonly kind: Binding['kind']
  readonly namespaced: boolean
}

const bindable: ReadonlyMap<string, Bindable> = new Map<string, Bindable>([
  ['Pod', { plural: 'pods', kind: 'pod', namespaced: true }],
  ['Secret', { plural: 'secrets', kind: 'secret', namespaced: true }],
  ['Node', { plural: 'nodes', kind: 'node', namespaced: false }],
])

function findBound(ports: TokenRequestPorts, call: ResourceCall, ref: Readonly<Record<string, unknown>>): Binding {
  const { kind, apiVersion, uid } = ref
  const name = typeof ref.name === 'string' ? ref.name : ''
  const [group, version] = groupAndVersion(typeof apiVersion === 'string' ? apiVersion : '')
  const named = typeof kind === 'string' ? kind : ''
  // Of which version it is does not matter, if it is of the group.
  const target = group === '' ? bindable.get(named) : undefined
  if (target === undefined) throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${named}`)
  checkNameParameter(name)
  const key = target.namespaced ? `${call.info.namespace}/${name}` : name
  const object = ports.store.table(target.plural).rows.get(key)?.object
  const resource = { group: '', plural: target.plural }
  if (object === undefined) throw notFound(resource, name)
  if (target.kind === 'pod') checkAccount(object, call.info.name)
  if (uid !== undefined && uid !== '' && uid !== object.metadata.uid) {
    const why = `the UID in the bound object reference (${uid as string}) does not match the UID in record. The object might have been deleted and then recreated`
    throw conflict({ group: '', plural: named }, name, why)
  }
  return { kind: target.kind, object }
}

/** What cannot be read as a version is of no group. */
function groupAndVersion(apiVersion: string): readonly [group: string, version: string] {
  const [first = '', second, ...more] = apiVersion.split('/')
  if (more.length > 0) return ['', '']
  return second === undefined ? ['', first] : [first, second]
}

function checkAccount(pod: Committed, account: string): void {
  const { serviceAccountName } = (pod.spec ?? {}) as { serviceAccountName?: string }
  if (serviceAccountName === account) return
  throw badRequest(
    `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
  )
}

function boundClaims(ports: TokenRequestPorts, { kind, object }: Binding): Record<string, unknown> {
  const claim = { name: object.metadata.name, uid: object.metadata.uid }
  if (kind !== 'pod') return { [kind]: claim }
  const { nodeName } = (object.spec ?? {}) as { nodeName?: string }
  if (nodeName === undefined || nodeName === '') return { pod: claim }
  const uid = ports.store.table('nodes').rows.get(nodeName)?.object.metadata.uid
  return { node: { name: nodeName, ...given({ uid }) }, pod: claim }
}
