// The front door: `vouch COMMAND`.
import { keepCompiled } from './keep-compiled.ts'
import { webhookArguments } from './webhook-name.ts'

keepCompiled()

// Whoever read what is printed has gone (`vouch render | head`): what is left goes nowhere, and that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

const flags = webhookArguments(process.argv)
try {
  if (flags === undefined) {
    const { createProgram, withoutVainHelp } = await import('./program.ts')
    const program = createProgram()
    await program.parseAsync(withoutVainHelp(program, process.argv))
  } else {
    // It starts with every pod of its Deployment, and stays: it waits for none of the other commands to be loaded.
    const { runAws } = await import('./webhook-aws.ts')
    await runAws(flags)
  }
} catch (error) {
  const { tellRefusal } = await import('./refusal.ts')
  tellRefusal(error)
}
