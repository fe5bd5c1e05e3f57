// Where the lines of a process go, and what each says of its source, by the rules of OpenTelemetry: our choice below the environment's, the
// environment's below the flag's.
import { commaPairs, type Environment, FlagError } from '#base'

export interface LogChoice {
  readonly exporter: 'otlp' | 'console' | 'none'
  readonly attributes: Readonly<Record<string, string>>
}

export interface LogFlags {
  readonly exporter: string
  readonly attributes: string
}

/** Throws `FlagError`. `own` is what the program calls itself. */
export function readLogChoice(flags: LogFlags, env: Environment, own: Readonly<Record<string, string>>): LogChoice {
  const chosen = flags.exporter.trim() || (env.OTEL_LOGS_EXPORTER ?? '').trim() || 'otlp'
  const exporter = (['otlp', 'console', 'none'] as const).find(name => name === chosen.toLowerCase())
  if (exporter === undefined) throw new FlagError(`--log-exporter: ${JSON.stringify(chosen)} is none of otlp, console, none`)
  const protocol = env.OTEL_EXPORTER_OTLP_LOGS_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf'
  if (exporter === 'otlp' && protocol !== 'http/protobuf' && protocol !== 'grpc') {
    throw new FlagError(`OTEL_EXPORTER_OTLP_PROTOCOL: ${JSON.stringify(protocol)} is neither http/protobuf nor grpc`)
  }
  return { exporter, attributes: resourceAttributes(flags.attributes, env, own) }
}

function resourceAttributes(flag: string, env: Environment, own: LogChoice['attributes']): LogChoice['attributes'] {
  return {
    ...own,
    ...parsePairs(env.OTEL_RESOURCE_ATTRIBUTES ?? '', 'OTEL_RESOURCE_ATTRIBUTES'),
    ...(env.OTEL_SERVICE_NAME === undefined || env.OTEL_SERVICE_NAME === '' ? {} : { 'service.name': env.OTEL_SERVICE_NAME }),
    ...parsePairs(flag, '--log-resource-attributes'),
  }
}

function parsePairs(list: string, from: string): Readonly<Record<string, string>> {
  const wrong = (pair: string, why: string): FlagError => {
    const shown = why === 'is no key=value' ? pair : pair.slice(pair.indexOf('=') + 1).trim()
    return new FlagError(`${from}: ${JSON.stringify(shown)} ${why}`)
  }
  return Object.fromEntries(commaPairs(list, wrong))
}
