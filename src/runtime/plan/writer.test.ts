// What becomes of each call that changes something: who has to let it through, what it counts as, and what is waited for after it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, seededRandom } from '#base'
import type { ResourceType, StoredObject } from '#kube'
import { type KubeClient, KubeError, type KubeErrorCode } from '#kube/client'
import { fenced } from '../election/fence.ts'
import { openGate } from '../election/gate.ts'
import type { Written } from '../informer/cache.ts'
import { Breakers } from '../queue/breaker.ts'
import { compareAndPatch, type PatchOperation } from './compare-and-patch.ts'
import type { Target } from './target.ts'
import { Writer, type WriterOptions } from './writer.ts'

const type: ResourceType = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true }
const key = { namespace: 'a', name: 'w' }

const widget = (resourceVersion: string, more: Partial<StoredObject['metadata']> = {}): StoredObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { ...key, uid: 'u', resourceVersion, ...more },
})

function writing(client: Partial<KubeClient>, options: Partial<WriterOptions> = {}, hasReached = false) {
  const clock = new ManualClock()
  const results: string[] = []
  const expected: Written[] = []
  const breakers = new Breakers({ clock, random: seededRandom(1) })
  const writer = new Writer({
    fieldManager: 'us',
    gate: openGate,
    breakers,
    callTimeoutMs: 1_000,
    signal: new AbortController().signal,
    pretend: false,
    written: new Map(),
    onWrite: ({ verb, result }) => results.push(`${verb} ${result}`),
    expect: (_follower, written) => expected.push(written),
    ...options,
  })
  const target: Target = {
    client: client as KubeClient,
    unavailable: () => undefined,
    cached: () => ({ kind: 'unwatched' }),
    follow: () => ({ hasReached: () => hasReached, whenReached: () => () => {}, relist: () => {} }),
  }
  return { writer, target, place: { target, type, key, before: '5' }, results, expected, breakers }
}

const there = (version: string): Written => ({ kind: 'there', ...key, version })
const gone: Written = { kind: 'gone', ...key, uid: 'u', version: '' }
const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }

for (const [what, answer, expected] of [
  ['says that it is done', status, [gone]],
  [
    'answers with the object, which has finalizers left',
    widget('6', { deletionTimestamp: 'now', finalizers: ['f'] }),
    [there('6')],
  ],
  ['answers with an object that has a status', { ...widget('6', { finalizers: ['f'] }), status: 'Success' }, [there('6')]],
  ['answers with the object as it was', widget('5'), []],
] as const)
  test(`after a deletion of which the server ${what}, ${expected.length === 0 ? 'nothing' : `that it is ${expected[0]?.kind}`} is waited for [P6]`, async () => {
    const one = writing({ delete: async () => answer as never })
    await one.writer.delete(one.place, 'u', {})
    assert.deepEqual(one.expected, expected)
  })

for (const [what, answer, result, expected, newest] of [
  ['something', widget('6'), 'update changed', [there('6')], '6'],
  ['nothing', widget('5'), 'update unchanged', [], '5'],
] as const)
  test(`a write that changed ${what} is counted and waited for so, and is what the pass goes on from [P6]`, async () => {
    const one = writing({ update: async () => answer as never })
    await one.writer.update(one.place, widget('5'))
    assert.deepEqual([one.results, one.expected], [[result], expected])
    assert.equal(one.writer.newest(one.target, type, widget('4')).metadata.resourceVersion, newest)
    assert.equal(one.writer.newest(one.target, type, widget('4', { uid: 'other' })).metadata.resourceVersion, '4')
  })

test('what the cache has seen already is not waited for', async () => {
  const one = writing({ update: async () => widget('6') as never, find: async () => widget('6') as never }, {}, true)
  await one.writer.update(one.place, widget('5'))
  await one.writer.awaitFound(one.target, type, key)
  assert.deepEqual(one.expected, [])
})

test('an object that is read to be waited for is waited for as it was read, and one that is not there is not', async () => {
  for (const found of [widget('9'), undefined]) {
    const one = writing({ find: async () => found as never })
    assert.equal(await one.writer.awaitFound(one.target, type, key), found)
    assert.deepEqual(one.expected, found === undefined ? [] : [there('9')])
  }
})

test('fields are applied under our own name, or under the one that is given [P8]', async () => {
  const managers: unknown[] = []
  const { writer, place } = writing({
    patch: async (_type, _key, _kind, _body, options) => {
      managers.push([options?.fieldManager, options?.force])
      return widget('6') as never
    },
  })
  await writer.apply(place, widget('5'), { force: true })
  await writer.apply(place, widget('5'), { force: false, manager: 'another' })
  assert.deepEqual(managers, [
    ['us', true],
    ['another', false],
  ])
})

test('a write waits for its proof, and is not sent where there is none [P13]', async () => {
  let sent = 0
  const entering = Promise.withResolvers<void>()
  const client = { create: async () => (sent++, widget('6') as never) }
  const waiting = writing(client, { gate: { ...openGate, enter: () => entering.promise } })
  const write = waiting.writer.create(waiting.place, widget('5'))
  await Promise.resolve()
  assert.equal(sent, 0)
  entering.resolve()
  await write
  assert.equal(sent, 1)
  const refused = writing(client, { gate: { ...openGate, enter: async () => Promise.reject(fenced('no proof')) } })
  await assert.rejects(refused.writer.create(refused.place, widget('5')), /no proof/)
  assert.deepEqual([sent, refused.results], [1, []])
})

test('a dry run sends nothing, and says what it would have', async () => {
  const one = writing({}, { pretend: true })
  assert.equal(await one.writer.create(one.place, widget('5')), undefined)
  await one.writer.delete(one.place, 'u', {})
  assert.deepEqual([one.results, one.expected], [['create pretended', 'delete pretended'], []])
})

const failing = (code: KubeErrorCode, httpStatus?: number): KubeError => new KubeError(code, 'no', { httpStatus })

for (const [what, error, result, isOpen] of [
  ['nobody answers', failing('unreachable'), ['create refused'], true],
  ['the answer is lost', failing('unknown-outcome'), ['create lost'], true],
  ['the server refuses', failing('refused', 403), ['create refused'], false],
  ['we make a mistake', new TypeError('no'), [], false],
] as const)
  test(`a dependency is ${isOpen ? '' : 'not '}held back after five writes at which ${what}`, async () => {
    const { writer, place, results, breakers } = writing({
      create: async () => {
        throw error
      },
    })
    for (let time = 0; time < 5; time++) await assert.rejects(writer.create(place, widget('5')), error)
    assert.deepEqual([...new Set(results)], result)
    assert.equal(breakers.isOpen('hub'), isOpen)
    if (isOpen) await assert.rejects(writer.create(place, widget('5')), /hub does not work at the moment/)
  })

test('calls that were cut off say nothing of the dependency, and one that succeeds ends the count', async () => {
  let isDown = true
  const cutOff = new AbortController()
  const { writer, place, breakers } = writing(
    {
      create: async () => {
        if (isDown) throw failing('unreachable')
        return widget('6') as never
      },
    },
    { cutOff: cutOff.signal },
  )
  for (let time = 0; time < 4; time++) await assert.rejects(writer.create(place, widget('5')))
  isDown = false
  await writer.create(place, widget('5'))
  isDown = true
  for (let time = 0; time < 4; time++) await assert.rejects(writer.create(place, widget('5')))
  assert.equal(breakers.isOpen('hub'), false)
  cutOff.abort(new Error('over'))
  await assert.rejects(writer.create(place, widget('5')))
  assert.equal(breakers.isOpen('hub'), false)
})

const invalid = (): KubeError => failing('refused', 422)
const conflict = (): KubeError =>
  new KubeError('refused', 'no', {
    httpStatus: 409,
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Conflict', code: 409 },
  })

/** A patch of one operation on what changes with each read; with how it ends, and how often it was sent. */
async function patching(errors: readonly Error[]): Promise<readonly [ended: string, sent: number, reads: number]> {
  const left = [...errors]
  let [sent, reads] = [0, 0]
  const { writer, target } = writing({
    find: async () => widget(String(10 + reads++)) as never,
    patch: async () => {
      sent++
      const error = left.shift()
      if (error !== undefined) throw error
      return widget('99') as never
    },
  })
  const build = ({ metadata }: StoredObject): readonly PatchOperation[] => [
    { op: 'add', path: '/spec', value: metadata.resourceVersion },
  ]
  const ended = await compareAndPatch(writer, { target, type, key, seen: widget('5'), build }).then(
    object => object?.metadata.resourceVersion ?? 'gone',
    (error: Error) => error.message,
  )
  return [ended, sent, reads]
}

for (const [what, errors, ended] of [
  ['nothing fails', [], ['99', 1, 0]],
  ['a test fails', [invalid()], ['99', 2, 1]],
  ['a version does not match', [conflict()], ['99', 2, 1]],
  ['both do', [invalid(), conflict(), invalid()], ['99', 4, 3]],
  [
    'others are quicker each time',
    [invalid(), conflict(), invalid(), conflict()],
    ['others keep changing the same fields', 4, 4],
  ],
  ['the server refuses', [failing('refused', 403)], ['no', 1, 0]],
  ['nobody answers', [failing('unreachable')], ['no', 1, 0]],
  ['we make a mistake', [new TypeError('a mistake')], ['a mistake', 1, 0]],
] as const)
  test(`a patch is sent ${ended[1]} times, and read for ${ended[2]} times, where ${what} [P4]`, async () =>
    assert.deepEqual(await patching(errors), ended))
