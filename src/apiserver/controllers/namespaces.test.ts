import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields } from '../ask.fixture.ts'
import { Alone, type AloneOptions, type Given } from './alone.fixture.ts'
import { namespaceLifecycle, rootCa, serviceAccounts } from './namespaces.ts'
import type { MakeController } from './runner.ts'

const now = '2026-01-01T00:00:00Z'
const active: Given = { kind: 'Namespace', metadata: { name: 'x' }, spec: { finalizers: ['kubernetes'] } }
const going: Given = { ...active, metadata: { name: 'x', deletionTimestamp: now } }
const touch = (object: Fields): void => void ((object as { touched?: boolean }).touched = true)

function inNamespace(kind: string, name: string, metadata: object = {}, apiVersion = 'v1'): Given {
  return { kind, apiVersion, metadata: { name, namespace: 'x', ...metadata } }
}

function holding(make: MakeController, objects: readonly Given[], options: AloneOptions = {}): Alone {
  const world = new Alone(make, options)
  world.put(...objects)
  return world
}

const accountsPath = 'POST /api/v1/namespaces/x/serviceaccounts'
for (const [said, objects, requests] of [
  ['there', [active], [accountsPath]],
  ['there with another account', [active, inNamespace('ServiceAccount', 'other')], [accountsPath]],
  ['there with its account', [active, inNamespace('ServiceAccount', 'default')], []],
  ['going', [going], []],
  ['not there', [], []],
] as const)
  test(`a namespace that is ${said} ${requests.length === 0 ? 'gets no' : 'gets its'} default service account`, async () => {
    const { asked, again } = await holding(serviceAccounts, objects).look('x')
    assert.equal(again, undefined)
    assert.deepEqual(
      asked.map(({ what }) => what),
      requests,
    )
    for (const { body } of asked)
      assert.deepEqual(body, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'default' } })
  })

test('a namespace, and the end of its default service account, are reasons to look at it', () => {
  const world = new Alone(serviceAccounts)
  assert.deepEqual(world.put(active), ['x'])
  assert.deepEqual(world.change('namespaces', 'x', touch), ['x'])
  assert.deepEqual(world.put(inNamespace('ServiceAccount', 'default'), inNamespace('ServiceAccount', 'other')), [])
  assert.deepEqual(world.remove('serviceaccounts', 'x/other'), [])
  assert.deepEqual(world.remove('serviceaccounts', 'x/default'), ['x'])
  assert.deepEqual(world.put(inNamespace('Secret', 'default')), [])
  assert.deepEqual(world.remove('secrets', 'x/default'), [])
  assert.deepEqual(world.remove('namespaces', 'x'), [])
})

const certificate = (data: object): Given => ({ ...inNamespace('ConfigMap', 'kube-root-ca.crt', { labels: { a: 'b' } }), data })
const mapsPath = '/api/v1/namespaces/x/configmaps'
for (const [said, objects, requests] of [
  ['is not there', [active], [`POST ${mapsPath}`]],
  ['is another', [active, certificate({ 'ca.crt': 'other' })], [`PUT ${mapsPath}/kube-root-ca.crt`]],
  ['has more beside it', [active, certificate({ 'ca.crt': 'the CA', more: '' })], [`PUT ${mapsPath}/kube-root-ca.crt`]],
  ['is there', [active, certificate({ 'ca.crt': 'the CA' })], []],
  ['has no place, for the namespace is going,', [going], []],
] as const)
  test(`the CA of a namespace that ${said} ${requests.length === 0 ? 'is left' : 'is written'}`, async () => {
    const { asked, again } = await holding(rootCa, objects).look('x')
    assert.equal(again, undefined)
    assert.deepEqual(
      asked.map(({ what }) => what),
      requests,
    )
    for (const { body } of asked) {
      assert.deepEqual(body.data, { 'ca.crt': 'the CA' })
      const { labels, annotations, name } = body.metadata as { labels?: object; annotations?: object; name: string }
      assert.equal(name, 'kube-root-ca.crt')
      assert.deepEqual(Object.keys(labels ?? annotations ?? {}), [objects.length > 1 ? 'a' : 'kubernetes.io/description'])
    }
  })

test('a namespace, and whatever becomes of its CA, are reasons to look at it', () => {
  const world = new Alone(rootCa)
  assert.deepEqual(world.put(active), ['x'])
  assert.deepEqual(world.put(certificate({})), ['x'])
  assert.deepEqual(world.put(inNamespace('ConfigMap', 'other'), inNamespace('Secret', 'kube-root-ca.crt')), [])
  assert.deepEqual(world.remove('configmaps', 'x/kube-root-ca.crt'), ['x'])
  assert.deepEqual(world.remove('namespaces', 'x'), [])
})

test('a namespace is emptied from when it is deleted, and whenever something in it has gone', () => {
  const world = new Alone(namespaceLifecycle)
  assert.deepEqual(world.put(active, inNamespace('ConfigMap', 'a'), inNamespace('ConfigMap', 'b')), [])
  assert.deepEqual(world.remove('configmaps', 'x/a'), [], 'while it lives')
  assert.deepEqual(
    world.change('namespaces', 'x', object => (object.metadata.deletionTimestamp = now)),
    ['x'],
  )
  assert.deepEqual(world.change('configmaps', 'x/b', touch), [])
  assert.deepEqual(world.remove('configmaps', 'x/b'), ['x'])
  assert.deepEqual(world.put({ kind: 'Node', metadata: { name: 'n' } }), [])
  assert.deepEqual(world.remove('nodes', 'n'), [])
  assert.deepEqual(world.remove('namespaces', 'x'), [])
})

for (const [said, objects] of [
  ['lives', [active]],
  ['is not there', []],
] as const)
  test(`nothing is deleted in a namespace that ${said}`, async () => {
    const world = holding(namespaceLifecycle, [...objects, inNamespace('ConfigMap', 'a')])
    assert.deepEqual(await world.look('x'), { asked: [], again: undefined })
  })

const status = 'PUT /api/v1/namespaces/x/status'
const pods = 'DELETE /api/v1/namespaces/x/pods'
const configMaps = `DELETE ${mapsPath}`
const deployments = 'DELETE /apis/apps/v1/namespaces/x/deployments'
const full = [
  going,
  inNamespace('Pod', 'p', { finalizers: ['a.b/c'] }),
  inNamespace('Pod', 'q', { finalizers: ['a.b/c', 'a.b/a'] }),
  inNamespace('ConfigMap', 'm'),
  inNamespace('Deployment', 'd', {}, 'apps/v1'),
  // A namespace of a name that begins the same.
  { ...inNamespace('Secret', 's'), metadata: { name: 's', namespace: 'x2' } },
]

const condition = (type: string, state: string, reason: string, message: string): object => ({
  type,
  status: state,
  lastTransitionTime: now,
  reason,
  message,
})
const wellDone = [
  condition('NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'),
  condition(
    'NamespaceDeletionGroupVersionParsingFailure',
    'False',
    'ParsedGroupVersions',
    'All legacy kube types successfully parsed',
  ),
  condition(
    'NamespaceDeletionContentFailure',
    'False',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ),
]
const emptied = [
  ...wellDone,
  condition('NamespaceContentRemaining', 'False', 'ContentRemoved', 'All content successfully removed'),
  condition('NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
]

for (const [emulate, requests] of [
  ['1.32', [pods, configMaps, deployments]],
  ['1.33', [pods]],
] as const)
  test(`a server of ${emulate} asks for ${requests.length} resources of a full namespace to go, and says what remains`, async () => {
    const world = holding(namespaceLifecycle, full, { emulate })
    const { asked, again } = await world.look('x')
    assert.deepEqual(
      asked
        .slice(0, -1)
        .map(({ what }) => what)
        .toSorted(),
      requests.toSorted(),
    )
    assert.deepEqual(asked[0]?.body, { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' })
    assert.equal(again, 5_000)
    const others =
      emulate === '1.32'
        ? { before: 'configmaps. has 1 resource instances, deployments.apps has 1 resource instances, ' }
        : { before: '' }
    const last = asked.at(-1)
    assert.equal(last?.what, status)
    assert.deepEqual(last.body.status, {
      phase: 'Terminating',
      conditions: [
        ...wellDone,
        condition(
          'NamespaceContentRemaining',
          'True',
          'SomeResourcesRemain',
          `Some resources are remaining: ${others.before}pods. has 2 resource instances`,
        ),
        condition(
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          'Some content in the namespace has finalizers remaining: a.b/a in 1 resource instances, a.b/c in 2 resource instances',
        ),
      ],
    })
  })

test('what has been said of a namespace is not said again, whenever it was', async () => {
  const world = holding(namespaceLifecycle, full)
  const { asked } = await world.look('x')
  const said = asked.at(-1)?.body.status
  world.change('namespaces', 'x', object => void (object.status = said))
  await world.clock.advance(5_000)
  assert.deepEqual(await world.requests('x'), [pods])
})

test('events, which two groups serve, are asked to go once', async () => {
  const world = holding(namespaceLifecycle, [going, inNamespace('Event', 'e')])
  assert.deepEqual(await world.requests('x'), ['DELETE /api/v1/namespaces/x/events', status])
})

test('an empty namespace is let go by the finalizer that is ours', async () => {
  const spec = { finalizers: ['kubernetes', 'a.b/c'], more: true }
  const { asked, again } = await holding(namespaceLifecycle, [{ ...going, spec }]).look('x')
  assert.equal(again, undefined)
  assert.deepEqual(
    asked.map(({ what }) => what),
    [status, 'PUT /api/v1/namespaces/x/finalize'],
  )
  assert.deepEqual(asked[0]?.body.status, { phase: 'Terminating', conditions: emptied })
  assert.deepEqual(asked[1]?.body.spec, { finalizers: ['a.b/c'], more: true })
})

test('a namespace that has no finalizers is let go all the same', async () => {
  const { asked } = await holding(namespaceLifecycle, [{ kind: 'Namespace', metadata: going.metadata }]).look('x')
  assert.deepEqual(asked.at(-1)?.body.spec, { finalizers: [] })
})

for (const [when, expected] of [
  [configMaps, [configMaps]],
  [status, [configMaps, status]],
] as const)
  test(`a namespace that goes at ${when} is not asked for more`, async () => {
    const world: Alone = new Alone(namespaceLifecycle, {
      answer: ({ what }) => {
        if (what === configMaps) world.remove('configmaps', 'x/m')
        if (what === when) world.remove('namespaces', 'x')
        return undefined
      },
    })
    world.put(going, inNamespace('ConfigMap', 'm'))
    const { asked, again } = await world.look('x')
    assert.deepEqual(
      asked.map(({ what }) => what),
      expected,
    )
    assert.equal(again, undefined)
  })
