// `vouch operator` in this process, as its command line says. Nothing is logged: what goes wrong shows in the objects.
import { type Environment, silentLog, systemSeams } from '#base'
import { readOperatorFlags, runOperator } from '../../../src/cli/testing/commands.ts'

/** Runs until the signal aborts. */
export function operateWith(flags: readonly string[], env: Environment, signal: AbortSignal): Promise<void> {
  const settings = readOperatorFlags([...flags, '--log-exporter=none'], env)
  return runOperator({ settings, seams: systemSeams(env, { log: silentLog }), version: 'test' }, signal)
}
