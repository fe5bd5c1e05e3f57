// `npm run mutants -- --random N --seed S --room R`: N single-token changes at random places of a room, each given to the tests of the room
// that run that place. What survives is printed with its line: a change that makes no difference, dead code, or a row that a table lacks.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, seededRandom } from '#base'
import { type Change, changesOf } from './candidates.ts'
import { whyEquivalent } from './equivalent.ts'
import { type Reach, reachOf } from './reach.ts'
import { runTests } from './run-tests.ts'

const root = join(import.meta.dirname, '..', '..')
/** How many of those that make a difference have to die. */
const killedShareMin = 0.9

export interface RandomOptions {
  readonly count: number
  readonly seed: number
  /** Such as `base` or `operators/pods`, with `src/` before it or without. */
  readonly room: string
  /** More test files: those whose path holds one of these words. */
  readonly also: readonly string[]
  readonly processes: number
}

interface Place extends Change {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Whether enough died. */
export async function randomMutants({ count, seed, also, processes, ...given }: RandomOptions): Promise<boolean> {
  const room = given.room.replace(/^src\/|\/$/g, '')
  const tests = testsOf(room, also)
  const places = placesOf(room)
  if (tests.length === 0 || places.length === 0)
    throw new Error(`src/${room} has ${places.length} places and ${tests.length} tests`)
  const drawn = draw(places, count, seededRandom(seed))
  console.log(`${drawn.length} of ${places.length} places of src/${room}, seed ${seed}, ${tests.length} test files`)
  const reach = await reachOf(tests, processes)
  const verdicts = new Map<Place, string>()
  const waiting = [...drawn]
  const work = async (): Promise<void> => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) verdicts.set(place, await judge(place, reach))
  }
  await Promise.all(Array.from({ length: processes }, work))
  return tell(drawn, verdicts)
}

/** Tests that stand outside of a room and are about it: it is met over the wire, or by what a whole server answers. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  base: ['test/faults/'],
  'kube/client': ['test/faults/', 'test/conformance/client/'],
  kube: ['test/faults/', 'test/conformance/client/'],
  'aws/client': ['test/conformance/aws/model-client', 'test/conformance/aws/wire'],
  aws: ['test/conformance/aws/model-client', 'test/conformance/aws/wire'],
  schema: ['test/conformance/apiserver/replay', 'test/conformance/apiserver/fuzz/'],
  crdgen: ['test/resources/unseen-services'],
}

function testsOf(room: string, more: readonly string[]): readonly string[] {
  const also = [...(elsewhere[room] ?? []), ...more]
  const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).filter(path => !path.endsWith('.real.test.ts'))
  return all.filter(path => path.startsWith(`src/${room}/`) || also.some(word => path.includes(word))).toSorted()
}

function placesOf(room: string): readonly Place[] {
  const files = globSync(`src/${room}/**/*.ts`, { cwd: root })
    .filter(path => !/\.(?:test|fixture|gen)\.ts$|\/testing\/|\/index\.ts$/.test(path))
    .toSorted()
  return files.flatMap(path => {
    const file = join(root, path)
    const source = readFileSync(file, 'utf8')
    const lines = source.split('\n')
    return changesOf(file, source).map(change => {
      const line = source.slice(0, change.start).split('\n').length
      return { ...change, file, line, text: (lines[line - 1] ?? '').trim() }
    })
  })
}

function draw(places: readonly Place[], count: number, random: Random): readonly Place[] {
  const left = [...places]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.integer(left.length), 1)).flat()
}

async function judge({ file, start, end, ranAt, was, becomes, text }: Place, reach: Reach): Promise<string> {
  const why = whyEquivalent(text, was, becomes)
  if (why !== undefined) return `equivalent: ${why}`
  const tests = reach.of(file, ranAt)
  if (tests.length === 0) return 'survived: no test comes here'
  const { code } = await runTests(tests, {
    env: { VOUCH_CHANGE: JSON.stringify({ file, start, end, becomes }) },
    first: join(import.meta.dirname, 'mutate-at.ts'),
    // A loop without an end is noticed by whoever waits for it.
    limitMs: 30_000 + 4 * reach.msOf(tests),
  })
  if (code === 0) return `survived: ${tests.length} test files notice nothing`
  // It is told apart, since on a machine that has no time for it a change that makes no difference ends so, too.
  return code === null ? 'killed: it did not end in time' : 'killed'
}

function tell(drawn: readonly Place[], verdicts: ReadonlyMap<Place, string>): boolean {
  const countOf = (kind: string): number => [...verdicts.values()].filter(verdict => verdict.startsWith(kind)).length
  for (const place of drawn) {
    const verdict = verdicts.get(place) ?? ''
    if (verdict === 'killed') continue
    const { file, line, was, becomes, text } = place
    console.log(
      `${file.slice(root.length + 1)}:${line} ${JSON.stringify(was)} to ${JSON.stringify(becomes)}: ${verdict}\n    ${text}`,
    )
  }
  const [killed, equivalent] = [countOf('killed'), countOf('equivalent')]
  const counted = drawn.length - equivalent
  const share = counted === 0 ? 1 : killed / counted
  console.log(`${drawn.length} changes, ${equivalent} equivalent, ${killed} of ${counted} killed (${(100 * share).toFixed(1)} %)`)
  return share >= killedShareMin
}
