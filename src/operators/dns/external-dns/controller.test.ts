// Which objects wake which ExternalDNS, what is news of them, and what is read for one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject, ResourceType, StoredObject } from '#kube'
import type { Change, Reads, Watch } from '#runtime'
import type { ExternalDns } from '../api/kinds.ts'
import { credentialsController } from '../credentials/controller.ts'
import { LogFindings } from '../findings/findings.ts'
import { plainKubernetes } from '../operand/request.ts'
import { dnsSeen, tried } from '../testing/dns-seen.fixture.ts'
import { settings } from '../testing/dns-world.ts'
import { dnsController } from './controller.ts'
import type { DnsSeen } from './seen.ts'

const named = (name: string, spec: object = {}): ExternalDns => dnsSeen({ spec, metadata: { name, uid: `uid-${name}` } }).dns
const openShift = { isOpenShift: true, type: 'AWS', awsRegion: '', gcpProject: '' }
const all = { ...settings, trustedCaConfigMap: 'ca', perInstanceRbac: true }
const surroundings = (more: object = {}, platform = plainKubernetes) => ({
  settings: { ...settings, ...more },
  platform,
  hasRoutes: true,
})

function watchOf(kind: string, more: object = all, platform = openShift): Watch {
  const { watches = [] } = dnsController({ surroundings: surroundings(more, platform), findings: new LogFindings() })
  const watch = watches.find(({ type, name }) => (name ?? type.kind) === kind)
  assert.ok(watch !== undefined, kind)
  return watch
}

const kindsOf = (more: object, platform = plainKubernetes): readonly string[] =>
  (dnsController({ surroundings: surroundings(more, platform), findings: new LogFindings() }).watches ?? []).map(
    ({ type, name }) => name ?? type.kind,
  )

test('what is watched is what an operator with these settings on this platform has a use for', () => {
  const always = ['Deployment', 'ServiceAccount', 'Secret', 'rivals', 'Pod', 'AWSServiceAccountRole', 'Job']
  assert.deepEqual(kindsOf({}), always)
  assert.deepEqual(new Set(kindsOf({ trustedCaConfigMap: 'ca' })), new Set([...always, 'ConfigMap']))
  assert.deepEqual(new Set(kindsOf({ perInstanceRbac: true })), new Set([...always, 'ClusterRoleBinding']))
  assert.deepEqual(new Set(kindsOf({}, openShift)), new Set([...always, 'CredentialsRequest', 'DNS']))
  // Not every cluster serves these.
  for (const kind of ['AWSServiceAccountRole', 'CredentialsRequest', 'DNS']) assert.equal(watchOf(kind).optional, true)
  assert.deepEqual(watchOf('Secret').namespaces, ['external-dns-operator', 'external-dns'])
  assert.deepEqual(watchOf('Secret', { operatorNamespace: 'external-dns' }).namespaces, ['external-dns'])
})

const objects = [
  named('blue'),
  named('red', { provider: { type: 'AWS', aws: { credentials: { name: 'other' } } } }),
  named('bound', {
    provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'Binding', bindingRef: { namespace: 'ns', name: 'dns' } } } },
  }),
]
const world = { list: () => objects } as unknown as Reads

const meta = (name: string, more: object = {}): StoredObject =>
  ({ metadata: { namespace: 'external-dns', name, uid: 'u', resourceVersion: '1', ...more } }) as unknown as StoredObject
const owned = (kind: string, name: string, controller = true): object => ({
  ownerReferences: [{ apiVersion: 'v1', kind, name, uid: 'u', controller }],
})
const labelled = (labels: object): object => ({ labels })

for (const [what, kind, object, expected] of [
  ['a Deployment of an object', 'Deployment', meta('external-dns-blue', owned('ExternalDNS', 'blue')), ['blue']],
  [
    'a Deployment of an object, in the place of another’s',
    'Deployment',
    meta('external-dns-blue', owned('ExternalDNS', 'red')),
    ['red', 'blue'],
  ],
  [
    'a Deployment of a stranger in the place of an object’s',
    'Deployment',
    meta('external-dns-blue', owned('Widget', 'w')),
    ['blue'],
  ],
  ['a Deployment of a stranger', 'Deployment', meta('web', owned('Widget', 'w')), []],
  ['a ServiceAccount of an object, called otherwise', 'ServiceAccount', meta('web', owned('ExternalDNS', 'blue')), ['blue']],
  ['a ServiceAccount that an object only mentions', 'ServiceAccount', meta('web', owned('ExternalDNS', 'blue', false)), []],
  ['a Secret of an object', 'Secret', meta('copy', owned('ExternalDNS', 'blue')), ['blue']],
  ['a Secret that objects name', 'Secret', meta('dns-creds', { namespace: 'external-dns-operator' }), ['blue']],
  ['a Secret that an object names, elsewhere', 'Secret', meta('dns-creds', { namespace: 'external-dns' }), []],
  [
    'a Secret of an object, elsewhere',
    'Secret',
    meta('copy', { namespace: 'external-dns-operator', ...owned('ExternalDNS', 'blue') }),
    [],
  ],
  [
    'a pod of an operand',
    'Pod',
    meta('p', labelled({ 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': 'blue' })),
    ['blue'],
  ],
  ['a pod of an operand of nobody', 'Pod', meta('p', labelled({ 'app.kubernetes.io/name': 'external-dns' })), []],
  [
    'a pod of something else',
    'Pod',
    meta('p', labelled({ 'app.kubernetes.io/name': 'web', 'app.kubernetes.io/instance': 'blue' })),
    [],
  ],
  ['a pod without labels', 'Pod', meta('p'), []],
  ['the binding that an object names', 'AWSServiceAccountRole', meta('dns', { namespace: 'ns' }), ['bound']],
  ['a binding of that name elsewhere', 'AWSServiceAccountRole', meta('dns', { namespace: 'other' }), []],
  ['another binding there', 'AWSServiceAccountRole', meta('web', { namespace: 'ns' }), []],
  ['the authorities', 'ConfigMap', meta('external-dns-trusted-ca'), ['blue', 'red', 'bound']],
  ['another object', 'rivals', objects[0], ['blue', 'red', 'bound']],
  ['the zones of the platform', 'DNS', meta('cluster'), ['blue', 'red', 'bound']],
] as const)
  test(`${what} wakes ${expected.join(', ') || 'nobody'}`, async () => {
    const targets = await watchOf(kind).toClaims(object as StoredObject, world, '')
    assert.deepEqual(
      targets.map(({ name }) => name),
      expected,
    )
  })

test('pods are found by their instance, those of operands alone', () => {
  const { instance } = watchOf('Pod').indexes ?? {}
  const of = (labels: object): unknown => instance?.of(meta('p', { labels }))
  assert.deepEqual(of({ 'app.kubernetes.io/name': 'external-dns', 'app.kubernetes.io/instance': 'blue' }), ['blue'])
  assert.deepEqual(of({ 'app.kubernetes.io/name': 'external-dns' }), [])
  assert.deepEqual(of({ 'app.kubernetes.io/name': 'web', 'app.kubernetes.io/instance': 'blue' }), [])
})

const change = (previous: object, object: object): Change => ({ kind: 'changed', previous, object }) as unknown as Change
const added = { kind: 'added', object: meta('p') } as unknown as Change
const pod = (status: object, more: object = {}): object => ({ ...meta('p', more), status })
const placed = (status: string, more: object = {}): object => ({ conditions: [{ type: 'PodScheduled', status, ...more }] })

for (const [what, kind, happened, isNews] of [
  ['a new pod', 'Pod', added, true],
  ['another phase of a pod', 'Pod', change(pod({ phase: 'Pending' }), pod({ phase: 'Running' })), true],
  [
    'another state of a container',
    'Pod',
    change(pod({ containerStatuses: [] }), pod({ containerStatuses: [{ name: 'a' }] })),
    true,
  ],
  ['the place of a pod', 'Pod', change(pod(placed('False')), pod(placed('True'))), true],
  ['the end of a pod', 'Pod', change(pod({}), pod({}, { deletionTimestamp: 'now' })), true],
  [
    'another condition of a pod',
    'Pod',
    change(pod({ conditions: [{ type: 'Ready', status: 'False' }] }), pod({ conditions: [{ type: 'Ready', status: 'True' }] })),
    false,
  ],
  [
    'a heartbeat of a pod',
    'Pod',
    change(pod({ phase: 'Running' }), pod({ phase: 'Running', hostIP: 'x' }, { resourceVersion: '2' })),
    false,
  ],
  ['a new object', 'rivals', added, true],
  ['another spec of an object', 'rivals', change(meta('blue', { generation: 1 }), meta('blue', { generation: 2 })), true],
  [
    'another status of an object',
    'rivals',
    change(meta('blue', { generation: 1 }), meta('blue', { generation: 1, resourceVersion: '2' })),
    false,
  ],
] as const)
  test(`${what} is ${isNews ? '' : 'no '}news`, () => assert.equal(watchOf(kind).isWorth?.(happened), isNews))

test('of an object the copier of Secrets looks at what is new of its spec alone', () => {
  const { isWorth } = credentialsController(surroundings())
  assert.equal(isWorth?.(added), true)
  assert.equal(isWorth?.(change(meta('blue', { generation: 1 }), meta('blue', { generation: 2 }))), true)
  assert.equal(isWorth?.(change(meta('blue', { generation: 1 }), meta('blue', { generation: 1 }))), false)
})

/** A cache of these, in which the kinds of other operators are not served. */
function reads(held: readonly (readonly [kind: string, object: object])[], unserved: readonly string[] = []): Reads {
  const of = (type: ResourceType): readonly KubeObject[] =>
    held.filter(([kind]) => kind === type.kind).map(([, object]) => object as KubeObject)
  return {
    isSynced: (type: ResourceType) => !unserved.includes(type.kind),
    list: of,
    find: (type: ResourceType, { namespace, name }: { readonly namespace: string; readonly name: string }) =>
      of(type).find(({ metadata }) => metadata.name === name && (metadata.namespace ?? '') === namespace),
    byIndex: () => [],
  } as unknown as Reads
}

async function observe(
  held: readonly (readonly [string, object])[],
  more: object = all,
  platform = openShift,
  findings = new LogFindings(),
  unserved: readonly string[] = [],
) {
  const { reconciler } = dnsController({ surroundings: surroundings(more, platform), findings })
  return (await reconciler.observe(
    { cluster: '', namespace: '', name: 'blue' },
    reads(held, unserved),
    new AbortController().signal,
  )) as DnsSeen | undefined
}

test('what was found out of an object is forgotten with it', async () => {
  const findings = new LogFindings()
  findings.preflight.set('blue', tried())
  assert.equal(
    (await observe([['ExternalDNS', named('blue')]], all, openShift, findings))?.preflight,
    findings.preflight.get('blue'),
  )
  assert.equal(await observe([], all, openShift, findings), undefined)
  assert.equal(findings.preflight.size, 0)
})

const bindable = named('blue', {
  provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'Binding', bindingRef: { namespace: 'ns', name: 'dns' } } } },
})
const managed = named('blue', { provider: { type: 'AWS' } })
const cloud = 'openshift-cloud-credential-operator'
const around: readonly (readonly [string, object])[] = [
  ['Secret', meta('dns-creds', { namespace: 'external-dns-operator' })],
  ['ConfigMap', meta('external-dns-trusted-ca')],
  ['ClusterRoleBinding', meta('external-dns-blue', { namespace: '' })],
  ['DNS', meta('cluster', { namespace: '' })],
  ['AWSServiceAccountRole', meta('dns', { namespace: 'ns' })],
  ['CredentialsRequest', meta('externaldns-credentials-request-aws', { namespace: cloud })],
]

for (const [what, dns, more, platform, expected] of [
  ['that names its Secret', named('blue'), {}, plainKubernetes, ['source']],
  [
    'that names its Secret, with authorities and rights of its own',
    named('blue'),
    all,
    plainKubernetes,
    ['source', 'trustedCa', 'sourceBinding'],
  ],
  ['that names none, on OpenShift', managed, {}, openShift, ['request', 'platformDns']],
  ['with a binding', bindable, {}, plainKubernetes, ['binding']],
] as const)
  test(`for an object ${what} ${expected.join(', ')} are read`, async () => {
    const seen = await observe([['ExternalDNS', dns], ...around], more, platform)
    const { source, request, trustedCa, sourceBinding, platformDns, binding } = seen ?? ({} as Partial<DnsSeen>)
    const found = { source: source?.secret, request, trustedCa, sourceBinding, platformDns, binding: binding?.object }
    assert.deepEqual(
      Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [name])),
      expected,
    )
  })

test('of kinds that are not served nothing is read, and a missing kind of bindings is told from a missing binding', async () => {
  const unserved = ['DNS', 'CredentialsRequest', 'AWSServiceAccountRole']
  const seen = await observe([['ExternalDNS', managed], ...around], {}, openShift, undefined, unserved)
  assert.deepEqual([seen?.platformDns, seen?.request, seen?.binding], [undefined, undefined, undefined])
  const missing = { isKindMissing: true, object: undefined }
  assert.deepEqual((await observe([['ExternalDNS', bindable], ...around], {}, openShift, undefined, unserved))?.binding, missing)
  assert.equal((await observe([['ExternalDNS', bindable], ...around], {}, openShift))?.binding?.isKindMissing, false)
  const nowhere = named('blue', { provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'Binding' } } } })
  assert.deepEqual((await observe([['ExternalDNS', nowhere], ...around]))?.binding, { isKindMissing: false, object: undefined })
})

test('rivals are told by their names, and those under the same owner id with all that they write', async () => {
  const ownership = { ownership: { ownerID: 'shared' } }
  const others = [
    named('green'),
    named('azure', { ...ownership, domains: [{ filterType: 'Include', matchType: 'Exact', name: 'other.org' }] }),
  ]
  const seen = await observe([
    ['ExternalDNS', named('blue', ownership)],
    ...[named('red'), ...others].map(dns => ['ExternalDNS', dns] as const),
  ])
  assert.deepEqual(seen?.rivals, ['green', 'red'])
  assert.deepEqual(
    seen?.sameOwner.map(({ name, since }) => [name, since]),
    [['azure', '2026-01-01T00:00:00Z']],
  )
})

test('news is kept as told and is worth an event; a try is asked for and changes nothing', async () => {
  const findings = new LogFindings()
  findings.preflight.set('blue', tried())
  const asked: object[] = []
  const { reconciler } = dnsController({
    surroundings: surroundings(),
    findings,
    preflight: { ask: action => void asked.push(action) },
  })
  const act = (kind: string): unknown =>
    reconciler.act?.({ kind, name: 'blue', about: 'sts', summary: '' } as never, undefined as never)
  assert.deepEqual(await act('act:notice'), { changed: true })
  assert.deepEqual([findings.preflight.get('blue')?.isTold, asked.length], [true, 0])
  assert.deepEqual(await act('act:preflight'), { changed: false })
  assert.equal(asked.length, 1)
})
