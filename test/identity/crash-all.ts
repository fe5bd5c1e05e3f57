// `node test/identity/crash-all.ts [PART ...]`: a death at every step of creation, rotation and deletion, before and after its effect.
// Prints what was tried, and each death that left something wrong.
import { liveAndDie, type Outcome, type Part } from '../../src/operators/identity/testing/crash.ts'

const parts: readonly Part[] = ['create', 'rotate', 'delete']
const wanted = parts.filter(part => process.argv.length <= 2 || process.argv.includes(part))
const startedMs = performance.now()
let lives = 0
let broken = 0
for (const part of wanted) {
  let steps = 0
  for (const instant of ['before', 'after'] as const) {
    for (let nth = 1; nth < 200; nth++) {
      const found = await tryLife({ part, nth, instant })
      if (found === undefined) broken++
      else if (!found.died) break
      lives++
      steps = Math.max(steps, nth)
    }
  }
  console.log(`${part}: a death at each of ${steps} steps, before and after its effect`)
}
console.log(`${lives} lives in ${Math.round((performance.now() - startedMs) / 1_000)} s, ${broken} of them left something wrong`)
process.exit(broken === 0 ? 0 : 1)

async function tryLife(death: Parameters<typeof liveAndDie>[0]): Promise<Outcome | undefined> {
  try {
    return await liveAndDie(death)
  } catch (error) {
    console.log(`${death.part} ${death.nth} ${death.instant}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
