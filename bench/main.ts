// `npm run bench -- NAME [ARGUMENTS]`: the numbers we watch. Each `<name>.bench.ts` exports `run(args)` and prints its own table, with
// ratios: absolute times of two machines cannot be compared.
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'

const names = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .map(file => basename(file, '.bench.ts'))
  .sort()
const [name, ...args] = process.argv.slice(2)

if (name === undefined || !names.includes(name)) {
  console.log(`usage: npm run bench -- NAME [ARGUMENTS]\n\nNAME is one of: ${names.join(', ')}`)
  process.exit(name === undefined || name === '--help' ? 0 : 2)
}
console.log(`bench ${name}: Node ${process.version}, ${process.platform}-${process.arch}, ${availableParallelism()} cores`)
const { run } = (await import(`./${name}.bench.ts`)) as { run(args: readonly string[]): Promise<void> }
await run(args)
process.exit(0)
