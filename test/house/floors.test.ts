import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Floors, filesInTypeCircles, roomsWithFloors, roomsWithStages, type Stages } from './floors.ts'
import { cyclesIn, type Import, importsOf, roomOf, sources, targetOf, targetsOf } from './imports.ts'

const isForTests = (file: string): boolean => /\.(test|fixture)\.ts$|\/testing\//.test(file)
const program = [...sources].filter(([file]) => !isForTests(file))

test('inside a room with floors no import reaches up, types included', () => {
  const offences = program.flatMap(([file, source]) => importsOf(file, source).flatMap(offence))
  assert.deepEqual(offences, [])
})

test('the floors of a room are its folders, and each stands on those above it in the list', () => {
  for (const { folder, floors, ground } of Object.values(roomsWithFloors)) {
    const inside = program.map(([file]) => file).filter(file => file.startsWith(`${folder}/`))
    const folders = new Set(inside.map(file => floorOf(folder, file)).filter(name => !name.endsWith('.ts')))
    assert.deepEqual(Object.keys(floors).toSorted(), [...folders].toSorted())
    for (const name of ground) assert.ok(inside.includes(`${folder}/${name}`), `${folder}/${name}`)
    const names = Object.keys(floors)
    for (const [index, name] of names.entries())
      for (const below of floors[name] ?? []) assert.ok(names.indexOf(below) < index, `${name} stands on ${below}`)
  }
})

test('no floor is allowed what it does not import', () => {
  const used = new Set(program.flatMap(([file, source]) => importsOf(file, source).flatMap(way => steps(way))))
  const idle = Object.entries(roomsWithFloors).flatMap(([room, { floors }]) =>
    Object.entries(floors).flatMap(([from, may]) => may.map(to => `${room}: ${from} -> ${to}`).filter(step => !used.has(step))),
  )
  assert.deepEqual(idle, [])
})

test('the check of floors sees an import that reaches up', () => {
  const seen = (file: string, line: string): string[] => importsOf(file, line).flatMap(offence)
  assert.match(
    seen('src/apiserver/store/x.ts', "import type { Y } from '../verbs/y.ts'")[0] ?? '',
    /store\/x\.ts:1 .*store may not import verbs/,
  )
  assert.match(
    seen('src/apiserver/draft.ts', "import type { Y } from './store/y.ts'")[0] ?? '',
    /the ground may not import store/,
  )
  assert.match(seen('src/apiserver/store/x.ts', "import { y } from '../make-parts.ts'")[0] ?? '', /stands on the roof/)
  assert.deepEqual(seen('src/apiserver/store/x.ts', "import { y } from '../draft.ts'"), [])
  assert.deepEqual(seen('src/apiserver/make-parts.ts', "import { y } from './verbs/y.ts'"), [])
})

test('who judges reaches nobody who looks, and what can be seen is types', () => {
  const offences = roomsWithStages.flatMap(stages =>
    program.filter(([file]) => file.startsWith(`${stages.folder}/`)).flatMap(([file, source]) => outOfTurn(stages, file, source)),
  )
  assert.deepEqual(offences, [])
  const [stages] = roomsWithStages
  assert.ok(stages)
  const seen = (file: string, text: string): readonly string[] => outOfTurn(stages, `${stages.folder}/${file}`, text)
  assert.equal(seen('decide/x.ts', "import type { Y } from '../observe/y.ts'").length, 1)
  assert.equal(seen('observe/x.ts', "import { y } from '../memory.ts'").length, 1)
  assert.equal(seen('seen/x.ts', 'export function y(): void {}').length, 1)
  assert.equal(seen('seen/x.ts', "import { y } from '../model/names.ts'").length, 1)
  assert.deepEqual(seen('decide/x.ts', "import type { Y } from '../seen/y.ts'"), [])
})

/** What a file of a stage may not import, or may not be. */
function outOfTurn({ folder, typesOnly, apart }: Stages, file: string, source: string): readonly string[] {
  const stage = floorOf(folder, file)
  const ways = importsOf(file, source)
  const reached = ways.filter(way => {
    const [target = ''] = targetOf(way)
    return target.startsWith(`${folder}/`) && apart[stage]?.includes(floorOf(folder, target)) === true
  })
  const values = !typesOnly.includes(stage)
    ? []
    : [
        ...ways.filter(({ typeOnly }) => !typeOnly),
        ...(source.match(/^export (?:async )?(?:function|class|const|let)\b.*/gm) ?? []).map(text => ({ specifier: text })),
      ]
  return [...reached, ...values].map(({ specifier }) => `${file}: ${specifier}`)
}

const runTime = new Map(program.map(([file, source]) => [file, targetsOf(file, source)]))

test('however far its imports lead, a stage comes to no other whose turn it is not', () => {
  const offences = roomsWithStages.flatMap(({ folder, outOfReach }) =>
    Object.entries(outOfReach).flatMap(([stage, never]) => {
      const { from, reached } = reachOf(`${folder}/${stage}`, folder)
      assert.ok(from.length > 0, `${stage} has no file`)
      return [...reached]
        .filter(([file]) => never.some(place => file === `${folder}/${place}` || file.startsWith(`${folder}/${place}/`)))
        .map(([file, by]) => `${stage} leads to ${file} by ${by}`)
    }),
  )
  assert.deepEqual(offences, [])
})

test('with how many files a stage is understood only becomes less', () => {
  for (const { folder, filesReached } of roomsWithStages) {
    const over = Object.entries(filesReached)
      .map(([stage, most]) => ({ stage, most, files: reachOf(`${folder}/${stage}`, folder).reached.size }))
      .filter(({ most, files }) => files > most)
    assert.deepEqual(over, [])
  }
})

/** Files that those of a folder lead to at run time within the room, themselves included, each with one that imports it. */
function reachOf(
  stage: string,
  folder: string,
): { readonly from: readonly string[]; readonly reached: ReadonlyMap<string, string> } {
  const from = [...runTime.keys()].filter(file => file.startsWith(`${stage}/`))
  const reached = new Map(from.map(file => [file, 'itself']))
  for (const [file] of reached)
    for (const target of runTime.get(file) ?? [])
      if (target.startsWith(`${folder}/`) && !reached.has(target)) reached.set(target, file)
  return { from, reached }
}

test('circles of imports with types only become fewer', () => {
  const graph = new Map(program.map(([file, source]) => [file, importsOf(file, source).flatMap(targetOf)]))
  const counted: Record<string, number> = {}
  for (const file of cyclesIn(graph).flat()) counted[roomOf(file)] = (counted[roomOf(file)] ?? 0) + 1
  assert.deepEqual(counted, filesInTypeCircles, 'lower the number in test/house/floors.ts, or untie what was tied')
})

function offence(way: Import): string[] {
  const room = Object.values(roomsWithFloors).find(({ folder }) => way.from.startsWith(`${folder}/`))
  const [target = ''] = targetOf(way)
  if (room === undefined || !target.startsWith(`${room.folder}/`)) return []
  const why = refusal(room, floorOf(room.folder, way.from), floorOf(room.folder, target))
  return why === undefined ? [] : [`${way.from}:${way.line} imports ${way.specifier}: ${why}`]
}

function refusal({ ground, floors }: Floors, from: string, to: string): string | undefined {
  if (from === to || ground.includes(to)) return undefined
  if (ground.includes(from)) return `the ground may not import ${to}`
  if (from.endsWith('.ts')) return undefined
  if (to.endsWith('.ts')) return `${to} stands on the roof`
  return floors[from]?.includes(to) === true ? undefined : `${from} may not import ${to}`
}

/** `room: floor -> floor` for an import between two floors of one room. */
function steps(way: Import): string[] {
  const [target = ''] = targetOf(way)
  return Object.entries(roomsWithFloors).flatMap(([room, { folder }]) => {
    if (!way.from.startsWith(`${folder}/`) || !target.startsWith(`${folder}/`)) return []
    return [`${room}: ${floorOf(folder, way.from)} -> ${floorOf(folder, target)}`]
  })
}

/** The folder of the room that the file stands in, or the file's own name at the top. */
function floorOf(folder: string, file: string): string {
  return file.slice(folder.length + 1).split('/')[0] ?? ''
}
