// `npm run bench -- NAME [ARGUMENTS]`: the numbers we watch. Each `<name>.bench.ts` exports `run(args)` and prints its own table, with
// ratios: absolute times of two machines cannot be compared.
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { didYouMean } from '#base'
import { takeFlags } from '../scripts/flags/flags.ts'
import { benches } from './commands.ts'

const names = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .map(file => basename(file, '.bench.ts'))
  .sort()
const [name, ...args] = process.argv.slice(2)

if (name === undefined || name === '--help' || name === '-h') {
  const lines = names.map(one => `  ${one.padEnd(18)}${benches.get(one)?.does ?? ''}`)
  console.log(`usage: npm run bench -- NAME [FLAGS]\n\n${lines.join('\n')}\n\nnpm run bench -- NAME --help says what each takes.`)
  process.exit(0)
}
if (!names.includes(name)) {
  console.error(`there is no benchmark ${JSON.stringify(name)}${didYouMean(name, names)}\nnpm run bench lists them`)
  process.exit(2)
}
takeFlags(benches.get(name), args)
console.log(`bench ${name}: Node ${process.version}, ${process.platform}-${process.arch}, ${availableParallelism()} cores`)
const { run } = (await import(`./${name}.bench.ts`)) as { run(args: readonly string[]): Promise<void> }
await run(args)
process.exit(0)
