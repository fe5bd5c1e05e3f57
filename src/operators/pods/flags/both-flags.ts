// Both webhooks in one process: the flags of each behind its name, and those that are about the process without one.
import { type Flag, FlagError, type FlagValues, type LogLevel, parseFlags } from '#base'
import { awsFlags } from './aws-flags.ts'
import type { AzureVariables } from './azure-environment.ts'
import { azureFlags } from './azure-flags.ts'
import { type AzureProgram, azureProgramOf } from './azure-settings.ts'
import { processFlags, readProcess, type WebhookProcess } from './process-flags.ts'
import { type AwsProgram, awsProgramOf } from './settings.ts'

const commonFlags = processFlags('json')
const ofProcess = new Set(commonFlags.map(({ name }) => name))

function behind(prefix: string, flags: readonly Flag[]): readonly Flag[] {
  return flags.filter(({ name }) => !ofProcess.has(name)).map(flag => ({ ...flag, name: `${prefix}.${flag.name}` }))
}

export const bothFlags: readonly Flag[] = [...commonFlags, ...behind('aws', awsFlags), ...behind('azure', azureFlags)]

export interface BothPrograms extends WebhookProcess {
  readonly aws: AwsProgram
  readonly azure: AzureProgram
  readonly logLevel: LogLevel
}

/** Throws `FlagError`. */
export function readBothPrograms(
  args: readonly string[],
  env: AzureVariables,
  file: ReadonlyMap<string, string> = new Map(),
): BothPrograms {
  const flags = parseFlags(bothFlags, args, file)
  const aws = namedAs('aws', awsFlags, () => awsProgramOf(seenFrom(flags, 'aws')))
  const azure = namedAs('azure', azureFlags, () => azureProgramOf(seenFrom(flags, 'azure'), env))
  return {
    ...readProcess(flags),
    aws: { ...aws, ignored: aws.ignored.map(name => `aws.${name}`) },
    azure,
    // The AWS webhook tells of its start and its ServiceAccounts by default, and Azure's nothing but trouble.
    logLevel: aws.webhook.verbosity >= 5 || azure.logLevel === 'debug' ? 'debug' : 'info',
  }
}

/** What is wrong with a flag is told by the name that it has here. */
function namedAs<T>(prefix: string, flags: readonly Flag[], read: () => T): T {
  const own = new Set(flags.map(({ name }) => name).filter(name => !ofProcess.has(name)))
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    throw new FlagError(
      error.message.replace(/--([a-z][a-z0-9-]*)/g, (as, name: string) => (own.has(name) ? `--${prefix}.${name}` : as)),
    )
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
