// Both webhooks in one process: the flags of each behind its name, and those that are about the process without one.
import { type Flag, type FlagValues, flagOf, type LogLevel, parseFlags } from '#base'
import { awsFlags } from './aws-flags.ts'
import type { AzureVariables } from './azure-environment.ts'
import { azureFlags } from './azure-flags.ts'
import { type AzureProgram, azureProgramOf } from './azure-settings.ts'
import { type AwsProgram, awsProgramOf } from './settings.ts'

const { text, boolean } = flagOf

const commonFlags: readonly Flag[] = [
  text('config', '', 'YAML file with flags as keys; the command line wins'),
  text('kubeconfig', '', 'Kubeconfig file; the cluster that the pod runs in when empty'),
  text(
    'log-exporter',
    '',
    'otlp (standard error without OTEL_EXPORTER_OTLP_ENDPOINT), console or none; default OTEL_LOGS_EXPORTER, then otlp',
  ),
  text('log-format', 'json', 'text or json, of the lines that go to no collector'),
  text(
    'log-resource-attributes',
    '',
    'key=value pairs for what goes to a collector, separated by commas, values percent-encoded',
  ),
  boolean('version', false, 'Print the version and exit'),
]

const ofProcess = new Set(commonFlags.map(({ name }) => name))

function behind(prefix: string, flags: readonly Flag[]): readonly Flag[] {
  return flags.filter(({ name }) => !ofProcess.has(name)).map(flag => ({ ...flag, name: `${prefix}.${flag.name}` }))
}

export const bothFlags: readonly Flag[] = [...commonFlags, ...behind('aws', awsFlags), ...behind('azure', azureFlags)]

export interface BothPrograms {
  readonly aws: AwsProgram
  readonly azure: AzureProgram
  readonly kubeconfig: string
  readonly logLevel: LogLevel
  readonly logFormat: 'text' | 'json'
  readonly logFlags: AwsProgram['logFlags']
}

/** Throws `FlagError`. */
export function readBothPrograms(
  args: readonly string[],
  env: AzureVariables,
  file: ReadonlyMap<string, string> = new Map(),
): BothPrograms {
  const flags = parseFlags(bothFlags, args, file)
  const aws = awsProgramOf(seenFrom(flags, 'aws'))
  const azure = azureProgramOf(seenFrom(flags, 'azure'), env)
  const { logFormat, logFlags } = aws
  return {
    aws,
    azure,
    kubeconfig: flags.text('kubeconfig'),
    // The AWS webhook tells of its start and its ServiceAccounts by default, and Azure's nothing but trouble.
    logLevel: aws.webhook.verbosity >= 5 || azure.logLevel === 'debug' ? 'debug' : 'info',
    logFormat,
    logFlags,
  }
}

/** The flags as one of the two knows them. */
function seenFrom(flags: FlagValues, prefix: string): FlagValues {
  const full = (name: string): string => (ofProcess.has(name) ? name : `${prefix}.${name}`)
  const start = `${prefix}.`
  return {
    given: new Set([...flags.given].map(name => (name.startsWith(start) ? name.slice(start.length) : name))),
    text: name => flags.text(full(name)),
    boolean: name => flags.boolean(full(name)),
    integer: name => flags.integer(full(name)),
    durationMs: name => flags.durationMs(full(name)),
  }
}
