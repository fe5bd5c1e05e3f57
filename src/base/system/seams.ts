import type { Log } from '../seams/log.ts'
import type { Environment, Seams } from '../seams/seams.ts'
import { systemClock } from './clock.ts'
import { systemDns } from './dns.ts'
import { systemFiles } from './files.ts'
import { systemKeys } from './keys.ts'
import { createLog } from './log.ts'
import { systemNet } from './net.ts'
import { systemPrograms } from './programs.ts'
import { systemRandom } from './random.ts'
import { systemUsage } from './usage.ts'

/** The real world, all of it. The front door calls this once, with the environment it was started in. */
export function systemSeams(env: Environment, options: { readonly log?: Log } = {}): Seams {
  return {
    clock: systemClock,
    random: systemRandom,
    keys: systemKeys,
    net: systemNet,
    files: systemFiles,
    programs: systemPrograms,
    env,
    dns: systemDns,
    log: options.log ?? createLog({ clock: systemClock }),
    usage: systemUsage,
  }
}
