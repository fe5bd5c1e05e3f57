// The hosted operator in the simulator: three control planes on a hub, each with a guest that is away at times. Platforms are switched off and on,
// authorities and images change, people undo what was written. Whoever runs Deployments and collects garbage is played here.
import { X509Certificate } from 'node:crypto'
import type { HttpResponse, Keys } from '#base'
import { type KubeObject, renderCrd } from '#kube'
import { controlPlaneKind, createHostedOperator, guestCondition, ourChoices, sidecarCondition } from '#operators/hosted'
import { hostedReasons } from '#operators/hosted/api'
import { troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, RestWindow, Subject, World } from '#simulator'
import { authoritySecret, testAuthority } from '../../src/operators/hosted/testing/authorities.fixture.ts'
import { pooledKeys } from '../../src/operators/identity/testing/keys.fixture.ts'
import { creates, deed, edits, removes, takesLease } from './deeds.ts'
import { probedClients, runProbed } from './probed.ts'

type Plane = KubeObject & {
  readonly spec: { readonly platform: { readonly type: string } }
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason: string }[]
  }
}
type Secret = KubeObject & { readonly data?: Readonly<Record<string, string>> }
interface Named {
  readonly name: string
}
type Container = Named & { readonly image: string; readonly command?: readonly string[] }
type Volume = Named & { readonly secret?: { readonly secretName: string } }
type Deployment = KubeObject & {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly Container[]; readonly volumes: readonly Volume[] } }
  }
}
type Configuration = KubeObject & {
  readonly webhooks: readonly {
    readonly failurePolicy: string
    readonly clientConfig: { readonly url: string; readonly caBundle: string }
  }[]
}

const leaseMs = 240_000
const hubNamespace = 'default'
const guests = ['blue', 'green', 'red'] as const
type Name = (typeof guests)[number]
const azureName = 'azure-workload-identity-webhook'
const awsName = 'aws-pod-identity-webhook'
const sidecars: Readonly<Record<string, { readonly name: string; readonly configuration: string; readonly url: string }>> = {
  AWS: { name: awsName, configuration: 'aws-pod-identity', url: 'https://127.0.0.1:4443/mutate' },
  Azure: { name: azureName, configuration: azureName, url: 'https://127.0.0.1:9443/mutate' },
}
const ourNames = new Set([azureName, awsName])
const isOurVolume = ({ name }: Named): boolean => /^(aws-pod-identity-webhook|azure-wi-webhook)-/.test(name)
const azure = { type: 'Azure', azure: { tenantID: 'contoso.example', cloud: 'AzurePublicCloud' } }
const aws = { type: 'AWS', aws: { region: 'eu-west-1' } }

const inHub = (name: Name): string => `/api/v1/namespaces/${name}`
const secretPath = (name: Name, secret: string): string => `${inHub(name)}/secrets/${secret}`
const imagesPath = (name: Name): string => `${inHub(name)}/configmaps/release-images`
const deploymentPath = (name: Name): string => `/apis/apps/v1/namespaces/${name}/deployments/kube-apiserver`
const planesPath = (name: Name): string => `/apis/hypershift.openshift.io/v1beta1/namespaces/${name}/hostedcontrolplanes`
const planePath = (name: Name): string => `${planesPath(name)}/${name}`
const configurationPath = (type: string): string =>
  `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/${sidecars[type]?.configuration ?? ''}`
const rolePath = (name: string): string => `/apis/rbac.authorization.k8s.io/v1/clusterroles/${name}`

/** Before any clock of the world, however late it is. */
const madeAt = Date.UTC(2025, 0, 1)
const authorityOf = (name: 'root-ca' | 'cluster-signer-ca', which: number): ReturnType<typeof testAuthority> =>
  testAuthority(name, which, madeAt)

export const hostedSubject: Subject = {
  name: 'hosted',
  servers: ['hub', ...guests],
  keys: keysOf,
  objects: server => (server === 'hub' ? [renderCrd(controlPlaneKind), ...guests.flatMap(ofPlatform), ...foreignSecrets] : []),
  replicas: 2,
  start,
  react: playPlatform,
  script: [
    { ...create('blue', azure, 0), creates: true },
    { ...create('green', aws, 0), creates: true },
    // One of its Secrets is somebody else's, for good.
    { ...create('red', azure, 2_000), creates: true },
    want('blue', { configuration: { apiServer: { tlsSecurityProfile: { type: 'Modern' } } } }, 6_000),
    rotate('green', 'root-ca', 2, 9_000),
    want('blue', { platform: { type: 'None', azure: null } }, 13_000),
    edits('blue loses its image', { path: imagesPath('blue') }, { data: { [azureName]: null } }, 16_000),
    want('blue', { platform: azure }, 18_000),
    edits('blue has an image', { path: imagesPath('blue') }, { data: { [azureName]: 'image:2' } }, 22_000),
    rotate('blue', 'cluster-signer-ca', 3, 25_000),
    removes('delete green', { path: planePath('green') }, 28_000),
    create('green', azure, 34_000),
    want('green', { platform: { ...aws, azure: null } }, 40_000),
  ],
  disturbances: [
    { ...takeOut('blue'), fault: 'F18' },
    { ...editImage('green'), fault: 'F18' },
    { ...refusing('blue', 'Azure'), fault: 'F18' },
    { ...labelled('green', 'AWS'), fault: 'F18' },
    { ...garble('blue', `${azureName}-serving-cert`), fault: 'F18' },
    { ...removeSecret('blue', `${azureName}-kubeconfig`), fault: 'F19' },
    { ...removeSecret('green', `${awsName}-serving-cert`), fault: 'F19' },
    {
      ...removes('delete the configuration of blue', { server: 'blue', path: configurationPath('Azure') }, undefined),
      fault: 'F19',
    },
    { ...removes('delete the role of blue', { server: 'blue', path: rolePath(azureName) }, undefined), fault: 'F19' },
    { ...away('blue'), fault: 'F13' },
    { ...away('green'), fault: 'F13' },
    { ...takesLease(hubNamespace, 'hosted', leaseMs), fault: 'F18' },
  ],
  roleOf,
  // Nothing of it outlives its control plane by a finalizer: Secrets are owned, and what is in a guest goes with the guest.
  ownerUidOf: () => undefined,
  purposeOf: () => '',
  isWanted: () => true,
  finalizer: 'none.example.com/none',
  observesGeneration: false,
  readsAtRestPerMinute: readsAtRest,
  leaseMs,
  reasons: [...Object.keys(hostedReasons), ...Object.keys(troubleReasons)],
  invariants: [
    { code: 'S-05', check: neverRefuses },
    { code: 'whole-sidecar', check: isWhole },
    { code: 'S25', check: keepsForeign },
    { code: 'whole-pair', check: pairsBelong },
  ],
  unfinished,
  settleMs: 3_600_000,
  settleStreamsMs: 1_500_000,
}

const workers = 2
/** A look at a guest reads its role and its binding. */
const readsOfLook = 2
/** A look every ten minutes, by the clock of whoever leads, is a quarter of that earlier at most. */
const looksApartMs = 450_000

/** Looks of all guests may fall together; and whoever takes the lease looks at each, and again at those that it was at when their lists came. */
function readsAtRest(world: World, { forMs, effects }: RestWindow): number {
  const fastest = Math.max(...[...world.processes.values()].map(({ clock }) => clock.rate))
  const looks = guests.length * Math.ceil((forMs * fastest) / looksApartMs)
  const looksOfLeaders = (guests.length + workers) * effects.filter(isTakeover).length
  return ((looks + looksOfLeaders) * readsOfLook) / (forMs / 60_000)
}

function isTakeover({ before, after }: Effect): boolean {
  const holderOf = (lease: KubeObject | undefined): string =>
    (lease as { readonly spec?: { readonly holderIdentity?: string } } | undefined)?.spec?.holderIdentity ?? ''
  return after?.kind === 'Lease' && holderOf(after) !== '' && holderOf(after) !== holderOf(before)
}

async function start(process: ProcessContext): Promise<void> {
  const clients = probedClients(process)
  const operator = createHostedOperator({
    settings: {
      platforms: ['AWS', 'Azure'],
      image: '',
      imageMap: 'release-images',
      pullSecret: 'pull-secret',
      guestKubeconfig: 'way-in',
      namespaces: undefined,
      choices: ourChoices,
      workers,
    },
    seams: process.seams,
    clientOf: ({ metadata }) => clients.of(metadata.name ?? ''),
  })
  await runProbed(process, {
    controllers: operator.controllers,
    lease: { namespace: hubNamespace, name: 'hosted' },
    leaseMs,
    clients,
    attach: manager => operator.attach?.(manager),
  })
  await operator.close?.()
}

const keysByWorld = new WeakMap<World, Keys>()

function keysOf(world: World): Keys {
  const keys = keysByWorld.get(world) ?? pooledKeys(8)
  keysByWorld.set(world, keys)
  return keys
}

function roleOf({ kind }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  return kind === 'HostedControlPlane' ? 'claim' : 'other'
}

function ofPlatform(name: Name): readonly KubeObject[] {
  const wayIn = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    contexts: [{ name: 'a', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://kube-apiserver:6443' } }],
    users: [{ name: 'u', user: { token: 'token' } }],
  })
  const data = { kubeconfig: Buffer.from(wayIn).toString('base64') }
  const labels = { app: 'kube-apiserver' }
  const pod = {
    containers: [{ name: 'kube-apiserver', image: 'kas:1' }],
    volumes: [{ name: 'tmp-dir', emptyDir: {} }],
  }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: ['kubernetes'] } },
    authoritySecret(name, 'root-ca', authorityOf('root-ca', 0)),
    authoritySecret(name, 'cluster-signer-ca', authorityOf('cluster-signer-ca', 1)),
    { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: name, name: 'way-in' }, data },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: name, name: 'release-images' },
      data: { [azureName]: 'image:1', [awsName]: 'image:1' },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace: name, name: 'kube-apiserver' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
    },
  ] as readonly KubeObject[]
}

function foreignSecret(namespace: Name, name: string): KubeObject {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'mine', uid: 'mine', controller: true }
  const metadata = { namespace, name, ownerReferences: [owner] }
  return { apiVersion: 'v1', kind: 'Secret', metadata, data: { mine: 'bWluZQ==' } } as KubeObject
}

function create(name: Name, platform: object, afterMs: number): Deed {
  const body = controlPlaneKind.make({ namespace: name, name }, { platform })
  return creates(`create ${name}`, { path: planesPath(name) }, body, afterMs)
}

function want(name: Name, spec: object, afterMs: number): Deed {
  return edits(`${name} wants ${JSON.stringify(spec)}`, { path: planePath(name) }, { spec }, afterMs)
}

function rotate(name: Name, secret: 'root-ca' | 'cluster-signer-ca', which: number, afterMs: number): Deed {
  const { data } = authoritySecret(name, secret, authorityOf(secret, which)) as Secret
  return edits(`${name} gets another ${secret}`, { path: secretPath(name, secret) }, { data }, afterMs)
}

/** Somebody whose manifest knows of no sidecar applies it. */
function takeOut(name: Name): Deed {
  const pod = { containers: [{ name: 'kube-apiserver', image: 'kas:2' }], volumes: [{ name: 'tmp-dir', emptyDir: {} }] }
  return edits(
    `take the sidecar out of ${name}`,
    { path: deploymentPath(name) },
    { spec: { template: { spec: pod } } },
    undefined,
  )
}

/** Another container comes, and ours is changed, if it is there. */
function editImage(name: Name): Deed {
  const path = deploymentPath(name)
  return deed(`edit the Deployment of ${name}`, path, undefined, async world => {
    const held = inHubNow(world, path) as Deployment | undefined
    const containers = (held?.spec.template.spec.containers ?? []).map(each =>
      ourNames.has(each.name) ? { ...each, image: 'another' } : each,
    )
    const spec = { template: { spec: { containers: [{ name: 'theirs', image: 'a' }, ...containers.filter(isNotTheirs)] } } }
    await world.act('hub', 'PATCH', path, { spec }, 'application/merge-patch+json')
  })
}

const isNotTheirs = ({ name }: Named): boolean => name !== 'theirs'

function refusing(server: Name, type: string): Deed {
  const path = configurationPath(type)
  return deed(`pods of ${server} are refused`, path, undefined, async world => {
    const held = world.find(server, path) as Configuration | undefined
    const webhooks = (held?.webhooks ?? []).map(webhook => ({ ...webhook, failurePolicy: 'Fail' }))
    if (webhooks.length > 0) await world.act(server, 'PATCH', path, { webhooks }, 'application/merge-patch+json')
  })
}

function labelled(server: Name, type: string): Deed {
  const patch = { metadata: { labels: { theirs: 'yes' } } }
  return edits(`label the configuration of ${server}`, { server, path: configurationPath(type) }, patch, undefined)
}

/** Who took a Secret away, or wrote into it, answers for what is there until it is put right. */
const disturbed = new WeakMap<World, Set<string>>()

function disturb(world: World, path: string): void {
  const paths = disturbed.get(world) ?? new Set<string>()
  disturbed.set(world, paths.add(path))
}

function removeSecret(name: Name, secret: string): Deed {
  const path = secretPath(name, secret)
  return deed(`delete ${path}`, path, undefined, async world => {
    disturb(world, path)
    await world.act('hub', 'DELETE', path)
  })
}

function garble(name: Name, secret: string): Deed {
  const path = secretPath(name, secret)
  return edits(`write into ${path}`, { path }, { data: { 'tls.crt': 'Z2FyYmFnZQ==' } }, undefined)
}

function away(server: Name): Deed {
  return deed(`${server} is away`, `/${server}`, undefined, async world => {
    const refuse = (flight: { readonly target: string }): HttpResponse | undefined =>
      flight.target === server ? { status: 503, headers: { 'content-type': 'text/plain' }, body: null } : undefined
    world.scheduler.timer('world', 180_000, world.intercept(refuse))
    for (const stream of world.wire.streams) if (stream.label.split(' ')[1] === server) stream.end('reset')
  })
}

/** A Deployment that was changed is rolled out; what a control plane owned goes with it. */
function playPlatform({ server, before, after }: Effect, world: World): void {
  if (server !== 'hub') return
  if (after?.kind === 'Deployment' && after.metadata.generation !== before?.metadata.generation)
    world.parkDeed(rollOut(after.metadata.namespace as Name))
  if (before?.kind === 'HostedControlPlane' && after === undefined) world.parkDeed(collect(before))
}

function rollOut(name: Name): Deed {
  const path = deploymentPath(name)
  return deed(`roll out ${name}`, path, 2_000, async world => {
    const observedGeneration = inHubNow(world, path)?.metadata.generation
    const status = { observedGeneration, replicas: 1, updatedReplicas: 1 }
    await world.act('hub', 'PATCH', `${path}/status`, { status }, 'application/merge-patch+json')
  })
}

function collect({ metadata }: KubeObject): Deed {
  return deed(`collect what ${metadata.name} owned`, undefined, 2_000, async world => {
    const owned = [...world.objects()].filter(object => object.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid))
    for (const object of owned) {
      const path = secretPath((object.metadata.namespace ?? '') as Name, object.metadata.name ?? '')
      disturb(world, path)
      await world.act('hub', 'DELETE', path)
    }
  })
}

/** One where ours has to be, and one that looks like what another platform left behind. */
const foreignSecrets: readonly KubeObject[] = [
  foreignSecret('red', `${azureName}-kubeconfig`),
  foreignSecret('blue', `${awsName}-kubeconfig`),
]

/** What is there from the start is not told until it is written. */
const fromStart: ReadonlyMap<string, KubeObject> = new Map(
  [...guests.flatMap(ofPlatform), ...foreignSecrets].map(object => [pathInHub(object), object]),
)

function pathInHub({ kind, metadata }: KubeObject): string {
  const name = metadata.namespace as Name
  return kind === 'Deployment' ? deploymentPath(name) : `${inHub(name)}/${kind.toLowerCase()}s/${metadata.name}`
}

/** As it was before the first write as well; without what the server filled in. */
function firstOf({ server, before, after }: Effect): KubeObject | undefined {
  return before ?? (server !== 'hub' || after === undefined ? undefined : fromStart.get(pathInHub(after)))
}

function inHubNow(world: World, path: string): KubeObject | undefined {
  return world.find('hub', path) ?? fromStart.get(path)
}

const isProcess = ({ by, after }: Effect): boolean => by !== 'user' && after !== undefined

function neverRefuses({ after, ...rest }: Effect): string | undefined {
  if (!isProcess({ after, ...rest }) || after?.kind !== 'MutatingWebhookConfiguration') return undefined
  const refuses = (after as Configuration).webhooks.some(({ failurePolicy }) => failurePolicy !== 'Ignore')
  return refuses ? `${after.metadata.name} would keep pods from being made` : undefined
}

/** Container, volumes and Secrets are there together, or none of them. */
function isWhole(effect: Effect, world: World): string | undefined {
  const { after, subresource } = effect
  if (!isProcess(effect) || after?.kind !== 'Deployment' || subresource !== undefined) return undefined
  const { containers, volumes } = (after as Deployment).spec.template.spec
  const ours = [containers.filter(({ name }) => ourNames.has(name)).length, volumes.filter(isOurVolume).length].join()
  if (ours !== '0,0' && ours !== '1,2') return `${ours} containers and volumes`
  const paths = volumes
    .filter(isOurVolume)
    .map(({ secret }) => secretPath(after.metadata.namespace as Name, secret?.secretName ?? ''))
  const missing = paths.find(path => inHubNow(world, path) === undefined && disturbed.get(world)?.has(path) !== true)
  return missing === undefined ? undefined : `${missing} is mounted and was never there`
}

/** Containers, volumes, labels and Secrets of others stay as they are. */
function keepsForeign(effect: Effect): string | undefined {
  const { before, after, by, subresource } = effect
  if (by === 'user' || subresource !== undefined) return undefined
  const isForeign = firstOf(effect)?.metadata.ownerReferences?.some(({ uid }) => uid === 'mine') === true
  if (isForeign) return `${by} ${effect.method} a Secret of somebody else`
  if (before === undefined) return undefined
  if (JSON.stringify(before.metadata.labels) !== JSON.stringify(after?.metadata.labels) && before.kind !== 'Secret')
    return after === undefined || roleOf(before) !== 'other' ? undefined : `${by} changes labels of ${before.kind}`
  if (before.kind !== 'Deployment' || after === undefined) return undefined
  const theirs = ({ spec }: Deployment): string =>
    JSON.stringify([
      spec.template.spec.containers.filter(({ name }) => !ourNames.has(name)),
      spec.template.spec.volumes.filter(volume => !isOurVolume(volume)),
    ])
  return theirs(before as Deployment) === theirs(after as Deployment) ? undefined : `${by} changes what is not ours`
}

/** What a process writes into a Secret is a certificate, the key of it, and both of the authority that it names. */
function pairsBelong(effect: Effect): string | undefined {
  const { after } = effect
  if (!isProcess(effect) || after?.kind !== 'Secret') return undefined
  const certificate = new X509Certificate(textOf(after, 'tls.crt'))
  const signer = new X509Certificate(textOf(after, 'ca.crt'))
  if (!certificate.checkIssued(signer) || !certificate.verify(signer.publicKey))
    return `${after.metadata.name} mixes two authorities`
  return undefined
}

function textOf(secret: KubeObject | undefined, key: string): string {
  return Buffer.from((secret as Secret | undefined)?.data?.[key] ?? '', 'base64').toString()
}

function unfinished(world: World): string | undefined {
  for (const name of guests) {
    const wrong = wrongIn(world, name)
    if (wrong !== undefined) return `${name}: ${wrong}`
  }
  return undefined
}

function wrongIn(world: World, name: Name): string | undefined {
  const plane = inHubNow(world, planePath(name)) as Plane | undefined
  if (plane === undefined) return undefined
  const type = plane.spec.platform.type
  const pod = (inHubNow(world, deploymentPath(name)) as Deployment).spec.template.spec
  const present = pod.containers.filter(each => ourNames.has(each.name))
  const sidecar = sidecars[type]
  const said = new Map(plane.status?.conditions?.map(condition => [condition.type, condition.reason]))
  if (sidecar === undefined) {
    if (present.length > 0 || pod.volumes.some(isOurVolume)) return 'a sidecar where none belongs'
    if (inHubNow(world, secretPath(name, `${azureName}-kubeconfig`)) !== undefined) return 'a Secret that nothing mounts'
    return said.size > 0 ? 'something is said where nothing is to say' : undefined
  }
  const other = sidecar.name === awsName ? azureName : awsName
  if (isOwned(world, name, `${other}-kubeconfig`) || isOwned(world, name, `${other}-serving-cert`))
    return `a Secret of ${other} that nothing mounts`
  const guest = wrongInGuest(world, name, type)
  if (guest !== undefined) return guest
  if (said.get(guestCondition) !== 'InPlace') return `says ${said.get(guestCondition)} of the guest`
  if (name === 'red')
    return present.length > 0 || said.get(sidecarCondition) !== 'SecretOwnedByAnother' ? 'takes what is not ours' : undefined
  // Nobody wrote an image since it was lost: what stands goes on, and is kept in certificates.
  if (imageOf(world, name, sidecar.name) === undefined) {
    if (said.get(sidecarCondition) !== 'ImageMissing') return `says ${said.get(sidecarCondition)} without an image`
    return present.length === 0 ? undefined : wrongSecret(world, name, sidecar.name)
  }
  return wrongSecret(world, name, sidecar.name) ?? wrongSidecar(world, name, present) ?? wrongSaid(said.get(sidecarCondition))
}

function imageOf(world: World, name: Name, sidecar: string): string | undefined {
  return (inHubNow(world, imagesPath(name)) as Secret | undefined)?.data?.[sidecar]
}

function isOwned(world: World, name: Name, secret: string): boolean {
  const plane = inHubNow(world, planePath(name))
  const owners = inHubNow(world, secretPath(name, secret))?.metadata.ownerReferences ?? []
  return owners.some(({ uid }) => uid === plane?.metadata.uid)
}

const wrongSaid = (reason: string | undefined): string | undefined => (reason === 'InPlace' ? undefined : `says ${reason}`)

function wrongSidecar(world: World, name: Name, present: readonly Container[]): string | undefined {
  const plane = inHubNow(world, planePath(name)) as KubeObject & {
    readonly spec: { readonly configuration?: object; readonly platform: { readonly type: string } }
  }
  const wanted = sidecars[plane.spec.platform.type]?.name ?? ''
  if (present.map(each => each.name).join() !== wanted) return `sidecars ${present.map(each => each.name).join()}`
  if (present[0]?.image !== imageOf(world, name, wanted)) return `image ${present[0]?.image}`
  const isModern = present[0]?.command?.includes('--tls-min-version=VersionTLS13') === true
  return isModern === (plane.spec.configuration !== undefined) ? undefined : 'another TLS profile'
}

function wrongSecret(world: World, name: Name, sidecar: string): string | undefined {
  for (const [secret, authority] of [
    [`${sidecar}-serving-cert`, 'root-ca'],
    [`${sidecar}-kubeconfig`, 'cluster-signer-ca'],
  ] as const) {
    const held = inHubNow(world, secretPath(name, secret))
    if (held === undefined) return `there is no ${secret}`
    const root = textOf(inHubNow(world, secretPath(name, authority)), 'ca.crt')
    if (textOf(held, 'ca.crt') !== root) return `${secret} is of an earlier authority`
    const { uid } = inHubNow(world, planePath(name))?.metadata ?? {}
    if (held.metadata.ownerReferences?.find(({ controller }) => controller)?.uid !== uid) return `${secret} has another owner`
  }
  return undefined
}

function wrongInGuest(world: World, name: Name, type: string): string | undefined {
  const found = world.find(name, configurationPath(type)) as Configuration | undefined
  const [webhook] = found?.webhooks ?? []
  if (webhook === undefined) return 'nobody asks the sidecar'
  if (webhook.failurePolicy !== 'Ignore') return 'pods are refused'
  if (webhook.clientConfig.url !== sidecars[type]?.url) return `asks at ${webhook.clientConfig.url}`
  const root = textOf(inHubNow(world, secretPath(name, 'root-ca')), 'ca.crt')
  if (Buffer.from(webhook.clientConfig.caBundle, 'base64').toString().trim() !== root.trim())
    return 'others than the root authority are trusted'
  return world.find(name, rolePath(sidecars[type]?.name ?? '')) === undefined ? 'there is no role' : undefined
}
