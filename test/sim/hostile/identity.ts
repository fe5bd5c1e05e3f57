// A self-hosted issuer and a binding beside a hostile tenant, in a hub where identity and resources run in one process: with child objects,
// and with calls of identity's own. The tenant has a namespace of his own, and in the namespace of the cluster he may make roles and exports.
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { Keys } from '#base'
import { clusterProfileKind } from '#fleet'
import type { KubeObject } from '#kube'
import { createResourcesOperator, type Resource, resourceCrds } from '#operators/resources'
import {
  cloudName,
  type Deed,
  type Effect,
  type Invariant,
  type ObjectRole,
  type ProcessContext,
  type Subject,
  type World,
} from '#simulator'
import { parsePublicKey } from '../../../src/operators/identity/documents/signing-key.ts'
import type { AwsObject } from '../aws/objects.ts'
import { account, api, bindingKind, bindingsIn, create, home, namespace, object, profile, readOnly } from '../bindings.ts'
import { creates } from '../deeds.ts'
import { identityChildrenSubject } from '../identity-children.ts'
import { configPath, identityConfigSubject, startIssuing } from '../identity-config.ts'
import { type Aims, configMapOf, hostileDeeds, type Spot, secretOf } from './deeds.ts'
import { canary, coreIn, isHis, lair, pathIn, type Served } from './lair.ts'
import { type Others, onceQuiet, quietInvariants } from './quiet.ts'
import { listening } from './resources.ts'

const region = 'eu-west-1'
const kinds = {
  Bucket: { service: 's3', kind: 'Bucket', plural: 'buckets' },
  OpenIDConnectProvider: { service: 'iam', kind: 'OpenIDConnectProvider', plural: 'openidconnectproviders' },
  Role: { service: 'iam', kind: 'Role', plural: 'roles' },
  Policy: { service: 'iam', kind: 'Policy', plural: 'policies' },
} satisfies Readonly<Record<string, Served>>

/** The public half of a key of the tenant's own. */
const hisKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' }).toString()

const signingKey = (key: string): Spot => ({ kind: 'secret', namespace: home, name: 'awi-signing-key-default', key })
const mapping: Spot = { kind: 'configmap', namespace: 'ack-system', name: 'ack-role-account-map', key: account }
const password: Spot = { kind: 'secret', namespace: home, name: 'password', key: 'password' }
const spots: readonly Spot[] = [...['previous.pub', 'next.pub', 'sa.pub', 'sa.key'].map(signingKey), mapping, password]

/** What identity wrote down for the binding or the issuer. */
function written(kind: keyof typeof kinds): (world: World) => Resource | undefined {
  return world =>
    [...world.objects()].find(
      one => one.kind === kind && one.apiVersion.includes('.services.k8s.aws/') && one.metadata.namespace === home && !isHis(one),
    ) as Resource | undefined
}

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::999999999999:root' }, Action: 'sts:AssumeRole' }],
})

function mouthIn(at: string): Deed {
  const spec = { name: `mouth-${at}`, assumeRolePolicyDocument: trust, description: hisKey }
  const body = object('Role', 'iam.services.k8s.aws/v1alpha1', { namespace: at, name: 'mouth' }, { spec })
  return creates(`create mouth in ${at}`, { path: pathIn(at, kinds.Role) }, body, 5_000)
}

const aims: Aims = {
  prizes: [
    { ...kinds.Role, find: written('Role'), evil: { assumeRolePolicyDocument: trust } },
    { ...kinds.Bucket, find: written('Bucket'), evil: { policy: '{}' } },
    { ...kinds.OpenIDConnectProvider, find: written('OpenIDConnectProvider'), evil: { clientIDs: ['evil'] } },
  ],
  targets: spots,
  secrets: [signingKey('sa.key'), password],
  mouthpieces: [home, lair].map(at => ({ namespace: at, name: 'mouth', paths: ['.spec.description'] })),
}

/** Kinds of identity's own, in the tenant's namespace: a Config, a binding of another's ServiceAccount, a key, a cluster of another's name. */
const ownKinds: readonly Deed[] = [
  his('a Config', `/apis/${api}/namespaces/${lair}/awsworkloadidentityconfigs`, {
    ...object(
      'AWSWorkloadIdentityConfig',
      api,
      { namespace: lair, name: 'default' },
      { spec: { type: 'SelfHostedIRSA', region } },
    ),
  }),
  his('a binding', bindingsIn(lair), {
    ...object(
      bindingKind,
      api,
      { namespace: lair, name: 'm1' },
      {
        spec: { serviceAccount: { namespace: 'apps', name: 'app1' }, policyARNs: [readOnly] },
      },
    ),
  }),
  his('a signing key', coreIn(lair, 'secrets'), secretOf({ ...signingKey('sa.pub'), namespace: lair }, hisKey)),
  ...[home, lair].map(cluster => claimsCluster(cluster)),
]

function his(what: string, path: string, body: KubeObject): Deed {
  return onceQuiet(others(), {
    label: `${lair} makes ${what}`,
    run: async world => void (await world.act('hub', 'POST', path, body)),
  })
}

function claimsCluster(cluster: string): Deed {
  const { group, version, plural } = clusterProfileKind.type
  const path = `/apis/${group}/${version}/namespaces/${lair}/${plural}`
  const claim = profile(cluster, {}) as KubeObject & { readonly status: object }
  const body = { ...claim, metadata: { ...claim.metadata, namespace: lair, name: `m${cluster.length}` } }
  return onceQuiet(others(), {
    label: `${lair} says that he is cluster ${cluster}`,
    run: async world => {
      await world.act('hub', 'POST', path, body)
      const status = { status: claim.status }
      await world.act('hub', 'PATCH', `${path}/${body.metadata.name}/status`, status, 'application/merge-patch+json')
    },
  })
}

function others(): Others {
  return { fromMs: 60_000, unfinished, ownerUidOf: identityChildrenSubject.ownerUidOf }
}

function unfinished(world: World): string | undefined {
  const wrong = identityConfigSubject.unfinished(world)
  if (wrong !== undefined) return wrong
  if (world.find('hub', configPath) === undefined) return 'there is no Config'
  const binding = world.find('hub', `${bindingsIn(home)}/app1`) as Resource | undefined
  const ready = binding?.status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' ? undefined : `the binding says Ready=${ready?.status}: ${ready?.message}`
}

/** The ids of all keys that processes of a world drew. */
const drawn = new WeakMap<World, Set<string>>()

function keysOf(world: World): Keys {
  const keys = identityConfigSubject.keys?.(world) as Keys
  const ids = drawn.get(world) ?? new Set()
  drawn.set(world, ids)
  return {
    ...keys,
    generateRsa: async bits => {
      const pem = await keys.generateRsa(bits)
      const id = parsePublicKey(createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString())?.keyId
      if (id !== undefined) ids.add(id)
      return pem
    },
  }
}

/** S24: what verifiers find in a bucket of ours are keys that a process of ours drew. */
const onlyOurKeys: Invariant = {
  code: 'S24',
  check: ({ by, after, server }: Effect, world) => {
    if (by === 'user' || server !== cloudName || after?.kind !== 'Bucket') return undefined
    const documents = (after as AwsObject).spec['documents'] as Readonly<Record<string, string>> | undefined
    const { keys = [] } = JSON.parse(documents?.['keys.json'] ?? '{}') as { readonly keys?: readonly { readonly kid: string }[] }
    const foreign = keys.find(({ kid }) => drawn.get(world)?.has(kid) !== true)
    return foreign === undefined ? undefined : `${by} publishes the key ${foreign.kid}, which none of ours drew`
  },
}

/** What is the tenant's, in AWS too, is nothing that the others' Config or binding made; nor is their password. */
function roleOf(one: KubeObject): ObjectRole {
  const name = one.metadata.name ?? ''
  const isTheTenants = isHis(one) || /^mouth-|^awi-mallory-/.test(name) || name === password.name
  const role = identityChildrenSubject.roleOf(one)
  return isTheTenants && (role === 'external' || role === 'claim') ? 'other' : role
}

const shared = {
  replicas: 1,
  roleOf,
  versions: 1,
  keys: keysOf,
  script: [
    creates('create Config', { path: configPath.slice(0, configPath.lastIndexOf('/')) }, configOf(), 0),
    create('app1', { policyARNs: [readOnly] }, 5_000),
    mouthIn(home),
    mouthIn(lair),
  ],
  invariants: [...identityChildrenSubject.invariants, onlyOurKeys, ...quietInvariants],
  unfinished,
  safetyMs: 240_000,
  readsAtRestPerMinute: (world: World) => [...world.objects()].length * 4,
} satisfies Partial<Subject>

function configOf(): KubeObject {
  const spec = { type: 'SelfHostedIRSA', region }
  return object('AWSWorkloadIdentityConfig', api, { namespace: home, name: 'default' }, { spec })
}

const extraObjects: readonly KubeObject[] = [
  ...[lair, 'ack-system'].map(namespace),
  ...resourceCrds({ services: ['iam', 's3'] }).filter(({ metadata }) => metadata.name === 'fieldexports.services.k8s.aws'),
  configMapOf(mapping, `arn:aws:iam::${account}:role/ack`),
  secretOf(password, canary),
]

export const tenantChildrenSubject: Subject = {
  ...identityChildrenSubject,
  ...shared,
  name: 'tenant-children',
  objects: server =>
    server === 'hub' ? [...identityChildrenSubject.objects(server), ...extraObjects] : identityChildrenSubject.objects(server),
  disturbances: [...hostileDeeds(aims, others(), 80), ...ownKinds].map(deed => ({ ...deed, fault: 'F27' })),
  start: process => start(process, 'children'),
}

export const tenantDirectSubject: Subject = {
  ...tenantChildrenSubject,
  name: 'tenant-direct',
  // What is written down is only the tenant's here.
  disturbances: [...hostileDeeds({ ...aims, prizes: aims.prizes }, others(), 80), ...ownKinds].map(deed => ({
    ...deed,
    fault: 'F27',
  })),
  start: process => start(process, 'direct'),
}

/** Profiles are believed where the platform keeps them, and nowhere else. */
const profileNamespaces = ['awio-system']

function start(process: ProcessContext, writer: 'children' | 'direct'): Promise<void> {
  return startIssuing(listening(process), aws => {
    const { controllers, companions } = createResourcesOperator({
      services: ['iam', 's3'],
      kinds: Object.keys(kinds),
      aws,
      home: { account, partition: 'aws', region },
      nowMs: () => process.seams.clock.now(),
      resyncSeconds: 1_800,
    })
    const making = { beside: { controllers, companions }, profileNamespaces }
    return { ...making, ...(writer === 'direct' ? { direct: { clients: aws, region: 'us-east-1', driftMs: 600_000 } } : {}) }
  })
}
