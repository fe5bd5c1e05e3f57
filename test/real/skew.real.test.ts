// A hub and a cluster that are of different ages, both the real API server: as it is beside one of two releases ago, and beside itself told to be
// as three releases ago (its own compatibility version: the APIs, fields and features of then), each and the reverse. A ReplicaSet becomes a
// binding that is Ready, and the whole of the webhook's runtime is taken by the cluster.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLog, systemSeams } from '#base'
import { createAws } from '#emulator'
import { clusterProfileKind, managedClusterLabels, writePlacement } from '#fleet'
import {
  deployments,
  type KubeObject,
  namespaces,
  type ResourceType,
  type StoredCondition,
  type StoredObject,
  serviceAccounts,
} from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { configKind, operatorConfigKind, renderIdentityCrds, replicaSetKind, roleKind } from '#operators/identity/api'
import { kubernetesVersion } from '../../scripts/kubernetes.ts'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from './control-plane.ts'
import { comesAbout } from './eventually.ts'
import { formerKubernetes, formerPrograms } from './kubernetes/former.ts'
import { operateWith } from './programs/run-operator.ts'
import { publishedInventory } from './published-inventory.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()
const newest = releaseOf(kubernetesVersion)
/** As far back as it can be told to be. */
const told = '1.31'
const built = await formerPrograms()

interface Age {
  readonly former: string
  readonly options: Pick<ControlPlaneOptions, 'programs' | 'flags'>
  readonly skip: string | undefined
}

const ages: readonly Age[] = [
  { former: told, options: { flags: [`--emulated-version=${told}`] }, skip },
  'skipped' in built
    ? { former: releaseOf(formerKubernetes), options: {}, skip: skip ?? built.skipped }
    : { former: releaseOf(formerKubernetes), options: built, skip },
]
const region = 'us-east-1'
const home = 'platform'
const app = { namespace: 'demo', name: 'app' }
const arn = /^arn:aws:iam::123456789012:role\//

type WithStatus = StoredObject & { readonly status?: { readonly conditions?: readonly StoredCondition[] } }

const pairs = ages.flatMap(age => [
  { ...age, what: `a hub of ${newest} and a cluster of ${age.former}`, hubIsOld: false },
  { ...age, what: `a hub of ${age.former} and a cluster of ${newest}`, hubIsOld: true },
])

for (const { what, hubIsOld, former, options, skip } of pairs)
  describe(what, skip === undefined ? {} : { skip }, () => {
    const aws = createAws({ accounts: ['123456789012'], region, enforce: 'adminOnly', profile: 'instant' })
    const folder = mkdtempSync(join(tmpdir(), 'vouch-skew-'))
    const stop = new AbortController()
    const planes: ControlPlane[] = []
    let ended: Promise<void> | undefined
    let hub: KubeClient
    let target: KubeClient

    before(async () => {
      const { etcd } = await sharedControlPlane()
      for (const isOld of [hubIsOld, !hubIsOld]) planes.push(await startControlPlane({ etcd, ...(isOld ? options : {}) }))
      const [hubPlane, targetPlane] = planes
      assert.ok(hubPlane !== undefined && targetPlane !== undefined)
      hub = await clientOf(hubPlane)
      target = await clientOf(targetPlane)
      const crds = [...publishedInventory().map(({ text }) => text), ...renderIdentityCrds().map(crd => JSON.stringify(crd))]
      const applied = await hubPlane.kubectl(['apply', '--server-side', '-f', '-'], { input: crds.join('\n---\n') })
      assert.equal(applied.code, 0, applied.stderr)
      assert.equal((await hubPlane.kubectl(['wait', '--for=condition=Established', '--timeout=20s', 'crd', '--all'])).code, 0)
      for (const name of [home, 'edge', 'bare']) await make(hub, namespaces, { metadata: { name } })
      await make(hub, operatorConfigKind.type, { metadata: { name: 'default' }, spec: {} })
      for (const name of ['demo', 'aws-pod-identity-webhook']) await make(target, namespaces, { metadata: { name } })
      await make(target, serviceAccounts, { metadata: app })
      await publish(targetPlane)
      ended = operate(hubPlane)
    })

    after(async () => {
      stop.abort(new Error('the end'))
      await ended
      for (const client of [hub, target]) await client?.close()
      for (const plane of planes) await plane.stop()
      await aws.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('are of those versions', async () => {
      const versions = await Promise.all([hub, target].map(versionOf))
      assert.deepEqual(versions, hubIsOld ? [former, newest] : [newest, former])
    })

    test('a ReplicaSet over a placement becomes a binding that is Ready, and goes again [4.4, 6.3]', async () => {
      const issuerURL = `https://oidc.eks.${region}.amazonaws.com/id/${'A'.repeat(20)}`
      const eksIRSA = { issuerURL, oidcProvider: { management: 'Managed' } }
      await make(hub, configKind.type, {
        metadata: { namespace: 'edge', name: 'default' },
        spec: { type: 'EKSIRSA', region, eksIRSA },
      })
      await writePlacement(hub, { namespace: home, name: 'all' }, [{ clusters: ['edge'] }])
      const template = { spec: { serviceAccount: app, policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] } }
      const key = { namespace: home, name: 'app' }
      await make(hub, replicaSetKind.type, { metadata: key, spec: { placementRefs: [{ name: 'all' }], template } })
      await isReady(replicaSetKind.type, key)
      await isReady(roleKind.type, { namespace: 'edge', name: 'app' })
      assert.match((await target.get(serviceAccounts, app)).metadata.annotations?.['eks.amazonaws.com/role-arn'] ?? '', arn)
      await hub.delete(replicaSetKind.type, key)
      await comesAbout(
        async () => (await hub.find(roleKind.type, { namespace: 'edge', name: 'app' })) === undefined,
        () => 'the Role goes',
      )
      assert.equal((await target.get(serviceAccounts, app)).metadata.annotations?.['eks.amazonaws.com/role-arn'], undefined)
    })

    test('the runtime of a self-hosted cluster is taken by it, and is not written again [7.1]', async () => {
      await hub.delete(configKind.type, { namespace: 'edge', name: 'default' })
      await comesAbout(
        async () => (await hub.find(configKind.type, { namespace: 'edge', name: 'default' })) === undefined,
        () => 'the Config goes',
      )
      await make(hub, configKind.type, {
        metadata: { namespace: 'edge', name: 'default' },
        spec: { type: 'SelfHostedIRSA', region },
      })
      const at = { namespace: 'aws-pod-identity-webhook', name: 'pod-identity-webhook' }
      await comesAbout(
        async () => (await target.find(deployments, at)) !== undefined,
        () => 'the webhook is deployed',
      )
      // What runs Deployments is not here: as it would say it.
      const available = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' }
      const ran = {
        observedGeneration: 1,
        replicas: 2,
        readyReplicas: 2,
        updatedReplicas: 2,
        availableReplicas: 2,
        conditions: [available],
      }
      await target.patch(deployments, at, 'merge', { status: ran }, { subresource: 'status' })
      await isReady(configKind.type, { namespace: 'edge', name: 'default' })
      assert.equal((await target.get(deployments, at)).metadata.generation, 1, 'what the server fills in is no difference')
    })

    async function publish(plane: ControlPlane): Promise<void> {
      const credential = {
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token: plane.adminToken },
      }
      writeFileSync(join(folder, 'edge.json'), JSON.stringify(credential), { mode: 0o600 })
      const key = { namespace: home, name: 'edge' }
      await make(hub, clusterProfileKind.type, {
        metadata: { ...key, labels: managedClusterLabels('edge') },
        spec: { displayName: 'edge', clusterManager: { name: 'open-cluster-management' } },
      })
      const cluster = { server: plane.address, 'certificate-authority-data': Buffer.from(plane.ca).toString('base64') }
      const status = healthyStatus(Date.now(), { name: 'file', cluster: cluster as never })
      await hub.patch(clusterProfileKind.type, key, 'merge', { status }, { subresource: 'status' })
    }

    async function operate(plane: ControlPlane): Promise<void> {
      const listener = await aws.listen()
      const address = `http://${listener.host}:${listener.port}`
      const { accessKeyId, secretAccessKey } = aws.adminCredentials()
      const execConfig = {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: '/bin/cat',
        args: [join(folder, 'edge.json')],
        interactiveMode: 'Never',
      }
      const providers = join(folder, 'providers.json')
      writeFileSync(providers, JSON.stringify({ providers: [{ name: 'file', execConfig }] }))
      const flags = [
        '--controllers=identity',
        '--aws-writer=direct',
        `--cluster-profile-namespaces=${home}`,
        `--kubeconfig=${plane.kubeconfig}`,
        `--clusterprofile-provider-file=${providers}`,
        '--health-probe-bind-address=0',
        '--webhook-bind-address=0',
        `--aws-endpoint-url=${address}`,
        '--allow-unsafe-aws-endpoint-urls',
        `--aws-region=${region}`,
      ]
      const env = {
        AWS_ENDPOINT_URL: address,
        AWS_REGION: region,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      }
      await operateWith(flags, { ...env, PATH: process.env['PATH'] ?? '' }, stop.signal)
    }

    async function isReady(type: ResourceType, key: { readonly namespace: string; readonly name: string }): Promise<void> {
      const conditions = async (): Promise<readonly StoredCondition[]> =>
        (await hub.get<WithStatus>(type, key)).status?.conditions ?? []
      await comesAbout(
        async () => (await conditions()).some(one => one.type === 'Ready' && one.status === 'True'),
        async () =>
          `${type.kind} ${key.name} is Ready: ${JSON.stringify((await conditions()).map(one => [one.type, one.message]))}`,
        60_000,
      )
    }
  })

/** `1.34` of 1.34.4 */
function releaseOf(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}

async function clientOf({ kubeconfig }: ControlPlane): Promise<KubeClient> {
  const seams = systemSeams({}, { log: silentLog })
  return (await connect(seams, { kubeconfig: [kubeconfig], userAgent: 'vouch-test' })).client
}

async function versionOf(client: KubeClient): Promise<string> {
  const { body } = await client.exchange({ method: 'GET', target: '/version', headers: {}, body: null })
  const chunks: Uint8Array[] = []
  if (body instanceof Uint8Array) chunks.push(body)
  else if (body !== null) for await (const chunk of body) chunks.push(chunk)
  const said = JSON.parse(Buffer.concat(chunks).toString()) as Readonly<Record<string, string | undefined>>
  return `${said['emulationMajor'] ?? said['major']}.${said['emulationMinor'] ?? said['minor']}`
}

function make(client: KubeClient, type: ResourceType, object: object): Promise<unknown> {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  return client.create(type, { apiVersion, kind: type.kind, ...object } as unknown as KubeObject)
}
