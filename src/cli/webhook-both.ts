// `vouch webhook both`: the webhooks of AWS and Azure in one process, over one cache of ServiceAccounts. Their flags are written
// `--aws.<flag>` and `--azure.<flag>`.
import { bothWebhooksName as program } from './webhook-name.ts'
import { runWebhookCommand } from './webhook-process.ts'

/** Until it is told to stop; ends the process. `called` is what it was started as, for its help. */
export async function runBoth(args: readonly string[], called: string): Promise<void> {
  const { bothFlags, readBothPrograms, runBothWebhooks } = await import('#operators/pods')
  const { readLogChoice } = await import('./log-choice.ts')
  await runWebhookCommand(args, {
    command: 'webhook both',
    called,
    program,
    flags: bothFlags,
    read: file => {
      const programs = readBothPrograms(args, process.env, file)
      return {
        choice: readLogChoice(programs.logFlags, process.env, { 'service.name': program }),
        logFormat: programs.logFormat,
        level: programs.logLevel,
        run: (on, signal) => runBothWebhooks({ programs, ...on }, signal),
      }
    },
  })
}
