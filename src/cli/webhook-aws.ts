// `vouch webhook aws`: the AWS pod identity webhook as a process, with the flag names of the program that it stands in for. It loads what it
// needs and nothing else: the other commands, and the services of AWS that they speak to, would be a third of its start and of its memory.
import { webhookProgramName as program } from './webhook-name.ts'
import { runWebhookCommand } from './webhook-process.ts'

/** Until it is told to stop; ends the process. `called` is what it was started as, for its help. */
export async function runAws(args: readonly string[], called: string): Promise<void> {
  const { awsFlags, readAwsProgram, runAwsWebhook } = await import('#operators/pods')
  const { readLogChoice } = await import('./log-choice.ts')
  await runWebhookCommand(args, {
    command: 'webhook aws',
    called,
    program,
    flags: awsFlags,
    read: file => {
      const read = readAwsProgram(args, file)
      return {
        choice: readLogChoice(read.logFlags, process.env, { 'service.name': program }),
        logFormat: read.logFormat,
        level: read.webhook.verbosity >= 5 ? 'debug' : 'info',
        run: (on, signal) => runAwsWebhook({ program: read, ...on }, signal),
      }
    },
  })
}
