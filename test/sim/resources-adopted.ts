// AdoptedResources in the simulator: roles that are in AWS before anybody asks for them, objects that are made for them and deleted again. What
// is done stays done: no object is made a second time for the same wish, and nothing that somebody else made is touched. One who changes his wish
// has that carried out, whether the first one was done or not.
import { serviceModel } from '#aws'
import { findCondition, type KubeObject } from '#kube'
import { conditions, ownerTag, type Resource, resourceCrds, shippedService } from '#operators/resources'
import type { Deed, Effect, ProcessContext, Subject, World } from '#simulator'
import { adminClients } from './aws/clients.ts'
import { awsObjects } from './aws/objects.ts'
import { creates, edits, removes } from './deeds.ts'
import { iamResourcesSubject } from './resources.ts'
import { account, region, runResources } from './run-resources.ts'

const resyncSeconds = 1_800
const inAws = ['old', 'kept', 'first', 'second', 'later'] as const

const asked = '/apis/services.k8s.aws/v1alpha1/namespaces/default/adoptedresources'
const roles = '/apis/iam.services.k8s.aws/v1alpha1/namespaces/default/roles'
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

function ask(name: string, nameOrID: string, afterMs: number): Deed {
  const metadata = { name: `from-${nameOrID}` }
  const spec = { aws: { nameOrID }, kubernetes: { group: 'iam.services.k8s.aws', kind: 'Role', metadata } }
  const body = {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'AdoptedResource',
    metadata: { namespace: 'default', name },
    spec,
  }
  return creates(`ask for ${nameOrID}`, { path: asked }, body, afterMs)
}

/** Who asks first for one role and then for another, the latter as his object is to be called in the end. */
const turnsTo: Readonly<Record<string, string>> = { mine: 'later', wavers: 'second' }

function wishesFor(name: string, nameOrID: string): Deed {
  const spec = { aws: { nameOrID }, kubernetes: { metadata: { name: `from-${nameOrID}` } } }
  return edits(`${name} wishes for ${nameOrID}`, { path: `${asked}/${name}` }, { spec }, 1_000)
}

/** One changes his wish once he has what he asked for, another as soon as the object is there that is to adopt it. */
function changesWishes({ before, after }: Effect, world: World): void {
  if (after === undefined) return
  const hasOld = isAsking(after) && toldOf(after) === 'from-old' && (before === undefined || toldOf(before) === undefined)
  const isFirst = before === undefined && after.kind === 'Role' && after.metadata.name === 'from-first'
  for (const [name, is] of [
    ['mine', hasOld],
    ['wavers', isFirst],
  ] as const) {
    const wish = wishesFor(name, turnsTo[name] ?? '')
    if (is) world.parkDeed({ label: wish.label, afterMs: 1_000, run: wish.run })
  }
}

export const adoptedResourcesSubject: Subject = {
  ...iamResourcesSubject,
  name: 'resources-adopted',
  cloud: {
    options: { accounts: [account], region },
    look: awsObjects,
    prepare: async aws => {
      const iam = adminClients(aws).for({ model: serviceModel('iam'), region })
      for (const RoleName of inAws)
        await iam.call('CreateRole', { RoleName, AssumeRolePolicyDocument: trust, Description: `${RoleName} by hand` })
    },
  },
  objects: () => [
    ...shippedService('iam').crds.filter(({ metadata }) => metadata.name === 'roles.iam.services.k8s.aws'),
    ...resourceCrds({ services: ['iam'], adoptedResources: true }).filter(
      ({ metadata }) => metadata.name === 'adoptedresources.services.k8s.aws',
    ),
  ],
  start,
  script: [ask('mine', 'old', 0), ask('stays', 'kept', 2_000), ask('wavers', 'first', 3_000)],
  react: changesWishes,
  disturbances: [
    { ...edits('label who asked', { path: `${asked}/stays` }, { metadata: { labels: { team: 'a' } } }, undefined), fault: 'F18' },
    {
      ...edits('label the object', { path: `${roles}/from-kept` }, { metadata: { labels: { a: 'b' } } }, undefined),
      fault: 'F18',
    },
    { ...removes('delete the object', { path: `${roles}/from-kept` }, undefined), fault: 'F19' },
    { ...removes('delete who asked', { path: `${asked}/stays` }, undefined), fault: 'F19' },
  ],
  ownerUidOf,
  invariants: [
    // What is taken over carries no mark before it is ours on record: whose it is, says `ownerUidOf`.
    ...(iamResourcesSubject.invariants ?? []).filter(({ code }) => code !== 'S2'),
    { code: 'adopted once', check: madeOnce },
    { code: 'adopted', check: adoptedMeansMade },
  ],
  unfinished: world => iamResourcesSubject.unfinished(world) ?? notAdopted(world),
}

function start(process: ProcessContext): Promise<void> {
  return runResources(process, { services: ['iam'], kinds: ['Role'], resyncSeconds, fieldExport: false, adoptedResources: true })
}

/** By its mark; before it has one, whoever is there to take it over. */
function ownerUidOf({ kind, metadata }: KubeObject, world: World): string | undefined {
  const mark = metadata.labels?.[ownerTag]
  if (mark !== undefined || kind !== 'Role') return mark
  return [...world.objects()].find(object => object.kind === 'Role' && object.metadata.name === `from-${metadata.name}`)?.metadata
    .uid
}

const isAsking = ({ kind }: KubeObject): boolean => kind === 'AdoptedResource'

function isAdopted(object: KubeObject): boolean {
  return findCondition((object as Resource).status?.conditions, conditions.adopted)?.status === 'True'
}

/** As people read it, also after they wished for another. */
function isToldOf(object: KubeObject, name: string): boolean {
  return toldOf(object) === name
}

function toldOf(object: KubeObject): string | undefined {
  const told = findCondition((object as Resource).status?.conditions, conditions.adopted)
  return told?.status === 'True' ? /^adopted as Role default\/([^:]+): /.exec(told.message)?.[1] : undefined
}

/** No object is made by the operator after somebody who asked for it was told that it is adopted. */
function madeOnce({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || before !== undefined || after?.kind !== 'Role' || !after.apiVersion.startsWith('iam.')) return undefined
  const { name = '' } = after.metadata
  const told = world.effects.find(({ after: asking }) => asking !== undefined && isAsking(asking) && isToldOf(asking, name))
  return told === undefined ? undefined : `${by} makes ${name} again, which was adopted`
}

/** Who says that it is adopted has, or had, an object of that name with a role in AWS. */
function adoptedMeansMade({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || after === undefined || !isAsking(after) || !isAdopted(after)) return undefined
  const name = toldOf(after)
  if (before !== undefined && toldOf(before) === name) return undefined
  const had = world.effects.some(
    ({ after: role }) =>
      role?.kind === 'Role' && role.metadata.name === name && (role as Resource).status?.ackResourceMetadata !== undefined,
  )
  return had ? undefined : `${after.metadata.name} is adopted, and ${name} has no role in AWS`
}

function wishOf({ metadata }: KubeObject): string {
  const { name = '' } = metadata
  return `from-${turnsTo[name] ?? 'kept'}`
}

function notAdopted(world: World): string | undefined {
  const waiting = [...world.objects()].find(object => isAsking(object) && toldOf(object) !== wishOf(object))
  return waiting === undefined
    ? undefined
    : `${waiting.metadata.name} is not adopted as it is wished for: ${JSON.stringify((waiting as Resource).status)}`
}
