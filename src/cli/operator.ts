// `vouch operator`: the production manager, with the flags of the one that it stands in for.
import type { Command } from 'commander'
import type { Log } from '#base'
import manifest from '../../package.json' with { type: 'json' }
import type { LogSettings, OperatorSettings } from './operator/flags.ts'
import { stopBySignal } from './stop-signal.ts'

export function addOperatorCommand(program: Command): void {
  program
    .command('operator')
    .description('the controllers of a platform; --help lists its flags')
    .argument('[flags...]')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action((args: readonly string[]) => operate(args))
}

async function operate(args: readonly string[]): Promise<void> {
  const { FlagError, renderHelp, systemSeams } = await import('#base')
  const { operatorFlags, readOperatorFlags } = await import('./operator/flags.ts')
  if (args.some(argument => /^--?h(elp)?$/.test(argument))) {
    process.stdout.write(renderHelp('vouch operator', operatorFlags))
    return
  }
  let settings: OperatorSettings
  try {
    settings = readOperatorFlags(args, process.env)
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    console.error(`${error.message}\n(vouch operator --help lists the flags)`)
    process.exitCode = 1
    return
  }
  const log = await openLog(settings.log)
  const stop = stopBySignal()
  const { runOperator } = await import('./operator/run.ts')
  try {
    log.info('starting', { controllers: [...settings.controllers].join(','), version: manifest.version })
    await runOperator({ settings, seams: systemSeams(process.env, { log }), version: manifest.version }, stop.signal)
    process.exit(0)
  } catch (error) {
    if (stop.signal.aborted) process.exit(0)
    log.error('the operator cannot go on', { error: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}

/**
 * `console` on standard output; otherwise lines of JSON on standard error for whoever collects them. The protocol of OpenTelemetry is not
 * spoken: who asks for an endpoint is told so.
 */
async function openLog({ level, exporter, attributes }: LogSettings): Promise<Log> {
  const { createLog, silentLog, systemClock } = await import('#base')
  if (exporter === 'none') return silentLog
  const write = (line: string): void => void process.stdout.write(line)
  const log = createLog({ clock: systemClock, level, ...(exporter === 'console' ? { write } : {}) })
  const endpoint = process.env.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT ?? process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  if (exporter === 'otlp' && endpoint !== undefined) {
    log.warn('OTLP is not spoken: log lines are JSON on standard error; let a collector read them there', { endpoint })
  }
  return log.with(attributes)
}
