// The Role controller in the simulator: a hub and a target, two replicas with leader election, a stand-in for ACK in the same process,
// bindings that come, change and go, people who meddle with annotations, children and finalizers.

import { given } from '#base'
import type { Engagements } from '#fleet'
import { type KubeObject, type ObjectKey, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import type { ServiceAccountRole } from '#operators/identity/api'
import { associationKind, type ChildKind, finalizers, iamRoleKind, labels, policyKind, reasons } from '#operators/identity/api'
import { type Action, type AnyController, defineController, type Manager, type Reads, troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { childResources } from '../../src/operators/identity/role/child-resources.ts'
import { createRoleController } from '../../src/operators/identity/role/controller.ts'
import { resourceNames, roleNamesOf } from '../../src/operators/identity/role/resources.ts'
import {
  account,
  accounts,
  annotate,
  annotationHasBinding,
  bindingKind,
  bindings,
  bindingsHub,
  bindingsTarget,
  change,
  children,
  claims,
  create,
  document,
  hasElder,
  identityProcess,
  isReady,
  isWantedRole,
  leaseMs,
  makeAccount,
  moves,
  movesToChosen,
  purposeOfRole,
  readOnly,
  releases,
  remove,
  roleArnAnnotation,
  roleInUseStays,
  specOf,
  target,
  tearsDownApps,
  tellsOfReleasedRole,
} from './bindings.ts'
import { deed } from './deeds.ts'
import { probedClients, runProbed } from './probed.ts'

export const identityRolesSubject: Subject = {
  name: 'identity-roles',
  servers: ['hub', target],
  objects: server => (server === 'hub' ? hubObjects : bindingsTarget),
  replicas: 2,
  versions: 2,
  start,
  script: [
    { ...create('app1', { policyARNs: [readOnly] }, 0), creates: true },
    { ...create('app2', document, 0), creates: true },
    change(bindings, 'app1', { spec: { policyARNs: [`${readOnly}2`, readOnly] } }, 5_000),
    // Of the ServiceAccount of app1, for a while.
    create('twin', { policyARNs: [readOnly] }, 8_000, 'app1'),
    remove('hub', bindings, 'twin', 12_000),
    remove('hub', bindings, 'app2', 14_000),
    create('app2', { policyARNs: [readOnly] }, 16_000),
    // Its ServiceAccount comes later.
    create('app3', document, 16_000),
    makeAccount('app3', 19_000),
    remove('hub', bindings, 'app1', 24_000),
    change(bindings, 'app3', { spec: { policyARNs: [readOnly], policyDocument: null } }, 26_000),
    // To names that stay, and to chosen ones; what was before goes when somebody says so.
    moves('app2', bindings, 18_000),
    movesToChosen('app3', bindings, 30_000),
    releases('app2', bindings, 42_000),
    releases('app3', bindings, 52_000),
  ],
  disturbances: [
    { ...annotate('app1', `arn:aws:iam::${account}:role/stranger`), fault: 'F18' },
    { ...annotate('app2', null), fault: 'F18' },
    { ...onChildren('roles', 'PATCH', { spec: { path: '/other/' } }), fault: 'F18' },
    { ...onChildren('roles', 'PATCH', { metadata: { labels: { team: 'a' } } }), fault: 'F18' },
    { ...onChildren('roles', 'DELETE'), fault: 'F19' },
    { ...onChildren('policies', 'DELETE'), fault: 'F19' },
    { ...remove('hub', bindings, 'app2', undefined), fault: 'F19' },
    { ...remove(target, accounts, 'app2', undefined), fault: 'F19' },
    { ...change(bindings, 'app1', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    { ...tearsDownApps(), fault: 'F17' },
  ],
  roleOf,
  ownerUidOf,
  purposeOf: ({ kind, metadata }) => (kind === 'Role' ? purposeOfRole(metadata.name ?? '') : kind),
  madeOfUids: /(?<=awi-(?:pol-)?wlc-a-(?:app\d|twin)-)[0-9a-f]{10}/g,
  isWanted: (claim, child) =>
    child.kind === 'Role'
      ? isWantedRole(claim as ServiceAccountRole, child.metadata.name)
      : specOf(claim).policyDocument !== undefined,
  // Claims that wait for a ServiceAccount or for each other look again once a minute at most, by a clock that may be fast.
  readsAtRestPerMinute: 8,
  finalizer: finalizers.role,
  leaseMs,
  reasons: [...reasons, ...Object.keys(troubleReasons)],
  invariants: [
    { code: 'S10', check: annotationHasBinding },
    { code: 'S9', check: readyMeansDelivered },
    { code: 'S9', check: roleInUseStays },
  ],
  unfinished,
  settleMs: 600_000,
  settleStreamsMs: 240_000,
}

/** How the target comes into the fleet. */
export interface Joining {
  readonly controllers: readonly AnyController[]
  /** What is known of the way there; absent where there is nothing to know. */
  readonly engagements?: Engagements
  attach(manager: Manager): void
}

function start(process: ProcessContext): Promise<void> {
  return startBindings(process, client => ({ controllers: [], attach: ({ targets: fleet }) => fleet.join(target, client) }))
}

/** A process with the controller of bindings and the stand-in for ACK. */
export function startBindings(process: ProcessContext, joiningOf: (target: KubeClient) => Joining): Promise<void> {
  const clients = probedClients(process)
  const { controllers, engagements, attach } = joiningOf(clients.of(target))
  const roles = createRoleController({ resources: childResources, ...given({ engagements }) })
  return runProbed(process, {
    clients,
    // Another version means the same and goes about it otherwise: one binding at a time, over lists in pages (F26, D6).
    controllers: [
      ...controllers,
      process.version === 0 ? roles : { ...roles, workers: 1 },
      ackStandIn(iamRoleKind),
      ackStandIn(policyKind),
    ],
    ...identityProcess(process),
    attach,
  })
}

/** ACK, as far as its objects show: a finalizer, a status with the ARN, and the finalizer off again when the object has to go. */
function ackStandIn({ type }: ChildKind): AnyController {
  const finalizer = `finalizers.${type.group}/${type.kind}`
  const arnOf = (object: StoredObject): string => `arn:aws:iam::${account}:${type.kind.toLowerCase()}/${object.metadata.name}`
  return defineController<StoredObject | undefined>({
    name: `ack-${type.plural}`,
    claims: { type },
    status: { kind: 'subresource', observedGeneration: false },
    reconciler: {
      observe: (key: ObjectKey, world: Reads) => world.find(type, key),
      decide: object => {
        const next = { kind: 'await-change' } as const
        if (object === undefined) return { actions: [], conditions: [], next }
        const isHeld = object.metadata.finalizers?.includes(finalizer) === true
        if (object.metadata.deletionTimestamp !== undefined) {
          const release: Action = { kind: 'remove-finalizer', type, object, finalizer }
          return { actions: isHeld ? [release] : [], conditions: [], next }
        }
        return {
          actions: isHeld ? [] : [{ kind: 'add-finalizer', type, object, finalizer }],
          conditions: [{ type: 'ACK.ResourceSynced', status: 'True', reason: 'Ready', message: 'synced' }],
          status: { ackResourceMetadata: { arn: arnOf(object), ownerAccountID: account, region: 'eu-west-1' } },
          next,
        }
      },
    },
  })
}

function roleOf({ kind, apiVersion }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (kind === bindingKind) return 'claim'
  return apiVersion.startsWith('iam.services.k8s.aws/') ? 'external' : 'other'
}

function ownerUidOf({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid ?? metadata.labels?.[labels.bindingUid]
}

/** Ready=True is said of a binding whose role object was there and whose ServiceAccount was annotated with it, at one time at least. */
function readyMeansDelivered({ by, after }: Effect, world: World): string | undefined {
  if (after === undefined || by === 'user' || roleOf(after) !== 'claim') return undefined
  const { status } = after as ServiceAccountRole
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  // One of an earlier generation is no success of this one (S8), and a binding on its way out is not spoken of any more.
  if (ready?.status !== 'True' || ready.observedGeneration !== after.metadata.generation) return undefined
  // While it moves to another name, the role before does what it is there for until the ServiceAccount names the new one.
  const names = Object.values(roleNamesOf(after as ServiceAccountRole))
  const arn = status?.roleARN
  const wasAnnotated = world.effects.some(effect => {
    const held = effect.after?.kind === 'ServiceAccount' ? effect.after.metadata.annotations?.[roleArnAnnotation] : undefined
    return held !== undefined && names.some(name => held.endsWith(`:role/${name}`))
  })
  if (arn === undefined || !wasAnnotated)
    return `${after.metadata.name} is Ready, and nothing was ever annotated with a role of its own`
  const wanted = JSON.stringify(specOf(after).policyARNs ?? [])
  const wasMade = world.effects.some(
    ({ after: child }) =>
      child?.kind === 'Role' &&
      ownerUidOf(child) === after.metadata.uid &&
      (specOf(after).policyDocument !== undefined || JSON.stringify(specOf(child).policies) === wanted),
  )
  return wasMade ? undefined : `${after.metadata.name} is Ready, and no role with ${wanted} was ever made for it`
}

function unfinished(world: World): string | undefined {
  for (const claim of claims(world)) {
    const { name } = claim.metadata
    if (claim.metadata.deletionTimestamp !== undefined) return `${name} is still terminating`
    const wrong = wrongIn(world, claim)
    if (wrong !== undefined) return `${name} ${wrong}`
  }
  for (const [, shadow] of world.shadows) {
    for (const object of shadow.objects.values()) {
      if (roleOf(object) !== 'external') continue
      const owner = ownerUidOf(object)
      const claim = claims(world).find(({ metadata }) => metadata.uid === owner)
      if (claim === undefined && owner !== undefined && world.released.has(owner)) continue
      if (claim === undefined || (object.kind === 'Policy' && claim.spec.policyDocument === undefined)) {
        return `${object.kind} ${object.metadata.name} is one too many`
      }
      if (object.kind === 'Role' && !isWantedRole(claim, object.metadata.name) && isReady(claim)) {
        return `the former role ${object.metadata.name} is still there`
      }
    }
  }
  return undefined
}

function wrongIn(world: World, claim: ServiceAccountRole): string | undefined {
  const { serviceAccount, policyARNs, policyDocument } = claim.spec
  const delivered = world.find(target, `${accounts}/${serviceAccount.name}`)
  const expected = !hasElder(world, claim) && delivered !== undefined
  const ready = claim.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== (expected ? 'True' : 'False')) return `says Ready=${ready?.status}/${ready?.reason}`
  if (ready.observedGeneration !== claim.metadata.generation) return `speaks of generation ${ready.observedGeneration}`
  if (!expected) return undefined
  if (tellsOfReleasedRole(claim)) return 'still tells of the role that was let go'
  const names = resourceNames(claim)
  const arn = `arn:aws:iam::${account}:role/${names.role}`
  if (claim.status?.roleARN !== arn) return `says that its role is ${claim.status?.roleARN}`
  if (delivered?.metadata.annotations?.[roleArnAnnotation] !== arn) return 'is not delivered to its ServiceAccount'
  const role = world.find('hub', `${children('roles')}/${names.role}`)
  const wanted = policyDocument === undefined ? policyARNs : [`arn:aws:iam::${account}:policy/${names.policy}`]
  const { policies, path } = role === undefined ? ({} as Readonly<Record<string, unknown>>) : specOf(role)
  if (JSON.stringify(policies) !== JSON.stringify(wanted)) return `has a role with ${JSON.stringify(policies)}`
  return path === '/' ? undefined : `has a role at ${String(path)}`
}

/** Names of children hold a uid, so they are looked up when it happens. */
function onChildren(plural: string, method: 'PATCH' | 'DELETE', patch?: unknown): Deed {
  return deed(`${method} ${plural} ${JSON.stringify(patch ?? '')}`, children(plural), undefined, async world => {
    const [first] = [...world.objects()].filter(
      ({ apiVersion, kind }) => apiVersion.startsWith('iam.') && kind === kindOf[plural],
    )
    if (first === undefined) return
    const path = `${children(plural)}/${first.metadata.name}`
    await world.act('hub', method, path, patch, patch === undefined ? undefined : 'application/merge-patch+json')
  })
}

const hubObjects = bindingsHub([iamRoleKind.type, policyKind.type, associationKind.type])

const kindOf: Readonly<Record<string, string>> = { roles: 'Role', policies: 'Policy' }
