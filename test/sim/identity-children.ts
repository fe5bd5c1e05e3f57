// The issuer of identity-config.ts with a binding beside it, and both with child objects: the identity operator writes down what it wants,
// and our own operator of resources, in the same process, has AWS make it. What is theirs is in three places: on the hub what was written
// down, in AWS what came of it, and on the target the annotation.
import type { KubeObject } from '#kube'
import type { ServiceAccountRole } from '#operators/identity/api'
import { associationKind, finalizers, labels } from '#operators/identity/api'
import { createResourcesOperator, shippedService } from '#operators/resources'
import { cloudName, type Deed, type ObjectRole, type ProcessContext, type Subject, type World } from '#simulator'
import { resourceNames } from '../../src/operators/identity/role/resources.ts'
import {
  account,
  accounts,
  annotationHasBinding,
  bindingKind,
  bindings,
  bindingsHub,
  claims,
  create,
  document,
  home,
  isWantedRole,
  moves,
  purposeOfRole,
  readOnly,
  releases,
  remove,
  roleArnAnnotation,
  roleInUseStays,
  target,
  tellsOfReleasedRole,
} from './bindings.ts'
import { edits } from './deeds.ts'
import { configPath, endAtMs, identityConfigSubject, isHeldUp, startIssuing } from './identity-config.ts'
import { identityRolesSubject } from './identity-roles.ts'
import { iamResourcesSubject } from './resources.ts'

const region = 'eu-west-1'
const resyncSeconds = 1_800
/** Of what is written down, by the plural under which it is served. */
const written: Readonly<Record<string, 'iam' | 's3'>> = {
  buckets: 's3',
  openidconnectproviders: 'iam',
  roles: 'iam',
  policies: 'iam',
}
const kinds = ['Bucket', 'OpenIDConnectProvider', 'Role', 'Policy']

export const identityChildrenSubject: Subject = {
  ...identityConfigSubject,
  name: 'identity-children',
  objects: server => (server === 'hub' ? hubObjects : identityConfigSubject.objects(server)),
  start,
  script: [
    ...identityConfigSubject.script,
    create('app1', document, 20_000),
    moves('app1', bindings, 300_000),
    releases('app1', bindings, 700_000),
    remove('hub', bindings, 'app1', endAtMs - 60_000),
    onceThereIsAConfig(create('app1', { policyARNs: [readOnly], roleName: 'team-app1' }, endAtMs + 40_000)),
  ],
  disturbances: [
    ...identityConfigSubject.disturbances,
    { ...remove('hub', bindings, 'app1', undefined), fault: 'F19' },
    // Of ours, which comes back, and besides ours, which stays (B30).
    ...[
      onWritten('roles', { spec: { path: '/other/' } }),
      onWritten('policies', { spec: { description: 'by hand' } }),
      onWritten('openidconnectproviders', { spec: { clientIDs: ['somebody'] } }),
      onWritten('buckets', { spec: { publicAccessBlock: { blockPublicPolicy: true } } }),
      onWritten('buckets', { metadata: { labels: { team: 'a', [labels.configUid]: 'mine' } } }),
    ].map(done => ({ ...done, fault: 'F18' as const })),
  ],
  roleOf,
  ownerUidOf,
  purposeOf,
  isWanted: (claim, { kind, metadata }) => kind !== 'Role' || isWantedRole(claim as ServiceAccountRole, metadata.name),
  madeOfUids: anyOf(identityConfigSubject, identityRolesSubject, iamResourcesSubject),
  // The issuer's own, and a look at everything that it is made of once in a resync period, by a clock that may be twice as fast.
  readsAtRestPerMinute: 18,
  finalizer: ({ kind }) => (kind === bindingKind ? finalizers.role : finalizers.config),
  invariants: [
    ...identityConfigSubject.invariants,
    { code: 'S10', check: annotationHasBinding },
    { code: 'S9', check: roleInUseStays },
  ],
  unfinished,
}

function start(process: ProcessContext): Promise<void> {
  return startIssuing(process, aws => {
    const { controllers, companions } = createResourcesOperator({
      services: ['iam', 's3'],
      kinds,
      aws,
      home: { account, partition: 'aws', region },
      nowMs: () => process.seams.clock.now(),
      resyncSeconds,
      fieldExport: false,
    })
    return { beside: { controllers, companions } }
  })
}

const isWritten = ({ metadata }: KubeObject): boolean => {
  const [plural = '', service] = (metadata.name ?? '').split('.')
  return written[plural] === service
}

const hubObjects: readonly KubeObject[] = [
  ...bindingsHub([associationKind.type]).filter(({ kind }) => kind !== 'AWSWorkloadIdentityConfig'),
  ...(['iam', 's3'] as const).flatMap(service => shippedService(service).crds.filter(isWritten)),
]

function purposeOf({ kind, apiVersion, metadata }: KubeObject): string {
  const purpose = kind === 'Role' ? purposeOfRole(metadata.name ?? '') : kind
  return apiVersion.startsWith('aws/') ? `${purpose} in AWS` : purpose
}

function roleOf(object: KubeObject): ObjectRole {
  if (object.kind === bindingKind) return 'claim'
  return object.apiVersion.includes('.services.k8s.aws/') ? 'external' : identityConfigSubject.roleOf(object)
}

/** In AWS a bucket is made without tags; until it has them, who wrote it down says whose it is. */
function ownerUidOf(external: KubeObject, world: World): string | undefined {
  const { apiVersion, kind, metadata } = external
  if (!apiVersion.startsWith('aws/')) return writerOf(external)
  const marked = metadata.labels?.[labels.bindingUid] ?? identityConfigSubject.ownerUidOf(external, world)
  if (marked !== undefined || kind !== 'Bucket' || metadata.namespace !== account) return marked
  const writing = world.effects.findLast(
    ({ after, server }) => server === 'hub' && after?.kind === kind && after.metadata.name === metadata.name,
  )
  return writing?.after === undefined ? undefined : writerOf(writing.after)
}

/** The controller's reference says whose it is, whatever somebody wrote on the label. */
function writerOf({ metadata }: KubeObject): string | undefined {
  const controller = metadata.ownerReferences?.find(one => one.controller === true)?.uid
  return controller ?? metadata.labels?.[labels.bindingUid] ?? metadata.labels?.[labels.configUid]
}

function unfinished(world: World): string | undefined {
  const wrong = identityConfigSubject.unfinished(world)
  if (wrong !== undefined || isHeldUp(world)) return wrong
  for (const claim of claims(world)) {
    const wrongHere = wrongIn(world, claim)
    if (wrongHere !== undefined) return `${claim.metadata.name} ${wrongHere}`
  }
  const owners = new Set([...world.objects()].filter(object => roleOf(object) === 'claim').map(({ metadata }) => metadata.uid))
  for (const one of [...world.objects(cloudName), ...world.objects('hub')]) {
    const owner = roleOf(one) === 'external' ? ownerUidOf(one, world) : undefined
    if (owner !== undefined && !owners.has(owner) && !world.released.has(owner))
      return `${one.kind} ${one.metadata.name} is left behind`
    const claim = claims(world).find(({ metadata }) => metadata.uid === owner)
    if (one.kind === 'Role' && claim !== undefined && !isWantedRole(claim, one.metadata.name))
      return `the former role ${one.metadata.name} is still there`
  }
  return undefined
}

function wrongIn(world: World, claim: ServiceAccountRole): string | undefined {
  if (claim.metadata.deletionTimestamp !== undefined) return 'is still terminating'
  const ready = claim.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True') return `says Ready=${ready?.status}/${ready?.reason}: ${ready?.message}`
  const { role } = resourceNames(claim)
  if (tellsOfReleasedRole(claim)) return 'still tells of the role that was let go'
  const arn = `arn:aws:iam::${account}:role/${role}`
  const held = world.find(target, `${accounts}/${claim.spec.serviceAccount.name}`)
  if (held?.metadata.annotations?.[roleArnAnnotation] !== arn) return 'is not delivered'
  const made = [...world.objects(cloudName)].find(({ kind, metadata }) => kind === 'Role' && metadata.name === role)
  if (made === undefined) return 'has no role'
  const { path } = (made as KubeObject & { readonly spec: { readonly path?: string } }).spec
  return path === undefined || path === '/' ? undefined : `has a role at ${path}`
}

/** A binding that comes while its Config goes would keep that from going, as it says, for ever: admission refuses it. */
function onceThereIsAConfig(then: Deed): Deed {
  const run = async (world: World): Promise<void> => {
    const config = world.find('hub', configPath)
    if (config !== undefined && config.metadata.deletionTimestamp === undefined) return then.run(world)
    world.parkDeed({ label: `${then.label} later`, afterMs: 3_000, run })
  }
  return { ...then, run }
}

/** Somebody changes what was written down for the newest of a kind: names hold a uid, so it is looked up when it happens. */
function onWritten(plural: string, patch: object): Deed {
  const service = written[plural] ?? 'iam'
  const path = `/apis/${service}.services.k8s.aws/v1alpha1/namespaces/${home}/${plural}`
  return {
    label: `somebody patches ${plural} ${JSON.stringify(patch)}`,
    touches: path,
    run: async world => {
      const { body } = await world.act('hub', 'GET', path)
      const { items = [] } = body as { readonly items?: readonly KubeObject[] }
      const name = items.at(-1)?.metadata.name
      if (name !== undefined) await edits('', { path: `${path}/${name}` }, patch, undefined).run(world)
    },
  }
}

function anyOf(...subjects: readonly Subject[]): RegExp {
  return new RegExp(subjects.flatMap(({ madeOfUids }) => madeOfUids?.source ?? []).join('|'), 'g')
}
