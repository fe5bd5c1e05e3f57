// The rights of `--enable-adopted-resource-reconciler` and `--migrate-stored-versions` under the RBAC of a real kube-apiserver: an operator that
// has exactly what is printed for it adopts and moves objects to another stored version, nothing is refused, and without any one of the rights
// that the two flags add a request of that life is.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { dump } from 'js-yaml'
import { serviceModel } from '#aws'
import { AwsClients, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { silentLog, systemClock, systemRandom } from '#base'
import { createAws } from '#emulator'
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  findCondition,
  type KubeObject,
  namespaces,
  type ResourceType,
  type Right,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { createResourcesOperator, type Resource, resourceCrds } from '#operators/resources'
import { createManager, storageMigration } from '#runtime'
import { type HubOptions, hubDefaults, renderHub, rightsOfHub } from '../../src/cli/testing/commands.ts'
import { recorder } from '../../src/operators/identity/testing/recorder.ts'
import { adoptedFinalizer, adoptedResourceKind } from '../../src/operators/resources/adopted/api.ts'
import { roleSelectorKind } from '../../src/operators/resources/place/role-selector.ts'
import { definitionsOf } from '../../src/operators/resources/rights.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { eventually } from './eventually.ts'
import { plainExchange } from './exchange.ts'
import { type Granted, piecesOf, requestsFor, restrict, statusOf } from './narrowed-rights.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const region = 'eu-west-1'
const account = '111122223333'
const watched = 'team'
const apart = 'elsewhere'
const name = 'vouch-flags'
const without = [
  '--controllers=resources',
  `--aws-region=${region}`,
  '--services=iam',
  '--reconcile-resources=Role',
  '--enable-field-export-reconciler=false',
  `--watch-namespace=${watched}`,
]
const flags = ['--enable-adopted-resource-reconciler', '--migrate-stored-versions']
const options = { services: ['iam'], kinds: ['Role'], fieldExport: false, adoptedResources: true, watchNamespaces: [watched] }

const roles: ResourceType = {
  group: 'iam.services.k8s.aws',
  version: 'v1alpha1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
}
const { type: adoptedResources } = adoptedResourceKind
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

function hub(args: readonly string[]): HubOptions {
  return { ...hubDefaults, name, args }
}

async function rightsWith(args: readonly string[]): Promise<readonly Right[]> {
  const found = (await rightsOfHub(hub(args))).find(each => each.account === name)
  assert.ok(found)
  return found.rights
}

/** What a flag adds to the rights of the process, verb by verb. */
async function addedRights(): Promise<readonly Right[]> {
  const keyOf = (right: Right, verb: string): string =>
    JSON.stringify([right.group, right.resource, verb, right.names, right.within])
  const before = new Set((await rightsWith(without)).flatMap(right => right.verbs.map(verb => keyOf(right, verb))))
  return (await rightsWith([...without, ...flags])).filter(right => right.verbs.some(verb => !before.has(keyOf(right, verb))))
}

/** As it would be after an upgrade: objects were stored in an older version of it, which is served no more by default. */
function withOlderVersion(crd: CustomResourceDefinition, storage: 'older' | 'newer'): CustomResourceDefinition {
  const [newest] = crd.spec.versions
  assert.ok(newest)
  const older = { ...newest, name: 'v1alpha0', storage: storage === 'older' }
  return { ...crd, spec: { ...crd.spec, versions: [older, { ...newest, storage: storage === 'newer' }] } }
}

let plane: ControlPlane | undefined
const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing.toReversed()) await close()
  await plane?.stop()
})

async function clientWith(held: ControlPlane, admin: KubeClient, records: ReturnType<typeof recorder>): Promise<KubeClient> {
  return createKubeClient({ clock: systemClock, address: name, exchange: records.through((await plainOf(held, admin)).exchange) })
}

async function plainOf(held: ControlPlane, admin: KubeClient): Promise<ReturnType<typeof plainExchange>> {
  const who = { namespace: hubDefaults.namespace, name }
  const { token } = await admin.requestToken(who, { audiences: [], expirationSeconds: 3_600 })
  const plain = plainExchange({ origin: held.address, ca: held.ca, headers: { authorization: `Bearer ${token}` } })
  closing.push(() => plain.close())
  return plain
}

async function install(held: ControlPlane, admin: KubeClient): Promise<readonly CustomResourceDefinition[]> {
  const printed = await renderHub(hub([...without, ...flags]))
  const wanted = new Set(definitionsOf(options))
  const crds = resourceCrds(options).filter(({ metadata }) => wanted.has(metadata.name ?? ''))
  assert.equal(crds.length, 3)
  const access = printed.filter(({ kind }) => /^(?:Namespace|ServiceAccount|(?:Cluster)?Role(?:Binding)?)$/.test(kind))
  for (const namespace of [watched, apart])
    await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const input = access.map(object => `---\n${dump(object, { noRefs: true })}`).join('\n')
  const applied = await held.kubectl(['apply', '--server-side', '-f', '-'], { input })
  assert.equal(applied.code, 0, applied.stderr)
  for (const crd of crds) await admin.create(customResourceDefinitions, withOlderVersion(crd, 'older'))
  const established = ['wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all']
  assert.equal((await held.kubectl(established)).code, 0)
  return crds
}

function asking(namespace: string, target: string, finalizers: readonly string[] = []): KubeObject {
  const spec = { aws: { nameOrID: target }, kubernetes: { group: roles.group, kind: 'Role' } }
  const metadata = { namespace, name: target, finalizers }
  return { apiVersion: 'services.k8s.aws/v1alpha1', kind: 'AdoptedResource', metadata, spec } as KubeObject
}

describe('what the flags of the resources operator take on the real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  const records = recorder()

  it('is enough: an adoption, and objects of three kinds in all namespaces moved to another stored version [6.13, 9.32]', async () => {
    plane = await startControlPlane({})
    const held = plane
    const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: held.exchange })
    const crds = await install(held, admin)
    const role = { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', metadata: { namespace: apart, name: 'theirs' } }
    await admin.create(roles, { ...role, spec: { name: 'theirs', assumeRolePolicyDocument: trust } } as KubeObject)
    await admin.create(adoptedResources, asking(apart, 'theirs'))
    const selector = { apiVersion: 'services.k8s.aws/v1alpha1', kind: 'IAMRoleSelector', metadata: { name: 'one' } }
    await admin.create(roleSelectorKind.type, {
      ...selector,
      spec: { arn: `arn:aws:iam::${account}:role/x`, namespaceSelector: { names: ['nowhere'] } },
    } as KubeObject)
    for (const crd of crds) {
      const key = { namespace: '', name: crd.metadata.name ?? '' }
      const { spec } = withOlderVersion(crd, 'newer')
      await admin.patch(customResourceDefinitions, key, 'merge', { spec })
    }
    await live(await clientWith(held, admin, records), admin)
    assert.deepEqual([...new Set(records.forbidden)], [])
  })

  it('is no more than is needed: without any one of these rights a request is refused', async t => {
    assert.ok(plane)
    const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
    const { exchange } = await plainOf(plane, admin)
    const who = { namespace: hubDefaults.namespace, name }
    const granted: Granted = { name, who, rights: await rightsWith([...without, ...flags]) }
    const added = await addedRights()
    let tried = 0
    for (const right of granted.rights.filter(each => added.some(one => JSON.stringify(one) === JSON.stringify(each)))) {
      for (const [verb, one] of piecesOf(right)) {
        tried++
        await restrict(admin, granted, { right, verb, one })
        const requests = requestsFor(records, { ...right, verbs: [verb], ...(one === undefined ? {} : { names: [one] }) })
        await eventually(
          async () => {
            for (const request of requests) if ((await statusOf(exchange, request)) === 403) return true
            return undefined
          },
          () => `nothing is refused without ${verb} ${right.resource} ${one ?? ''}; ${requests.length} requests were tried`,
        )
      }
    }
    await restrict(admin, granted)
    assert.ok(tried >= 15, String(tried))
    t.diagnostic(`${tried} rights, each needed`)
  })
})

async function live(client: KubeClient, admin: KubeClient): Promise<void> {
  const aws = createAws({ accounts: [account], region, profile: 'instant' })
  const credentials = staticCredentials(aws.adminCredentials())
  const transport = inProcessTransport(aws.handle)
  const seams = { clock: systemClock, random: systemRandom, log: silentLog }
  const iam = createAwsClient({ model: serviceModel('iam'), region, credentials, transport, ...seams })
  for (const RoleName of ['old', 'leaving']) await iam.call('CreateRole', { RoleName, AssumeRolePolicyDocument: trust })
  const { controllers, companions } = createResourcesOperator({
    ...options,
    aws: new AwsClients({ credentials, transport, ...seams }),
    home: { account, partition: 'aws', region },
    nowMs: () => systemClock.now(),
  })
  const migration = storageMigration({ client, ...seams, definitions: definitionsOf(options) })
  const stop = new AbortController()
  const manager = createManager({ client, seams, controllers, companions: [...companions, migration], identity: name })
  const run = manager.run(stop.signal)
  try {
    await admin.create(adoptedResources, asking(watched, 'old'))
    await admin.create(adoptedResources, asking(watched, 'leaving', [adoptedFinalizer]))
    for (const target of ['old', 'leaving'])
      await eventually(async () => (await isAdopted(admin, target)) || undefined, told(admin, target), patienceMs)
    await admin.delete(adoptedResources, { namespace: watched, name: 'leaving' })
    await eventually(
      async () => (await admin.find(adoptedResources, { namespace: watched, name: 'leaving' })) === undefined || undefined,
      () => 'the finalizer of ACK comes off',
      patienceMs,
    )
    for (const definition of definitionsOf(options))
      await eventually(
        async () => (await storedIn(admin, definition)) === 'v1alpha1' || undefined,
        () => `${definition} is stored in one version`,
        patienceMs,
      )
  } finally {
    stop.abort(new Error('enough'))
    await run
    await aws.close()
  }
}

/** On a machine that may be busy: what passes does not wait for this. */
const patienceMs = 180_000

function told(admin: KubeClient, target: string): () => Promise<string> {
  return async () => {
    const key = { namespace: watched, name: target }
    const said = [await admin.find<Resource>(adoptedResources, key), await admin.find<Resource>(roles, key)]
    return `${target}: ${JSON.stringify(said.map(object => object?.status))}`
  }
}

async function isAdopted(admin: KubeClient, target: string): Promise<boolean> {
  const found = await admin.get<Resource>(adoptedResources, { namespace: watched, name: target })
  return findCondition(found.status?.conditions, 'ACK.Adopted')?.status === 'True'
}

async function storedIn(admin: KubeClient, definition: string): Promise<string> {
  const { status } = await admin.get<
    CustomResourceDefinition & { readonly status?: { readonly storedVersions?: readonly string[] } }
  >(customResourceDefinitions, { namespace: '', name: definition })
  return (status?.storedVersions ?? []).join()
}
