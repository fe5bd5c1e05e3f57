// `vouch export`: what is in an AWS account already, as manifests that adopt it.
import { type Command, InvalidArgumentError } from 'commander'
import { readManifests } from './files/read-manifests.ts'
import { looking } from './frame/looking.ts'
import { warn } from './frame/print.ts'
import { tellManifests } from './print-manifests.ts'

interface Flags {
  readonly filename?: readonly string[]
  readonly namespace: string
  readonly with: Readonly<Record<string, string>>
  readonly managed: boolean
}

export function addExportCommand(program: Command): void {
  program
    .command('export')
    .description('print manifests that adopt what is in AWS already')
    .argument(
      '<kind>',
      'such as Role, roles or roles.iam; AdoptedResource turns objects of that kind into ones that adopt by annotation',
    )
    .option('-f, --filename <paths...>', 'with AdoptedResource: manifests, or folders with manifests, at any depth')
    .option('-n, --namespace <name>', 'namespace of the manifests', 'default')
    .option('--with <name=value>', 'what the list needs to be told, such as clusterName=main; may be repeated', readPair, {})
    .option('--managed', 'also what an object of Kubernetes looks after already', false)
    .argument('[flags...]')
    .action((kind: string, args: readonly string[], flags: Flags) => exportKind(kind, args, flags))
}

async function exportKind(kind: string, args: readonly string[], flags: Flags): Promise<void> {
  if (kind.toLowerCase() === 'adoptedresource') return convertAdopted(args, flags.filename ?? [])
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

/** What AWS Controllers for Kubernetes took over by a kind of its own, which they dropped: printed as what adopts the same. */
async function convertAdopted(args: readonly string[], paths: readonly string[]): Promise<void> {
  await looking(args, async ({ options }) => {
    const { fromAdoptedResource, isAdoptedResource } = await import('#operators/resources')
    if (paths.length === 0) throw new Error('AdoptedResource: say which files hold them, by --filename')
    const all = await readManifests(paths)
    const found = all.filter(isAdoptedResource)
    tellManifests(found.map(object => fromAdoptedResource(object, options)))
    warn(`${found.length} of kind AdoptedResource, ${all.length - found.length} others left out`)
  })
}

function readPair(text: string, held: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const cut = text.indexOf('=')
  if (cut <= 0) throw new InvalidArgumentError('name=value')
  return { ...held, [text.slice(0, cut)]: text.slice(cut + 1) }
}
