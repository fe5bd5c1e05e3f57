// `vouch operator` in this process, as its command line says. Nothing is logged: what goes wrong shows in the objects.
import { type Environment, silentLog, systemSeams } from '#base'
import { readOperatorFlags } from '../../src/cli/operator/flags.ts'
import { runOperator } from '../../src/cli/operator/run.ts'

/** Runs until the signal aborts. */
export function operateWith(flags: readonly string[], env: Environment, signal: AbortSignal): Promise<void> {
  const settings = readOperatorFlags([...flags, '--log-exporter=none'], env)
  return runOperator({ settings, seams: systemSeams(env, { log: silentLog }), version: 'test' }, signal)
}
