// `vouch webhook azure`: the Azure workload identity webhook as a process, with the flags and the environment of the program that it stands
// in for.
import { azureWebhookName as program } from './webhook-name.ts'
import { runWebhookCommand } from './webhook-process.ts'

/** Until it is told to stop; ends the process. `called` is what it was started as, for its help. */
export async function runAzure(args: readonly string[], called: string): Promise<void> {
  const { azureFlags, readAzureProgram, runAzureWebhook } = await import('#operators/pods')
  const { readLogChoice } = await import('./log-choice.ts')
  await runWebhookCommand(args, {
    command: 'webhook azure',
    called,
    program,
    flags: azureFlags,
    read: file => {
      const read = readAzureProgram(args, process.env, file)
      return {
        choice: readLogChoice(read.logFlags, process.env, { 'service.name': program }),
        logFormat: read.logFormat,
        level: read.logLevel,
        run: (on, signal) => runAzureWebhook({ program: read, ...on }, signal),
      }
    },
  })
}
