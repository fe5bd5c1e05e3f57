import assert from 'node:assert/strict'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { cyclesIn, type Import, importsOf, roomOf, sources, targetsOf } from './imports.ts'
import { rooms, roomsForTests } from './walls.ts'

test('every import points the way the table of walls allows', () => {
  const offences = [...sources].flatMap(([file, source]) => importsOf(file, source).flatMap(offence))
  assert.deepEqual(offences, [])
})

test('the wall check sees an import that climbs over', () => {
  const seen = (file: string, line: string): string[] => importsOf(file, line).flatMap(offence)
  assert.match(seen('src/base/x.ts', "import { keyOf } from '#kube'")[0] ?? '', /src\/base\/x\.ts:1 .* base may not import kube/)
  assert.match(
    seen('src/apiserver/x.ts', "import type { KubeClient } from '#kube/client'")[0] ?? '',
    /may not import kube\/client/,
  )
  assert.match(seen('src/runtime/x.ts', "import { y } from '../kube/objects.ts'")[0] ?? '', /through its front door/)
  assert.match(seen('src/kube/client/x.ts', "import { y } from '#kube/client'")[0] ?? '', /own front door/)
  assert.match(
    seen('src/operators/identity/x.ts', "import { y } from '../pods/decide.ts'")[0] ?? '',
    /only another operator's api\.ts/,
  )
  assert.deepEqual(seen('src/operators/identity/x.ts', "import { y } from '../pods/api.ts'"), [])
  assert.deepEqual(seen('src/credentials/x.ts', "import { y } from '#operators/identity/api'"), [])
  assert.match(seen('src/credentials/x.ts', "import { y } from '#operators/identity'")[0] ?? '', /api\.ts, or the cli/)
  assert.match(seen('src/fleet/x.ts', "import { y } from '#operators/identity/api'")[0] ?? '', /may not import operators\/api/)
  assert.deepEqual(seen('src/operators/identity/testing/x.ts', "import { y } from '#operators/resources'"), [])
  for (const [file, door] of [
    ['src/operators/identity/x.ts', 'resources'],
    ['src/operators/identity/testing/x.ts', 'identity'],
  ] as const)
    assert.match(seen(file, `import { y } from '#operators/${door}'`)[0] ?? '', /own front door/)
  assert.deepEqual(seen('src/runtime/x.test.ts', "import { y } from '../base/y.fixture.ts'"), [])
  for (const [from, to] of [
    ['src/runtime/x.ts', '../base/y.fixture.ts'],
    ['src/runtime/x.test.ts', '../base/y.ts'],
    ['src/base/x.test.ts', '../runtime/y.fixture.ts'],
  ] as const)
    assert.match(seen(from, `import { y } from '${to}'`)[0] ?? '', /through its front door/)
  assert.deepEqual(seen('src/runtime/x.ts', "export { y } from '#kube/client'"), [])
  for (const file of ['src/runtime/x.test.ts', 'src/runtime/testing/world.ts'])
    assert.deepEqual(seen(file, "import { createApiServer } from '#apiserver'"), [])
  assert.match(seen('src/runtime/x.ts', "import { createApiServer } from '#apiserver'")[0] ?? '', /may not import apiserver/)
  assert.deepEqual(seen('src/operators/identity/x.test.ts', "import { y } from '../../runtime/testing/drive.ts'"), [])
  assert.match(seen('src/operators/identity/x.ts', "import { y } from '../../runtime/testing/drive.ts'")[0] ?? '', /front door/)
})

test('no file is part of an import cycle', () => {
  assert.deepEqual(cyclesIn(new Map([...sources].map(([file, source]) => [file, targetsOf(file, source)]))), [])
})

test('the cycle check finds a cycle', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a']],
    ['d', ['a']],
  ])
  assert.deepEqual(cyclesIn(graph), [['a', 'b', 'c']])
})

test('every room has a front door that says what it is and exports by name', () => {
  for (const [name, room] of Object.entries(rooms)) {
    if (name === 'operators' || name === 'cli' || ![...sources.keys()].some(file => file.startsWith(`${room.folder}/`))) continue
    const door = sources.get(`${room.folder}/index.ts`)
    assert.ok(door !== undefined, `${room.folder}/index.ts is missing`)
    assert.match(door, /^\/\/ .{40,}/, `${room.folder}/index.ts opens with what the room is`)
    assert.doesNotMatch(door, /export \*(?! as )/, `${room.folder}/index.ts lists its exports by name`)
  }
})

function offence({ from, line, specifier }: Import): string[] {
  const room = roomOf(from)
  const say = (why: string): string[] => [`${from}:${line} imports ${specifier}: ${why}`]
  if (specifier.startsWith('#')) {
    const isKinds = /^#operators\/[^/]+\/api$/.test(specifier)
    const wanted = isKinds ? 'operators/api' : specifier.startsWith('#operators/') ? 'operators' : specifier.slice(1)
    // The worlds of tests are made of several operators: the children of one are the claims of another.
    if (room === 'operators' && wanted === room && isTest(from) && specifier.split('/')[1] !== from.split('/')[2]) return []
    if (wanted === room) return say('a file does not use its own front door')
    if (wanted === 'operators' && room !== 'cli') return say("only another operator's api.ts, or the cli, may come here")
    return mayEnter(from, room, wanted) ? [] : say(`${room} may not import ${wanted}`)
  }
  if (!specifier.startsWith('.')) return []
  const target = normalize(join(dirname(from), specifier))
  // The front door shows the example operators at work.
  if (target === 'package.json' || (room === 'cli' && target.startsWith('examples/'))) return []
  const targetRoom = roomOf(target)
  if (targetRoom === room) {
    if (room !== 'operators') return []
    const own = from.split('/')[2]
    const other = target.split('/')[2]
    return own === other || target.endsWith('/api.ts') ? [] : say("only another operator's api.ts may be imported")
  }
  // Fixtures and folders called `testing` are for tests alone, so they are in no front door.
  const isForTests = isTest(from) && /\.fixture\.ts$|\/testing\//.test(target)
  if (isForTests && mayEnter(from, room, targetRoom)) return []
  // The vocabulary of a room and its wire live in one tree: the inner room reads the outer one's files directly.
  if (room.startsWith(`${targetRoom}/`)) return []
  return say(`another room is entered through its front door, #${targetRoom}`)
}

/** Tests run in the embedded worlds, whatever room they stand in. */
function mayEnter(from: string, room: string, wanted: string): boolean {
  return rooms[room]?.mayImport.includes(wanted) === true || (isTest(from) && roomsForTests.includes(wanted))
}

function isTest(file: string): boolean {
  return /\.(test|fixture)\.ts$|\/testing\//.test(file)
}
