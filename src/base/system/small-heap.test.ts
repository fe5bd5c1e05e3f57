import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemPrograms } from './programs.ts'

const churn = `
const { getHeapSpaceStatistics } = require('node:v8')
const newSpaceMb = () => getHeapSpaceStatistics().find(space => space.space_name === 'new_space').space_size / 1_048_576
async function churn() {
  let held = []
  let mostMb = 0
  for (let round = 0; round < 120; round++) {
    held = [Array.from({ length: 20_000 }, (_, index) => ({ index, text: 'x' + index })), held[0]]
    mostMb = Math.max(mostMb, newSpaceMb())
    // Twice, so that who observes collections hears of one before the next, as between two requests.
    for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  console.log(Math.round(mostMb))
}`

const start = `
function start() {
  for (let round = 0; round < 8; round++) held = Array.from({ length: 200_000 }, (_, index) => ({ index, text: 'x' + index }))
  held = undefined
}
let held`

/** The number that `script` prints in a process of its own, where `churn`, `start` and this module are known. */
async function printed(script: string): Promise<number> {
  const module = JSON.stringify(new URL('./small-heap.ts', import.meta.url).href)
  const { stdout, stderr } = await systemPrograms.run({
    command: process.execPath,
    args: ['-e', `${churn}\n${start}\nimport(${module}).then(module => { ${script} })`],
    env: {},
    outputBytesMax: 10_000,
    timeoutMs: 60_000,
  })
  assert.match(String(stdout), /^\d+\n$/, String(stderr))
  return Number(String(stdout))
}

function mostNewSpaceMb(before: string): Promise<number> {
  return printed(`${before}; return churn()`)
}

function heapMbAfterStart(then: string): Promise<number> {
  return printed(`start(); ${then}; console.log(Math.round(process.memoryUsage().heapTotal / 1_048_576))`)
}

test('a small heap has little room for what is new however much comes, and enough to grow into', async () => {
  const small = await mostNewSpaceMb('module.keepHeapSmall()')
  // A look behind V8's own growth, which doubles: what was seen too late.
  assert.ok(small >= 8 && small <= 32, `${small} MB`)
  const usual = await mostNewSpaceMb('')
  assert.ok(usual > small, `${usual} MB as V8 likes it, ${small} MB when told`)
})

test('what starting took and nobody holds is given back', async () => {
  const kept = await heapMbAfterStart('')
  const small = await heapMbAfterStart('module.giveBackMemory()')
  assert.ok(small < kept / 2, `${small} MB, and ${kept} MB without`)
})

test('scripts find no collector afterwards', async () => {
  assert.equal(
    await printed(
      `module.giveBackMemory(); console.log(Number(require('node:vm').runInNewContext('typeof gc') !== 'undefined'))`,
    ),
    0,
  )
})
