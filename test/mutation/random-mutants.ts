// `npm run mutants -- --random N --seed S --room R`: N single-token changes at random places of a room, each given to the tests of the room
// that run that place, the nearest first. Each is told when it is judged, and what survived once more at the end, with its line: a change that
// makes no difference, dead code, or a row that a table lacks.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Random, seededRandom } from '#base'
import { cacheFolder } from '../../scripts/kubernetes.ts'
import { changesOf } from './candidates.ts'
import { whyEquivalent } from './equivalent.ts'
import { Judge, type Place } from './judge.ts'

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

interface Drawn extends Place {
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
  const judge = new Judge({ root, tests, elsewhere: allTests, cache: join(dirname(dirname(cacheFolder())), 'coverage') })
  const verdicts = new Map<Drawn, string>()
  const waiting = [...drawn]
  const work = async (): Promise<void> => {
    for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
      const why = whyEquivalent(place.text, place.was, place.becomes)
      const verdict = why === undefined ? await judge.judge(place) : `equivalent: ${why}`
      verdicts.set(place, verdict)
      console.log(`${nameOf(place)}: ${verdict}`)
    }
  }
  await Promise.all(Array.from({ length: processes }, work))
  return tell(drawn, verdicts)
}

/** Tests that stand outside of a room and are about it: it is met over the wire, or by what a whole server answers. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  apiserver: ['test/conformance/apiserver/', 'test/conformance/client/'],
  base: ['test/faults/'],
  emulator: ['test/conformance/aws/'],
  'kube/client': ['test/faults/', 'test/conformance/client/'],
  kube: ['test/faults/', 'test/conformance/client/'],
  'aws/client': ['test/conformance/aws/model-client', 'test/conformance/aws/wire'],
  aws: ['test/conformance/aws/model-client', 'test/conformance/aws/wire'],
  schema: ['test/conformance/apiserver/replay', 'test/conformance/apiserver/fuzz/'],
  crdgen: ['test/resources/unseen-services'],
}

const allTests = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root })
  .filter(path => !path.endsWith('.real.test.ts'))
  .toSorted()

function testsOf(room: string, more: readonly string[]): readonly string[] {
  const also = [...(elsewhere[room] ?? []), ...more]
  return allTests.filter(path => path.startsWith(`src/${room}/`) || also.some(word => path.includes(word)))
}

function placesOf(room: string): readonly Drawn[] {
  const files = globSync(`src/${room}/**/*.ts`, { cwd: root })
    .filter(path => !/\.(?:test|fixture|gen)\.ts$|\/testing\/|\/index\.ts$/.test(path))
    .toSorted()
  return files.flatMap(file => {
    const source = readFileSync(join(root, file), 'utf8')
    const lines = source.split('\n')
    return changesOf(file, source).map(change => {
      const line = source.slice(0, change.start).split('\n').length
      return { ...change, file, line, text: (lines[line - 1] ?? '').trim() }
    })
  })
}

function draw(places: readonly Drawn[], count: number, random: Random): readonly Drawn[] {
  const left = [...places]
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random.integer(left.length), 1)).flat()
}

function tell(drawn: readonly Drawn[], verdicts: ReadonlyMap<Drawn, string>): boolean {
  const countOf = (kind: string): number => [...verdicts.values()].filter(verdict => verdict.startsWith(kind)).length
  for (const place of drawn) {
    const verdict = verdicts.get(place) ?? ''
    if (verdict.startsWith('survived')) console.log(`${nameOf(place)}: ${verdict}\n    ${place.text}`)
  }
  const [killed, equivalent] = [countOf('killed'), countOf('equivalent')]
  const counted = drawn.length - equivalent
  const share = counted === 0 ? 1 : killed / counted
  console.log(`${drawn.length} changes, ${equivalent} equivalent, ${killed} of ${counted} killed (${(100 * share).toFixed(1)} %)`)
  return share >= killedShareMin
}

function nameOf({ file, line, was, becomes }: Drawn): string {
  return `${file}:${line} ${JSON.stringify(was)} to ${JSON.stringify(becomes)}`
}
