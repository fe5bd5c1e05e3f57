// `node scripts/run.mjs scripts/vectors/vectors-replay.ts [THEME] [SEQUENCE ...] [--update|--accept]`: replays the vectors against the embedded
// server and prints each step that differs. `--update` takes what is mended off the list of known differences; `--accept` rewrites
// the list whole, which is for the day after a recording and makes the diff of that list the thing to review.
import { parseArgs } from 'node:util'
import { catalogue } from '../../test/conformance/apiserver/cases/index.ts'
import { embeddedTarget } from '../../test/conformance/apiserver/embedded-target.ts'
import { readKnown, writeKnown } from '../../test/conformance/apiserver/known.ts'
import { runCase } from '../../test/conformance/apiserver/register.ts'
import { replayFile, themes } from '../../test/conformance/apiserver/replay-all.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false }, accept: { type: 'boolean', default: false } },
})
const [theme = '', ...ids] = positionals
const known = readKnown()
/** kubectl's scenarios need the real server; scripts/kubectl-compare.ts tells about them. */
const kept: Record<string, string> = Object.fromEntries(Object.entries(known).filter(([key]) => /^kubectl \d+$/.test(key)))
let [steps, same, forgiven] = [0, 0, 0]
for (const file of themes().filter(name => name.startsWith(theme))) {
  const target = embeddedTarget()
  const prelude = await replayFile(target, 'prelude.jsonl', known)
  const chosen = await replayFile(target, file, known, id => ids.length === 0 || ids.includes(id))
  for (const tally of file === themes()[0] || chosen.steps > 0 ? [prelude, chosen] : [chosen]) {
    for (const found of [...tally.known, ...tally.unknown]) {
      kept[found.key] = known[found.key] ?? 'to fix'
      if (!values.update && !values.accept)
        console.log(`${found.key} (${found.what})\n${found.difference?.replaceAll(/^/gm, '    ')}`)
    }
  }
  steps += chosen.steps
  same += chosen.same
  forgiven += chosen.forgiven
  await target.close()
}
if (theme === '' || theme === 'cases') {
  for (const controllers of [false, true]) {
    const target = embeddedTarget({ controllers })
    for (const one of catalogue.filter(candidate => (candidate.needsControllers === true) === controllers)) {
      const failure = await runCase(one, target).then(
        () => undefined,
        (error: unknown) => String(error),
      )
      if (failure === undefined) continue
      const key = `case ${one.number}`
      kept[key] = known[key] ?? 'to fix'
      if (!values.update && !values.accept) console.log(`${key} (${one.title})\n${failure.replaceAll(/^/gm, '    ')}`)
    }
    await target.close()
  }
}
console.log(`${steps} steps, ${same} same, ${forgiven} forgiven by the table, ${Object.keys(kept).length} different`)
if (values.accept) writeKnown(kept)
if (values.update) writeKnown(Object.fromEntries(Object.entries(known).filter(([key]) => kept[key] !== undefined)))
