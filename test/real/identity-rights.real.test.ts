// The manifests of the identity operator on a real kube-apiserver: they apply cleanly, the rights in them are enough for the whole life of
// the operator, and each one of them is needed: without it a request that the operator makes is refused.
import assert from 'node:assert/strict'
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
import { clusterProfileKind, managedClusterLabels } from '#fleet'
import {
  configMaps,
  type EventObject,
  events,
  type KubeObject,
  leases,
  type ObjectKey,
  type ResourceType,
  type Right,
  type StoredObject,
  secrets,
  serviceAccounts,
  validatingWebhookConfigurations,
} from '#kube'
import { createKubeClient, type KubeClient, KubeError } from '#kube/client'
import { iamRoleKind, signingSecretName } from '#operators/identity/api'
import { createResourcesOperator, type Resource } from '#operators/resources'
import { type AnyController, createManager, type Manager, Metrics, webhookHost } from '#runtime'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { guardedMetrics } from '../../src/cli/operator/guarded-metrics.ts'
import { operators } from '../../src/cli/operators.ts'
import { type HubOptions, hubDefaults, renderHub, rightsOfHub } from '../../src/cli/testing/commands.ts'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { admissionHandlers } from '../../src/operators/identity/admission/handlers.ts'
import { configKind, roleKind } from '../../src/operators/identity/api.ts'
import { S3IssuerStore } from '../../src/operators/identity/config/issuer-store.ts'
import { askSigner } from '../../src/operators/identity/config/signer.ts'
import { createIdentityOperator } from '../../src/operators/identity/create-operator.ts'
import { renderOperatorConfig, renderTargetManifests } from '../../src/operators/identity/manifests/render.ts'
import { targetRights } from '../../src/operators/identity/manifests/rights.ts'

import { liveThrough, makeEksCluster, runtimeNamespace, selfHosted } from '../../src/operators/identity/testing/life.ts'
import { type Asked, idOf, type Recorder, recorder } from '../../src/operators/identity/testing/recorder.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { plainExchange } from './exchange.ts'
import { type Granted, piecesOf, requestsFor, restrict, statusOf } from './narrowed-rights.ts'
import { publishedInventory } from './published-inventory.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
const region = 'us-east-1'
const account = '111122223333'
const remoteAccount = { namespace: 'vouch-remote', name: 'vouch' }
const own = hubDefaults.namespace

/** Kinds of which identity makes objects; of the others the rights are made by the same line. */
const kinds = ['Role', 'Policy', 'OpenIDConnectProvider', 'Bucket', 'PodIdentityAssociation']
const exporting = 'exports'
const allowedSecrets = [`${exporting}/first`, `${exporting}/second`]
const ofResources = [
  `--aws-region=${region}`,
  '--aws-services=iam,s3,eks',
  `--reconcile-resources=${kinds.join(',')}`,
  '--extended-field-exports',
  `--allow-secrets=${allowedSecrets.join(',')}`,
]

/** Each with an account of its own. */
const processes = {
  vouch: [],
  'vouch-direct': ['--aws-writer=direct'],
  'vouch-resources': ['--controllers=resources', ...ofResources],
  'vouch-both': ['--controllers=identity,resources', ...ofResources],
  'vouch-direct-both': ['--controllers=identity,resources', '--aws-writer=direct', ...ofResources],
} as const
type Process = keyof typeof processes

/** The accounts of processes with several operators. */
const sharing = ['vouch-both', 'vouch-direct-both'].flatMap(name => [name, `${name}-identity`, `${name}-resources`])
const accounts = [...new Set([...Object.keys(processes), ...sharing])]

function optionsOf(name: Process): HubOptions {
  return { ...hubDefaults, name, args: processes[name] }
}

async function rightsOfAccount(name: string): Promise<readonly Right[]> {
  const process = name.replace(/(?<=-both)-(?:identity|resources)$/, '') as Process
  const found = (await rightsOfHub(optionsOf(process))).find(({ account: other }) => other === name)
  assert.ok(found !== undefined, name)
  return found.rights
}

/** What the process asks for itself, where its operators have accounts of their own. */
function ofProcess({ resource }: Asked): boolean {
  return ['leases', 'tokenreviews', 'subjectaccessreviews'].includes(resource)
}

function part(recorded: Recorder | undefined, isIn: (asked: Asked) => boolean): Recorder {
  const asked = new Map([...(recorded?.asked ?? [])].filter(([, one]) => isIn(one)))
  return { asked, forbidden: [], through: exchange => exchange }
}
function leaseOf(name: string): string {
  return operators.find(operator => operator.name === name)?.lease ?? ''
}

const { type: iamRoles } = iamRoleKind
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

describe('the manifests of vouch operator on the real kube-apiserver', skip === undefined ? {} : { skip }, () => {
  const seen: Readonly<Record<string, Recorder>> = {}

  it('apply cleanly with kubectl, and a second time change nothing', async () => {
    const plane = await controlPlane()
    const serving = servingPair({ usage: 'ca' })
    const certificate = { secretName: 'serving', caBundle: serving.certificate }
    const names = Object.keys(processes) as Process[]
    const objects = distinct([
      ...publishedInventory().map(
        ({ text, name }) => ({ raw: text, kind: 'CustomResourceDefinition', metadata: { name } }) as never,
      ),
      ...(await Promise.all(names.map(name => renderHub({ ...optionsOf(name), certificate })))).flat(),
      ...namespaced(remoteAccount.namespace),
      ...renderTargetManifests({ name: 'vouch-remote', webhookNamespace: runtimeNamespace, account: remoteAccount }),
      renderOperatorConfig(),
    ])
    const crds = objects.filter(({ kind }) => kind === 'CustomResourceDefinition')
    // Rights to Secrets by name stand in the namespace of the Secrets.
    await apply(plane, [...crds, ...namespaced(exporting)])
    const established = ['wait', '--for=condition=Established', '--timeout=20s', 'crd', '--all']
    assert.equal((await plane.kubectl(established)).code, 0)
    await apply(plane, objects)
    const before = await versionsOf(plane, objects)
    assert.equal(before.length, objects.length)
    await apply(plane, objects)
    // Of some kinds kubectl always says that it configured them; what counts is that the server stored nothing.
    assert.deepEqual(await versionsOf(plane, objects), before)
    // One of them serves here; the others would be asked in vain.
    for (const name of names.filter(one => one !== 'vouch')) {
      const gone = await plane.kubectl(['delete', 'validatingwebhookconfiguration', `${name}-validating`, '--ignore-not-found'])
      assert.equal(gone.code, 0, gone.stderr)
    }
  })

  it('give enough rights for a whole life, with child objects and those who look after them, and by calls', async () => {
    const plane = await controlPlane()
    const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
    const admission = recorder()
    await serveAdmission(admin, await clientOf(plane, admin, 'vouch', admission))
    for (const writer of ['vouch', 'vouch-direct'] as const) {
      const records = { hub: recorder(), target: recorder(), resources: recorder() }
      await realLife(plane, writer, records)
      for (const [where, { forbidden }] of Object.entries(records))
        assert.deepEqual([...new Set(forbidden)], [], `${writer}: what ${where} refused`)
      Object.assign(seen, { [writer]: records.hub, target: seen.target ?? records.target })
      if (writer === 'vouch') Object.assign(seen, { 'vouch-resources': records.resources })
    }
    assert.deepEqual(admission.forbidden, [], 'what admission was refused')
    Object.assign(seen, {
      'vouch-both': both(seen.vouch, seen['vouch-resources']),
      'vouch-direct-both': both(seen['vouch-direct'], seen['vouch-resources']),
    })
  })

  it('of two operators in one process let through all that each of them asks, as the account that it works as', async () => {
    const plane = await controlPlane()
    const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
    for (const process of ['vouch-both', 'vouch-direct-both'] as const) {
      const tokens = recorder()
      const asks = await clientOf(plane, admin, process, tokens)
      for (const operator of ['identity', 'resources'])
        await asks.requestToken({ namespace: own, name: `${process}-${operator}` }, { audiences: [], expirationSeconds: 600 })
      const whole = seen[process]
      Object.assign(seen, {
        [process]: both(tokens, part(whole, ofProcess)),
        [`${process}-identity`]: part(process === 'vouch-both' ? seen.vouch : seen['vouch-direct'], one => !ofProcess(one)),
        [`${process}-resources`]: part(seen['vouch-resources'], one => !ofProcess(one)),
      })
    }
    for (const name of sharing) {
      const exchange = await exchangeOf(plane, admin, { namespace: own, name })
      const refused: string[] = []
      for (const request of seen[name]?.asked.values() ?? []) {
        if ((await statusOf(exchange, request)) === 403) refused.push(idOf(request))
      }
      assert.deepEqual(refused, [], name)
    }
  })

  it('admission says the same words as on the embedded server [13.11 #234, #235]', async () => {
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

  it('keep operators of one process apart: resources and the process neither read nor write the signing keys of identity', async () => {
    const plane = await controlPlane()
    const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
    const key = { namespace: 'default', name: signingSecretName('default') }
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: key, data: {} } as KubeObject
    await admin.create(secrets, secret)
    for (const name of ['vouch-both', 'vouch-both-resources']) {
      const client = await clientOf(plane, admin, name, recorder())
      const attacks: Readonly<Record<string, () => Promise<unknown>>> = {
        get: () => client.get(secrets, key),
        list: () => client.list(secrets, { namespace: key.namespace }),
        watch: () => first(client.watch(secrets, { namespace: key.namespace, timeoutSeconds: 1 })),
        patch: () => client.patch(secrets, key, 'merge', { data: { 'previous.pub': 'eA==' } }),
        apply: () => client.patch(secrets, key, 'apply', secret, { fieldManager: 'stranger', force: true }),
        update: () => client.update(secrets, secret),
        delete: () => client.delete(secrets, key),
      }
      for (const [what, attack] of Object.entries(attacks))
        await assert.rejects(attack(), isForbidden, `${name} may ${what} a signing key`)
    }
    const identity = await clientOf(plane, admin, 'vouch-both-identity', recorder())
    assert.equal((await identity.get(secrets, key)).metadata.name, key.name)
    await admin.delete(secrets, key)
  })

  for (const name of [...accounts, 'target']) {
    it(`give no right that is not needed: without any one of them a request of that life is refused: ${name}`, async t => {
      const plane = await controlPlane()
      const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
      const recorded = seen[name]
      assert.ok(recorded !== undefined)
      const isTarget = name === 'target'
      const granted: Granted = {
        name: isTarget ? 'vouch-remote' : name,
        who: isTarget ? remoteAccount : { namespace: own, name },
        rights: isTarget ? targetRights(runtimeNamespace) : await rightsOfAccount(name),
      }
      const exchange = await exchangeOf(plane, admin, granted.who)
      let tried = 0
      for (const right of granted.rights) {
        for (const [verb, one] of piecesOf(right)) {
          tried++
          await restrict(admin, granted, { right, verb, one })
          const requests = requestsFor(recorded, { ...right, verbs: [verb], ...(one === undefined ? {} : { names: [one] }) })
          const isRefused = await eventually(async () => {
            for (const request of requests) if ((await statusOf(exchange, request)) === 403) return true
            return false
          }, 30_000)
          const label = `${verb} ${right.group}/${right.resource} ${one ?? ''} ${right.within?.join() ?? ''}`
          assert.ok(isRefused, `nothing is refused without ${label}; ${requests.length} requests were tried`)
        }
      }
      await restrict(admin, granted)
      t.diagnostic(`${tried} rights, each needed`)
    })
  }
})

async function first(events: AsyncIterable<unknown>): Promise<unknown> {
  for await (const event of events) return event
  return undefined
}

function isForbidden(error: unknown): boolean {
  return error instanceof KubeError && error.httpStatus === 403
}

function both(...recorders: readonly (Recorder | undefined)[]): Recorder {
  // The same list is another one with another selector.
  const asked = new Map(
    recorders.flatMap((one, at) => [...(one?.asked ?? [])].map(([id, each]) => [`${at} ${id}`, each] as const)),
  )
  return { asked, forbidden: [], through: exchange => exchange }
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

type Until = Parameters<typeof liveThrough>[0]['until']

interface Records {
  readonly hub: Recorder
  readonly target: Recorder
  readonly resources: Recorder
}

async function clientOf(plane: ControlPlane, admin: KubeClient, name: string, records: Recorder): Promise<KubeClient> {
  const who = name === 'target' ? remoteAccount : { namespace: own, name }
  await ensureAccount(admin, who)
  return createKubeClient({ clock: systemClock, address: name, exchange: records.through(await exchangeOf(plane, admin, who)) })
}

/** One server is hub and target: each side acts as an account of its own, and so do those who look after the children. */
async function realLife(plane: ControlPlane, writer: 'vouch' | 'vouch-direct', records: Records): Promise<void> {
  const admin = createKubeClient({ clock: systemClock, address: 'admin', exchange: plane.exchange })
  const hub = await clientOf(plane, admin, writer, records.hub)
  const target = await clientOf(plane, admin, 'target', records.target)
  const aws = createAws({ accounts: [account], region, profile: 'instant' })
  const credentials = staticCredentials(aws.adminCredentials())
  const transport = inProcessTransport(aws.handle)
  const awsClient = (service: 'iam' | 's3' | 'eks'): AwsClient =>
    createAwsClient({ model: serviceModel(service), region, credentials, transport, clock: systemClock, random: systemRandom })
  await makeEksCluster(awsClient)
  const clients = new AwsClients({ credentials, transport, clock: systemClock, random: systemRandom })
  const operator = createIdentityOperator({
    seams: closedSeams(),
    store: new S3IssuerStore({ clients, clock: systemClock }),
    providers: [],
    clientOf: ({ metadata }) => (metadata.name === selfHosted ? target : undefined),
    ...(writer === 'vouch-direct' ? { direct: { clients, region } } : {}),
  })
  const manager = managerOf(hub, operator.controllers, leaseOf('identity'))
  operator.attach(manager)
  const managers = [manager]
  const asking = [hub]
  if (writer === 'vouch') {
    const client = await clientOf(plane, admin, 'vouch-resources', records.resources)
    const home = { account, partition: 'aws', region }
    const services = ['iam', 's3', 'eks'] as const
    const { controllers } = createResourcesOperator({
      services,
      kinds,
      aws: clients,
      home,
      nowMs: () => systemClock.now(),
      extendedFieldExports: true,
      secrets: allowedSecrets,
    })
    managers.push(managerOf(client, controllers, leaseOf('resources')))
    asking.push(client)
  }
  const until: Until = async (what, isSo) => {
    // What is not told by an event is looked for every thirty seconds, on a machine that may be busy: what passes does not wait for this.
    if (await eventually(isSo, 120_000)) return
    const refused = Object.values(records).flatMap(({ forbidden }) => forbidden)
    throw new Error(`it never came about: ${what}; refused: ${[...new Set(refused)].join(', ')}`)
  }
  const stop = new AbortController()
  const running = managers.map(one => one.run(stop.signal))
  try {
    await liveThrough({
      hub: admin,
      target: admin,
      region,
      handOver: async () => {
        const webhook = { namespace: runtimeNamespace, name: 'pod-identity-webhook' }
        await askSigner(target, webhook, { signal: stop.signal, timeoutMs: 5_000 })
      },
      hasAskedSigner: () => [...records.target.asked.values()].some(({ resource }) => resource === 'serviceaccounts/token'),
      publish: (cluster, properties) => publish(admin, cluster, properties),
      ...(writer === 'vouch' ? { besides: () => beyondBindings(admin, until) } : {}),
      until,
    })
    for (const client of asking) {
      const guarded = guardedMetrics(client, systemClock, () => Promise.resolve({ status: 200, headers: {}, body: null }))
      const headers = { authorization: `Bearer ${plane.adminToken}` }
      assert.equal((await guarded({ method: 'GET', target: '/metrics', headers, body: null })).status, 200)
    }
  } finally {
    stop.abort(new Error('enough'))
    await Promise.all(running)
    await operator.close()
    await aws.close()
    // The next one makes its own.
    for (const { metadata } of (await admin.list(leases, { namespace: own })).items)
      await admin.delete(leases, { namespace: own, name: metadata.name })
  }
}

function managerOf(client: KubeClient, controllers: readonly AnyController[], lease: string): Manager {
  return createManager({
    client,
    seams: { clock: systemClock, random: systemRandom, log: silentLog },
    controllers,
    identity: 'real-test',
    metrics: new Metrics(),
    election: { lease: { namespace: own, name: lease }, watch: true, renewMs: 1_000 },
  })
}

function closedSeams(): Parameters<typeof createIdentityOperator>[0]['seams'] {
  const refuse = (): never => {
    throw new Error('no way to the outside')
  }
  return {
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    keys: systemKeys,
    net: { dial: refuse, listen: refuse } as never,
    files: memoryFiles({}),
    programs: { run: refuse },
    env: {},
  }
}

/** What the operator of resources does for others than the identity operator. */
async function beyondBindings(admin: KubeClient, until: Until): Promise<void> {
  await exportFields(admin, until)
  await changeTwice(admin, until)
}

/** The second change is told by the event of the first, whose count goes up. */
async function changeTwice(admin: KubeClient, until: Until): Promise<void> {
  const key = await makeRole(admin, { namespace: selfHosted, name: 'told-twice' })
  const timesTold = async (reason: string): Promise<number> => {
    const { items } = await admin.list<EventObject & StoredObject>(events, { namespace: key.namespace })
    return items.find(event => event.reason === reason && event.involvedObject.name === key.name)?.count ?? 0
  }
  await until('the role is made', async () => (await timesTold('Created')) === 1)
  for (const times of [1, 2]) {
    await admin.patch(iamRoles, key, 'merge', { spec: { description: `changed ${times}` } })
    await until(`change ${times} is told`, async () => (await timesTold('Updated')) === times)
  }
  await admin.delete(iamRoles, key)
  await until('the role is gone', async () => (await admin.find(iamRoles, key)) === undefined)
}

/** A field of a role to a Secret that is there, from that to one that is made, to a ConfigMap that is made, and away again. */
async function exportFields(admin: KubeClient, until: Until): Promise<void> {
  const type = { group: 'services.k8s.aws', version: 'v1alpha1', kind: 'FieldExport', plural: 'fieldexports', namespaced: true }
  const namespace = exporting
  const role = await makeRole(admin, { namespace, name: 'exported' })
  await until('the exported role is made', async () => {
    const { status } = await admin.get<Resource>(iamRoles, role)
    return status?.conditions?.some(one => one.type === 'Ready' && one.status === 'True') === true
  })
  const valueIn = async (target: ResourceType, name: string): Promise<string | undefined> =>
    (await admin.find<StoredObject & { data?: Readonly<Record<string, string>> }>(target, { namespace, name }))?.data?.['arn']
  const arn = 'arn:aws:iam::111122223333:role/exported'
  const encoded = (text: string): string => Buffer.from(text).toString('base64')
  const ofRole = { path: '.status.ackResourceMetadata.arn', resource: { group: iamRoles.group, kind: 'Role', name: role.name } }
  const ofSecret = { path: '.data.arn', resource: { group: '', kind: 'Secret', name: 'first' } }
  const exports = {
    first: { from: ofRole, to: { kind: 'secret', name: 'first', key: 'arn' } },
    second: { from: ofSecret, to: { kind: 'secret', name: 'second', key: 'arn', createIfMissing: true } },
    third: { from: ofRole, to: { kind: 'configmap', name: 'third', key: 'arn', createIfMissing: true } },
  }
  await admin.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'first' } })
  for (const [name, spec] of Object.entries(exports))
    await admin.create(type, {
      apiVersion: 'services.k8s.aws/v1alpha1',
      kind: 'FieldExport',
      metadata: { namespace, name },
      spec,
    } as KubeObject)
  await until('the ConfigMap has the field', async () => (await valueIn(configMaps, 'third')) === arn)
  await until('both Secrets have the field', async () => (await valueIn(secrets, 'second')) === encoded(arn))
  await admin.patch(secrets, { namespace, name: 'first' }, 'merge', { data: { arn: encoded('other') } })
  await until('the second Secret follows the first', async () => (await valueIn(secrets, 'second')) === encoded('other'))
  // Its key goes with the export, and with it the target that was made.
  await admin.patch(configMaps, { namespace, name: 'third' }, 'merge', { metadata: { ownerReferences: null } })
  for (const name of Object.keys(exports)) await admin.delete(type, { namespace, name })
  for (const name of Object.keys(exports))
    await until(`${name} is done with`, async () => (await admin.find(type, { namespace, name })) === undefined)
  assert.deepEqual([await valueIn(secrets, 'first'), await valueIn(configMaps, 'third')], [undefined, undefined])
  await admin.delete(iamRoles, role)
}

async function makeRole(admin: KubeClient, key: ObjectKey): Promise<ObjectKey> {
  const trust = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' }] }
  const spec = { name: key.name, description: 'new', assumeRolePolicyDocument: JSON.stringify(trust) }
  await admin.create(iamRoles, { apiVersion: `${iamRoles.group}/v1alpha1`, kind: 'Role', metadata: key, spec } as KubeObject)
  return key
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

/** Namespaces and CRDs are in the manifests of more than one process. */
function distinct(objects: readonly KubeObject[]): readonly KubeObject[] {
  const idOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
    `${apiVersion} ${kind} ${metadata?.namespace} ${metadata?.name}`
  const isShared = ({ kind }: KubeObject): boolean => ['CustomResourceDefinition', 'Namespace'].includes(kind)
  return objects.filter((one, at) => !isShared(one) || objects.findIndex(other => idOf(other) === idOf(one)) === at)
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
    .map(object => ('raw' in object ? `---\n${String(object.raw)}` : `---\n${dump(object, { lineWidth: -1, noRefs: true })}`))
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
  // That of an earlier life.
  if ((await admin.find(clusterProfileKind.type, key)) !== undefined) await admin.delete(clusterProfileKind.type, key)
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
