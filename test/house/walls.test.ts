import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { rooms, roomsForTests } from './walls.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const files = globSync('src/**/*.ts', { cwd: root }).sort()
const sources = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))

interface Import {
  readonly from: string
  readonly line: number
  readonly specifier: string
  readonly typeOnly: boolean
}

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
    if (name === 'operators' || name === 'cli' || !files.some(file => file.startsWith(`${room.folder}/`))) continue
    const door = sources.get(`${room.folder}/index.ts`)
    assert.ok(door !== undefined, `${room.folder}/index.ts is missing`)
    assert.match(door, /^\/\/ .{40,}/, `${room.folder}/index.ts opens with what the room is`)
    assert.doesNotMatch(door, /export \*(?! as )/, `${room.folder}/index.ts lists its exports by name`)
  }
})

function importsOf(file: string, source: string): Import[] {
  const pattern =
    /(?:^|\n)[ \t]*(?:import|export)\b([^'"\n;]*(?:\{[^}]*\})?[^'"\n;]*)from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g
  return [...source.matchAll(pattern)].map(match => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? ''
    const line = source.slice(0, match.index + match[0].lastIndexOf(specifier)).split('\n').length
    return { from: file, line, specifier, typeOnly: /^\s*type\b/.test(match[1] ?? '') }
  })
}

function offence({ from, line, specifier }: Import): string[] {
  const room = roomOf(from)
  const say = (why: string): string[] => [`${from}:${line} imports ${specifier}: ${why}`]
  if (specifier.startsWith('#')) {
    const wanted = specifier.startsWith('#operators/') ? 'operators' : specifier.slice(1)
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

function roomOf(file: string): string {
  const fitting = Object.entries(rooms).filter(([, room]) => file.startsWith(`${room.folder}/`))
  fitting.sort(([, a], [, b]) => b.folder.length - a.folder.length)
  return fitting[0]?.[0] ?? 'outside'
}

/** Files imported at run time; types leave no trace there, so a circle of types alone is no cycle. */
function targetsOf(file: string, source: string): string[] {
  return importsOf(file, source)
    .filter(({ typeOnly, specifier }) => !typeOnly && (specifier.startsWith('.') || specifier.startsWith('#')))
    .map(({ specifier }) => (specifier.startsWith('#') ? doorOf(specifier.slice(1)) : normalize(join(dirname(file), specifier))))
}

/** What an operator says of itself is a door of its own, so that whoever only wants that does not load the rest. */
function doorOf(name: string): string {
  return /^operators\/[^/]+\/operator$/.test(name) ? `src/${name}.ts` : `src/${name}/index.ts`
}

/** The strongly connected parts with more than one file, each sorted (Tarjan's algorithm). */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node) ?? 0)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!index.has(next)) {
        visit(next)
        low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
      } else if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, index.get(next) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const part = stack.splice(stack.indexOf(node))
    if (part.length > 1) found.push(part.sort())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}
