// The front door: `vouch COMMAND`. Each command is a file of this room that adds itself to the program; its room is loaded only when the
// command runs, so that `vouch --help` answers at once.
import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addApiserverCommand } from './apiserver.ts'
import { addAwsCommand } from './aws.ts'
import { addDevCommand } from './dev/dev.ts'
import { addStandInCommand } from './dev/stand-in-for-aws-cli.ts'
import { addExportCommand } from './export.ts'
import { addInferCommand } from './infer.ts'
import { keepCompiled } from './keep-compiled.ts'
import { addOperatorCommand } from './operator.ts'
import { addPlanCommand } from './plan.ts'
import { tellRefusal } from './refusal.ts'
import { addRenderCommand } from './render.ts'
import { addWebhookCommand, argumentsUnderName } from './webhook.ts'

keepCompiled()

const program = new Command('vouch')
  .description(manifest.description)
  .version(manifest.version)
  .showHelpAfterError('(vouch --help lists the commands, vouch COMMAND --help explains one)')
  .showSuggestionAfterError(true)
  // Options after a command are that command's own: one of them stands in for another program and takes its flags as they are.
  .enablePositionalOptions()

addApiserverCommand(program)
addAwsCommand(program)
addInferCommand(program)
addWebhookCommand(program)
addOperatorCommand(program)
addRenderCommand(program)
addPlanCommand(program)
addExportCommand(program)

addDevCommand(program)
addStandInCommand(program)

// Whoever read what is printed has gone (`vouch render | head`): what is left goes nowhere, and that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync(argumentsUnderName(process.argv))
} catch (error) {
  tellRefusal(error)
}
