// All commands. Each is a file of this room that adds itself; its room is loaded only when the command runs, so that `vouch --help` answers
// at once.
import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addApiserverCommand } from './apiserver.ts'
import { addAwsCommand } from './aws.ts'
import { addDevCommand } from './dev/dev.ts'
import { addStandInCommand } from './dev/stand-in-for-aws-cli.ts'
import { showExitCodes } from './exit-codes.ts'
import { addExportCommand } from './export.ts'
import { addInferCommand } from './infer.ts'
import { addOperatorCommand } from './operator.ts'
import { addPlanCommand } from './plan.ts'
import { addRenderCommand } from './render.ts'
import { addWebhookCommand } from './webhook.ts'

export function createProgram(): Command {
  const program = new Command('vouch')
    .description(manifest.description)
    .version(manifest.version)
    .showHelpAfterError('(vouch --help lists the commands, vouch COMMAND --help explains one)')
    .showSuggestionAfterError(true)
    // Options after a command are that command's own: one of them stands in for another program and takes its flags as they are.
    .enablePositionalOptions()
  // In the order in which a newcomer meets them.
  addDevCommand(program)
  addOperatorCommand(program)
  addWebhookCommand(program)
  addRenderCommand(program)
  addPlanCommand(program)
  addExportCommand(program)
  addInferCommand(program)
  addApiserverCommand(program)
  addAwsCommand(program)
  addStandInCommand(program)
  showExitCodes(program)
  return program
}
