// Objects of several definitions, from one stored version to another, over the embedded API server; the dns operator's own test has what a
// webhook converts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '#apiserver'
import { type HttpExchange, ManualClock, silentLog } from '#base'
import { customResourceDefinitions, type KubeObject, type StoredObject } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { advanceTo } from '../test-world/drive.ts'
import { storageMigration } from './migration.ts'

const names = ['things.example.com', 'places.example.com'] as const

const typeOf = (plural: string): { group: string; version: string; kind: string; plural: string; namespaced: boolean } => ({
  group: 'example.com',
  version: 'v1',
  kind: plural === 'things' ? 'Thing' : 'Place',
  plural,
  namespaced: plural === 'things',
})

/** Places have no status of their own, and are of no namespace. */
function definitionOf(name: string, storage: 'v1' | 'v2'): KubeObject {
  const { group, kind, plural, namespaced } = typeOf(name.split('.')[0] ?? '')
  const versions = (['v1', 'v2'] as const).map(version => ({
    name: version,
    served: true,
    storage: version === storage,
    schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    ...(namespaced ? { subresources: { status: {} } } : {}),
  }))
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions,
    },
  } as KubeObject
}

type Definition = StoredObject & { readonly status?: { readonly storedVersions?: readonly string[] } }

async function migrating(through: (exchange: HttpExchange) => HttpExchange = exchange => exchange): Promise<{
  readonly kube: KubeClient
  readonly requests: string[]
  storedVersions(): Promise<readonly (readonly string[] | undefined)[]>
  store(version: 'v1' | 'v2'): Promise<void>
  runFor(ms: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}> {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock, objects: names.map(name => definitionOf(name, 'v1')) })
  const kube = createKubeClient({ clock, address: 'test', exchange: server.as() })
  const requests: string[] = []
  const counted: HttpExchange = request => {
    requests.push(`${request.method} ${request.target.split('?')[0] ?? ''}`)
    return through(server.as())(request)
  }
  const own = createKubeClient({ clock, address: 'test', exchange: counted })
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) {
      await server.settle()
      await clock.advance(0)
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  await settle()
  return {
    kube,
    requests,
    storedVersions: () =>
      Promise.all(
        names.map(async name => {
          const found = await kube.get<Definition>(customResourceDefinitions, { namespace: '', name })
          return found.status?.storedVersions
        }),
      ),
    store: async version => {
      for (const name of names) {
        const { spec } = definitionOf(name, version) as unknown as { readonly spec: object }
        await kube.patch(customResourceDefinitions, { namespace: '', name }, 'merge', { spec })
      }
      await settle()
    },
    runFor: async ms => {
      const stop = new AbortController()
      const definitions = [...names, 'absent.example.com']
      const companion = storageMigration({ client: own, clock, log: silentLog, definitions })
      const run = companion.run(undefined as never, stop.signal)
      await advanceTo(clock, clock.monotonicMs() + ms, { settle, between: settle })
      stop.abort(new Error('the test stops it'))
      await settle()
      await run
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}

async function makeOne(kube: KubeClient, plural: string): Promise<void> {
  const type = typeOf(plural)
  const place = type.namespaced ? { namespace: 'default' } : {}
  await kube.create(type, {
    apiVersion: 'example.com/v1',
    kind: type.kind,
    metadata: { ...place, name: 'one' },
    spec: { a: 1 },
  } as KubeObject)
}

test('objects of every definition are stored anew, and no version is left that nothing is stored in', async () => {
  await using world = await migrating()
  for (const plural of ['things', 'places']) await makeOne(world.kube, plural)
  await world.store('v2')
  assert.deepEqual(await world.storedVersions(), [
    ['v1', 'v2'],
    ['v1', 'v2'],
  ])
  await world.runFor(60_000)
  assert.deepEqual(await world.storedVersions(), [['v2'], ['v2']])
  const writes = world.requests.filter(request => request.startsWith('PATCH') && !request.includes('customresourcedefinitions'))
  assert.deepEqual(writes, [
    'PATCH /apis/example.com/v2/namespaces/default/things/one/status',
    'PATCH /apis/example.com/v2/places/one',
  ])
  // A version in which nothing is stored can be taken out of the definition, and what was stored is read.
  for (const name of names) {
    const { spec } = definitionOf(name, 'v2') as unknown as { readonly spec: { readonly versions: readonly object[] } }
    const body = { spec: { versions: spec.versions.slice(1) } }
    await world.kube.patch(customResourceDefinitions, { namespace: '', name }, 'merge', body)
  }
  for (const plural of ['things', 'places']) {
    const type = { ...typeOf(plural), version: 'v2' }
    const found = await world.kube.get(type, { namespace: type.namespaced ? 'default' : '', name: 'one' })
    assert.deepEqual((found as StoredObject & { readonly spec?: object }).spec, { a: 1 })
  }
})

test('where all is stored as the definitions say, they are read and nothing is written', async () => {
  await using world = await migrating()
  await makeOne(world.kube, 'things')
  await world.runFor(40_000)
  assert.deepEqual(
    world.requests.filter(request => !request.startsWith('GET /apis/apiextensions.k8s.io')),
    [],
  )
})

test('a definition that may not be read is not asked for again, and holds back no other one', async () => {
  const forbidden = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', message: 'no', code: 403 }
  await using world = await migrating(
    exchange => async request =>
      request.target.includes('/things.example.com')
        ? {
            status: 403,
            headers: { 'content-type': 'application/json' },
            body: new TextEncoder().encode(JSON.stringify(forbidden)),
          }
        : await exchange(request),
  )
  for (const plural of ['things', 'places']) await makeOne(world.kube, plural)
  await world.store('v2')
  await world.runFor(900_000)
  assert.deepEqual(await world.storedVersions(), [['v1', 'v2'], ['v2']])
  assert.equal(world.requests.filter(request => request.includes('/things.example.com')).length, 1)
})
