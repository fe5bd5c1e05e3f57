// Manifests that are made to break the operator: what is too deep, too large or named like something that every object has. Each is told its
// author as what it is, at once and for good, and costs nobody else anything.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMaps, namespaces, secrets } from '#kube'
import { leastProcessorMs } from '../../../base/limits/least-processor-ms.fixture.ts'
import { annotations, conditions } from '../api.ts'
import { parseDocument, sameDocuments } from '../delta/documents.ts'
import { type FieldExport, fieldExportKind } from '../exports/api.ts'
import { parseTemplate } from '../exports/export-template.ts'
import { parseFieldPath } from '../exports/field-path.ts'
import { type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

/** `TYPE REASON message` of what is wrong with it. */
async function wrongWith(world: ResourceWorld, kind: string, name: string): Promise<string> {
  const found = (await world.get(kind, name))?.status?.conditions ?? []
  const wrong = found.filter(
    ({ type, status }) => (type === conditions.terminal || type === conditions.recoverable) && status === 'True',
  )
  return wrong.map(({ type, reason, message }) => `${type} ${reason} ${message}`).join('; ')
}

const role = (name: string): object => ({ name, assumeRolePolicyDocument: trust() })

test('a region that is none is refused for good, and nothing is called', async () => {
  await using world = resourceWorld({ kinds: ['Role'] })
  world.start()
  const regions = ['nowhere!', 'EU-WEST-1', 'eu-west-1.evil.example', '', 'eu west', 'x'.repeat(300), '-']
  for (const [at, region] of regions.entries())
    await world.create('Role', `r${at}`, role(`r${at}`), { annotations: { [annotations.region]: region } })
  await world.advance(10_000)
  for (const at of regions.keys())
    assert.match(
      await wrongWith(world, 'Role', `r${at}`),
      /^ACK\.Terminal InvalidManifest services\.k8s\.aws\/region: /,
      regions[at],
    )
  assert.deepEqual(world.calls(), [])
})

test('an account that is none is refused for good, whatever it is called', async () => {
  for (const [name, value] of [
    ['owner-account-id', 'constructor'],
    ['owner-account-id', '__proto__'],
    ['owner-account-id', '12'],
    ['default-region', 'nowhere!'],
    ['endpoint-url', 'not a url'],
    ['endpoint-url', 'file:///etc/passwd'],
  ] as const) {
    await using world = resourceWorld({ kinds: ['Role'] })
    const annotation = `services.k8s.aws/${name}`
    const body = { metadata: { annotations: { [annotation]: value } } }
    await world.kube.patch(namespaces, { namespace: '', name: 'default' }, 'merge', body)
    world.start()
    await world.create('Role', 'reader', role('reader'))
    await world.advance(10_000)
    const wrong = await wrongWith(world, 'Role', 'reader')
    assert.ok(wrong.startsWith(`ACK.Terminal InvalidManifest ${annotation}: `), `${name}=${value}: ${wrong}`)
    assert.deepEqual(world.calls(), [])
  }
})

test('a team that is called like something that every object has has no role', async () => {
  await using world = resourceWorld({ kinds: ['Role'], gates: { TeamLevelCARM: true } })
  const team = { metadata: { annotations: { 'services.k8s.aws/team-id': 'constructor' } } }
  await world.kube.patch(namespaces, { namespace: '', name: 'default' }, 'merge', team)
  await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ack-system' } })
  const map = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'ack-system', name: 'ack-role-team-map' },
    data: { a: 'b' },
  }
  await world.kube.create(configMaps, map as never)
  world.start()
  await world.create('Role', 'reader', role('reader'))
  await world.advance(10_000)
  const synced = await world.condition('Role', 'reader', conditions.synced)
  assert.deepEqual([synced?.status, synced?.reason], ['False', 'no role for team constructor in ConfigMap ack-role-team-map'])
  assert.deepEqual(world.calls(), [])
})

test('keys of Secrets that are called like something that every object has are missing', async () => {
  await using world = resourceWorld({ services: ['acm'], kinds: ['Certificate'], secrets: ['default/*'] })
  world.start()
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'pair' }, data: { a: 'YQ==' } }
  await world.kube.create(secrets, secret as never)
  for (const key of ['constructor', 'toString', '__proto__'])
    await world.create('Certificate', key.toLowerCase().replaceAll('_', 'x'), {
      certificate: { name: 'pair', key },
      privateKey: { name: 'pair', key },
    })
  await world.advance(10_000)
  for (const key of ['constructor', 'toString', '__proto__'])
    assert.equal(
      await wrongWith(world, 'Certificate', key.toLowerCase().replaceAll('_', 'x')),
      `ACK.Terminal SecretUnusable the secret default/pair has no key ${key}`,
    )
})

test('an export into a key that is called like something that every object has is written, and goes', async () => {
  await using world = resourceWorld({ kinds: ['Role'] })
  const running = world.start()
  await world.kube.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'out' },
    data: { kept: 'a' },
  } as never)
  await world.create('Role', 'reader', role('reader'))
  for (const key of ['constructor', '__proto__']) {
    const name = key.replaceAll('_', 'x')
    const from = { path: '.spec.name', resource: { group: 'iam.services.k8s.aws', kind: 'Role', name: 'reader' } }
    const spec = { from, to: { kind: 'configmap', name: 'out', key } }
    const object = {
      apiVersion: 'services.k8s.aws/v1alpha1',
      kind: 'FieldExport',
      metadata: { namespace: 'default', name },
      spec,
    }
    await world.kube.create(fieldExportKind.type, object as never)
    await world.advance(2_000)
    const dataOf = async (): Promise<object> =>
      (await world.kube.get<never>(configMaps, { namespace: 'default', name: 'out' }))['data'] as object
    const held = new Map(Object.entries(await dataOf()))
    assert.deepEqual([held.size, held.get(key), held.get('kept')], [2, 'reader', 'a'], key)
    const before = running.passes.length
    await world.kube.delete(fieldExportKind.type, { namespace: 'default', name })
    await world.advance(2_000)
    assert.deepEqual(Object.entries(await dataOf()), [['kept', 'a']])
    assert.equal(await world.kube.find(fieldExportKind.type, { namespace: 'default', name }), undefined)
    assert.ok(running.passes.length - before < 10)
  }
})

test('a path of a megabyte is refused by its beginning, and nobody walks it', async () => {
  await using world = resourceWorld({ kinds: ['Role'] })
  world.start()
  const out = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'out' } }
  await world.kube.create(configMaps, out as never)
  await world.create('Role', 'reader', role('reader'))
  const resource = { group: 'iam.services.k8s.aws', kind: 'Role', name: 'reader' }
  const metadata = { namespace: 'default', name: 'long' }
  const spec = { from: { path: '.a'.repeat(500_000), resource }, to: { kind: 'configmap', name: 'out' } }
  await world.kube.create(fieldExportKind.type, {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'FieldExport',
    metadata,
    spec,
  } as never)
  await world.advance(2_000)
  const found = await world.kube.get<FieldExport>(fieldExportKind.type, metadata)
  const terminal = found.status?.conditions?.find(({ type }) => type === conditions.terminal)
  assert.deepEqual([terminal?.status, terminal?.reason], ['True', 'InvalidManifest'])
  assert.match(terminal?.message ?? '', /^unable to parse path (\.a){100}… \(1000000 characters\)$/)
  assert.equal(parseTemplate('{{ .a }}'.repeat(125_000)), undefined)
  assert.equal(parseFieldPath('.a'.repeat(512))?.length, 512)
  assert.equal(parseFieldPath(`${'.a'.repeat(512)}.`), undefined)
})

const levels = (count: number): string => `${'{"a":'.repeat(count)}1${'}'.repeat(count)}`

test('a policy three thousand levels deep is refused for good, and AWS is not asked to make it', async () => {
  await using world = resourceWorld({ kinds: ['Policy', 'Role'] })
  world.start()
  await world.create('Policy', 'deep', { name: 'deep', policyDocument: levels(3_000) })
  await world.create('Role', 'deep', { name: 'deep', assumeRolePolicyDocument: levels(3_000) })
  await world.advance(10_000)
  const deep = 'the document is nested deeper than 100 levels'
  assert.equal(await wrongWith(world, 'Policy', 'deep'), `ACK.Terminal InvalidManifest Spec.PolicyDocument: ${deep}`)
  assert.equal(await wrongWith(world, 'Role', 'deep'), `ACK.Terminal InvalidManifest Spec.AssumeRolePolicyDocument: ${deep}`)
  assert.deepEqual(
    world.calls().filter(name => name.startsWith('Create')),
    [],
  )
})

/** Each line stands for nine of the line before. */
function bomb(lines: number): string {
  const names = 'abcdefghijklmnop'
  const aliases = (line: number): string => Array.from({ length: 9 }, () => `*${names[line - 1]}`).join(', ')
  return Array.from({ length: lines }, (_, line) =>
    line === 0 ? 'a: &a [x, x, x, x, x, x, x, x, x]' : `${names[line]}: &${names[line]} [${aliases(line)}]`,
  ).join('\n')
}

const hostileDocuments: Readonly<Record<string, readonly [string, string]>> = {
  'aliases of aliases': [bomb(9), 'stands for more than 20000 values'],
  'deep JSON': [levels(3_000), 'is nested deeper than 100 levels'],
  'a hundred thousand levels': ['['.repeat(100_000) + ']'.repeat(100_000), 'is nested deeper than 100 levels'],
  'a megabyte of values': [`[${'1,'.repeat(500_000)}1]`, 'stands for more than 20000 values'],
  'more than a megabyte': [JSON.stringify('x'.repeat(1_100_000)), 'is longer than 1048576 characters'],
  'a megabyte of YAML': ['a: b\n'.repeat(200_000), 'is no JSON, and longer than the 32768 characters that are read as YAML'],
}

test('a document that is too large, too deep or stands for too much is refused by name, in no time', () => {
  for (const [what, [text, problem]] of Object.entries(hostileDocuments)) {
    assert.deepEqual(parseDocument(text), { kind: 'refused', problem }, what)
    const ms = leastProcessorMs(() => parseDocument(text), 500)
    assert.ok(ms < 500, `${what}: ${ms} ms`)
    assert.equal(sameDocuments(text, `${text} `), false, what)
    assert.equal(sameDocuments(text, text), true, what)
  }
})

test('documents of one meaning are the same, as JSON and as YAML', () => {
  const json = '{"a": {"b": [1, {"c": null}]}, "d": "x", "e": {}}'
  for (const other of ['{"d":"x","a":{"b":[1,{}]}}', 'd: x\na:\n  b: [1, {c: null}]', json])
    assert.equal(sameDocuments(json, other), true, other)
  assert.equal(sameDocuments('a: &x [1]\nb: *x', '{"a":[1],"b":[1]}'), true)
  for (const other of ['{"a":{"b":[{},1]},"d":"x"}', '{"a":{"b":[1,{}]},"d":"y"}', '{"a":{"b":[1,{}]}}', 'no: [document'])
    assert.equal(sameDocuments(json, other), false, other)
  assert.equal(sameDocuments('{"constructor": {"a": 1}}', '{}'), false)
  assert.equal(sameDocuments('{"__proto__": {"a": 1}}', '{}'), false)
})

test('an add-on whose values are a bomb of aliases is told so for good, and nobody else waits for it', async () => {
  await using world = resourceWorld({ services: ['eks'], kinds: ['Addon'] })
  world.start()
  const spec = { name: 'vpc-cni', clusterName: 'main', configurationValues: bomb(9) }
  await world.create('Addon', 'bomb', spec)
  await world.advance(10_000)
  assert.equal(
    await wrongWith(world, 'Addon', 'bomb'),
    'ACK.Terminal InvalidManifest Spec.ConfigurationValues: the document stands for more than 20000 values',
  )
})
