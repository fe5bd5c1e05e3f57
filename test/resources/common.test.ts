// The two kinds that belong to no service (6.14), over the embedded API server and the emulator: where values go, and who works as whom.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { diffCrds } from '#crdgen'
import {
  configMaps,
  type KubeObject,
  namespaces,
  type ObjectKey,
  type ResourceType,
  renderCrd,
  type StoredCondition,
  type StoredObject,
  secrets,
} from '#kube'
import { conditions, createResourcesOperator, ExcludedError } from '#operators/resources'
import { type FieldExport, fieldExportKind } from '../../src/operators/resources/exports/api.ts'
import { roleSelectorKind } from '../../src/operators/resources/place/role-selector.ts'
import { account, type ResourceWorld, resourceWorld, trust } from '../../src/operators/resources/testing/world.ts'

const kinds = ['Role', 'Policy']
const at = (name: string, namespace = 'default'): ObjectKey => ({ namespace, name })

const shared = resolve(process.env['VOUCH_SHARED'] ?? join(import.meta.dirname, '..', '..', '..', 'shared'))
const published = (plural: string): string => join(shared, 'ack', 'common', `services.k8s.aws_${plural}.yaml`)

test('the common CRDs are the published ones, with columns [6.14]', {
  skip: existsSync(published('fieldexports')) ? false : `skipped: the published CRDs are not here (${shared})`,
}, () => {
  for (const kind of [fieldExportKind, roleSelectorKind]) {
    const theirs = load(readFileSync(published(kind.type.plural), 'utf8'))
    // What kubectl prints of them is ours: the published ones say nothing of it.
    const differences = diffCrds(theirs, renderCrd(kind)).differences.filter(found => found.class !== 'column')
    assert.deepEqual(differences, [], kind.type.kind)
  }
})

function role(name = 'reader'): object {
  return { name, assumeRolePolicyDocument: trust() }
}

interface Holding extends StoredObject {
  readonly data?: Readonly<Record<string, string>>
}

async function dataOf(world: ResourceWorld, type: ResourceType, name = 'out'): Promise<Readonly<Record<string, string>>> {
  return (await world.kube.find<Holding>(type, at(name)))?.data ?? {}
}

function makeTarget(world: ResourceWorld, type: ResourceType, name = 'out'): Promise<unknown> {
  return world.kube.create(type, { apiVersion: 'v1', kind: type.kind, metadata: { namespace: 'default', name } } as KubeObject)
}

interface Asked {
  readonly path?: string
  readonly kind?: string
  readonly source?: string
  readonly to?: object
}

async function exportField(world: ResourceWorld, name: string, { path, kind, source, to }: Asked = {}): Promise<void> {
  await world.kube.create(fieldExportKind.type, {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'FieldExport',
    metadata: { namespace: 'default', name },
    spec: {
      from: {
        path: path ?? '.status.ackResourceMetadata.arn',
        resource: { group: 'iam.services.k8s.aws', kind: kind ?? 'Role', name: source ?? 'reader' },
      },
      to: { kind: 'configmap', name: 'out', ...to },
    },
  } as KubeObject)
}

/** Type and message of what is said, but for what only sums it up. */
async function saidOf(world: ResourceWorld, name: string): Promise<readonly string[]> {
  const found = await world.kube.find<FieldExport>(fieldExportKind.type, at(name))
  const said: readonly StoredCondition[] = found?.status?.conditions ?? []
  return said.filter(({ type }) => type !== conditions.ready).map(({ type, message }) => `${type} ${message ?? ''}`.trim())
}

test('FieldExport: waits for its source, writes the key, follows the source, and takes the key away again [6.14]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await makeTarget(world, configMaps)
  await exportField(world, 'arn')
  await exportField(world, 'description', { path: '.spec.description', to: { key: 'why' } })
  await world.settle()
  assert.deepEqual(await saidOf(world, 'arn'), ['ACK.Recoverable the source Role reader does not exist'])
  await world.create('Role', 'reader', { ...role(), description: 'reads' })
  await world.advance(1_000)
  const arn = `arn:aws:iam::${account}:role/reader`
  assert.deepEqual(await dataOf(world, configMaps), { 'default.arn': arn, why: 'reads' })
  assert.deepEqual(await saidOf(world, 'arn'), ['ACK.ResourceSynced'])
  await world.patch('Role', 'reader', { spec: { description: 'reads more' } })
  await world.advance(1_000)
  assert.equal((await dataOf(world, configMaps))['why'], 'reads more')
  await world.kube.delete(fieldExportKind.type, at('arn'))
  await world.settle()
  assert.deepEqual(await dataOf(world, configMaps), { why: 'reads more' })
  assert.equal(await world.kube.find(fieldExportKind.type, at('arn')), undefined)
})

test('FieldExport: whole numbers and booleans are exported as text, into Secrets too [6.14]', async () => {
  await using world = resourceWorld({ kinds, secrets: ['default/out'] })
  world.start()
  await makeTarget(world, secrets)
  await world.create('Role', 'reader', { ...role(), maxSessionDuration: 7_200, tags: [{ key: 'a', value: 'b' }] })
  await exportField(world, 'duration', { path: '.spec.maxSessionDuration', to: { kind: 'secret', key: 'seconds' } })
  await exportField(world, 'first-tag', { path: '.spec | .tags[-1]["key"]', to: { kind: 'secret', key: 'tag' } })
  await world.advance(1_000)
  const decoded = Object.fromEntries(
    Object.entries(await dataOf(world, secrets)).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  )
  assert.deepEqual(decoded, { seconds: '7200', tag: 'a' })
})

test('FieldExport: each thing that is in the way is told, and what only its author can mend is terminal [6.14]', async () => {
  await using world = resourceWorld({ kinds, secrets: ['default/*'] })
  world.start()
  await makeTarget(world, configMaps)
  await world.create('Role', 'reader', role())
  await world.create('Role', 'broken', { ...role('broken'), assumeRolePolicyDocument: '{}' })
  const cases: Readonly<Record<string, readonly [Asked, string]>> = {
    'no-path': [{ path: 'status' }, 'ACK.Terminal unable to parse path status'],
    'no-query': [
      { path: '.spec.name.first' },
      'ACK.Terminal unable to execute query .spec.name.first: cannot index string with "first"',
    ],
    'no-field': [{ path: '.status.nothing' }, 'ACK.Recoverable path does not exist in this object'],
    'no-text': [{ path: '.spec' }, 'ACK.Terminal .spec leads to no text, boolean or whole number'],
    'no-kind': [{ kind: 'Rule' }, 'ACK.Recoverable Rule.iam.services.k8s.aws is not served by this controller'],
    'not-synced': [{ source: 'broken' }, 'ACK.Recoverable the source resource is not synced yet'],
    'no-configmap': [{ to: { name: 'none' } }, 'ACK.Recoverable unable to get existing configmap'],
    'no-secret': [{ to: { kind: 'secret', name: 'none' } }, 'ACK.Recoverable unable to get existing secret'],
    elsewhere: [
      { to: { namespace: 'kube-system' } },
      'ACK.Terminal the configmap kube-system/out is in another namespace than default, which is not allowed: write into default, or have the operator run with --enable-cross-namespace and the target annotated with services.k8s.aws/accept-exports-from: default',
    ],
  }
  for (const [name, [asked]] of Object.entries(cases)) await exportField(world, name, asked)
  await world.advance(10_000)
  for (const [name, [, said]] of Object.entries(cases)) assert.deepEqual(await saidOf(world, name), [said], name)
  assert.deepEqual(await dataOf(world, configMaps), {})
  // A target that appears is found by itself.
  await makeTarget(world, configMaps, 'none')
  await world.advance(40_000)
  assert.deepEqual(await saidOf(world, 'no-configmap'), ['ACK.ResourceSynced'])
})

async function extendedExport(world: ResourceWorld, name: string, spec: object): Promise<void> {
  const resource = { group: 'iam.services.k8s.aws', kind: 'Role', name: 'reader' }
  const whole = { from: { resource }, to: { kind: 'configmap', name: 'out' }, ...spec }
  const metadata = { namespace: 'default', name }
  await world.kube.create(fieldExportKind.type, {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'FieldExport',
    metadata,
    spec: whole,
  } as KubeObject)
}

const fromSecret = { resource: { group: '', kind: 'Secret', name: 'db' } }
const extended = { kinds, extendedFieldExports: true, secrets: ['default/*'] }

function makeSecret(world: ResourceWorld, data: Readonly<Record<string, string>>): Promise<unknown> {
  return world.kube.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'db' },
    data: encoded(data),
  } as KubeObject)
}

function encoded(data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
}

test('FieldExport: several fields and templates, in a target that is made, owned, followed, and rid of keys that go [9.22]', async () => {
  await using world = resourceWorld(extended)
  const { passes } = world.start()
  await world.create('Role', 'reader', { ...role(), description: 'reads' })
  const arn = { key: 'arn', path: '.status.ackResourceMetadata.arn' }
  const line = { key: 'line', template: '{{ .spec.name }} {{.spec.description}} in {{ .status.ackResourceMetadata.region }}.' }
  const to = { kind: 'configmap', name: 'out', createIfMissing: true }
  await extendedExport(world, 'all', { to, exports: [arn, line] })
  await world.advance(5_000)
  assert.deepEqual(await saidOf(world, 'all'), ['ACK.ResourceSynced'])
  const roleArn = `arn:aws:iam::${account}:role/reader`
  assert.deepEqual(await dataOf(world, configMaps), { arn: roleArn, line: 'reader reads in eu-west-1.' })
  const made = await world.kube.find<StoredObject>(configMaps, at('out'))
  const claim = await world.kube.find<FieldExport>(fieldExportKind.type, at('all'))
  assert.deepEqual(
    made?.metadata.ownerReferences?.map(({ kind, uid }) => [kind, uid]),
    [['FieldExport', claim?.metadata.uid]],
  )
  // Somebody else's key stays; one that is not asked for any more goes.
  await world.kube.patch(configMaps, at('out'), 'merge', { data: { other: 'x' } })
  await world.kube.patch(fieldExportKind.type, at('all'), 'merge', { spec: { exports: [line] } })
  await world.patch('Role', 'reader', { spec: { description: 'reads more' } })
  await world.advance(5_000)
  assert.deepEqual(await dataOf(world, configMaps), { line: 'reader reads more in eu-west-1.', other: 'x' })
  const writes = passes.flatMap(pass => pass.writes).length
  await world.advance(3_600_000)
  assert.equal(passes.flatMap(pass => pass.writes).length, writes, 'nothing is written at rest')
  await world.kube.delete(fieldExportKind.type, at('all'))
  await world.advance(1_000)
  // What was made for it goes with it.
  assert.equal(await world.kube.find(configMaps, at('out')), undefined)
})

for (const watchSecrets of [true, false])
  test(`FieldExport: a Secret with fields of others, rotated, ${watchSecrets ? 'at once' : 'within five minutes where Secrets are not watched'} [9.22]`, async () => {
    await using world = resourceWorld({ ...extended, watchSecrets })
    world.start()
    await makeSecret(world, { password: 'one' })
    await world.create('Role', 'reader', role())
    const to = { kind: 'secret', name: 'out', createIfMissing: true }
    await extendedExport(world, 'dsn', {
      to,
      exports: [{ key: 'url', template: 'db://{{ .spec.name }}:{{ secret "db" "password" }}@host' }],
    })
    await extendedExport(world, 'copy', { from: fromSecret, to, exports: [{ key: 'password', path: '.data.password' }] })
    await world.advance(40_000)
    assert.deepEqual([await saidOf(world, 'dsn'), await saidOf(world, 'copy')], [['ACK.ResourceSynced'], ['ACK.ResourceSynced']])
    assert.deepEqual(await dataOf(world, secrets), encoded({ url: 'db://reader:one@host', password: 'one' }))
    await world.kube.patch(secrets, at('db'), 'merge', { data: encoded({ password: 'two' }) })
    await world.advance(watchSecrets ? 1_000 : 301_000)
    assert.deepEqual(await dataOf(world, secrets), encoded({ url: 'db://reader:two@host', password: 'two' }))
  })

test('FieldExport: what cannot be exported is told, and nothing of it is written; Secrets do not leak [9.22]', async () => {
  await using world = resourceWorld(extended)
  world.start()
  await makeTarget(world, configMaps)
  await makeTarget(world, secrets)
  await makeSecret(world, { password: 'one' })
  await world.create('Role', 'reader', role())
  const good = { key: 'name', path: '.spec.name' }
  const toSecret = { kind: 'secret', name: 'out' }
  const elsewhere = { ...toSecret, namespace: 'kube-system' }
  const cases: Readonly<Record<string, readonly [object, string]>> = {
    nothing: [{}, 'ACK.Terminal nothing is exported: from.path or exports is needed'],
    twice: [{ exports: [good, good] }, 'ACK.Terminal the key name is exported twice'],
    neither: [{ exports: [good, { key: 'a' }] }, 'ACK.Terminal the export of a needs either a path or a template'],
    open: [
      { exports: [good, { key: 'a', template: '{{ .spec.name' }] },
      'ACK.Terminal unable to parse template of a: {{ .path }} and {{ secret "name" "key" }} are known',
    ],
    half: [{ exports: [good, { key: 'a', path: '.status.nothing' }] }, 'ACK.Recoverable path does not exist in this object'],
    'no-secret': [
      { to: toSecret, exports: [good, { key: 'a', template: '{{ secret "none" "x" }}' }] },
      'ACK.Recoverable the secret none does not exist',
    ],
    'no-key': [
      { to: toSecret, exports: [good, { key: 'a', template: '{{ secret "db" "x" }}' }] },
      'ACK.Recoverable the secret db has no key x',
    ],
    leak: [
      { from: fromSecret, exports: [{ key: 'a', path: '.data.password' }] },
      'ACK.Terminal what stands in a Secret is exported into Secrets only',
    ],
    'leak-by-template': [
      { exports: [{ key: 'a', template: '{{ secret "db" "password" }}' }] },
      'ACK.Terminal what stands in a Secret is exported into Secrets only',
    ],
    'leak-elsewhere': [
      { from: fromSecret, to: elsewhere, exports: [{ key: 'a', path: '.data.password' }] },
      'ACK.Terminal what stands in a Secret is exported within its namespace only: leave out to.namespace',
    ],
    'make-elsewhere': [
      { to: { kind: 'configmap', namespace: 'kube-system', name: 'none', createIfMissing: true }, exports: [good] },
      'ACK.Terminal the configmap kube-system/none is in another namespace than default, which is not allowed: write into default, or have the operator run with --enable-cross-namespace and the target annotated with services.k8s.aws/accept-exports-from: default',
    ],
  }
  for (const [name, [spec]] of Object.entries(cases)) await extendedExport(world, name, spec)
  await world.advance(10_000)
  for (const [name, [, said]] of Object.entries(cases)) assert.deepEqual(await saidOf(world, name), [said], name)
  assert.deepEqual([await dataOf(world, configMaps), await dataOf(world, secrets)], [{}, {}])
})

const other = '999988887777'
const worker = `arn:aws:iam::${other}:role/worker`

/** A world in which the process may work as a role of another account. */
async function withWorker(options: Parameters<typeof resourceWorld>[0] = {}, asked: object = {}): Promise<ResourceWorld> {
  const world = resourceWorld({ kinds, carm: false, awsOptions: { accounts: [account, other] }, ...options })
  const place = { account: other }
  const Principal = { AWS: `arn:aws:iam::${account}:root` }
  const statement = { Effect: 'Allow', Principal, Action: 'sts:AssumeRole', ...asked }
  const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  const iam = world.client('iam', place.account)
  await iam.call('CreateRole', { RoleName: 'worker', AssumeRolePolicyDocument })
  await iam.call('AttachRolePolicy', { RoleName: 'worker', PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' })
  world.aws.calls.clear()
  return world
}

async function select(world: ResourceWorld, name: string, spec: object = {}, annotations = {}): Promise<void> {
  await world.kube.create(roleSelectorKind.type, {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'IAMRoleSelector',
    metadata: { name, annotations },
    spec: { arn: worker, ...spec },
  } as KubeObject)
}

/** In which account each role was made, by the calls that made them. */
function madeIn(world: ResourceWorld): Readonly<Record<string, string>> {
  const made = world.aws.calls.all({ operation: 'CreateRole' })
  return Object.fromEntries(made.map(({ parameters, account: where }) => [String(parameters['RoleName']), where]))
}

test('IAMRoleSelector: what it selects is made as its role, in its account, and the claim says so [6.14]', async () => {
  await using world = await withWorker()
  await select(world, 'roles', {
    namespaceSelector: { names: [], labelSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } } },
    resourceTypeSelector: [{ group: 'iam.services.k8s.aws', version: '', kind: 'Role' }],
    resourceLabelSelector: { matchLabels: { account: 'other' } },
  })
  world.start()
  await world.create('Role', 'there', role('there'), { labels: { account: 'other' } })
  await world.create('Role', 'here', role('here'))
  const policyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] })
  await world.create('Policy', 'read', { name: 'read', policyDocument }, { labels: { account: 'other' } })
  await world.advance(5_000)
  assert.deepEqual(madeIn(world), { there: other, here: account })
  assert.equal(world.aws.calls.last({ operation: 'CreatePolicy' })?.account, account)
  const there = await world.get('Role', 'there')
  assert.equal(there?.status?.ackResourceMetadata?.ownerAccountID, other)
  const selected = await world.condition('Role', 'there', conditions.roleSelected)
  assert.deepEqual([selected?.status, selected?.reason], ['True', 'Selected'])
  assert.match(selected?.message ?? '', new RegExp(`^roleARN: ${worker}, selectorName: roles, selectorResourceVersion: \\d+$`))
  assert.equal(await world.condition('Role', 'here', conditions.roleSelected), undefined)
  const sessions = world.aws.calls.all({ operation: 'AssumeRole' }).map(({ parameters }) => parameters['RoleSessionName'])
  assert.deepEqual(sessions, ['vouch-iam-default'])
})

test('IAMRoleSelector: of several that fit none is used, the condition names them, and a priority settles it [6.2.5]', async () => {
  await using world = await withWorker()
  await select(world, 'one')
  await select(world, 'two')
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  assert.deepEqual(world.calls(), [])
  const recoverable = await world.condition('Role', 'reader', conditions.recoverable)
  assert.deepEqual(
    [recoverable?.status, recoverable?.reason, recoverable?.message],
    ['True', 'SelectorAmbiguous', 'more than one IAMRoleSelector matches: one, two'],
  )
  const priority = { metadata: { annotations: { 'services.k8s.aws/priority': '10' } } }
  await world.kube.patch(roleSelectorKind.type, { namespace: '', name: 'two' }, 'merge', priority)
  await world.advance(5_000)
  assert.match((await world.condition('Role', 'reader', conditions.roleSelected))?.message ?? '', /selectorName: two,/)
  assert.deepEqual(madeIn(world), { reader: other })
})

test('IAMRoleSelector: one that cannot be followed keeps what it selects waiting, and nothing is made as somebody else [6.14]', async () => {
  await using world = await withWorker()
  await select(world, 'no-arn', { arn: 'worker', namespaceSelector: { names: ['default'] } })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  assert.deepEqual(world.calls(), [])
  assert.equal(
    (await world.condition('Role', 'reader', conditions.recoverable))?.message,
    'IAMRoleSelector no-arn cannot be followed: worker is no ARN of a role',
  )
  let before = 'no-arn'
  for (const [name, spec, problem] of [
    ['empty-name', { namespaceSelector: { names: ['', 'default'] } }, 'namespaceSelector.names holds an empty name'],
    ['same-name', { namespaceSelector: { names: ['default', 'default'] } }, 'namespaceSelector.names holds a name twice'],
    [
      'any-type',
      { resourceTypeSelector: [{ group: '', version: '', kind: '' }] },
      'an entry of resourceTypeSelector names nothing',
    ],
  ] as const) {
    await select(world, name, spec)
    await world.kube.delete(roleSelectorKind.type, { namespace: '', name: before })
    await world.advance(600_000)
    assert.deepEqual(world.calls(), [], name)
    const { message } = (await world.condition('Role', 'reader', conditions.recoverable)) ?? {}
    assert.equal(message, `IAMRoleSelector ${name} cannot be followed: ${problem}`)
    before = name
  }
  // The ARN is fixed: another one is another selector.
  await assert.rejects(
    world.kube.patch(roleSelectorKind.type, { namespace: '', name: before }, 'merge', { spec: { arn: `${worker}2` } }),
    /Value is immutable once set/,
  )
})

test('IAMRoleSelector: an external id is sent with AssumeRole [9.17]', async () => {
  const Condition = { StringEquals: { 'sts:ExternalId': 'secret-handshake' } }
  await using world = await withWorker({}, { Condition })
  await select(world, 'worker', {}, { 'services.k8s.aws/external-id': 'secret-handshake' })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  assert.deepEqual(madeIn(world), { reader: other })
})

test('IAMRoleSelector: session tags are sent with AssumeRole, and those that AWS would not take keep what is selected waiting [9.17]', async () => {
  const Condition = { StringEquals: { 'aws:RequestTag/tenant': 'default', 'aws:RequestTag/by': 'vouch/iam' } }
  await using world = await withWorker({}, { Action: ['sts:AssumeRole', 'sts:TagSession'], Condition })
  const tags = (text: string): object => ({ metadata: { annotations: { 'services.k8s.aws/session-tags': text } } })
  await select(world, 'worker', {}, { 'services.k8s.aws/session-tags': 'tenant' })
  world.start()
  await world.create('Role', 'reader', role())
  const refusals: string[] = []
  for (const wrong of ['tenant', 'Tenant=a,tenant=b', 'tenant=%K8S_RESOURCE_NAME%', 'tenant=a,=b']) {
    await world.kube.patch(roleSelectorKind.type, { namespace: '', name: 'worker' }, 'merge', tags(wrong))
    await world.advance(5_000)
    assert.deepEqual(world.calls(), [])
    refusals.push((await world.condition('Role', 'reader', conditions.recoverable))?.message ?? '')
  }
  const refused = 'IAMRoleSelector worker cannot be followed: services.k8s.aws/session-tags:'
  const form = 'is no key=value with %K8S_NAMESPACE% or %CONTROLLER_SERVICE%'
  assert.deepEqual(refusals, [
    `${refused} tenant ${form}`,
    `${refused} tenant is there twice; case makes no difference`,
    `${refused} tenant ${form}`,
    `${refused}  ${form}`,
  ])
  const right = tags('tenant=%K8S_NAMESPACE%, by=vouch/%CONTROLLER_SERVICE%')
  await world.kube.patch(roleSelectorKind.type, { namespace: '', name: 'worker' }, 'merge', right)
  await world.advance(5_000)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  assert.deepEqual(madeIn(world), { reader: other })
})

test('a selector that comes later and leads elsewhere: terminal, names both accounts, and calls nobody [6.2.8]', async () => {
  await using world = await withWorker()
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  world.aws.calls.clear()
  await select(world, 'later')
  await world.advance(5_000)
  assert.deepEqual(world.calls(), [])
  const terminal = await world.condition('Role', 'reader', conditions.terminal)
  assert.match(terminal?.message ?? '', new RegExp(`account ${account}.*account ${other}`))
})

test('a namespace that is labelled later is selected from then on, without a restart [9.17]', async () => {
  await using world = await withWorker()
  await select(world, 'blue', { namespaceSelector: { names: [], labelSelector: { matchLabels: { team: 'blue' } } } })
  world.start()
  await world.create('Role', 'reader', role(), { annotations: { 'services.k8s.aws/paused': 'true' } })
  await world.kube.patch(namespaces, { namespace: '', name: 'default' }, 'merge', { metadata: { labels: { team: 'blue' } } })
  await world.settle()
  await world.patch('Role', 'reader', { metadata: { annotations: { 'services.k8s.aws/paused': null } } })
  await world.advance(5_000)
  assert.deepEqual(madeIn(world), { reader: other })
})

test('the gate IAMRoleSelector excludes role mappings when it is asked for by name [6.17]', () => {
  const make = (carm: boolean) =>
    createResourcesOperator({
      services: ['iam'],
      aws: undefined as never,
      home: { account, partition: 'aws', region: 'eu-west-1' },
      nowMs: () => 0,
      gates: { IAMRoleSelector: true },
      carm,
    })
  assert.throws(() => make(true), ExcludedError)
  assert.ok(make(false).controllers.length > 0)
})
