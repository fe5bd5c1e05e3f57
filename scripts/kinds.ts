// Prints the table of kinds by what was proven of each, against moto: `npm run kinds -- [SERVICE...]`. A cell is green when AWS, asked by a
// call of its own, said what the object asks for; `--calls` tells the calls of each step, `--write` puts the table into the reference.

import { pythonEnvironment } from '../test/real/programs/python.ts'
import { kindCases } from '../test/real/proven/cases.ts'
import { missingData } from '../test/real/proven/services.ts'
import { proofsOnMoto } from '../test/real/proven/side-by-side.ts'
import { tableOf, writeTable } from '../test/real/proven/table.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const given = takeFlags(commands['kinds'])
const wanted = given.words
const python = await pythonEnvironment()
const missing = missingData ?? ('missing' in python ? python.missing : undefined)
if (missing !== undefined || 'missing' in python) {
  console.error(missing)
  process.exit(1)
}
const cases = kindCases.filter(({ service, kind }) => wanted.length === 0 || wanted.includes(service) || wanted.includes(kind))
const proofs = await proofsOnMoto(cases, python, ({ service, kind, steps }) => {
  for (const { name, failure, calls } of steps) {
    console.error(
      `${failure === undefined ? 'ok  ' : 'FAIL'} ${service} ${kind} ${name}${failure === undefined ? '' : `: ${failure.slice(0, 600)}`}`,
    )
    if (given.isGiven('calls')) console.error(`       ${calls.join(' ')}`)
  }
})
console.log(tableOf(proofs, cases))
if (given.isGiven('write')) writeTable(proofs, cases)
