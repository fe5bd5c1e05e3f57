// The front door: `vouch COMMAND`.
import { startedConsumer } from './consumers/name.ts'
import { keepCompiled } from './frame/keep-compiled.ts'
import { startedWebhook } from './webhook/name.ts'

keepCompiled()

// The reader of our output may end before we do (`vouch render | head`). That is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const started = startedWebhook(process.argv)
const consumer = startedConsumer(process.argv)
try {
  if (consumer !== undefined) {
    // Asked by other programs whenever they need credentials, which wait for it: nothing else is loaded.
    const { runConsumer } = await import('./consumers/run.ts')
    await runConsumer(consumer)
  } else if (started === undefined) {
    const { createProgram } = await import('./frame/program.ts')
    const { readCommandLine } = await import('./frame/command-line.ts')
    const program = createProgram()
    const line = await readCommandLine(program, process.argv)
    if (line !== undefined) await program.parseAsync(line)
  } else {
    // A webhook starts with every pod of its Deployment, and does not wait until the other commands are loaded.
    const { runStarted } = await import('./webhook/servers.ts')
    await runStarted(started)
  }
} catch (error) {
  const { tellRefusal } = await import('./frame/refusal.ts')
  tellRefusal(error)
}
