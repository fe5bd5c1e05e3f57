// The scenarios that ACK's own controllers were recorded in, lived by ours: every difference in what is left behind is meant, and has its row
// on the page of those who come from there.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createAws } from '#emulator'
import { differencesOf, meant } from './ack-scenarios/differences.ts'
import { scenarioWorld } from './ack-scenarios/world.ts'
import { startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'
import { missingData } from './proven/services.ts'

const folder = process.env['VOUCH_VECTORS'] ?? join(import.meta.dirname, '../../../shared/vectors')
const file = join(folder, 'ack-scenarios.json')
const python = await pythonEnvironment()
const missingFile = existsSync(file) ? undefined : `skipped: ${file} is not here; VOUCH_VECTORS names another folder`
const skip = missingFile ?? missingData ?? ('missing' in python ? python.missing : false)

/** Groups of scenarios that are lived side by side, each with a cloud of its own: they mostly wait. */
const atOnce = 6

/** One that looks at what another one left lives in its world, after it. */
const follows: Readonly<Record<string, string>> = { s34: 's01' }

function groupOf(name: string, names: readonly string[]): number {
  const first = follows[name.slice(0, 3)] ?? name
  return names.findIndex(each => each.startsWith(first)) % atOnce
}

type Answers = readonly (readonly [what: string, value: unknown])[]

interface Recorded {
  readonly scenarios: Readonly<Record<string, { readonly answers: { readonly r: Answers } }>>
}

interface Cloud {
  readonly url: string
  close(): Promise<void>
}

const { scenarios } = missingFile === undefined ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded) : { scenarios: {} }
const isOfBuckets = (name: string): boolean => name.startsWith('b')
const needed = new Set<string>()

for (const [where, names, cloud] of [
  ['moto', Object.keys(scenarios).filter(name => !isOfBuckets(name)), onMoto],
  ['the emulator', Object.keys(scenarios).filter(isOfBuckets), onEmulator],
] as const)
  describe(`scenarios of ACK's controllers, on ${where}`, { skip }, () => {
    let ours: Readonly<Record<string, Answers>> = {}
    before(async () => {
      const groups = Array.from({ length: atOnce }, (_, index) => names.filter(name => groupOf(name, names) === index))
      const all = await Promise.all(groups.filter(group => group.length > 0).map(async group => lived(group, await cloud())))
      ours = Object.assign({}, ...all) as typeof ours
    })
    for (const name of names)
      test(`what ours leaves behind differs from theirs only where it is meant to: ${name.slice(4).replaceAll('_', ' ')} [${name.slice(0, 3)}]`, () => {
        const differences = differencesOf(scenarios[name]?.answers.r ?? [], ours[name] ?? [])
        const unmeant = differences.filter(({ path }) => {
          const why = meant.filter(each => each.scenarios.test(name) && each.paths.test(path))
          for (const { row } of why) needed.add(row)
          return why.length === 0
        })
        assert.deepEqual(unmeant, [])
      })
  })

describe('the page of those who come from ACK', { skip }, () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/coming-from-ack.md'), 'utf8')
  after(() => needed.clear())
  test('each difference that is meant was seen, and has its row', () => {
    assert.deepEqual(
      meant.filter(({ row }) => !needed.has(row)).map(({ row }) => row),
      [],
    )
    assert.deepEqual(
      meant.filter(({ row }) => !page.includes(`\n| ${row}`)).map(({ row }) => row),
      [],
    )
  })
})

async function onMoto(): Promise<Cloud> {
  const moto = await startMoto(python as Python)
  return { url: moto.url, close: () => moto.stop() }
}

async function onEmulator(): Promise<Cloud> {
  const aws = createAws({ accounts: ['123456789012'], region: 'us-east-1', signatures: 'off' })
  const { port } = await aws.listen()
  return { url: `http://127.0.0.1:${port}`, close: () => aws.close() }
}

async function lived(names: readonly string[], cloud: Cloud): Promise<Readonly<Record<string, Answers>>> {
  const scratch = mkdtempSync(join(tmpdir(), 'vouch-scenarios-'))
  const log = join(scratch, 'calls')
  writeFileSync(log, '')
  const world = await scenarioWorld(cloud.url, line => appendFileSync(log, line))
  try {
    const steps = join(import.meta.dirname, 'ack-scenarios/steps.py')
    const program = (python as Python).program('python')
    const child = spawn(program, [steps, file, world.url, cloud.url, log, ...names], { stdio: ['ignore', 'pipe', 'ignore'] })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    await new Promise(resolve => child.on('close', resolve))
    return JSON.parse(printed) as Readonly<Record<string, Answers>>
  } finally {
    await world.stop()
    await cloud.close()
    rmSync(scratch, { recursive: true })
  }
}
