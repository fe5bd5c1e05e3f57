// `vouch webhook aws`: the AWS pod identity webhook as a process, with the flag names of the program that it stands in for. It loads what it
// needs and nothing else: the other commands, and the services of AWS that they speak to, would be a third of its start and of its memory.
import { readFile } from 'node:fs/promises'
import type { Log, LogLevel } from '#base'
import type { AwsProgram } from '#operators/pods'
import { exitCode } from './exit-codes.ts'
import type { LogChoice } from './log-choice.ts'
import { tell, tellText, writeLog } from './print.ts'
import { tellRefusal } from './refusal.ts'
import { stopBySignal } from './stop-signal.ts'
import type { OpenTelemetry } from './telemetry.ts'
import { renderVersion, version } from './version.ts'
import { webhookProgramName as programName } from './webhook-name.ts'

/** Until it is told to stop; ends the process. `name` is what it was started as, for its help. */
export async function runAws(args: readonly string[], name: string = 'vouch webhook aws'): Promise<void> {
  const { awsFlags, readAwsProgram } = await import('#operators/pods')
  const { FlagError, renderHelp } = await import('#base')
  const { readLogChoice } = await import('./log-choice.ts')
  if (args.some(argument => /^--?h(elp)?$/.test(argument))) {
    tellText(`${renderHelp(name, awsFlags)}\n${(await import('./webhook-help.ts')).helpAfterFlags(name)}`)
    return
  }
  try {
    const program = readAwsProgram(args, await readConfigFile(args))
    const choice = readLogChoice(program.logFlags, process.env, { 'service.name': programName })
    if (program.showVersion) tell(renderVersion(programName))
    else await serveAws(program, choice)
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    tellRefusal(error, `${name} --help lists its flags`)
    process.exitCode = exitCode('webhook aws', 'misused')
  }
}

async function serveAws(program: AwsProgram, choice: LogChoice): Promise<void> {
  const { systemSeams } = await import('#base')
  const { Metrics } = await import('#runtime')
  const { runAwsWebhook } = await import('#operators/pods')
  const { openTelemetry } = await import('./telemetry.ts')
  const stop = stopBySignal()
  const plain = await openLog(program, choice)
  const seams = systemSeams(process.env, { log: plain })
  const metrics = new Metrics()
  let telemetry: OpenTelemetry | undefined
  try {
    telemetry = await openTelemetry({
      seams,
      plain,
      metrics,
      level: levelOf(program),
      sendsLogs: choice.exporter === 'otlp',
      resource: choice.attributes,
      program: { name: programName, version },
    })
    const { log, tracer } = telemetry
    const run = { program, seams: { ...seams, log }, version, metrics, ...(tracer === undefined ? {} : { tracer }) }
    await runAwsWebhook(run, stop.signal)
  } catch (error) {
    process.exitCode = exitCode('webhook aws', 'failed')
    const told = telemetry?.log ?? plain
    told.error('cannot start', { error: (error as Error).message })
  }
  await telemetry?.close()
  process.exit()
}

/** Lines go to standard error, unless they are wanted on standard output or not at all. */
async function openLog(program: AwsProgram, { exporter }: LogChoice): Promise<Log> {
  const { createLog, silentLog, systemClock } = await import('#base')
  if (exporter === 'none') return silentLog
  return createLog({
    clock: systemClock,
    form: program.logFormat === 'json' ? 'json' : 'console',
    level: levelOf(program),
    ...(exporter === 'console' ? { write: writeLog } : {}),
  })
}

function levelOf({ webhook }: AwsProgram): LogLevel {
  return webhook.verbosity >= 5 ? 'debug' : 'info'
}

/** `--config`: flags as keys of a YAML file. Its keys are checked as flags are. */
async function readConfigFile(args: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { FlagError } = await import('#base')
  const at = args.findIndex(argument => /^--?config(=|$)/.test(argument))
  if (at < 0) return new Map()
  const path = args[at]?.split('=')[1] ?? args[at + 1] ?? ''
  let value: unknown
  try {
    const { load } = await import('js-yaml')
    value = load(await readFile(path, 'utf8'))
  } catch (error) {
    throw new FlagError(`--config ${path}: ${(error as Error).message.split('\n')[0]}`)
  }
  if (value === null || value === undefined) return new Map()
  if (typeof value !== 'object' || Array.isArray(value)) throw new FlagError(`--config ${path}: it is no map of flags`)
  return new Map(Object.entries(value).map(([name, setting]) => [name, String(setting)]))
}
