// How long the way of one look is: which functions of this room it runs through, by V8's precise coverage, and how often each. What depends on the
// kind alone is made once per kind, and what a kind has no place for is not walked through, so that these numbers only go down.
import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { test } from 'node:test'
import { type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

interface Run {
  readonly file: string
  readonly name: string
  readonly count: number
}

/** Named functions of the room that ran while `happens` did. */
async function runsOf(happens: () => Promise<unknown>): Promise<readonly Run[]> {
  using session = sessionOfOwn()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await happens()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const room = '/src/operators/resources/'
  return result
    .filter(({ url }) => url.includes(room) && !url.includes(`${room}testing/`) && !url.endsWith('.test.ts'))
    .flatMap(({ url, functions }) =>
      functions.map(({ functionName: name, ranges: [range] }) => ({
        file: url.split(room)[1] ?? '',
        name,
        count: range?.count ?? 0,
      })),
    )
    .filter(({ name, count }) => name !== '' && count > 0)
}

function sessionOfOwn(): Session & Disposable {
  const session = new Session()
  session.connect()
  return Object.assign(session, { [Symbol.dispose]: () => session.disconnect() })
}

async function aRole(): Promise<ResourceWorld> {
  const world = resourceWorld({ kinds: ['Role'], resyncSeconds: 3_600 })
  world.start()
  await world.create('Role', 'one', { name: 'one', assumeRolePolicyDocument: trust(), description: 'reads' })
  await world.advance(60_000)
  world.aws.calls.clear()
  return world
}

/** At most; what is measured is less by five at times, since V8 does not count closures that were collected meanwhile. */
const ways: readonly [
  what: string,
  happens: (world: ResourceWorld) => Promise<unknown>,
  functionsMax: number,
  filesMax: number,
  callsMax: number,
][] = [
  ['a look at rest', world => world.advance(1.2 * 3_600_000), 167, 48, 50],
  [
    'a change of one field',
    world => world.patch('Role', 'one', { spec: { description: 'writes' } }).then(() => world.settle()),
    248,
    62,
    110,
  ],
]

for (const [what, happens, functionsMax, filesMax, callsMax] of ways)
  test(`${what} runs through ${functionsMax} functions in ${filesMax} files at most, and through none more than ${callsMax} times [6.8]`, async () => {
    await using world = await aRole()
    const runs = await runsOf(() => happens(world))
    assert.ok(world.calls().includes('GetRole'))
    const files = new Set(runs.map(({ file }) => file))
    // Of a room that was not seen no number says anything.
    for (const file of ['observe/observe.ts', 'decide/decide.ts', 'report/report.ts']) assert.ok(files.has(file), file)
    const often = runs.filter(({ count }) => count > callsMax)
    assert.ok(runs.length <= functionsMax, `${runs.length} functions`)
    assert.ok(files.size <= filesMax, `${files.size} files`)
    assert.deepEqual(often, [])
  })
