// `vouch export`: what is in an AWS account already, as manifests that adopt it.
import { type Command, InvalidArgumentError } from 'commander'
import { looking } from './frame/looking.ts'
import { warn } from './frame/print.ts'
import { tellManifests } from './print-manifests.ts'

interface Flags {
  readonly namespace: string
  readonly with: Readonly<Record<string, string>>
  readonly managed: boolean
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('print manifests that adopt what is in AWS already')
    .argument('<kind>', 'such as Role, roles or roles.iam')
    .option('-n, --namespace <name>', 'namespace of the manifests', 'default')
    .option('--with <name=value>', 'what the list needs to be told, such as clusterName=main; may be repeated', readPair, {})
    .option('--managed', 'also what an object of Kubernetes looks after already', false)
    .argument('[flags...]')
    .action((kind: string, args: readonly string[], flags: Flags) => exportKind(kind, args, flags))
}

async function exportKind(kind: string, args: readonly string[], flags: Flags): Promise<void> {
  await looking(args, async ({ options, signal }) => {
    const { exportExisting } = await import('#operators/resources')
    let count = 0
    let leftOut = 0
    const onManaged = (): void => void leftOut++
    for await (const object of exportExisting(options, { kind, ...flags, onManaged, signal })) {
      tellManifests([object])
      count += 1
    }
    warn(`${count} of kind ${kind}`)
    if (leftOut > 0) warn(`left out, since objects of Kubernetes look after them already: ${leftOut} (--managed prints them too)`)
  })
}

function readPair(text: string, held: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const cut = text.indexOf('=')
  if (cut <= 0) throw new InvalidArgumentError('name=value')
  return { ...held, [text.slice(0, cut)]: text.slice(cut + 1) }
}
