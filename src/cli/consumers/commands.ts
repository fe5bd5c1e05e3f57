// Where the consumers stand among the other commands: for help, completion and the reference. They are started before those are loaded.
import type { Command } from 'commander'

const commands: Readonly<Record<string, string>> = {
  'credential-process':
    'AWS credentials of a ServiceAccount in another cluster, for `credential_process` of an AWS configuration',
  sidecar: 'keeps a token and an AWS configuration fresh for the program beside it; `sidecar check` says whether they are there',
}

export function addConsumerCommands(program: Command): void {
  for (const [name, description] of Object.entries(commands)) {
    program
      .command(name)
      .description(description)
      .argument('[flags...]')
      .allowUnknownOption()
      .passThroughOptions()
      .helpOption(false)
  }
}
