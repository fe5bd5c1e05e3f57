// `npm run chaos -- --minutes N [--seed S]`: two real kube-apiservers, two replicas as processes, AWS that fails, roads that are cut, and a
// hostile tenant; in the end cloud and clusters are compared with what was asked for, and each leak is named. Exits 1 when there is one.
import { renderCounts, runChaos } from '../test/chaos/chaos.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const given = takeFlags(commands['chaos'])
const minutes = Number(given.text('minutes'))
if (!(minutes > 0)) {
  console.error(`--minutes ${given.text('minutes')}: give a number above zero`)
  process.exit(2)
}

const started = performance.now()
const say = (line: string): void =>
  console.log(`${String(Math.round((performance.now() - started) / 1_000)).padStart(5)} s  ${line}`)
const { troubles, counts } = await runChaos({ forMs: minutes * 60_000, seed: given.text('seed'), say })
say(renderCounts(counts))
for (const trouble of troubles) console.log(`LEFT ${trouble}`)
console.log(troubles.length === 0 ? 'nothing is left over' : `${troubles.length} troubles`)
process.exit(troubles.length === 0 ? 0 : 1)
