// `vouch export`: what is in an AWS account already, as manifests that adopt it.
import { type Command, InvalidArgumentError } from 'commander'
import { looking } from './looking.ts'
import { warn } from './print.ts'
import { tellManifests } from './print-manifests.ts'

interface Flags {
  readonly namespace: string
  readonly with: Readonly<Record<string, string>>
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('print manifests that adopt what is in AWS already; flags of the operator come after --')
    .argument('<kind>', 'such as Role or Bucket')
    .option('-n, --namespace <name>', 'namespace of the manifests', 'default')
    .option('--with <name=value>', 'what the list needs to be told, such as clusterName=main; may be repeated', readPair, {})
    .argument('[flags...]')
    .action((kind: string, args: readonly string[], flags: Flags) => exportKind(kind, args, flags))
}

async function exportKind(kind: string, args: readonly string[], flags: Flags): Promise<void> {
  await looking(args, async ({ options, signal }) => {
    const { exportExisting } = await import('#operators/resources')
    let count = 0
    for await (const object of exportExisting(options, { kind, namespace: flags.namespace, with: flags.with, signal })) {
      tellManifests([object])
      count += 1
    }
    warn(`${count} of kind ${kind}`)
  })
}

function readPair(text: string, held: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const cut = text.indexOf('=')
  if (cut <= 0) throw new InvalidArgumentError('name=value')
  return { ...held, [text.slice(0, cut)]: text.slice(cut + 1) }
}
