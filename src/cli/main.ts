// The front door: `vouch COMMAND`.
import { keepCompiled } from './keep-compiled.ts'
import { createProgram, withoutVainHelp } from './program.ts'
import { tellRefusal } from './refusal.ts'
import { argumentsUnderName } from './webhook.ts'

keepCompiled()

// Whoever read what is printed has gone (`vouch render | head`): what is left goes nowhere, and that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  const program = createProgram()
  await program.parseAsync(withoutVainHelp(program, argumentsUnderName(process.argv)))
} catch (error) {
  tellRefusal(error)
}
