// A fleet on a real hub: ReplicaSets over placements, ClusterProfiles and decisions held to the schemas that their own projects publish, the
// whole operator as `vouch operator` runs it. OCM's own controllers do not run here: the stand-in of src/fleet/testing writes the decisions
// as their documentation says. The clusters are three embedded API servers of three releases over TLS, let in by exec plugins that are programs; AWS is the
// emulator.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ApiServer, createApiServer, type EmulatedVersion } from '#apiserver'
import { silentLog, systemSeams } from '#base'
import { createAws } from '#emulator'
import { clusterProfileKind, managedClusterLabels, writePlacement } from '#fleet'
import { type KubeObject, namespaces, type ResourceType, type StoredCondition, type StoredObject, serviceAccounts } from '#kube'
import { connect, createKubeClient, type KubeClient } from '#kube/client'
import { configKind, operatorConfigKind, renderIdentityCrds, replicaSetKind, roleKind } from '#operators/identity/api'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { comesAbout } from './eventually.ts'
import { operateWith } from './programs/run-operator.ts'
import { publishedInventory } from './published-inventory.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()
const region = 'us-east-1'
const account = '123456789012'
const home = 'platform'
const inventory = 'fleet'
const clusters = ['a', 'b', 'c'] as const
const key = { namespace: home, name: 'app' }
/** Which release of Kubernetes a cluster behaves like. */
const releases: Readonly<Record<string, EmulatedVersion>> = { a: '1.32', b: '1.33', c: '1.34' }
const policy = 'arn:aws:iam::aws:policy/ReadOnlyAccess'

type WithStatus = StoredObject & {
  readonly status?: {
    readonly conditions?: readonly StoredCondition[]
    readonly clusters?: readonly { readonly clusterName: string; readonly phase: string; readonly reason: string }[]
  }
}

describe('a fleet on a real hub', skip === undefined ? {} : { skip }, () => {
  const aws = createAws({ accounts: [account], region, enforce: 'adminOnly', profile: 'instant' })
  const folder = mkdtempSync(join(tmpdir(), 'vouch-fleet-'))
  const targets = new Map<string, { readonly server: ApiServer; readonly kube: KubeClient; address: string }>()
  const operators: { readonly stop: AbortController; readonly ended: Promise<void> }[] = []
  let plane: ControlPlane | undefined
  let hub: KubeClient
  let awsAddress = ''

  before(async () => {
    const listener = await aws.listen()
    awsAddress = `http://${listener.host}:${listener.port}`
    plane = await startControlPlane({ etcd: (await sharedControlPlane()).etcd })
    hub = (await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [plane.kubeconfig], userAgent: 'vouch-test' })).client
    const crds = [...publishedInventory().map(({ text }) => text), ...renderIdentityCrds().map(crd => JSON.stringify(crd))]
    const applied = await plane.kubectl(['apply', '--server-side', '-f', '-'], { input: crds.join('\n---\n') })
    assert.equal(applied.code, 0, applied.stderr)
    assert.equal((await plane.kubectl(['wait', '--for=condition=Established', '--timeout=20s', 'crd', '--all'])).code, 0)
    for (const name of [home, inventory, ...clusters]) await make(hub, namespaces, { metadata: { name } })
    await make(hub, operatorConfigKind.type, { metadata: { name: 'default' }, spec: {} })
    for (const name of clusters) await addCluster(name)
  })

  after(async () => {
    await stopOperator()
    await hub?.close()
    for (const { server } of targets.values()) await server.close()
    await plane?.stop()
    await aws.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('one group after the other, and the next one waits until the one before is Ready [6.6, 13.8 #157, #161, #162]', async () => {
    startOperator()
    await writePlacement(hub, { namespace: home, name: 'all' }, [{ name: 'first', clusters: ['a'] }, { clusters: ['b', 'c'] }])
    const rolloutStrategy = { type: 'ProgressivePerGroup', progressivePerGroup: { maxFailures: 0 } }
    const spec = { serviceAccount: { namespace: 'demo', name: 'app' }, policyARNs: [policy] }
    await make(hub, replicaSetKind.type, {
      metadata: key,
      spec: { placementRefs: [{ name: 'all', rolloutStrategy }], template: { spec } },
    })
    await says('a Pending ChildrenPending, b Pending RolloutPending, c Pending RolloutPending')
    await comesAbout(
      async () =>
        (await conditionOf(roleKind.type, { namespace: 'a', name: 'app' }, 'ServiceAccountAnnotationReady')) === 'False',
      () => 'the Role in a waits for its ServiceAccount',
    )
    assert.deepEqual(await rolesIn(), ['a'])
    for (const name of clusters) await makeAccount(name)
    await says('a Ready Ready, b Ready Ready, c Ready Ready')
    assert.equal(await conditionOf(replicaSetKind.type, key, 'PlacementRolledOut'), 'True')
    for (const name of clusters) assert.match(await roleOf(name), /^arn:aws:iam::123456789012:role\//)
  })

  test('an operator that starts again writes nothing [D4]', async () => {
    const before = await versions()
    await stopOperator()
    startOperator()
    // A change that it takes up says that it is at work, and has seen all else.
    await choose(['a', 'b', 'c'])
    await hub.patch(replicaSetKind.type, key, 'merge', {
      metadata: { annotations: { 'aws.identity.appthrust.io/rollout-paused': 'true' } },
    })
    await comesAbout(
      async () => (await conditionOf(replicaSetKind.type, key, 'RolloutPaused')) === 'True',
      () => 'the pause is told',
    )
    assert.deepEqual(await versions(), before)
    await hub.patch(replicaSetKind.type, key, 'merge', {
      metadata: { annotations: { 'aws.identity.appthrust.io/rollout-paused': null } },
    })
  })

  test('a cluster that leaves the placement loses Role and annotation, and has them back when it comes again [13.8 #168]', async () => {
    await choose(['a', 'b'])
    await comesAbout(
      async () => (await rolesIn()).join() === 'a,b' && (await roleOf('c')) === '',
      async () => `c is left: Roles in ${(await rolesIn()).join()}, and c has ${await roleOf('c')}`,
    )
    await choose(['a', 'b', 'c'])
    await says('a Ready Ready, b Ready Ready, c Ready Ready')
    await comesAbout(
      async () => (await roleOf('c')) !== '',
      () => 'c has its role again',
    )
  })

  test('a cluster whose server moves to another address, and changes its plugin, is followed there [6.3, 6.4]', async () => {
    const moved = targets.get('b')
    assert.ok(moved)
    const again = await moved.server.listen()
    moved.address = `https://${again.host}:${again.port}`
    await publish('b', 'moved')
    await moved.kube.patch(serviceAccounts, { namespace: 'demo', name: 'app' }, 'merge', { metadata: { annotations: null } })
    await comesAbout(
      async () => (await roleOf('b')) !== '',
      () => 'the annotation is repaired over the new address',
    )
  })

  test('a stranger’s Role stops the group, is told, and the rollout goes on when it is gone [13.8 #165]', async () => {
    const spec = { serviceAccount: { namespace: 'demo', name: 'theirs' }, policyARNs: [policy] }
    await make(hub, roleKind.type, { metadata: { namespace: 'a', name: 'late' }, spec })
    const late = { namespace: home, name: 'late' }
    const rolloutStrategy = { type: 'ProgressivePerGroup', progressivePerGroup: { maxFailures: 0 } }
    const own = { serviceAccount: { namespace: 'demo', name: 'late' }, policyARNs: [policy] }
    for (const name of clusters) await makeAccount(name, 'late')
    await make(hub, replicaSetKind.type, {
      metadata: late,
      spec: { placementRefs: [{ name: 'all', rolloutStrategy }], template: { spec: own } },
    })
    await says('a Conflict ChildConflict, b Pending RolloutPending, c Pending RolloutPending', 'late')
    assert.equal(await conditionOf(replicaSetKind.type, late, 'RolloutStopped'), 'True')
    await hub.delete(roleKind.type, { namespace: 'a', name: 'late' })
    await says('a Ready Ready, b Ready Ready, c Ready Ready', 'late')
  })

  test('a set that is deleted goes after its Roles, and nothing of it is left anywhere [13.8 #179, #181]', async () => {
    for (const name of ['app', 'late']) await hub.delete(replicaSetKind.type, { namespace: home, name })
    await comesAbout(
      async () => (await hub.list(replicaSetKind.type)).items.length === 0,
      () => 'the sets are gone',
    )
    assert.deepEqual((await hub.list(roleKind.type)).items, [])
    for (const name of clusters) assert.equal(await roleOf(name), '')
  })

  async function addCluster(name: string): Promise<void> {
    const server = createApiServer({ name, emulate: releases[name] ?? '1.34' })
    const listener = await server.listen()
    const { clock } = systemSeams({})
    const kube = createKubeClient({ clock, address: name, exchange: server.as() })
    targets.set(name, { server, kube, address: `https://${listener.host}:${listener.port}` })
    await make(kube, namespaces, { metadata: { name: 'demo' } })
    await make(hub, clusterProfileKind.type, {
      metadata: { namespace: inventory, name, labels: managedClusterLabels(name) },
      spec: { displayName: name, clusterManager: { name: 'open-cluster-management' } },
    })
    await publish(name, 'first')
    const issuerURL = `https://oidc.eks.${region}.amazonaws.com/id/${name.repeat(20).toUpperCase()}`
    const spec = { type: 'EKSIRSA', region, eksIRSA: { issuerURL, oidcProvider: { management: 'Managed' } } }
    await make(hub, configKind.type, { metadata: { namespace: name, name: 'default' }, spec })
  }

  /** The inventory says where the cluster is, and which of the two plugins knows the way in; the plugin is told by the profile
   * where the token is. */
  async function publish(name: string, provider: string): Promise<void> {
    const target = targets.get(name)
    assert.ok(target)
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: target.server.adminToken },
    }
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(credential), { mode: 0o600 })
    // The published schema takes no list here, as additional arguments would be.
    const extensions = [{ name: 'clusterprofiles.multicluster.x-k8s.io/exec/additional-envs', extension: { CREDENTIAL: file } }]
    const cluster = {
      server: target.address,
      'certificate-authority-data': Buffer.from(target.server.ca).toString('base64'),
      extensions,
    }
    const status = healthyStatus(Date.now(), { name: provider, cluster: cluster as never })
    await hub.patch(clusterProfileKind.type, { namespace: inventory, name }, 'merge', { status }, { subresource: 'status' })
  }

  function startOperator(): void {
    const { accessKeyId, secretAccessKey } = aws.adminCredentials()
    const env = {
      AWS_ENDPOINT_URL: awsAddress,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      PATH: process.env['PATH'] ?? '',
    }
    const providers = join(folder, 'providers.json')
    const provider = (name: string, script: string): object => ({
      name,
      execConfig: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: '/bin/sh',
        args: ['-c', script],
        interactiveMode: 'Never',
      },
      profileSourcedEnvVarsPolicy: 'AppendIfNotExists',
    })
    const offered = [provider('first', 'cat "$CREDENTIAL"'), provider('moved', 'head -c 100000 "$CREDENTIAL"')]
    writeFileSync(providers, JSON.stringify({ providers: offered }))
    const flags = [
      '--controllers=identity',
      '--aws-writer=direct',
      `--cluster-profile-namespaces=${inventory}`,
      `--kubeconfig=${plane?.kubeconfig ?? ''}`,
      `--clusterprofile-provider-file=${providers}`,
      '--health-probe-bind-address=0',
      '--webhook-bind-address=0',
      `--aws-endpoint-url=${awsAddress}`,
      '--allow-unsafe-aws-endpoint-urls',
      `--aws-region=${region}`,
    ]
    const stop = new AbortController()
    operators.push({ stop, ended: operateWith(flags, env, stop.signal) })
  }

  async function stopOperator(): Promise<void> {
    for (const { stop, ended } of operators.splice(0)) {
      stop.abort(new Error('the test goes on without it'))
      await ended
    }
  }

  function choose(chosen: readonly string[]): Promise<void> {
    return writePlacement(hub, { namespace: home, name: 'all' }, [
      { name: 'first', clusters: chosen.slice(0, 1) },
      { clusters: chosen.slice(1) },
    ])
  }

  async function says(wanted: string, name = 'app'): Promise<void> {
    const said = async (): Promise<string> => {
      const { status } = await hub.get<WithStatus>(replicaSetKind.type, { namespace: home, name })
      return (status?.clusters ?? []).map(({ clusterName, phase, reason }) => `${clusterName} ${phase} ${reason}`).join(', ')
    }
    await comesAbout(
      async () => (await said()) === wanted,
      async () => `${wanted}; it is ${await said()}`,
    )
  }

  async function conditionOf(
    type: ResourceType,
    at: { namespace: string; name: string },
    condition: string,
  ): Promise<string | undefined> {
    const { status } = await hub.get<WithStatus>(type, at)
    return status?.conditions?.find(one => one.type === condition)?.status
  }

  async function makeAccount(cluster: string, name = 'app'): Promise<void> {
    const kube = targets.get(cluster)?.kube
    assert.ok(kube)
    await make(kube, serviceAccounts, { metadata: { namespace: 'demo', name } })
  }

  /** What the ServiceAccount on the cluster is annotated with. */
  async function roleOf(cluster: string): Promise<string> {
    const found = await targets.get(cluster)?.kube.find(serviceAccounts, { namespace: 'demo', name: 'app' })
    return found?.metadata.annotations?.['eks.amazonaws.com/role-arn'] ?? ''
  }

  async function rolesIn(): Promise<readonly string[]> {
    const { items } = await hub.list(roleKind.type)
    return items.map(({ metadata }) => metadata.namespace ?? '').toSorted()
  }

  async function versions(): Promise<readonly string[]> {
    const found: string[] = []
    for (const { type } of [configKind, roleKind]) {
      const { items } = await hub.list(type)
      found.push(
        ...items.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name} ${metadata.resourceVersion}`),
      )
    }
    return found.toSorted()
  }
})

function make(client: KubeClient, type: ResourceType, object: object): Promise<unknown> {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  return client.create(type, { apiVersion, kind: type.kind, ...object } as unknown as KubeObject)
}
