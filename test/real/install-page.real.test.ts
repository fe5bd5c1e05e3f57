// The page on installing, followed by a reader who has nothing but the packed package, kubectl and Helm, on the embedded API server and on the
// real kube-apiserver: every block as it stands, in its order. Between "Verify" and "Upgrade" somebody uses what was installed, and at the end
// nothing of all that is left, neither there nor in AWS.
import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type Seams, systemClock, systemNet, systemRandom, systemSeams } from '#base'
import { createAws } from '#emulator'
import { clusterProfileKind, managedClusterLabels, placementDecisionKind, placementKind, writePlacement } from '#fleet'
import {
  customResourceDefinitions,
  findCondition,
  type KubeObject,
  namespaces,
  type ObjectKey,
  type ResourceType,
  renderCrd,
  type StoredObject,
  validatingWebhookConfigurations,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { bucketKind } from '#operators/identity/api'
import { obtainKubernetes } from '../../scripts/kubernetes.ts'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { configKind, operatorConfigKind, replicaSetKind, roleKind } from '../../src/operators/identity/api.ts'
import { makeEksCluster } from '../../src/operators/identity/testing/life.ts'
import { type Outsider, unpackForOutsider } from '../e2e/package.ts'
import { renderKubeconfig, startControlPlane } from './control-plane.ts'
import { comesAbout } from './eventually.ts'
import { followGuide, type Reader } from './guide-steps.ts'
import { ownAddress } from './own-address.ts'
import { openPageReader, type PageReader } from './page-reader.ts'
import { helmProgram } from './programs/helm.ts'
import { standInNode } from './stand-in-node.ts'
import { routeWebhooks } from './webhook-route.ts'

const account = '111122223333'
const region = 'eu-west-1'
const namespace = 'vouch-system'
/** Of Open Cluster Management, which is not there before somebody wants sets. */
const ofPlacements = [renderCrd(placementKind), renderCrd(placementDecisionKind)]
const kubernetes = await obtainKubernetes()
let outsider: Outsider | undefined
after(() => outsider?.remove())

/** Where the page is followed. */
interface Hub extends AsyncDisposable {
  readonly admin: KubeClient
  readonly kubeconfig: string
  kubeconfigOf(token: string): string
  route(ports: readonly number[]): Promise<void>
}

const hubs: Readonly<Record<string, () => Promise<Hub>>> = { embedded: openEmbedded, real: openReal }

for (const [server, open] of Object.entries(hubs))
  for (const major of [3, 4] as const) {
    const helm = helmProgram(major)
    const skip =
      'skipped' in kubernetes
        ? kubernetes.skipped
        : 'skipped' in helm
          ? helm.skipped
          : ownAddress === undefined && 'no address but loopback'
    describe(`install.md on the ${server} API server with Helm ${major}`, { skip }, () => {
      test('what is installed works, and after the last step nothing of it is left', { timeout: 480_000 }, async () => {
        assert.ok('path' in helm)
        await using hub = await open()
        const aws = openAws()
        await makeEksCluster(aws.service)
        const before = await aws.everything()
        await using node = standInNode({ ...hub, namespace, seams: aws.seams, kubeconfig: hub.kubeconfigOf })
        await using reader = openReader(hub, helm.path)
        const left: string[] = []
        const steps = {
          Before: async () => void left.push(...(await objectsOn(reader))),
          Verify: async () => {
            assert.deepEqual(reader.printed().trim().split('\n').slice(-3), ['yes', 'yes', 'no'], node.failures.join())
            await use(hub.admin)
            assert.notDeepEqual(await aws.everything(), before)
          },
          Upgrade: () => assert.match(reader.printed(), /deployment "vouch" successfully rolled out\n$/),
          Uninstall: async () => {
            assert.deepEqual(await aws.everything(), before)
            await takeAwayInventory(hub.admin)
            // As the controller of EndpointSlices would, which does not run here.
            await hub.route([])
            assert.deepEqual(
              (await objectsOn(reader)).filter(name => !left.includes(name)),
              [`namespace/${namespace}`],
            )
          },
        }
        await followGuide('install.md', reader, steps).catch((error: Error) => {
          throw new Error([error.message, ...node.failures].join('\n'), { cause: error })
        })
        assert.deepEqual(node.failures, [])
      })
    })
  }

/** A cluster of the fleet, an account with a role there, a set that makes one, and a bucket; until all are ready. */
async function use(admin: KubeClient): Promise<void> {
  const spec = (name: string) => ({
    serviceAccount: { namespace: 'apps', name },
    policyARNs: ['arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess'],
  })
  for (const crd of ofPlacements) await admin.create(customResourceDefinitions, crd as never)
  await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'prod' } })
  await publishCluster(admin)
  await admin.create(operatorConfigKind.type, operatorConfigKind.make({ name: 'default' }, {}))
  await admin.create(configKind.type, configKind.make({ namespace: 'prod', name: 'default' }, { type: 'EKSPodIdentity', region }))
  await admin.create(roleKind.type, roleKind.make({ namespace: 'prod', name: 'reports' }, spec('reports')))
  await comesAbout(
    async () => (await admin.list(placementKind.type)).items.length === 0,
    () => 'placements are not served',
  )
  await writePlacement(admin, { namespace: 'prod', name: 'all' }, [{ clusters: ['prod'] }])
  const set = { placementRefs: [{ name: 'all' }], template: { spec: spec('fanned') } }
  await admin.create(replicaSetKind.type, replicaSetKind.make({ namespace: 'prod', name: 'fanned' }, set))
  const bucket = { metadata: { namespace: 'prod', name: 'data' }, spec: { name: 'data-of-the-reader' } }
  await admin.create(bucketKind.type, { apiVersion: 's3.services.k8s.aws/v1alpha1', kind: 'Bucket', ...bucket } as KubeObject)
  await ready(admin, roleKind.type, { namespace: 'prod', name: 'reports' })
  await ready(admin, roleKind.type, { namespace: 'prod', name: 'fanned' })
  await ready(admin, bucketKind.type, { namespace: 'prod', name: 'data' })
}

async function publishCluster(admin: KubeClient): Promise<void> {
  const key = { namespace: 'fleet', name: 'prod' }
  const labels = managedClusterLabels('prod')
  await admin.create(clusterProfileKind.type, clusterProfileKind.make({ ...key, labels }, { clusterManager: { name: 'ocm' } }))
  const status = healthyStatus(
    systemClock.now(),
    { name: 'nobody', cluster: { server: 'https://prod.example' } },
    {
      'aws.identity.appthrust.io/eks-cluster-name': 'prod',
      'aws.identity.appthrust.io/eks-cluster-arn': `arn:aws:eks:${region}:${account}:cluster/prod`,
      'aws.identity.appthrust.io/aws-account-id': account,
      'aws.identity.appthrust.io/eks-auto-mode': 'true',
    },
  )
  await admin.patch(clusterProfileKind.type, key, 'merge', { status }, { subresource: 'status' })
}

/** What others brought, who are not this page's reader. */
async function takeAwayInventory(admin: KubeClient): Promise<void> {
  for (const { metadata } of (await admin.list(placementDecisionKind.type)).items)
    await admin.delete(placementDecisionKind.type, { namespace: 'prod', name: metadata.name })
  await admin.delete(placementKind.type, { namespace: 'prod', name: 'all' })
  for (const { metadata } of ofPlacements)
    await admin.delete(customResourceDefinitions, { namespace: '', name: metadata.name ?? '' })
  await admin.delete(clusterProfileKind.type, { namespace: 'fleet', name: 'prod' })
}

async function ready(admin: KubeClient, type: ResourceType, key: ObjectKey): Promise<void> {
  let seen: StoredObject | undefined
  await comesAbout(
    async () => {
      seen = await admin.find(type, key)
      return findCondition((seen as { status?: { conditions?: [] } } | undefined)?.status?.conditions, 'Ready')?.status === 'True'
    },
    () => `${type.kind} ${key.name} is not ready: ${JSON.stringify(seen, undefined, 1)}`,
    60_000,
  )
}

/** By kind and name, all that can be listed; but for events, and what a server makes of itself. */
async function objectsOn(reader: Reader, triesLeft = 5): Promise<readonly string[]> {
  const { stdout, code } = await reader
    .ask('kubectl get "$(kubectl api-resources --verbs=list -o name | grep -v "^events" | paste -sd, -)" -A -o name 2>/dev/null')
    .then(({ stdout: text }) => ({ stdout: text, code: 0 }))
    .catch(() => ({ stdout: '', code: 1 }))
  // A definition that goes between the two questions ends the second one.
  if (code !== 0 && triesLeft > 0) return objectsOn(reader, triesLeft - 1)
  const lines = stdout
    .trim()
    .split('\n')
    .filter(line => line.includes('/'))
  assert.ok(lines.length > 20, stdout)
  return lines.filter(
    line => !/^(?:namespace\/prod|serviceaccount\/default|configmap\/kube-root-ca\.crt|ipaddress\S*)$/.test(line),
  )
}

function openAws() {
  const aws = createAws({ accounts: [account], region, enforce: 'full', signatures: 'verify', profile: 'instant' })
  const { accessKeyId, secretAccessKey } = aws.adminCredentials(account)
  const env = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
  const service = (name: 'iam' | 's3' | 'eks'): AwsClient =>
    createAwsClient({
      model: serviceModel(name),
      region,
      credentials: staticCredentials(aws.adminCredentials(account)),
      transport: inProcessTransport(aws.handle),
      clock: systemClock,
      random: systemRandom,
    })
  const seams: Seams = {
    ...systemSeams(env),
    programs: { run: () => Promise.reject(new Error('no program is there')) },
    net: {
      listen: (options, handler) => systemNet.listen(options, handler),
      dial: options =>
        new URL(options.origin).hostname.endsWith('.amazonaws.com')
          ? { exchange: aws.handle, close: async () => {} }
          : systemNet.dial(options),
    },
  }
  const everything = async (): Promise<object> => ({
    roles: await service('iam').call('ListRoles', {}),
    policies: await service('iam').call('ListPolicies', { Scope: 'Local' }),
    buckets: (await service('s3').call('ListBuckets', {}))['Buckets'],
    associations: await service('eks').call('ListPodIdentityAssociations', { clusterName: 'prod' }),
  })
  return { seams, service, everything }
}

async function openEmbedded(): Promise<Hub> {
  // Deployments and pods are the stand-in's.
  const controllers = ['namespace', 'serviceaccount', 'root-ca-cert-publisher', 'garbage-collector', 'clusterrole-aggregation']
  const server = createApiServer({ name: 'hub', controllers })
  const { host, port } = await server.listen()
  const admin = createKubeClient({ clock: systemClock, address: 'hub', exchange: server.as() })
  return {
    admin,
    kubeconfig: server.kubeconfig(),
    kubeconfigOf: token => podKubeconfig({ address: `https://${host}:${port}`, ca: server.ca, token }),
    route: async ([first]) => server.serve({ namespace, service: 'vouch-webhook' }, await trusting(admin, first)),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

/** As an API server calls a webhook: whom to trust stands in the configuration at the time, and the name is the Service's. */
async function trusting(admin: KubeClient, port: number | undefined) {
  type Configuration = StoredObject & { readonly webhooks: readonly { readonly clientConfig: { readonly caBundle?: string } }[] }
  return async (request: Parameters<Parameters<typeof systemNet.listen>[1]>[0]) => {
    const name = { namespace: '', name: 'vouch-validating' }
    const { webhooks } = await admin.get<Configuration>(validatingWebhookConfigurations, name)
    const ca = Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString()
    const http = systemNet.dial({
      origin: `https://127.0.0.1:${port}`,
      tls: { ca, serverName: `vouch-webhook.${namespace}.svc` },
    })
    try {
      return await http.exchange(request)
    } finally {
      await http.close()
    }
  }
}

async function openReal(): Promise<Hub> {
  const plane = await startControlPlane()
  const admin = createKubeClient({ clock: systemClock, address: plane.address, exchange: plane.exchange })
  return {
    admin,
    kubeconfig: renderKubeconfig({ ...plane, token: plane.adminToken }),
    kubeconfigOf: token => podKubeconfig({ ...plane, token }),
    route: ports => routeWebhooks(admin, namespace, ports),
    [Symbol.asyncDispose]: () => plane.stop(),
  }
}

function podKubeconfig(of: { address: string; ca: string; token: string }): string {
  return renderKubeconfig(of).replace('"context":{', `"context":{"namespace":"${namespace}",`)
}

/** In an empty folder, with the package's files where the page has them. */
function openReader({ kubeconfig }: Hub, helm: string): PageReader {
  assert.ok(!('skipped' in kubernetes))
  outsider ??= unpackForOutsider()
  const packed = join(outsider.folder, 'node_modules/vouch')
  const programs = {
    vouch: `exec '${process.execPath}' --disable-warning=ExperimentalWarning '${join(packed, 'dist/vouch.js')}' "$@"`,
    kubectl: `exec '${kubernetes.programs.kubectl}' "$@"`,
    helm: `exec '${helm}' "$@"`,
  }
  const reader = openPageReader({ kubeconfig, programs })
  symlinkSync(join(packed, 'deploy'), join(reader.folder, 'deploy'))
  return reader
}
