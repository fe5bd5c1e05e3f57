// §2.9: what the text of the container-credentials file says, and when it is looked at again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, ManualClock, memoryFiles, seededRandom } from '#base'
import { CredentialsFileSource, parseCredentialsFile } from './credentials-file.ts'

for (const [text, said] of [
  [' \n', []],
  ['null', []],
  ['{}', []],
  ['{"identities": null}', []],
  ['{"identities": []}', []],
  ['{"Identities": [{"Namespace": "a", "serviceaccount": "b"}]}', ['a/b']],
  [
    '{"identities": [null, {"namespace": "a", "serviceAccount": "b"}, {"namespace": "c", "serviceAccount": "d"}]}',
    ['a/b', 'c/d'],
  ],
  ['{"identities": [{"namespace": "a"}]}', ['a/']],
  ['[]', 'it is no JSON object'],
  ['{"identities": {}}', 'identities is no list'],
  ['{"identities": [null, "a/b"]}', 'identities[1] is no JSON object'],
  ['{"identities": [{"namespace": 1, "serviceAccount": "b"}]}', 'identities[0] lacks namespace or serviceAccount'],
  ['{"identities": [{"namespace": "a", "serviceAccount": 1}]}', 'identities[0] lacks namespace or serviceAccount'],
] as const)
  test(`a credentials file of ${JSON.stringify(text)} ${typeof said === 'string' ? `is broken: ${said}` : `lists ${said.length}`}`, () => {
    const read = parseCredentialsFile(text)
    assert.deepEqual(read instanceof Error ? read.message : [...read], said)
  })

const path = '/etc/identities'
const listing = (name: string): string => JSON.stringify({ identities: [{ namespace: 'n', serviceAccount: name }] })

/** A file in a memory, whose date stands still unless the test turns the clock, and whose reads are counted. */
async function follow({ text, everyMs }: { text?: string; everyMs?: number } = {}) {
  const clock = new ManualClock()
  const memory = memoryFiles(text === undefined ? {} : { [path]: text })
  let reads = 0
  let changes = 0
  let isBroken = false
  const lines: unknown[] = []
  const source = new CredentialsFileSource({
    path,
    clock,
    random: seededRandom(1),
    files: {
      info: file => memory.info(file),
      read: file => {
        reads++
        return isBroken ? Promise.reject(new Error('EIO')) : memory.read(file)
      },
    },
    log: createLogTo({ clock }, (level, _message, fields) => lines.push([level, fields])),
    onChange: () => changes++,
    ...(everyMs === undefined ? {} : { everyMs }),
  })
  const stop = new AbortController()
  const running = source.run(stop.signal)
  await clock.advance(0)
  return {
    clock,
    source,
    lines,
    seen: () => [...source.current],
    counts: () => ({ reads, changes }),
    write: (said: string) => memory.write(path, said),
    remove: () => memory.remove(path),
    breakReads: (now: boolean) => (isBroken = now),
    end: async () => {
      stop.abort()
      await running
      assert.equal(clock.pendingCount(), 0)
    },
  }
}

test('a change counts with the next look, 400 ms later, and is told once [A-89]', async () => {
  const { clock, source, seen, counts, write, end } = await follow({ text: listing('a') })
  assert.equal(source.synced, true)
  assert.deepEqual([seen(), counts()], [['n/a'], { reads: 1, changes: 1 }])
  await write(listing('longer'))
  await clock.advance(399)
  assert.deepEqual([seen(), counts()], [['n/a'], { reads: 1, changes: 1 }])
  await clock.advance(1)
  assert.deepEqual([seen(), counts()], [['n/longer'], { reads: 2, changes: 2 }])
  await clock.advance(4_000)
  assert.deepEqual(counts(), { reads: 2, changes: 2 })
  await end()
})

test('what has the same size and date is read with every twenty-fifth look, and at no other [A-89]', async () => {
  const { clock, source, seen, counts, write, end } = await follow({ text: listing('a'), everyMs: 10 })
  await write(listing('b'))
  await clock.advance(240)
  await source.refresh()
  assert.deepEqual([seen(), counts().reads], [['n/a'], 1])
  await clock.advance(10)
  assert.deepEqual([seen(), counts().reads], [['n/b'], 2])
  await clock.advance(250)
  assert.deepEqual(counts(), { reads: 3, changes: 2 })
  await end()
})

test('somebody who cannot wait has it looked at now', async () => {
  const { source, seen, write, remove, end } = await follow({ text: listing('a') })
  await write(listing('longer'))
  await source.refresh()
  assert.deepEqual(seen(), ['n/longer'])
  await remove()
  await source.refresh()
  assert.deepEqual(seen(), [])
  await end()
})

test('a file that is not there lists nobody, and is looked for no more often than one that is [A-91]', async () => {
  const { clock, source, seen, lines, counts, end } = await follow()
  assert.deepEqual([source.synced, seen(), counts()], [true, [], { reads: 0, changes: 1 }])
  assert.equal(clock.nextDueMs(), 400)
  await clock.advance(4_000)
  assert.deepEqual([lines, counts()], [[], { reads: 0, changes: 1 }])
  await end()
})

test('a broken text is told once, keeps what was listed, and is looked at again sooner, then ever later [A-90]', async () => {
  const { clock, source, seen, lines, counts, write, end } = await follow({ text: listing('a') })
  await write('{')
  await source.refresh()
  assert.deepEqual(seen(), ['n/a'])
  const [line] = lines as [readonly [string, Record<string, unknown>]]
  assert.deepEqual([line[0], line[1]['path'], line[1]['again']], ['error', path, '10ms'])
  await clock.advance(400)
  const waits: number[] = []
  for (let index = 0; index < 7; index++) {
    const waitMs = (clock.nextDueMs() ?? 0) - clock.monotonicMs()
    waits.push(waitMs)
    await clock.advance(waitMs)
  }
  assert.deepEqual(waits, [20, 40, 80, 160, 320, 400, 400])
  assert.deepEqual([lines.length, counts().changes], [1, 1])
  await write('{ ')
  await clock.advance(400)
  assert.equal((lines[1] as [string, Record<string, unknown>])[1]['again'], '2.56s')
  await write(listing('a'))
  await clock.advance(400)
  assert.deepEqual([seen(), counts().changes, lines.length], [['n/a'], 2, 2])
  assert.equal((clock.nextDueMs() ?? 0) - clock.monotonicMs(), 400)
  await end()
})

test('a file that is broken from the start is looked for again in 10 ms, and in five minutes at most [A-90]', async () => {
  const { clock, source, lines, write, end } = await follow({ text: '{' })
  const again = (index: number): unknown => (lines[index] as [string, Record<string, unknown>])[1]['again']
  assert.deepEqual([source.synced, again(0)], [true, '10ms'])
  await clock.advance(10_000)
  await write('{ ')
  await clock.advance(400)
  assert.equal(again(1), '5m0s')
  await end()
})

test('a file that cannot be read is told, and what it said before counts until it can [A-90]', async () => {
  const { clock, source, seen, lines, write, breakReads, end } = await follow({ text: listing('a') })
  breakReads(true)
  await write(listing('longer'))
  await source.refresh()
  assert.deepEqual([seen(), lines], [['n/a'], [['error', { path, error: 'EIO' }]]])
  breakReads(false)
  await clock.advance(400)
  assert.deepEqual([seen(), lines.length], [['n/longer'], 1])
  await end()
})

test('a file that cannot be read at first is looked for: nobody waits for it longer', async () => {
  const clock = new ManualClock()
  const files = { info: () => Promise.reject(new Error('EIO')), read: () => Promise.resolve(undefined) }
  const log = createLogTo({ clock }, () => undefined)
  const source = new CredentialsFileSource({ path, clock, random: seededRandom(1), files, log, onChange: () => undefined })
  assert.equal(source.synced, false)
  await source.refresh()
  assert.equal(source.synced, true)
})
