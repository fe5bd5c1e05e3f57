// The log behind the facade: pino writes JSON lines, we write the form for people. Everything passes `redact` first, and `printable` last.
import { createRequire } from 'node:module'
import type { pino as Pino } from 'pino'
import type { Log, LogFields, LogLevel } from '../seams/log.ts'
import type { Clock } from '../seams/seams.ts'
import { printable, printableLine } from '../text/printable.ts'
import { redact, redactText } from '../text/redact.ts'

export interface LogOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly level?: LogLevel
  readonly form?: 'json' | 'console'
  /** Gets each line with its newline; default standard error, written before the call returns so that a crash loses nothing. */
  readonly write?: (line: string) => void
}

/** A log for a process. */
export function createLog(options: LogOptions): Log {
  return options.form === 'console' ? consoleLog(options) : jsonLog(options)
}

function jsonLog(options: LogOptions): Log {
  const { write, clock } = options
  // Loaded when a log is made, since most of those who import this room, tests above all, make none.
  const { pino } = createRequire(import.meta.url)('pino') as { pino: typeof Pino }
  const destination = write === undefined ? pino.destination({ dest: 2, sync: true }) : { write }
  const safe = { write: (line: string): void => void destination.write(printable(line)) }
  const logger = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: label => ({ level: label }) },
    },
    safe,
  )
  return facade(options, {}, (level, message, fields) => logger[level](fields, message))
}

function consoleLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => process.stderr.write(line))
  return facade(options, {}, (level, message, fields) => {
    const time = new Date(options.clock.now()).toISOString().slice(11, 23)
    const details = Object.entries(fields).map(([name, value]) => ` ${name}=${renderField(value)}`)
    write(`${printableLine(`${time} ${level.padEnd(5)} ${message}${details.join('')}`)}\n`)
  })
}

type Emit = (level: LogLevel, message: string, fields: Record<string, unknown>) => void

/** A log whose lines go elsewhere, as values; redacted like all others. */
export function createLogTo(options: Pick<LogOptions, 'clock' | 'level'>, emit: Emit): Log {
  return facade(options, {}, emit)
}

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 }

function facade(options: LogOptions, bound: LogFields, emit: Emit): Log {
  const least = ranks[options.level ?? 'info']
  const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
    if (ranks[level] < least) return
    emit(level, redactText(message), redact(fields === undefined ? bound : { ...bound, ...fields }) as Record<string, unknown>)
  }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: fields => facade(options, { ...bound, ...fields }, emit),
  }
}

/** A value on one line: quotes only where they are needed, an error as its message. */
function renderField(value: unknown): string {
  if (typeof value === 'string') return /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
  if (typeof value === 'object' && value !== null && 'message' in value && 'stack' in value) return JSON.stringify(value.message)
  return JSON.stringify(value) ?? String(value)
}
