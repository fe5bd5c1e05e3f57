// All commands. Each is a file of this room that adds itself; its room is loaded only when the command runs, so that `vouch --help` answers
// at once.
import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { addApiserverCommand } from './apiserver.ts'
import { addAwsCommand } from './aws.ts'
import { addCompletionCommand } from './completion.ts'
import { addDevCommand } from './dev/dev.ts'
import { addStandInCommand } from './dev/stand-in-for-aws-cli.ts'
import { showExitCodes } from './exit-codes.ts'
import { addExportCommand } from './export.ts'
import { addInferCommand } from './infer.ts'
import { addOperatorCommand } from './operator.ts'
import { addPlanCommand } from './plan.ts'
import { printing, tell } from './print.ts'
import { addRenderCommand } from './render.ts'
import { addRightsCommand } from './rights.ts'
import { renderVersion } from './version.ts'
import { addWebhookCommand } from './webhook.ts'

export function createProgram(): Command {
  const program = new Command('vouch')
    .description(manifest.description)
    .version(manifest.version)
    .showHelpAfterError('(vouch --help lists the commands, vouch COMMAND --help explains one)')
    .showSuggestionAfterError(true)
    // Options after a command are that command's own: one of them stands in for another program and takes its flags as they are.
    .enablePositionalOptions()
    .configureOutput(printing)
  // In the order in which a newcomer meets them.
  addDevCommand(program)
  addOperatorCommand(program)
  addWebhookCommand(program)
  addRenderCommand(program)
  addRightsCommand(program)
  addPlanCommand(program)
  addExportCommand(program)
  addInferCommand(program)
  addApiserverCommand(program)
  addAwsCommand(program)
  addCompletionCommand(program)
  program
    .command('version')
    .description('which build of vouch this is, and on what it runs')
    .action(() => tell(renderVersion('vouch')))
  addStandInCommand(program)
  showExitCodes(program)
  return program
}

/**
 * Without the wish for help where a word is no command: commander prints the help of what it knows so far and ends with 0, and whoever
 * mistyped a command in a script is never told.
 */
export function withoutVainHelp(program: Command, argv: readonly string[]): readonly string[] {
  let command = program
  for (const word of argv.slice(2)) {
    if (word.startsWith('-') || command.commands.length === 0) return argv
    const below = command.commands.find(one => one.name() === word || one.aliases().includes(word))
    if (below === undefined)
      return command.registeredArguments.length > 0 ? argv : argv.filter(one => one !== '--help' && one !== '-h')
    command = below
  }
  return argv
}
