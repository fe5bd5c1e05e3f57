// The manifests of the identity operator on a real kube-apiserver: they apply cleanly, the rights in them are enough for the whole life of
// the operator, and each one of them is needed: without it a request that the operator makes is refused.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { dump } from 'js-yaml'
import { serviceModel } from '#aws'
import { type AwsClient, AwsClients, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import {
  type HttpExchange,
  type HttpListener,
  memoryFiles,
  silentLog,
  systemClock,
  systemKeys,
  systemNet,
  systemRandom,
} from '#base'
import { createAws } from '#emulator'
import {
  clusterRoles,
  type KubeObject,
  type ResourceType,
  renderCrd,
  type StoredObject,
  serviceAccounts,
  validatingWebhookConfigurations,
} from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { createManager, Metrics, webhookHost } from '#runtime'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { guardedMetrics } from '../../src/cli/operator/guarded-metrics.ts'
import { admissionHandlers } from '../../src/operators/identity/admission/handlers.ts'
import { configKind, roleKind } from '../../src/operators/identity/api.ts'
import { S3IssuerStore } from '../../src/operators/identity/config/issuer-store.ts'
import { askSigner } from '../../src/operators/identity/config/signer.ts'
import { healthyStatus } from '../../src/operators/identity/inventory/cluster-profile.fixture.ts'
import { clusterProfileKind, managedClusterLabels } from '../../src/operators/identity/inventory/cluster-profile.ts'
import { renderRbac } from '../../src/operators/identity/manifests/rbac.ts'
import {
  manifestDefaults,
  renderHubManifests,
  renderOperatorConfig,
  renderTargetManifests,
} from '../../src/operators/identity/manifests/render.ts'
import { hubRights, type Right, targetRights } from '../../src/operators/identity/manifests/rights.ts'
import { createIdentityOperator } from '../../src/operators/identity/operator.ts'
import { account, ackCrds, createAck } from '../identity/ack.ts'
import { liveThrough, makeEksCluster, runtimeNamespace, selfHosted } from '../identity/life.ts'
import { type Asked, covers, type Recorder, recorder } from '../identity/recorder.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { plainExchange } from './exchange.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const region = 'us-east-1'
const places = { own: manifestDefaults.namespace, runtime: runtimeNamespace }
const remoteAccount = { namespace: 'vouch-remote', name: 'vouch' }
const hubAccount = { namespace: manifestDefaults.namespace, name: manifestDefaults.name }
const closing: (() => unknown)[] = []
let opened: Promise<ControlPlane> | undefined

/** Its own: references that block a deletion are checked, as some distributions do, so that the right to them is needed. */
function controlPlane(): Promise<ControlPlane> {
  opened ??= startControlPlane({ flags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'] })
  return opened
}

after(async () => {
  for (const close of closing.toReversed()) await close()
  await (await opened?.catch(() => undefined))?.stop()
})

describe('the manifests of the identity operator on the real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  const seen: { hub?: Recorder; target?: Recorder } = {}

  it('apply cleanly with kubectl, and a second time change nothing', async () => {
    const plane = await controlPlane()
    const serving = servingPair({ usage: 'ca' })
    const objects = [
      ...ackCrds,
      publishedInventory(),
      ...renderHubManifests({ ...manifestDefaults, certificate: { secretName: 'serving', caBundle: serving.certificate } }),
      ...namespaced(remoteAccount.namespace),
      ...renderTargetManifests({ name: 'vouch-remote', webhookNamespace: runtimeNamespace, account: remoteAccount }),
      renderOperatorConfig(),
    ]
    const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition')
    await apply(plane, crds)
    const established = ['wait', '--for=condition=Established', '--timeout=20s', 'crd', '--all']
    assert.equal((await plane.kubectl(established)).code, 0)
    await apply(plane, objects)
    const before = await versionsOf(plane, objects)
    assert.equal(before.length, objects.length)
    await apply(plane, objects)
    // Of some kinds kubectl always says that it configured them; what counts is that the server stored nothing.
    assert.deepEqual(await versionsOf(plane, objects), before)
  })

  it('give enough rights for a whole life', async () => {
    const plane = await controlPlane()
    const world = await realWorld(plane)
    seen.hub = world.onHub
    seen.target = world.onTarget
    await world.live()
    assert.deepEqual([...new Set(world.onHub.forbidden)], [], 'what the hub refused')
    assert.deepEqual([...new Set(world.onTarget.forbidden)], [], 'what the target refused')
  })

  it('13.11 #234, #235: admission says the same words as on the embedded server', async () => {
    const plane = await controlPlane()
    const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
    const key = { namespace: 'default', name: 'x' }
    const role = roleKind.make(key, { serviceAccount: { namespace: 'a', name: 'b' }, policyARNs: ['arn:aws:iam::aws:policy/X'] })
    const said = async (call: Promise<unknown>) =>
      call.then(
        () => 'allowed',
        (error: unknown) =>
          error instanceof KubeError ? `${error.httpStatus ?? ''} ${error.status?.message ?? ''}` : String(error),
      )
    const prefix = '403 admission webhook "vawsserviceaccountrole.aws.identity.appthrust.io" denied the request: '
    assert.equal(
      await said(admin.create(roleKind.type, role)),
      `${prefix}there is no AWSWorkloadIdentityConfig/default in namespace default; create it first`,
    )
    const config = configKind.make({ namespace: 'default', name: 'default' }, { type: 'EKSPodIdentity', region })
    await admin.create(configKind.type, config)
    assert.equal(await said(admin.create(roleKind.type, role)), 'allowed')
    assert.equal(
      await said(admin.create(roleKind.type, { ...role, metadata: { ...key, name: 'y' } })),
      `${prefix}ServiceAccount a/b is bound by AWSServiceAccountRole default/x already; change that one, or delete it first`,
    )
    const kept =
      '403 admission webhook "vawsworkloadidentityconfig.aws.identity.appthrust.io" denied the request: AWSServiceAccountRoles remain in namespace default (x is one); '
    const deletion = await said(admin.delete(configKind.type, { namespace: 'default', name: 'default' }))
    assert.ok(deletion.startsWith(kept), deletion)
  })

  it('give no right that is not needed: without any one of them a request of that life is refused', async t => {
    const plane = await controlPlane()
    const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
    let tried = 0
    for (const [name, rights, who, recorded] of [
      ['vouch', hubRights(), hubAccount, seen.hub],
      ['vouch-remote', targetRights(), remoteAccount, seen.target],
    ] as const) {
      assert.ok(recorded !== undefined)
      const exchange = await exchangeOf(plane, admin, who)
      for (const right of rights) {
        for (const [verb, one] of piecesOf(right)) {
          tried++
          await restrict(admin, name, who, rights, right, verb, one)
          const requests = requestsFor(recorded, { ...right, verbs: [verb], ...(one === undefined ? {} : { names: [one] }) })
          const isRefused = await eventually(async () => {
            for (const request of requests) if ((await statusOf(exchange, request)) === 403) return true
            return false
          }, 5_000)
          const label = `${name}: ${verb} ${right.group}/${right.resource} ${one ?? ''} ${right.within ?? ''}`
          assert.ok(isRefused, `nothing is refused without ${label}; ${requests.length} requests were tried`)
        }
      }
      await restrict(admin, name, who, rights)
    }
    t.diagnostic(`${tried} rights, each needed`)
  })
})

function piecesOf(right: Right): readonly (readonly [Right['verbs'][number], string | undefined])[] {
  return right.verbs.flatMap(verb => (right.names ?? [undefined]).map(name => [verb, name] as const))
}

/** What is tried again without the right: requests that it let through, or for which it is needed besides. */
function requestsFor({ asked }: Recorder, right: Right): readonly Asked[] {
  const all = [...asked.values()]
  if (right.resource.endsWith('/finalizers')) {
    // Children that block the deletion of their owner.
    return all.filter(
      ({ verb, group, resource }) => verb === 'create' && (group.endsWith('services.k8s.aws') || resource === 'secrets'),
    )
  }
  const direct = all
    .map(one => (right.verbs[0] === 'list' && one.verb === 'watch' ? { ...one, verb: 'list' as const } : one))
    .filter(one => covers(right, one, places))
  if (right.resource !== 'serviceaccounts') return direct
  // Nobody gives away a right that he does not have.
  return [
    ...direct,
    ...all.filter(({ verb, resource }) => verb === 'create' && ['clusterroles', 'clusterrolebindings'].includes(resource)),
  ]
}

/** Asked again, without effect. */
async function statusOf(exchange: HttpExchange, { verb, request }: Asked): Promise<number> {
  const [path = '', query = ''] = request.target.split('?')
  const parameters = new URLSearchParams(query)
  if (!['get', 'list', 'watch'].includes(verb)) parameters.set('dryRun', 'All')
  const stop = new AbortController()
  try {
    const { signal: _signal, ...rest } = request
    const target = verb === 'list' ? path : `${path}?${parameters.toString()}`
    const response = await exchange({ ...rest, target, signal: stop.signal })
    return response.status
  } finally {
    stop.abort()
  }
}

/** The rights without one of them. */
async function restrict(
  admin: KubeClient,
  name: string,
  who: { readonly namespace: string; readonly name: string },
  rights: readonly Right[],
  gone?: Right,
  verb?: string,
  one?: string,
): Promise<void> {
  const left = rights.flatMap(right => {
    if (right !== gone) return [right]
    const others = { ...right, verbs: right.verbs.filter(other => other !== verb) }
    const names = right.names?.filter(other => other !== one) ?? []
    const sameVerb =
      one === undefined || names.length === 0 ? [] : [{ ...right, verbs: right.verbs.filter(other => other === verb), names }]
    return [...(others.verbs.length === 0 ? [] : [others]), ...sameVerb]
  })
  for (const object of renderRbac({ name, rights: left, account: who, namespaces: places, labels: {} })) {
    if (object.kind.endsWith('Binding')) continue
    const isWide = object.kind === 'ClusterRole'
    const type: ResourceType = isWide ? clusterRoles : { ...clusterRoles, kind: 'Role', plural: 'roles', namespaced: true }
    const key = { namespace: object.metadata.namespace ?? '', name }
    await admin.patch(type, key, 'merge', { rules: object.rules })
  }
}

async function exchangeOf(
  plane: ControlPlane,
  admin: KubeClient,
  who: { namespace: string; name: string },
): Promise<HttpExchange> {
  const { token } = await admin.requestToken(who, { audiences: [], expirationSeconds: 3_600 })
  const plain = plainExchange({ origin: plane.address, ca: plane.ca, headers: { authorization: `Bearer ${token}` } })
  closing.push(() => plain.close())
  return plain.exchange
}

interface RealWorld {
  readonly onHub: Recorder
  readonly onTarget: Recorder
  live(): Promise<void>
}

/** One server is hub and target: each side acts as an account of its own. */
async function realWorld(plane: ControlPlane): Promise<RealWorld> {
  const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
  for (const who of [hubAccount, remoteAccount]) await ensureAccount(admin, who)
  const onHub = recorder()
  const onTarget = recorder()
  const hub = createKubeClient({
    clock: systemClock,
    address: 'hub',
    exchange: onHub.through(await exchangeOf(plane, admin, hubAccount)),
  })
  const target = createKubeClient({
    clock: systemClock,
    address: 'target',
    exchange: onTarget.through(await exchangeOf(plane, admin, remoteAccount)),
  })
  await serveAdmission(admin, hub)
  const aws = createAws({ accounts: [account], region, profile: 'instant' })
  closing.push(() => aws.close())
  const credentials = staticCredentials(aws.adminCredentials())
  const transport = inProcessTransport(aws.handle)
  const awsClient = (service: 'iam' | 's3' | 'eks'): AwsClient =>
    createAwsClient({ model: serviceModel(service), region, credentials, transport, clock: systemClock, random: systemRandom })
  await makeEksCluster(awsClient)
  const ack = createAck(admin, awsClient)
  const clients = new AwsClients({ credentials, transport, clock: systemClock, random: systemRandom })
  const refuse = (): never => {
    throw new Error('no way to the outside')
  }
  const operator = createIdentityOperator({
    seams: {
      clock: systemClock,
      random: systemRandom,
      log: silentLog,
      keys: systemKeys,
      net: { dial: refuse, listen: refuse } as never,
      files: memoryFiles({}),
      programs: { run: refuse },
      env: {},
    },
    store: new S3IssuerStore({ clients, clock: systemClock }),
    providers: [],
    clientOf: ({ metadata }) => (metadata.name === selfHosted ? target : undefined),
  })
  const metrics = new Metrics()
  const manager = createManager({
    client: hub,
    seams: { clock: systemClock, random: systemRandom, log: silentLog },
    controllers: operator.controllers,
    identity: 'real-test',
    metrics,
    election: { lease: { namespace: places.own, name: 'aws-workload-identity-operator' }, watch: true, renewMs: 1_000 },
  })
  operator.attach(manager)
  return {
    onHub,
    onTarget,
    live: async () => {
      const stop = new AbortController()
      const running = manager.run(stop.signal)
      try {
        await liveThrough({
          hub: admin,
          target: admin,
          region,
          handOver: async () => {
            const webhook = { namespace: runtimeNamespace, name: 'pod-identity-webhook' }
            await askSigner(target, webhook, { signal: stop.signal, timeoutMs: 5_000 })
          },
          hasAskedSigner: () => [...onTarget.asked.values()].some(({ resource }) => resource === 'serviceaccounts/token'),
          publish: (cluster, properties) => publish(admin, cluster, properties),
          until: async (what, isSo) => {
            const came = await eventually(async () => {
              await ack.look()
              return isSo()
            }, 30_000)
            if (!came)
              throw new Error(`it never came about: ${what}; refused: ${[...onHub.forbidden, ...onTarget.forbidden].join(', ')}`)
          },
        })
        const guarded = guardedMetrics(hub, systemClock, () => Promise.resolve({ status: 200, headers: {}, body: null }))
        const headers = { authorization: `Bearer ${plane.adminToken}` }
        const answer = await guarded({ method: 'GET', target: '/metrics', headers, body: null })
        assert.equal(answer.status, 200)
      } finally {
        stop.abort(new Error('enough'))
        await running
        await operator.close()
      }
    },
  }
}

/** The hub asks us where we listen, and not a Service that no Pod stands behind. */
async function serveAdmission(admin: KubeClient, client: KubeClient): Promise<void> {
  const { certificate, key } = servingPair({ usage: 'ca' })
  const host = webhookHost({ clock: systemClock, log: silentLog, metrics: new Metrics(), routes: admissionHandlers(client) })
  const listener: HttpListener = await systemNet.listen({ host: '127.0.0.1', port: 0, tls: { certificate, key } }, host)
  closing.push(() => listener.close())
  const name = { namespace: '', name: 'vouch-validating' }
  const held = await admin.get<StoredObject & { webhooks: readonly { clientConfig: { service: { path: string } } }[] }>(
    validatingWebhookConfigurations,
    name,
  )
  const caBundle = Buffer.from(certificate).toString('base64')
  const webhooks = held.webhooks.map(webhook => ({
    ...webhook,
    clientConfig: { caBundle, url: `https://localhost:${listener.port}${webhook.clientConfig.service.path}` },
  }))
  await admin.patch(validatingWebhookConfigurations, name, 'merge', { webhooks })
}

/** The CRD that the inventory's own project publishes, where it is here; ours otherwise. */
function publishedInventory(): KubeObject {
  const shared = process.env.VOUCH_SHARED ?? join(import.meta.dirname, '../../../shared')
  const file = join(shared, 'kubernetes/crds/multicluster.x-k8s.io_clusterprofiles.yaml')
  return existsSync(file)
    ? ({ raw: readFileSync(file, 'utf8'), kind: 'CustomResourceDefinition' } as never)
    : renderCrd(clusterProfileKind)
}

async function apply(plane: ControlPlane, objects: readonly KubeObject[]): Promise<string> {
  const input = manifestOf(objects)
  const { code, stdout, stderr } = await plane.kubectl(['apply', '--validate=strict', '-f', '-'], { input })
  assert.equal(code, 0, stderr)
  assert.equal(stderr.replaceAll(/^Warning: resource .* is missing the .*last-applied.*\n/gm, ''), '')
  return stdout
}

async function versionsOf(plane: ControlPlane, objects: readonly KubeObject[]): Promise<readonly string[]> {
  const path = '{range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}'
  const { code, stdout, stderr } = await plane.kubectl(['get', '-f', '-', '-o', `jsonpath=${path}`], {
    input: manifestOf(objects),
  })
  assert.equal(code, 0, stderr)
  return stdout.trim().split('\n')
}

function manifestOf(objects: readonly KubeObject[]): string {
  return objects
    .map(object => ('raw' in object ? String(object.raw) : `---\n${dump(object, { lineWidth: -1, noRefs: true })}`))
    .join('\n')
}

function namespaced(name: string): readonly KubeObject[] {
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }]
}

async function ensureAccount(admin: KubeClient, key: { readonly namespace: string; readonly name: string }): Promise<void> {
  if ((await admin.find(serviceAccounts, key)) === undefined)
    await admin.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: key })
}

async function publish(admin: KubeClient, cluster: string, properties: Readonly<Record<string, string>>): Promise<void> {
  const key = { namespace: 'default', name: cluster }
  const labels = managedClusterLabels(cluster)
  await admin.create(clusterProfileKind.type, clusterProfileKind.make({ ...key, labels }, { clusterManager: { name: 'ocm' } }))
  const access = { name: 'in-process', cluster: { server: 'https://in-process' } }
  const status = healthyStatus(systemClock.now(), access, properties)
  await admin.patch(clusterProfileKind.type, key, 'merge', { status }, { subresource: 'status' })
}

async function eventually(isSo: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const untilMs = systemClock.monotonicMs() + withinMs
  while (!(await isSo())) {
    if (systemClock.monotonicMs() > untilMs) return false
    await systemClock.sleep(20)
  }
  return true
}
