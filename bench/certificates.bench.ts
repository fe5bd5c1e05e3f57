// `npm run bench -- certificates [--small] [--only one|many|calls|restart|memory]`: what the certificate operator takes. Time passes where AWS
// is waited for, in all but the first and the last; `--small` runs everything in seconds, with fewer Certs.
import { measureCalls } from './certificates/calls.ts'
import { measureMany } from './certificates/many.ts'
import { measureMemory } from './certificates/memory.ts'
import { measureOne } from './certificates/one.ts'
import { measureRestart } from './certificates/restart.ts'

export async function run(args: readonly string[]): Promise<void> {
  const isSmall = args.includes('--small')
  const only = args[args.indexOf('--only') + 1]
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    one: () => measureOne(isSmall ? 20 : 200),
    many: () => measureMany(isSmall ? 50 : 2_500),
    calls: measureCalls,
    restart: () => measureRestart(isSmall ? 200 : 5_000, 20),
    memory: () => measureMemory(isSmall ? 300 : 10_000),
  }
  for (const [name, measure] of Object.entries(parts)) if (!args.includes('--only') || only === name) await measure()
}
