// What a person sees of the identity kinds and of their children with kubectl: get, describe, explain and wait, of the objects of the
// quickstart as the operators left them. The real server and the embedded one print the same, and what they print is kept in a golden
// file; VOUCH_UPDATE_GOLDEN=1 writes it anew from the real server.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { given, systemClock } from '#base'
import {
  customResourceDefinitions,
  findCondition,
  type KubeObject,
  namespaces,
  type ResourceType,
  type StoredObject,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { configKind, operatorConfigKind, roleKind } from '#operators/identity'
import { associationKind, bucketKind, iamRoleKind, policyKind, providerKind } from '#operators/identity/api'
import type { DevWorld } from '../../src/cli/dev/world.ts'
import { applyManifests, readManifests } from '../../src/cli/testing/commands.ts'
import { replicaSetKind, type WorkloadIdentityConfig } from '../../src/operators/identity/api.ts'
import { startControlPlane } from './control-plane.ts'
import { openDevPlatform } from './dev-platform.ts'
import type { Scenario } from './programs/kubectl-commands.ts'
import { type Printed, runScenario } from './programs/kubectl-run.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = (await controlPlaneSkipped()) ?? false
const golden = join(import.meta.dirname, 'golden', 'kubectl-identity.txt')
const children = [bucketKind, providerKind, iamRoleKind, policyKind, associationKind].map(({ type }) => type)
const own = [operatorConfigKind.type, configKind.type, roleKind.type, replicaSetKind.type]

/** Events are told by another server at another time. */
const withoutEvents = (output: string): string => output.replaceAll(/^Events:[\s\S]*?(?=^Name: |(?![\s\S]))/gm, '')
const describe = (what: string) => ({ type: `describe ${what}`, compare: withoutEvents })

const scenario: Scenario = {
  title: 'the identity kinds',
  commands: [
    'get awioc,awic,awsar,awsarrs -A',
    'get awic,awsar -A -o wide',
    'get awsar reader -n edge -o name',
    'get buckets,openidconnectproviders,roles.iam.services.k8s.aws,policies,podidentityassociations -A',
    'wait awic/default -n edge --for=condition=Ready --timeout=5s',
    'wait awsar/reader -n edge --for=condition=Ready --timeout=5s',
    'wait awsar/reader -n edge --for=condition=DeletionBlocked --timeout=1s',
    'wait awsar/reader -n edge --for=jsonpath={.status.deliveryType}=SelfHostedIRSA --timeout=5s',
    describe('awioc default'),
    describe('awic default -n edge'),
    describe('awic default -n prod'),
    describe('awic default -n stage'),
    describe('awsar reader -n edge'),
    describe('awsar reader -n prod'),
    describe('awsarrs fleet -n edge'),
    describe('roles.iam.services.k8s.aws -n edge'),
    describe('buckets -n edge'),
    describe('openidconnectproviders -n edge'),
    describe('podidentityassociations -n prod'),
    'explain awioc.spec',
    'explain awic',
    'explain awic.spec',
    'explain awic.spec.eksIRSA.oidcProvider',
    'explain awic.status --recursive',
    'explain awsar.spec',
    'explain awsar.status',
    'explain awsarrs.spec.placementRefs --recursive',
    'explain roles.iam.services.k8s.aws.spec.policies',
  ],
}

test('kubectl says of the identity kinds what it said when somebody looked, on both servers', {
  skip,
  timeout: 300_000,
}, async () => {
  await using platform = await openDevPlatform()
  const { world } = platform
  await declare(world)
  const { etcd } = await sharedControlPlane()
  const plane = await startControlPlane({ etcd })
  try {
    const real = createKubeClient({ clock: systemClock, address: plane.address, exchange: plane.exchange })
    await copyObjects(world.hub.kube, real)
    const { kubectl } = plane.programs
    const printed = await runScenario({ kubectl, kubeconfig: readFileSync(plane.kubeconfig, 'utf8') }, scenario, 'look')
    const ours = await runScenario({ kubectl, kubeconfig: world.hub.server.kubeconfig() }, scenario, 'look')
    assert.equal(render(ours), render(printed), 'the embedded server beside the real one')
    for (const printedBy of [printed, ours]) assertSeen(printedBy)
    if (process.env['VOUCH_UPDATE_GOLDEN'] === '1') writeFileSync(golden, render(printed))
    assert.deepEqual(differing(render(printed), readFileSync(golden, 'utf8')), [])
  } finally {
    await plane.stop()
  }
})

/** The lines that are not the same, each with its number: of two long texts alone nobody sees where they differ. */
function differing(text: string, expected: string): readonly string[] {
  const [are, were] = [text.split('\n'), expected.split('\n')]
  return Array.from({ length: Math.max(are.length, were.length) }, (_, index) => index)
    .filter(index => are[index] !== were[index])
    .slice(0, 20)
    .map(index => `line ${index + 1}: ${are[index] ?? 'nothing'}, which was ${were[index] ?? 'nothing'}`)
}

/** What a person looks for without `-o wide`, and what stands under it, by the kind that the rows are of. */
const lookedFor: Readonly<Record<string, readonly (readonly [header: string, cell: RegExp])[]>> = {
  awsworkloadidentityconfig: [['READY', /^True$/]],
  awsserviceaccountrole: [
    ['SA-NAMESPACE', /^demo$/],
    ['SERVICEACCOUNT', /^reader$/],
    ['READY', /^True$/],
    ['ROLEARN', /^arn:aws:iam::123456789012:role\//],
  ],
  bucket: [
    ['READY', /^True$/],
    ['ARN', /^arn:aws:s3:::/],
  ],
  openidconnectprovider: [
    ['READY', /^True$/],
    ['ARN', /^arn:aws:iam::123456789012:oidc-provider\//],
  ],
  role: [
    ['READY', /^True$/],
    ['ARN', /^arn:aws:iam::123456789012:role\//],
  ],
}

/** In the tables that `kubectl get` printed, for each row of these kinds. Independent of the golden file, which anybody can write anew. */
function assertSeen(printed: readonly Printed[]): void {
  const tables = printed
    .filter(({ command }) => /^get \S+ -A$/.test(command))
    .flatMap(({ text }) =>
      text.split('\n\n').map(table =>
        table
          .trim()
          .split('\n')
          .map(row => row.split(/ {2,}/)),
      ),
    )
  const kinds = new Set<string>()
  for (const [header = [], ...rows] of tables)
    for (const row of rows) {
      const kind = row[1]?.split('.')[0] ?? ''
      kinds.add(kind)
      for (const [name, cell] of lookedFor[kind] ?? [])
        assert.match(row[header.indexOf(name)] ?? '', cell, `${name} of ${row.join(' ')}`)
    }
  for (const kind of Object.keys(lookedFor)) assert.ok(kinds.has(kind), `kubectl printed rows of ${kind}`)
}

/** The quickstart, and a fleet object that nobody looks after yet. */
async function declare(world: DevWorld): Promise<void> {
  for (const { objects } of await readManifests('hub')) await applyManifests(world.hub.kube, objects)
  for (const cluster of [world.edge, world.stage, world.prod])
    for (const { objects } of await readManifests('clusters')) {
      await applyManifests(
        cluster.kube,
        objects.filter(({ kind }) => kind !== 'Pod'),
      )
    }
  const spec = {
    placementRefs: [{ name: 'all' }],
    template: { spec: { serviceAccount: { namespace: 'a', name: 'b' }, policyARNs: ['arn:aws:iam::aws:policy/X'] } },
  }
  await world.hub.kube.create(replicaSetKind.type, replicaSetKind.make({ namespace: 'edge', name: 'fleet' }, spec as never))
  for (let tries = 0; tries < 1_200; tries++) {
    const lists = await Promise.all(
      [configKind.type, roleKind.type].map(type => world.hub.kube.list<WorkloadIdentityConfig>(type)),
    )
    const items = lists.flatMap(list => list.items)
    const areReady = items.every(({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True')
    if (items.length === 6 && areReady && (await isCopied(world, items))) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('the quickstart is not Ready within a minute')
}

interface Copied {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly conditions?: readonly object[]
}

/** Whether each says of its children what they say now: it may be a moment behind, also once it is Ready. */
async function isCopied(world: DevWorld, items: readonly WorkloadIdentityConfig[]): Promise<boolean> {
  const lists = await Promise.all(
    children.map(type =>
      world.hub.kube.list<StoredObject & { readonly status?: { readonly conditions?: readonly object[] } }>(type),
    ),
  )
  const now = new Map(
    lists
      .flatMap(({ items: held }) => held)
      .map(({ kind, metadata, status }) => [
        `${kind} ${metadata.namespace}/${metadata.name}`,
        JSON.stringify(status?.conditions ?? []),
      ]),
  )
  const copies = items.flatMap(
    ({ status }) => (status as { readonly ackResources?: readonly Copied[] } | undefined)?.ackResources ?? [],
  )
  return copies.every(
    ({ kind, namespace, name, conditions = [] }) => now.get(`${kind} ${namespace}/${name}`) === JSON.stringify(conditions),
  )
}

/** With definitions and status, as they are. */
async function copyObjects(from: KubeClient, to: KubeClient): Promise<void> {
  const types = [...own, ...children]
  for (const { metadata, ...definition } of (await from.list(customResourceDefinitions)).items) {
    if (!types.some(({ group, plural }) => metadata.name === `${plural}.${group}`)) continue
    const { name, annotations } = metadata
    await to.create(customResourceDefinitions, {
      ...definition,
      metadata: { name, ...given({ annotations }) },
    } as KubeObject)
  }
  for (const name of ['edge', 'prod', 'stage'])
    await to.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  for (const type of types) {
    await served(to, type)
    for (const object of (await from.listAll<StoredObject & { readonly status?: object }>(type)).items)
      await copyObject(to, type, object)
  }
}

async function copyObject(
  to: KubeClient,
  type: ResourceType,
  object: StoredObject & { readonly status?: object },
): Promise<void> {
  const { status, metadata, ...rest } = object
  const { namespace = '', name, labels, annotations, finalizers, ownerReferences } = metadata
  const kept = JSON.parse(
    JSON.stringify({ namespace, name, labels, annotations, finalizers, ownerReferences }),
  ) as KubeObject['metadata']
  await to.create(type, { ...rest, metadata: kept } as KubeObject)
  if (status !== undefined && type !== operatorConfigKind.type)
    await to.patch(type, { namespace, name }, 'merge', { status }, { subresource: 'status' })
}

async function served(to: KubeClient, type: ResourceType): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      await to.list(type, { limit: 1 })
      return
    } catch {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

const acksConditions =
  /(?:^ *Last Transition Time:.*\n(?:^ *(?:Message|Observed Generation|Reason|Status):.*\n)*^ *Type: +ACK\..*\n){2,}/gm
const typeOf = (block: string): string => /^ *Type: +(.*)$/m.exec(block)?.[1] ?? ''
const byType = (a: string, b: string): number => (typeOf(a) < typeOf(b) ? -1 : 1)

/** What depends on uids, on the key that a cluster got and on how often something was changed is not what is looked at. */
function render(printed: readonly Printed[]): string {
  return (
    printed
      .map(({ command, code, text }) => `$ kubectl ${command}\n${text}${code === 0 ? '' : `(ends with ${code})\n`}`)
      .join('\n')
      .replaceAll(/\b(awi-(?:pol-)?(?:edge|prod|stage)-reader)-[0-9a-f]{10}\b/g, '$1-<hash>')
      .replaceAll(/(Generation|observedGeneration|Observed Generation): +\d+/gi, '$1: <n>')
      .replaceAll(/a-\w{17}\b/g, 'a-<id>')
      .replaceAll(/(Object Set Digest: +sha256:)[0-9a-f]{64}\b/g, '$1<digest>')
      .replaceAll(/(Signing Key ID: +)[\w-]{43}(?![\w-])/g, '$1<key>')
      // Ids in a list stand on lines of their own.
      .replaceAll(/^( *)[\w-]{43}$/gm, '$1<key>')
      // ACK's conditions stand in the order in which they were first said, which is another one on a busy machine.
      .replaceAll(acksConditions, block =>
        block
          .split(/(?=^ *Last Transition Time:)/m)
          .toSorted(byType)
          .join(''),
      )
  )
}
