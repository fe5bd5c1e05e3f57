// `vouch operator`: the production manager, with the flags of the one that it stands in for.
import type { Command } from 'commander'
import { given, type Log } from '#base'
import manifest from '../../package.json' with { type: 'json' }
import { exitCode } from './frame/exit-codes.ts'
import { tellText, writeLog } from './frame/print.ts'
import { tellRefusal } from './frame/refusal.ts'
import { stopBySignal } from './frame/stop-signal.ts'
import type { LogSettings, OperatorSettings } from './operator/flags.ts'
import type { OpenTelemetry, ProcessTelemetryOptions } from './telemetry.ts'

export function addOperatorCommand(program: Command): void {
  program
    .command('operator')
    .description('the controllers of a platform')
    .argument('[flags...]')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action((args: readonly string[]) => operate(args))
}

async function operate(args: readonly string[]): Promise<void> {
  const { FlagError, giveBackMemory, keepHeapSmall, systemSeams } = await import('#base')
  const { readOperatorFlags } = await import('./operator/flags.ts')
  if (args.some(argument => /^--?h(elp)?$/.test(argument))) {
    tellText((await import('./operator/help.ts')).operatorHelp())
    return
  }
  let settings: OperatorSettings
  try {
    settings = readOperatorFlags(args, process.env)
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    tellRefusal(error, 'vouch operator --help lists its flags')
    return
  }
  keepHeapSmall()
  const stop = stopBySignal()
  const { runOperator } = await import('./operator/run.ts')
  const { Metrics } = await import('#runtime')
  const plain = await openLog(settings.process.log)
  const seams = systemSeams(process.env, { log: plain })
  const metrics = new Metrics()
  const telemetry = await openTelemetry(settings.process.log, { seams, plain, metrics })
  const { log, tracer } = telemetry
  let failed = false
  try {
    log.info('starting', {
      controllers: settings.chosen.map(({ operator }) => operator.name).join(','),
      version: manifest.version,
    })
    const run = { settings, seams: { ...seams, log }, version: manifest.version, metrics, onStarted: giveBackMemory }
    await runOperator({ ...run, ...given({ tracer }) }, stop.signal)
  } catch (error) {
    failed = !stop.signal.aborted
    if (failed) log.error('the operator cannot go on', { error: error instanceof Error ? error.message : String(error) })
  }
  await telemetry.close()
  process.exit(exitCode('operator', failed ? 'failed' : 'stopped'))
}

/** `console` on standard output; otherwise lines of JSON on standard error, which is also where what no collector takes ends up. */
async function openLog({ level, exporter, attributes }: LogSettings): Promise<Log> {
  const { createLog, silentLog, systemClock } = await import('#base')
  if (exporter === 'none') return silentLog
  return createLog({ clock: systemClock, level, ...(exporter === 'console' ? { write: writeLog } : {}) }).with(attributes)
}

/** Ends the process when a collector is named that cannot be used. */
async function openTelemetry(
  { level, exporter, attributes }: LogSettings,
  parts: Pick<ProcessTelemetryOptions, 'seams' | 'plain' | 'metrics'>,
): Promise<OpenTelemetry> {
  const telemetry = await import('./telemetry.ts')
  const program = { name: manifest.name, version: manifest.version }
  return telemetry
    .openTelemetry({ ...parts, level, sendsLogs: exporter === 'otlp', resource: attributes, program })
    .catch((error: Error) => {
      parts.plain.error('the operator cannot start', { error: error.message })
      return process.exit(exitCode('operator', 'failed'))
    })
}
