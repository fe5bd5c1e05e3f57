// The dns operator in the simulator: two objects that come, change and go, their Secrets, and people who meddle with what was made. Who collects
// what a deleted object owned, and who makes a Deployment available, are others: they act late, at an instant of the scheduler's choosing.
import { silentLog } from '#base'
import type { KubeObject } from '#kube'
import { createDnsOperator, type DnsObject, plainKubernetes, renderDnsCrd } from '#operators/dns'
import { Metrics, troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { contentHash, decodeSecret } from '../../src/operators/dns/operand/content-hash.ts'
import type { Deployment } from '../../src/operators/dns/operand/deployment.ts'
import { operandNamespace, operatorNamespace, settings } from '../../src/operators/dns/testing/dns-world.ts'
import { creates, edits, puts, removes } from './deeds.ts'
import { probedClients, runProbed } from './probed.ts'

const leaseMs = 240_000
const api = 'externaldns.olm.openshift.io/v1beta1'
const claimsPath = `/apis/${api}/externaldnses`
const claimPath = (name: string): string => `${claimsPath}/${name}`
const sources = `/api/v1/namespaces/${operatorNamespace}/secrets`
const targets = `/api/v1/namespaces/${operandNamespace}/secrets`
const accounts = `/api/v1/namespaces/${operandNamespace}/serviceaccounts`
const deployments = `/apis/apps/v1/namespaces/${operandNamespace}/deployments`
const operand = (name: string): string => `${deployments}/external-dns-${name}`
const targetPath = (name: string): string => `${targets}/external-dns-credentials-${name}`
const roleAnnotation = { metadata: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::999999999999:role/theirs' } } }
const strangerUid = 'stranger'
const foreignOwner = [{ apiVersion: 'apps/v1', kind: 'Theirs', name: 'theirs', uid: strangerUid, controller: true }]
const made = new Set(['Deployment', 'ServiceAccount', 'Secret'])

export const dnsSubject: Subject = {
  name: 'dns',
  servers: ['hub'],
  objects: () => [
    renderDnsCrd({ service: { namespace: 'vouch', name: 'vouch-webhook' } }),
    ...[operatorNamespace, operandNamespace].map(namespaceOf),
    ...['blue', 'green', 'late'].map(podOf),
  ],
  replicas: 2,
  versions: 2,
  start,
  script: [
    puts('put Secret keys', { path: sources }, secretOf('keys', 'one'), 0),
    // Its order does not matter: whichever comes first has the other wait.
    { ...creates('create blue', { path: claimsPath }, dnsOf('blue', 'keys', ['Z1']), 0), creates: true },
    { ...creates('create green', { path: claimsPath }, dnsOf('green', 'others', []), 0), creates: true },
    edits('add a zone to blue', { path: claimPath('blue') }, { spec: { zones: ['Z1', 'Z2'] } }, 6_000),
    // Green waits until somebody makes the Secret that it names.
    puts('put Secret others', { path: sources }, secretOf('others', 'two'), 9_000),
    edits('rotate keys', { path: `${sources}/keys` }, { data: dataOf('three') }, 14_000),
    edits('name another Secret', { path: claimPath('green') }, { spec: specOf('keys', []) }, 18_000),
    edits('take a zone from blue', { path: claimPath('blue') }, { spec: { zones: ['Z2'] } }, 22_000),
    removes('delete green', { path: claimPath('green') }, 26_000),
    creates('create green anew', { path: claimsPath }, dnsOf('green', 'others', ['Z9']), 30_000),
    creates('create late', { path: claimsPath }, dnsOf('late', 'keys', ['Z3']), 34_000),
  ],
  disturbances: [
    { ...edits('scale blue', { path: operand('blue') }, { spec: { replicas: 3 } }, undefined), fault: 'F18' },
    {
      ...edits(
        'have blue roll',
        { path: operand('blue') },
        { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
        undefined,
      ),
      fault: 'F18',
    },
    {
      ...edits('note on blue', { path: operand('blue') }, { metadata: { annotations: { note: 'mine' } } }, undefined),
      fault: 'F18',
    },
    { ...edits('spoil a target', { path: targetPath('blue') }, { data: { credentials: 'eA==' } }, undefined), fault: 'F18' },
    {
      ...edits('label a target', { path: targetPath('green') }, { metadata: { labels: { team: 'a' } } }, undefined),
      fault: 'F18',
    },
    { ...edits('annotate an account', { path: `${accounts}/external-dns-blue` }, roleAnnotation, undefined), fault: 'F18' },
    { ...removes('delete a target', { path: targetPath('blue') }, undefined), fault: 'F19' },
    { ...removes('delete the operand of blue', { path: operand('blue') }, undefined), fault: 'F19' },
    { ...removes('delete the account of green', { path: `${accounts}/external-dns-green` }, undefined), fault: 'F19' },
    { ...removes('delete blue early', { path: claimPath('blue') }, undefined), fault: 'F19' },
    { ...puts('a foreign target', { path: targets }, foreignTarget('late'), undefined), fault: 'F24' },
    { ...puts('a foreign operand', { path: deployments }, foreignOperand('late'), undefined), fault: 'F24' },
  ],
  roleOf,
  // Owner references do what a finalizer does elsewhere: nothing here outlives its claim for longer than the collector takes.
  ownerUidOf: () => undefined,
  purposeOf: ({ kind }) => kind,
  isWanted: () => true,
  readsAtRestPerMinute: 12,
  finalizer: '',
  leaseMs,
  reasons: [...dnsReasons(), ...Object.keys(troubleReasons)],
  invariants: [
    { code: 'S2', check: strangersAreLeftAlone },
    { code: 'S4', check: nothingIsDestroyed },
    { code: 'S9', check: operandsAreWhole },
    { code: 'S16', check: noKeysAreTold },
  ],
  react,
  unfinished,
  settleMs: 600_000,
  settleStreamsMs: 300_000,
}

async function start(process: ProcessContext): Promise<void> {
  const { seams } = process
  const clients = probedClients(process)
  const operator = createDnsOperator({
    surroundings: { settings, platform: plainKubernetes, hasRoutes: false },
    client: clients.of('hub'),
    log: silentLog,
    metrics: new Metrics(),
    clock: seams.clock,
  })
  await runProbed(process, {
    clients,
    controllers: operator.controllers,
    companions: operator.companions ?? [],
    listing: process.version === 0 ? 'stream' : 'pages',
    lease: { namespace: operatorNamespace, name: 'dns' },
    leaseMs,
  })
}

/** All that its conditions may say where credentials are not tried. */
function dnsReasons(): readonly string[] {
  return [
    'AllPodsScheduled',
    'Available',
    'Compatible',
    'CredentialsMissing',
    'DeploymentAvailabilityUnknown',
    'DeploymentAvailable',
    'DeploymentMinimumReplicasMet',
    'DeploymentMinimumReplicasNotMet',
    'DeploymentReplicasAvailable',
    'DeploymentReplicasNotAvailable',
    'DeploymentUnavailable',
    'InvalidSpec',
    'NoConflict',
    'NoLabelMatchingPods',
    'NoRole',
    'NotChecked',
    'NotCheckedYet',
    'SecretFound',
    'SecretNotFound',
  ]
}

function roleOf({ kind }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  return kind === 'ExternalDNS' ? 'claim' : 'other'
}

/** Collects what a claim owned, and says of a Deployment that it is available. */
function react({ before, after }: Effect, world: World): void {
  if (before?.kind === 'ExternalDNS' && after === undefined)
    for (const object of world.objects()) if (ownerOf(object) === before.metadata.uid) world.parkDeed(collects(object))
  // Made by a pass that did not know yet.
  if (after !== undefined && made.has(after.kind) && isOrphan(after, world)) world.parkDeed(collects(after))
  if (after?.kind === 'Deployment' && isStale(after)) world.parkDeed(makeAvailable(after))
}

function isOrphan(object: KubeObject, world: World): boolean {
  const owner = ownerOf(object)
  return owner !== undefined && owner !== strangerUid && !claimsOf(world).some(({ metadata }) => metadata.uid === owner)
}

function collects(object: KubeObject): Deed {
  return {
    label: `collect ${object.kind} ${object.metadata.name}`,
    afterMs: 4_000,
    run: async world => void (await world.act('hub', 'DELETE', pathOf(object), preconditions(object))),
  }
}

function preconditions({ metadata: { uid } }: KubeObject): object {
  return { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } }
}

function pathOf({ kind, metadata }: KubeObject): string {
  const collection = kind === 'Deployment' ? deployments : kind === 'Secret' ? targets : accounts
  return `${collection}/${metadata.name}`
}

type StatusLike = {
  readonly observedGeneration?: number
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[]
}

function isStale(object: KubeObject): boolean {
  return statusOf(object).observedGeneration !== object.metadata.generation
}

function statusOf(object: KubeObject): StatusLike {
  return (object as { readonly status?: StatusLike }).status ?? {}
}

function makeAvailable({ metadata }: KubeObject): Deed {
  const path = `${deployments}/${metadata.name}/status`
  const status = {
    observedGeneration: metadata.generation,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    conditions: [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' }],
  }
  return edits(`${metadata.name} is available`, { path }, { status }, 500)
}

const claimsOf = (world: World): readonly DnsObject[] =>
  [...world.objects()].filter(({ kind }) => kind === 'ExternalDNS') as DnsObject[]

function unfinished(world: World): string | undefined {
  for (const claim of claimsOf(world)) {
    const problem = unfinishedClaim(world, claim)
    if (problem !== undefined) return `${claim.metadata.name}: ${problem}`
  }
  return undefined
}

function unfinishedClaim(world: World, claim: DnsObject): string | undefined {
  const { name = '', uid } = claim.metadata
  const deployment = world.find('hub', operand(name)) as Deployment | undefined
  const target = world.find('hub', targetPath(name))
  const source = world.find('hub', `${sources}/${sourceOf(claim)}`)
  const available = statusOf(claim).conditions?.find(({ type }) => type === 'Available')
  // Somebody has the name of its Secret: it has to wait for that to end.
  if (ownerOf(target) === strangerUid) return undefined
  if (source !== undefined && wordOf(target) !== wordOf(source)) return 'its Secret is not what the source says'
  if (ownerOf(deployment) === strangerUid)
    return available?.reason === 'InvalidSpec' ? undefined : 'it does not say that its Deployment is somebody else’s'
  if (deployment === undefined) return 'it has no Deployment'
  if (ownerOf(deployment) !== uid) return 'its Deployment is not its own'
  if (world.find('hub', `${accounts}/external-dns-${name}`) === undefined) return 'it has no ServiceAccount'
  const wrong = wrongOperand(deployment, claim, target)
  if (wrong !== undefined) return wrong
  if (available?.status !== 'True') return `it says Available=${available?.status ?? 'nothing'} (${available?.reason ?? ''})`
  const zones = claim.spec.zones ?? []
  return [...(claim.status?.zones ?? [])].sort().join() === [...zones].sort().join() ? undefined : 'it tells of other zones'
}

function wrongOperand({ spec }: Deployment, claim: DnsObject, target: KubeObject | undefined): string | undefined {
  const { containers } = spec.template.spec
  const zones = containers.map(({ args = [] }) => args.find(text => text.startsWith('--zone-id-filter='))?.slice(17) ?? '')
  const wanted = (claim.spec.zones ?? []).length === 0 ? [''] : (claim.spec.zones ?? [])
  if (zones.join() !== wanted.join()) return `its operand looks after ${zones.join()}`
  if (spec.replicas !== 1 || spec.strategy?.type !== 'Recreate') return 'its operand may run twice'
  const hash = spec.template.metadata?.annotations?.['externaldns.olm.openshift.io/credentials-secret-hash']
  return hash === hashOf(target) ? undefined : 'its operand has the former credentials'
}

type WithData = KubeObject & { readonly data?: Readonly<Record<string, string>> }

function hashOf(secret: KubeObject | undefined): string {
  return contentHash(decodeSecret((secret as WithData | undefined)?.data))
}

/** The secret word in a source or in a target. */
function wordOf(secret: KubeObject | undefined): string | undefined {
  const data = (secret as WithData | undefined)?.data ?? {}
  const text = Buffer.from(data['aws_secret_access_key'] ?? '', 'base64').toString()
  const file = data['credentials'] === undefined ? undefined : Buffer.from(data['credentials'], 'base64').toString()
  return file === undefined || file.includes(`aws_secret_access_key = ${text}`) ? text : 'spoilt'
}

function sourceOf({ spec }: DnsObject): string {
  return spec.provider.aws?.credentials?.name ?? ''
}

function ownerOf(object: KubeObject | undefined): string | undefined {
  return object?.metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid
}

/** S2: what another controller owns is not changed, whatever its name is. */
function strangersAreLeftAlone({ by, before, method }: Effect): string | undefined {
  if (by === 'user' || before === undefined || !made.has(before.kind)) return undefined
  return ownerOf(before) === strangerUid ? `${by} ${method} ${before.metadata.name}, which is a stranger's` : undefined
}

/** S4: the operator takes nothing away: what it made goes with its claim. */
function nothingIsDestroyed({ by, before, after }: Effect): string | undefined {
  if (by === 'user' || before === undefined || after !== undefined || !made.has(before.kind)) return undefined
  return `${by} deleted ${before.kind} ${before.metadata.name}`
}

/** S9: every operand that is written is one that may run: alone, with an owner id of its claim's, and with the hash of a Secret that was there. */
function operandsAreWhole({ by, after }: Effect, world: World): string | undefined {
  if (by === 'user' || after?.kind !== 'Deployment') return undefined
  const { spec, metadata } = after as Deployment
  if (spec.replicas !== 1 || spec.strategy?.type !== 'Recreate') return `${metadata.name} may run twice`
  const name = (metadata.name ?? '').replace('external-dns-', '')
  const ids = spec.template.spec.containers.map(({ args = [] }) => args.find(text => text.startsWith('--txt-owner-id=')))
  if (ids.some(id => id !== `--txt-owner-id=external-dns-${name}`)) return `${metadata.name} writes under the id of another`
  const hash = spec.template.metadata?.annotations?.['externaldns.olm.openshift.io/credentials-secret-hash']
  const target = `external-dns-credentials-${name}`
  const wasThere = world.effects.some(
    ({ after: held }) => held?.kind === 'Secret' && held.metadata.name === target && hashOf(held) === hash,
  )
  return wasThere ? undefined : `${metadata.name} was made for a Secret that never was`
}

/** S16: the words of the keys are in Secrets alone. */
function noKeysAreTold({ by, after }: Effect): string | undefined {
  if (by === 'user' || after === undefined || after.kind === 'Secret') return undefined
  return /sesame-/.test(JSON.stringify(after)) ? `${after.kind} ${after.metadata.name} tells a secret` : undefined
}

function dnsOf(name: string, secret: string, zones: readonly string[]): KubeObject {
  const object = { apiVersion: api, kind: 'ExternalDNS', metadata: { name }, spec: specOf(secret, zones) }
  return object
}

/** Each in a domain of its own: objects that share names hold each other up. */
function specOf(secret: string, zones: readonly string[]): object {
  return {
    provider: { type: 'AWS', aws: { credentials: { name: secret } } },
    source: {
      type: 'Service',
      fqdnTemplate: ['{{.Name}}.example.com'],
      labelFilter: { matchLabels: { zone: zones.join('-') || 'all' } },
    },
    domains: [{ filterType: 'Include', matchType: 'Exact', name: `${zones.join('-').toLowerCase() || 'all'}.example.com` }],
    ...(zones.length === 0 ? {} : { zones }),
  }
}

function dataOf(word: string): Readonly<Record<string, string>> {
  const encode = (text: string): string => Buffer.from(text).toString('base64')
  return { aws_access_key_id: encode('AKIAEXAMPLE'), aws_secret_access_key: encode(`sesame-${word}`) }
}

function secretOf(name: string, word: string): KubeObject {
  const metadata = { namespace: operatorNamespace, name }
  const object = { apiVersion: 'v1', kind: 'Secret', metadata, data: dataOf(word) }
  return object
}

function namespaceOf(name: string): KubeObject {
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: ['kubernetes'] } }
  return object
}

/** Scheduled already, whichever Deployment it is of: who makes pods is no part of this. */
function podOf(name: string): KubeObject {
  const labels = { 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': name }
  const status = { phase: 'Running', conditions: [{ type: 'PodScheduled', status: 'True' }] }
  const metadata = { namespace: operandNamespace, name: `external-dns-${name}-0`, labels }
  const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'main', image: 'x' }] }, status }
  return object
}

/** Of another controller, under the name that ours would have. */
function foreignTarget(name: string): KubeObject {
  const metadata = { namespace: operandNamespace, name: `external-dns-credentials-${name}`, ownerReferences: foreignOwner }
  const object = { apiVersion: 'v1', kind: 'Secret', metadata, data: dataOf('theirs') }
  return object
}

function foreignOperand(name: string): KubeObject {
  const labels = { app: 'theirs' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'theirs' }] } }
  const metadata = { namespace: operandNamespace, name: `external-dns-${name}`, ownerReferences: foreignOwner }
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } }
  return object
}
