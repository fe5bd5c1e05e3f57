// What one move of the objects of a definition asks and writes, and when the next comes, on a client that answers by a script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, silentLog } from '#base'
import { type KubeClient, KubeError } from '#kube/client'
import { migrateStored } from './migrate.ts'
import { storageMigration } from './migration.ts'

interface Version {
  readonly name: string
  readonly served?: boolean
  readonly storage?: boolean
  readonly hasStatus?: boolean
}

interface Described {
  readonly versions?: readonly Version[]
  readonly storedVersions?: readonly string[]
  readonly scope?: string
}

function definition({ versions = [], storedVersions, scope = 'Namespaced' }: Described) {
  return {
    metadata: { name: 'things.example.com', resourceVersion: '7' },
    spec: {
      group: 'example.com',
      names: { kind: 'Thing', plural: 'things' },
      scope,
      versions: versions.map(({ hasStatus = false, ...version }) => ({
        served: true,
        storage: false,
        ...version,
        ...(hasStatus ? { subresources: { status: {} } } : { subresources: {} }),
      })),
    },
    ...(storedVersions === undefined ? {} : { status: { storedVersions } }),
  }
}

function refusal(reason: string): KubeError {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, message: reason } as const
  return new KubeError('refused', `it is ${reason}`, { status })
}

const signal = new AbortController().signal

/** Answers with the definition and its objects; `refuses`: what a write of the object of that name meets. */
function scripted(found: unknown, objects: readonly string[] = [], refuses: Readonly<Record<string, Error>> = {}) {
  const asked: string[] = []
  const client: Partial<KubeClient> = {
    find: async (_type, { name }) => {
      asked.push(`find ${name}`)
      if (found instanceof Error) throw found
      return found as never
    },
    listAll: async ({ version, namespaced }, options) => {
      assert.equal(options?.metadataOnly, true)
      asked.push(`list ${namespaced ? 'namespaced ' : ''}${version}`)
      const items = objects.map(name => ({ metadata: { name, namespace: 'a', resourceVersion: `of ${name}` } }))
      return { items } as never
    },
    patch: async ({ plural, version }, { name }, kind, body, options) => {
      asked.push(`${kind} ${plural} ${version} ${name} ${options?.subresource ?? '-'} ${JSON.stringify(body)}`)
      if (refuses[name] !== undefined) throw refuses[name]
      return {} as never
    },
  }
  return { asked, client: client as KubeClient }
}

const moved: Described = {
  versions: [{ name: 'v1' }, { name: 'v2', storage: true, hasStatus: true }],
  storedVersions: ['v1', 'v2'],
}
const unchanged = (name: string): string => `{"metadata":{"resourceVersion":"of ${name}"}}`
const settled = (version: string): string =>
  `merge customresourcedefinitions v1 things.example.com status {"metadata":{"resourceVersion":"7"},"status":{"storedVersions":["${version}"]}}`

for (const [why, found] of [
  ['a definition that is not there', undefined],
  ['a definition of which nothing was ever stored', definition({ versions: [{ name: 'v1', storage: true }] })],
  ['all that is stored as it should be', definition({ versions: [{ name: 'v1', storage: true }], storedVersions: ['v1'] })],
  ['a definition that stores no version', definition({ versions: [{ name: 'v1' }], storedVersions: ['v0'] })],
] as const)
  test(`of ${why} no objects are listed and nothing is written`, async () => {
    const { asked, client } = scripted(found)
    assert.deepEqual(await migrateStored(client, 'things.example.com', signal), { kind: 'done', objects: 0 })
    assert.deepEqual(asked, ['find things.example.com'])
  })

for (const [why, more, list, write] of [
  ['in their status where they have one', {}, 'list namespaced v2', 'things v2 one status'],
  ['as a whole where they have none', { versions: [{ name: 'v2', storage: true }] }, 'list namespaced v2', 'things v2 one -'],
  ['in no namespace where they are in none', { scope: 'Cluster' }, 'list v2', 'things v2 one status'],
  [
    'in a version that is served where the stored one is not',
    { versions: [{ name: 'v0', served: false }, { name: 'v1' }, { name: 'v2', storage: true, served: false }] },
    'list namespaced v1',
    'things v1 one -',
  ],
  [
    'in the stored version where none is served',
    { versions: [{ name: 'v2', storage: true, served: false }] },
    'list namespaced v2',
    'things v2 one -',
  ],
] as const)
  test(`objects are written unchanged, ${why}, and then the definition says so`, async () => {
    const { asked, client } = scripted(definition({ ...moved, ...more }), ['one'])
    assert.deepEqual(await migrateStored(client, 'things.example.com', signal), { kind: 'done', objects: 1 })
    assert.deepEqual(asked.slice(1), [list, `merge ${write} ${unchanged('one')}`, settled('v2')])
  })

for (const reason of ['Conflict', 'NotFound'])
  test(`an object whose write meets a ${reason} is stored anew or gone, and needs nothing more`, async () => {
    const { client } = scripted(definition(moved), ['one', 'two'], { one: refusal(reason) })
    assert.deepEqual(await migrateStored(client, 'things.example.com', signal), { kind: 'done', objects: 2 })
  })

test('objects that are not taken as they are keep their version in the definition, and hold back no other one', async () => {
  const { asked, client } = scripted(definition(moved), ['one', 'two'], { one: refusal('Invalid') })
  const refused = [{ name: 'a/one', why: 'it is Invalid' }]
  assert.deepEqual(await migrateStored(client, 'things.example.com', signal), { kind: 'left', refused })
  assert.deepEqual(asked.slice(2), [
    `merge things v2 one status ${unchanged('one')}`,
    `merge things v2 two status ${unchanged('two')}`,
  ])
})

for (const error of [refusal('Forbidden'), new Error('a defect')])
  test(`what else goes wrong ends the move: ${error.message}`, async () => {
    const { asked, client } = scripted(definition(moved), ['one', 'two'], { one: error })
    await assert.rejects(migrateStored(client, 'things.example.com', signal), error)
    assert.equal(asked.length, 3)
  })

test('a definition that changed meanwhile is left as it is, and the move is none', async () => {
  const { client } = scripted(definition(moved), ['one'], { 'things.example.com': refusal('Conflict') })
  await assert.rejects(migrateStored(client, 'things.example.com', signal), /it is Conflict/)
})

/** At which seconds the definition is read, within an hour. */
async function looks(found: unknown, objects: readonly string[] = [], definitions: readonly string[] = ['things.example.com']) {
  const clock = new ManualClock()
  const { asked, client } = scripted(found, objects, { bad: refusal('Invalid') })
  const [told, atSeconds]: [string[], number[]] = [[], []]
  const log = { ...silentLog, info: (message: string) => void told.push(message) }
  const find: KubeClient['find'] = (...call) => {
    atSeconds.push(clock.monotonicMs() / 1_000)
    return client.find(...call)
  }
  const stop = new AbortController()
  const running = storageMigration({ client: { ...client, find }, clock, log, definitions }).run(undefined as never, stop.signal)
  const ends = running.then(() => clock.monotonicMs() / 1_000)
  for (let second = 0; second < 1_000; second++) {
    await clock.advance(1_000)
    await drain()
  }
  stop.abort(new Error('enough'))
  return { atSeconds, told, asked, endedAt: await ends }
}

const stored = 'all objects are stored in the version of today'
const later = 'objects are not yet stored in the version of today'
const left = 'objects that the API server does not take stay stored in another version'

for (const [why, found, objects, atSeconds, told] of [
  ['there is nothing to move', undefined, [], [30, 330, 630, 930], []],
  ['there were objects to move', definition(moved), ['one'], [30, 330, 630, 930], Array(4).fill(stored)],
  ['a version was listed in which no object is', definition(moved), [], [30, 330, 630, 930], []],
  ['an object is refused', definition(moved), ['bad'], [30, 330, 630, 930], Array(4).fill(left)],
  ['the server fails', new Error('away'), [], Array.from({ length: 17 }, (_, look) => 30 + 60 * look), Array(17).fill(later)],
  [
    'the server refuses for now',
    refusal('Conflict'),
    [],
    Array.from({ length: 17 }, (_, look) => 30 + 60 * look),
    Array(17).fill(later),
  ],
  ['it is forbidden', refusal('Forbidden'), [], [30], [later]],
] as const)
  test(`when definitions are looked at where ${why}`, async () => {
    const run = await looks(found, objects)
    assert.deepEqual([run.atSeconds, run.told], [[...atSeconds], [...told]])
    assert.equal(
      run.endedAt,
      found instanceof KubeError && found.reason === 'Forbidden' ? 30 : 1_000,
      'nobody waits where everything is forbidden',
    )
  })

test('one definition that is forbidden does not end the looks at another', async () => {
  const clock = new ManualClock()
  const { client } = scripted(undefined)
  const asked: string[] = []
  const find: KubeClient['find'] = (type, key) => {
    asked.push(key.name)
    return key.name === 'forbidden' ? Promise.reject(refusal('Forbidden')) : client.find(type, key)
  }
  const stop = new AbortController()
  const options = { client: { ...client, find }, clock, log: silentLog, definitions: ['forbidden', 'other'] }
  const running = storageMigration(options).run(undefined as never, stop.signal)
  for (const seconds of [30, 300]) {
    await clock.advance(seconds * 1_000)
    await drain()
  }
  assert.deepEqual(asked, ['forbidden', 'other', 'other'])
  stop.abort(new Error('enough'))
  await running
})

test('a stop in the middle of a look is told as no trouble, and nothing more is asked', async () => {
  const clock = new ManualClock()
  const asked: string[] = []
  const told: string[] = []
  const stop = new AbortController()
  const find: KubeClient['find'] = async (_type, { name }) => {
    asked.push(name)
    stop.abort(new Error('enough'))
    throw new Error('enough')
  }
  const log = { ...silentLog, info: (message: string) => void told.push(message) }
  const options = { client: { find } as unknown as KubeClient, clock, log, definitions: ['one', 'two'] }
  const running = storageMigration(options).run(undefined as never, stop.signal)
  await clock.advance(30_000)
  await running
  assert.deepEqual([asked, told, clock.pendingCount()], [['one'], [], 0])
})
