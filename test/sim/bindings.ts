// Bindings and the places where they live, for every subject that has the Role controller: a hub, a target, what users do with bindings,
// and what holds of their ServiceAccounts however the roles are made.

import { clusterProfileKind } from '#fleet'
import { type KubeObject, type ResourceType, renderCrd, type StoredCondition } from '#kube'
import {
  annotations,
  associationKind,
  bucketKind,
  iamRoleKind,
  policyKind,
  providerKind,
  renderIdentityCrds,
  type ServiceAccountRole,
} from '#operators/identity/api'
import type { Deed, Effect, ProcessContext, World } from '#simulator'
import { resourceNames, roleNamesOf } from '../../src/operators/identity/role/resources.ts'
import { openCrd } from '../../src/runtime/testing/open-crd.ts'
import { creates, deed, edits, puts, removes, tearsDown } from './deeds.ts'
import type { ProbedOptions } from './probed.ts'

export const bindingKind = 'AWSServiceAccountRole'
export const home = 'wlc-a'
export const target = 'wlc-a'
export const api = 'aws.identity.appthrust.io/v1alpha1'
export const account = '123456789012'
const issuer = 'awi-wlc-a-eu-west-1-0000000000.s3.eu-west-1.amazonaws.com'
export const roleArnAnnotation = 'eks.amazonaws.com/role-arn'
export const leaseMs = 240_000
export const bindingsIn = (at: string): string => `/apis/${api}/namespaces/${at}/awsserviceaccountroles`
export const bindings: string = bindingsIn(home)
export const accounts = '/api/v1/namespaces/apps/serviceaccounts'
export const children = (plural: string): string => `/apis/iam.services.k8s.aws/v1alpha1/namespaces/${home}/${plural}`
export const readOnly = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
/** How names begin that bindings may choose for their roles. */
const chosen = 'team-'
/** A policy of its own. */
export const document: { readonly policyDocument: object } = {
  policyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] },
}

const synced: StoredCondition = {
  type: 'Ready',
  status: 'True',
  reason: 'Reconciled',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  observedGeneration: 1,
}

/** Kinds of ACK that an operator looks out for whichever way it writes, since the other way may have left some. */
export const childTypes: readonly ResourceType[] = [iamRoleKind, policyKind, associationKind, bucketKind, providerKind].map(
  ({ type }) => type,
)

/** What a hub has before there are bindings: the schemas of `kinds` besides its own, who is where, and a Config that is Ready. */
export function bindingsHub(kinds: readonly ResourceType[]): readonly KubeObject[] {
  const issued = { issuerHostPath: issuer, oidcProviderARN: `arn:aws:iam::${account}:oidc-provider/${issuer}` }
  return [
    namespace(home),
    namespace('awio-system'),
    ...renderIdentityCrds(),
    renderCrd(clusterProfileKind),
    ...kinds.map(type => openCrd(type, { hasStatus: true })),
    object(
      'AWSWorkloadIdentityOperatorConfig',
      api,
      { name: 'default' },
      { spec: { allowedRoleNames: [{ names: [`${chosen}*`] }] } },
    ),
    config(home, { type: 'SelfHostedIRSA', region: 'eu-west-1' }, issued),
    profile(target, {}),
  ]
}

/** What every process of the identity operator has. Another version means the same and goes about it otherwise (F26, D6). */
export function identityProcess({ version }: ProcessContext): Pick<ProbedOptions, 'listing' | 'lease' | 'leaseMs'> {
  return { listing: version === 0 ? 'stream' : 'pages', lease: { namespace: home, name: 'identity' }, leaseMs }
}

export function config(at: string, spec: object, status: object): KubeObject {
  const metadata = { namespace: at, name: 'default' }
  return object('AWSWorkloadIdentityConfig', api, metadata, { spec, status: { conditions: [synced], ...status } })
}

export function profile(name: string, properties: Readonly<Record<string, string>>): KubeObject {
  const said = Object.entries(properties).map(([key, value]) => ({ name: `aws.identity.appthrust.io/${key}`, value }))
  const names = { 'open-cluster-management.io/cluster-name': name, 'x-k8s.io/cluster-manager': 'open-cluster-management' }
  return object(
    'ClusterProfile',
    'multicluster.x-k8s.io/v1alpha1',
    { namespace: 'awio-system', name, labels: names },
    {
      spec: { clusterManager: { name: 'ocm' } },
      status: {
        conditions: [{ ...synced, type: 'ControlPlaneHealthy' }],
        accessProviders: [{ name: 'ocm', cluster: { server: 'https://target' } }],
        ...(said.length === 0 ? {} : { properties: said }),
      },
    },
  )
}

export const bindingsTarget: readonly KubeObject[] = [
  namespace('apps'),
  ...['app1', 'app2'].map(name => object('ServiceAccount', 'v1', { namespace: 'apps', name }, {})),
]

export function claims(world: World): readonly ServiceAccountRole[] {
  return [...world.objects()].filter(({ kind }) => kind === bindingKind) as ServiceAccountRole[]
}

/** Whether another binding has the ServiceAccount: the one that was made before, and within one second the one of the lesser uid. */
export function hasElder(world: World, claim: ServiceAccountRole): boolean {
  const { namespace, name } = claim.spec.serviceAccount
  return claims(world).some(
    ({ metadata, spec }) =>
      metadata.namespace === claim.metadata.namespace &&
      metadata.deletionTimestamp === undefined &&
      spec.serviceAccount.namespace === namespace &&
      spec.serviceAccount.name === name &&
      placeOf(metadata) < placeOf(claim.metadata),
  )
}

function placeOf({ creationTimestamp, uid }: ServiceAccountRole['metadata']): string {
  return `${creationTimestamp ?? ''}/${uid}`
}

export function annotatedAccounts(world: World): readonly { readonly name: string; readonly arn: string }[] {
  const found = [...(world.shadows.get(target)?.objects.values() ?? [])]
  return found.flatMap(({ kind, metadata }) => {
    const arn = metadata.annotations?.[roleArnAnnotation]
    return kind === 'ServiceAccount' && arn !== undefined ? [{ name: metadata.name ?? '', arn }] : []
  })
}

export function specOf(object: KubeObject): Readonly<Record<string, unknown>> {
  return (object as { readonly spec?: Readonly<Record<string, unknown>> }).spec ?? {}
}

/** An annotated ServiceAccount leads to a binding that is there to take the annotation away again (S3, S6, S10). */
export function annotationHasBinding(effect: Effect, world: World): string | undefined {
  if (effect.by === 'user' && effect.after?.kind === 'ServiceAccount') return undefined
  for (const { name, arn } of annotatedAccounts(world)) {
    if (arn.endsWith('/stranger')) continue
    if (isReleased(world, arn) || claims(world).some(claim => isRoleOf(arn, claim))) continue
    return `ServiceAccount ${name} is annotated with ${arn}, of which there is no binding`
  }
  return undefined
}

/** Whose finalizer somebody took off by hand leaves things behind that are nobody's (F20). */
function isReleased(world: World, arn: string): boolean {
  return world.effects.some(({ before, after }) => {
    const claim = after ?? before
    if (claim === undefined || claim.kind !== bindingKind || !world.released.has(claim.metadata.uid ?? '')) return false
    return isRoleOf(arn, claim as ServiceAccountRole)
  })
}

function isRoleOf(arn: string, claim: ServiceAccountRole): boolean {
  return Object.values(roleNamesOf(claim)).some(name => arn.endsWith(`:role/${name}`))
}

/** A former role is wanted until somebody says that nobody needs it; said of the one in force, that waits. */
export function isWantedRole(claim: ServiceAccountRole, name: string | undefined): boolean {
  return name === resourceNames(claim).role || claim.metadata.annotations?.[annotations.releaseRole] !== name
}

/** While a binding moves it has two roles, each once. */
export function purposeOfRole(name: string): string {
  if (name.startsWith(chosen)) return 'Role with a chosen name'
  return /^awi-[\w-]+-apps-(?:app\d|job)-[0-9a-f]{10}$/.test(name) ? 'Role with a name that stays' : 'Role'
}

export function isReady({ status }: ServiceAccountRole): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true
}

/** Of a former role that somebody let go the binding says in the end that it is gone: not before, and not for ever. */
export function tellsOfReleasedRole(claim: ServiceAccountRole): boolean {
  const { other } = resourceNames(claim)
  return other !== undefined && isReady(claim) && !isWantedRole(claim, other)
}

/** No process takes away the role that pods are sent to: neither what is written down of it nor the role itself. */
export function roleInUseStays({ by, method, before }: Effect, world: World): string | undefined {
  if (by === 'user' || method !== 'DELETE' || before?.kind !== 'Role') return undefined
  const { name } = before.metadata
  const used = annotatedAccounts(world).find(({ arn }) => arn.endsWith(`:role/${name}`) && !isReleased(world, arn))
  return used === undefined ? undefined : `${by} deletes ${name}, and pods of ServiceAccount ${used.name} are sent to it`
}

/** To a name that rests on the ServiceAccount. */
export function moves(name: string, collection: string, afterMs: number): Deed {
  return change(collection, name, { metadata: { annotations: { [annotations.roleNames]: 'ServiceAccount' } } }, afterMs)
}

/** To a name of its own choice. */
export function movesToChosen(name: string, collection: string, afterMs: number): Deed {
  return change(collection, name, { spec: { roleName: `${chosen}${name}` } }, afterMs)
}

/** Somebody says that nobody needs the role that was named after the uid: whichever binding has the name by then. */
export function releases(name: string, collection: string, afterMs: number): Deed {
  return deed(`release the former role of ${name}`, `${collection}/${name}`, afterMs, async world => {
    const claim = claims(world).find(({ metadata }) => metadata.name === name)
    if (claim === undefined) return
    const patch = { metadata: { annotations: { [annotations.releaseRole]: roleNamesOf(claim).ObjectUID } } }
    await change(collection, name, patch, undefined).run(world)
  })
}

/** Of the ServiceAccount with the same name, unless another is named. */
export function create(name: string, spec: object, afterMs: number, serviceAccount: string = name, at: string = home): Deed {
  const body = object(
    bindingKind,
    api,
    { namespace: at, name },
    {
      spec: { serviceAccount: { namespace: 'apps', name: serviceAccount }, ...spec },
    },
  )
  return creates(`create ${name}`, { path: bindingsIn(at) }, body, afterMs)
}

export function makeAccount(name: string, afterMs: number): Deed {
  const body = object('ServiceAccount', 'v1', { namespace: 'apps', name }, {})
  return puts(`create ServiceAccount ${name}`, { server: target, path: accounts }, body, afterMs)
}

export function change(collection: string, name: string, patch: unknown, afterMs: number | undefined): Deed {
  return edits(`change ${name} ${JSON.stringify(patch)}`, { path: `${collection}/${name}` }, patch, afterMs)
}

export function annotate(name: string, arn: string | null): Deed {
  const patch = { metadata: { annotations: { [roleArnAnnotation]: arn } } }
  return edits(`annotate ${name} with ${arn}`, { server: target, path: `${accounts}/${name}` }, patch, undefined)
}

/** The namespace of the ServiceAccounts goes with them; what is made again is the namespace alone (F17). */
export function tearsDownApps(): Deed {
  const pathOf = ({ kind, metadata }: KubeObject): string | undefined =>
    kind === 'ServiceAccount' ? `${accounts}/${metadata.name}` : undefined
  return tearsDown('apps', pathOf, target)
}

export function remove(server: string, collection: string, name: string, afterMs: number | undefined): Deed {
  return removes(`delete ${name} in ${server}`, { server, path: `${collection}/${name}` }, afterMs)
}

export function object(kind: string, apiVersion: string, metadata: KubeObject['metadata'], rest: object): KubeObject {
  return { apiVersion, kind, metadata, ...rest }
}

export function namespace(name: string): KubeObject {
  return object('Namespace', 'v1', { name }, { spec: { finalizers: ['kubernetes'] } })
}
