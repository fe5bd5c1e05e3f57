// All commands. Each is a file of this room that adds itself; its room is loaded only when the command runs, so that `vouch --help` answers
// at once.
import { Command } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { addConsumerCommands } from '../consumers/commands.ts'
import { addDevCommand } from '../dev/dev.ts'
import { addDnsStandInCommand } from '../dev/dns/stand-in.ts'
import { addStandInCommand } from '../dev/stand-in-for-aws-cli.ts'
import { addExportCommand } from '../export.ts'
import { addInferCommand } from '../infer.ts'
import { addOperatorCommand } from '../operator.ts'
import { addPlanCommand } from '../plan.ts'
import { addRenderCommand } from '../render.ts'
import { addRightsCommand } from '../rights.ts'
import { addWebhookCommand } from '../webhook/webhook.ts'
import { addApiserverCommand } from '../worlds/apiserver.ts'
import { addAwsCommand } from '../worlds/aws.ts'
import { addAzureCommand } from '../worlds/azure.ts'
import { lendersOf, providerOf } from './command-line.ts'
import { addCompletionCommand } from './completion.ts'
import { renderExamples } from './examples.ts'
import { nameOf, renderExitCodes } from './exit-codes.ts'
import { printing, tell } from './print.ts'
import { renderVersion } from './version.ts'

export function createProgram(): Command {
  const program = new Command('vouch')
    .description(manifest.description)
    .version(manifest.version)
    .showHelpAfterError('(vouch --help lists the commands)')
    .showSuggestionAfterError(true)
    // Options after a command are that command's own: one of them stands in for another program and takes its flags as they are.
    .enablePositionalOptions()
    .configureOutput(printing)
    // The arguments of a command stand in its own help.
    .configureHelp({ subcommandTerm: one => one.name() })
    .addHelpText(
      'after',
      '\nBegin with `vouch dev`: it needs no cluster and no account. `vouch COMMAND --help` explains a command.',
    )
  // In the order in which a newcomer meets them.
  addDevCommand(program)
  addOperatorCommand(program)
  addWebhookCommand(program)
  addRenderCommand(program)
  addRightsCommand(program)
  addPlanCommand(program)
  addExportCommand(program)
  addInferCommand(program)
  addConsumerCommands(program)
  addApiserverCommand(program)
  addAwsCommand(program)
  addAzureCommand(program)
  addCompletionCommand(program)
  program
    .command('version')
    .description('which build of vouch this is, and on what it runs')
    .action(() => tell(renderVersion('vouch')))
  addStandInCommand(program)
  addDnsStandInCommand(program)
  completeHelp(program)
  return program
}

/** What stands below the flags of every help: lines to begin with, and how the command ends. */
function completeHelp(command: Command): void {
  for (const one of command.commands) {
    const name = nameOf(one)
    const [lender, ...others] = lendersOf(name)
    const parts = [
      ...(lender === undefined ? [] : [`It takes the flags of \`vouch ${lender}\` as well; vouch ${lender} --help lists them.`]),
      ...others.map(other => `With --provider ${providerOf(other)} it takes those of \`vouch ${other}\` instead.`),
      renderExamples(name).trimEnd(),
      renderExitCodes(name) ?? '',
    ].filter(text => text !== '')
    one.addHelpText('after', `\n${parts.join('\n\n')}`)
    if (lender !== undefined) one.usage(`${one.usage().replace(' [flags...]', '')} [flags of vouch ${lender}]`)
    one.showHelpAfterError(
      one.commands.length > 0 ? `(vouch ${name} --help lists its commands and flags)` : `(vouch ${name} --help lists its flags)`,
    )
    completeHelp(one)
  }
}
