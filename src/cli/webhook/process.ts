// What the webhooks of all clouds share as processes: help, version and refusals, the log, telemetry, and the end.
import { readFile } from 'node:fs/promises'
import { type Flag, given, type Log, type LogLevel, type Seams } from '#base'
import type { Metrics, Tracer } from '#runtime'
import { exitCode } from '../frame/exit-codes.ts'
import type { LogChoice } from '../frame/log-choice.ts'
import { tell, tellText, writeLog } from '../frame/print.ts'
import { tellRefusal } from '../frame/refusal.ts'
import { stopBySignal } from '../frame/stop-signal.ts'
import { renderVersion, version } from '../frame/version.ts'
import type { OpenTelemetry } from '../telemetry.ts'

export interface WebhookCommand {
  /** As the table of exit codes has it. */
  readonly command: 'webhook aws' | 'webhook azure' | 'webhook both'
  /** The words by which it was started. */
  readonly called: string
  /** The program that it stands in for. */
  readonly program: string
  readonly flags: readonly Flag[]
  /** Reads flags and environment; throws `FlagError`. */
  readonly read: (file: ReadonlyMap<string, string>) => WebhookStart
}

export interface WebhookStart {
  readonly choice: LogChoice
  readonly logFormat: 'text' | 'json'
  readonly level: LogLevel
  readonly run: (on: WebhookGround, signal: AbortSignal) => Promise<void>
}

export interface WebhookGround {
  readonly seams: Seams
  readonly metrics: Metrics
  readonly version: string
  readonly tracer?: Tracer
}

/** Until it is told to stop; ends the process. */
export async function runWebhookCommand(args: readonly string[], webhook: WebhookCommand): Promise<void> {
  const { command, called, program, flags, read } = webhook
  const { FlagError, parseFlags, renderHelp } = await import('#base')
  if (args.some(argument => /^--?h(elp)?$/.test(argument))) {
    tellText(`${renderHelp(called, flags)}\n${(await import('./help.ts')).helpAfterFlags(command, called)}`)
    return
  }
  try {
    const file = await readConfigFile(args)
    const mayAskVersion = file.has('version') || args.some(argument => /^--?version(=|$)/.test(argument))
    if (mayAskVersion && parseFlags(flags, args, file).boolean('version')) tell(renderVersion(program))
    // The webhook reads its flags itself, and has words of its own for some that it does not know.
    else await serve(webhook, read(file))
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    tellRefusal(error, `${called} --help lists its flags`)
    process.exitCode = exitCode(command, 'misused')
  }
}

async function serve({ command, program: name }: WebhookCommand, start: WebhookStart): Promise<void> {
  const { FlagError, systemSeams } = await import('#base')
  const { Metrics } = await import('#runtime')
  const { openTelemetry } = await import('../telemetry.ts')
  const stop = stopBySignal(exitCode(command, 'failed'))
  const plain = await openLog(start)
  const seams = systemSeams(process.env, { log: plain })
  const metrics = new Metrics()
  let telemetry: OpenTelemetry | undefined
  try {
    telemetry = await openTelemetry({
      seams,
      plain,
      metrics,
      level: start.level,
      sendsLogs: start.choice.exporter === 'otlp',
      resource: start.choice.attributes,
      program: { name, version },
    })
    const { log, tracer } = telemetry
    await start.run({ seams: { ...seams, log }, metrics, version, ...given({ tracer }) }, stop.signal)
  } catch (error) {
    process.exitCode = exitCode(command, error instanceof FlagError ? 'misused' : 'failed')
    const told = telemetry?.log ?? plain
    told.error('cannot start', { error: (error as Error).message })
  }
  await telemetry?.close()
  process.exit()
}

/** Lines go to standard error, unless they are wanted on standard output or not at all. */
async function openLog({ logFormat, level, choice }: WebhookStart): Promise<Log> {
  const { createLog, silentLog, systemClock } = await import('#base')
  if (choice.exporter === 'none') return silentLog
  return createLog({
    clock: systemClock,
    form: logFormat === 'json' ? 'json' : 'console',
    level,
    ...(choice.exporter === 'console' ? { write: writeLog } : {}),
  })
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
