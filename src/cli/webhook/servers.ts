// From the name of a webhook to its program: what each is called, its flags, and what they start.
import type { LogLevel } from '#base'
import type * as Room from '#operators/pods'
import type { LogFlags } from '../frame/log-choice.ts'
import { azureWebhookName, bothWebhooksName, type StartedWebhook, type WebhookKind, webhookProgramName } from './name.ts'
import { runWebhookCommand, type WebhookCommand, type WebhookStart } from './process.ts'

type Pods = typeof Room
type Read = Omit<WebhookStart, 'choice'> & { readonly logFlags: LogFlags }

interface Server {
  /** What it stands in for, or calls itself. */
  readonly program: string
  readonly flags: (pods: Pods) => WebhookCommand['flags']
  readonly read: (pods: Pods, args: readonly string[], file: ReadonlyMap<string, string>) => Read
}

const servers: Readonly<Record<WebhookKind, Server>> = {
  aws: {
    program: webhookProgramName,
    flags: ({ awsFlags }) => awsFlags,
    read: ({ readAwsProgram, runAwsWebhook }, args, file) => {
      const program = readAwsProgram(args, file)
      const level: LogLevel = program.webhook.verbosity >= 5 ? 'debug' : 'info'
      return { ...program, level, run: (on, signal) => runAwsWebhook({ program, ...on }, signal) }
    },
  },
  azure: {
    program: azureWebhookName,
    flags: ({ azureFlags }) => azureFlags,
    read: ({ readAzureProgram, runAzureWebhook }, args, file) => {
      const program = readAzureProgram(args, process.env, file)
      return { ...program, level: program.logLevel, run: (on, signal) => runAzureWebhook({ program, ...on }, signal) }
    },
  },
  both: {
    program: bothWebhooksName,
    flags: ({ bothFlags }) => bothFlags,
    read: ({ readBothPrograms, runBothWebhooks }, args, file) => {
      const programs = readBothPrograms(args, process.env, file)
      return { ...programs, level: programs.logLevel, run: (on, signal) => runBothWebhooks({ programs, ...on }, signal) }
    },
  },
}

/** Until it is told to stop; ends the process. It loads what a webhook needs and nothing else: the other commands would be a third of its start. */
export async function runStarted({ kind, flags: args, called }: StartedWebhook): Promise<void> {
  const { program, flags, read } = servers[kind]
  const pods = await import('#operators/pods')
  const { readLogChoice } = await import('../frame/log-choice.ts')
  await runWebhookCommand(args, {
    command: `webhook ${kind}`,
    called,
    program,
    flags: flags(pods),
    read: file => {
      const { logFlags, logFormat, level, run } = read(pods, args, file)
      return { choice: readLogChoice(logFlags, process.env, { 'service.name': program }), logFormat, level, run }
    },
  })
}
