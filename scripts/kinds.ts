// Prints the table of kinds by what was proven of each, against moto: `npm run kinds -- [SERVICE...]`. A cell is green when AWS, asked by a
// call of its own, said what the object asks for; `--calls` tells the calls of each step.

import { startMoto } from '../test/real/moto.ts'
import { kindCases } from '../test/real/proven/cases.ts'
import { type Proof, prove } from '../test/real/proven/proof.ts'
import { missingData, neededBy } from '../test/real/proven/services.ts'
import { pythonEnvironment } from '../test/real/python.ts'

const wanted = process.argv.slice(2).filter(word => !word.startsWith('--'))
const tellsCalls = process.argv.includes('--calls')
const python = await pythonEnvironment()
const missing = missingData ?? ('missing' in python ? python.missing : undefined)
if (missing !== undefined || 'missing' in python) {
  console.error(missing)
  process.exit(1)
}
const cases = kindCases.filter(({ service, kind }) => wanted.length === 0 || wanted.includes(service) || wanted.includes(kind))
const moto = await startMoto(python)
const proofs: Proof[] = []
try {
  const needed = neededBy(cases, python)
  for (const one of cases) {
    await moto.reset()
    const proof = await prove({ url: moto.url, ...needed }, one)
    proofs.push(proof)
    for (const { name, failure, calls } of proof.steps) {
      console.error(
        `${failure === undefined ? 'ok  ' : 'FAIL'} ${one.service} ${one.kind} ${name}${failure === undefined ? '' : `: ${failure.slice(0, 600)}`}`,
      )
      if (tellsCalls) console.error(`       ${calls.join(' ')}`)
    }
  }
} finally {
  await moto.stop()
}
console.log('| kind | proven | not proven |\n|---|---|---|')
for (const { service, kind, steps } of proofs) {
  const { cannot } = cases.find(one => one.service === service && one.kind === kind) ?? {}
  const names = (isProven: boolean): string =>
    steps
      .filter(({ failure }) => (failure === undefined) === isProven)
      .map(({ name }) => `\`${name}\`${isProven || cannot?.[name] === undefined ? '' : ` (${cannot[name]})`}`)
      .join(', ')
  console.log(`| ${service} ${kind} | ${names(true)} | ${names(false)} |`)
}
