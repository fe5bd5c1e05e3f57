// `vouch infer`: an AWS API model in, Kubernetes kinds out; and what one wants to know about how it came to them.
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { given } from '#base'
import type { CrdMode, InferredService, SkewPolicy } from '#crdgen'
import manifest from '../../package.json' with { type: 'json' }
import { exitCode } from './frame/exit-codes.ts'
import { tell, warn } from './frame/print.ts'
import { tellRefusal } from './frame/refusal.ts'

interface ModelFlags {
  readonly model: readonly string[]
  readonly service: string
  readonly generator?: string
  readonly skew: SkewPolicy
}

interface ExplainFlags extends ModelFlags {
  readonly adoption?: boolean
}

interface InferFlags extends ModelFlags {
  readonly documentation?: string
  readonly output: string
  readonly kinds?: readonly string[]
  readonly mode: CrdMode
  readonly defaultColumns?: boolean
  readonly keepGoing?: boolean
}

export function addInferCommand(program: Command): void {
  const infer = withModel(program.command('infer'), 'checked later')
    .description('make Kubernetes kinds of an AWS API model: CRDs, types, permissions and what the runtime needs')
    .option('--documentation <file>', 'documentation.yaml: edits of descriptions')
    .option('--output <folder>', 'where to write; files of the same names are replaced, others stay')
    .option('--kinds <names...>', 'only these kinds')
    .addOption(new Option('--mode <name>', 'form of the CRDs').choices(['current', 'seed', 'extended']).default('current'))
    .option(
      '--default-columns',
      'columns Ready, Synced, Age and ARN for kinds whose config asks for none (extended has them anyway)',
    )
    .option(
      '--keep-going',
      'write the sound kinds when others that the config names are refused (the default without --generator)',
    )
    .action((flags: InferFlags, command: Command) => reported(() => run(flags, command)))
  // Options after `classify` and `explain` are theirs, not those of `infer`.
  program.enablePositionalOptions()
  infer.enablePositionalOptions()
  withModel(infer.command('classify'))
    .description('every operation with its type and resource, and why')
    .action((flags: ModelFlags) => reported(() => classify(flags)))
  withModel(infer.command('explain'), 'checked later')
    .description('which operation, member, rename or line of the config made a field')
    .argument('<kind.path>', 'e.g. Role.spec.name; a kind alone lists its fields')
    .option(
      '--adoption',
      'the keys by which a resource of the kind is adopted; without --model of the kinds that come with vouch',
    )
    .action((path: string, flags: ExplainFlags, command: Command) => reported(() => explain(path, flags, command)))
  infer
    .command('diff')
    .description('two CRDs field by field')
    .argument('<crd>')
    .argument('<other>')
    .action((first: string, second: string) => reported(() => diff(first, second)))
}

/** A required option of a parent is required of its subcommands too, so `infer` itself checks when it runs. */
function withModel(command: Command, required: 'required' | 'checked later' = 'required'): Command {
  const need = (flags: string, description: string): Option =>
    new Option(flags, description).makeOptionMandatory(required === 'required')
  return command
    .addOption(need('--model <files...>', 'API model: Smithy JSON AST, or C2J with docs-2.json and paginators-1.json beside it'))
    .addOption(need('--service <alias>', 'stem of the API group, e.g. route53'))
    .option('--generator <file>', 'generator.yaml of the service')
    .addOption(
      new Option('--skew <policy>', 'names in the config that the model lacks: mistakes, or another version of the model')
        .choices(['auto', 'allow', 'refuse'])
        .default('auto'),
    )
}

interface Loaded {
  readonly service: InferredService
  readonly model: Uint8Array
  readonly config: string
}

async function load(flags: ModelFlags & Pick<InferFlags, 'documentation'>): Promise<Loaded> {
  const { inferService, ModelError, noConfig, readDocumentationConfig, readGeneratorConfig, readModel } = await import('#crdgen')
  const files = await Promise.all(flags.model.map(async file => ({ file, bytes: await readFile(resolve(file)) })))
  const part = (stem: string): Uint8Array | undefined => files.find(({ file }) => basename(file).startsWith(stem))?.bytes
  const [docs, paginators] = [part('docs-2'), part('paginators-1')]
  const main = files.find(({ file }) => !/^(?:docs-2|paginators-1|waiters-2)/.test(basename(file)))
  if (main === undefined) throw new ModelError('unknown-format', '--model: none of the files is the model itself')
  const model = readModel(main.bytes, {
    file: main.file,
    documentation: true,
    ...given({ docs, paginators }),
  })
  const config = flags.generator === undefined ? '' : await readFile(resolve(flags.generator), 'utf8')
  const loaded = flags.generator === undefined ? noConfig : readGeneratorConfig(config, flags.generator)
  const { documentation: file } = flags
  const documentation = file === undefined ? {} : readDocumentationConfig(await readFile(resolve(file), 'utf8'), file)
  const service = inferService(model, { alias: flags.service, loaded, documentation, skew: flags.skew })
  return { service, model: main.bytes, config }
}

async function run(flags: InferFlags, command: Command): Promise<void> {
  needs(command, flags, ['model', 'service', 'output'])
  const { chooseKinds, InferError, renderService, unboundHooks } = await import('#crdgen')
  const { service, model, config } = await load(flags)
  const keepsGoing = flags.keepGoing === true || flags.generator === undefined || flags.kinds !== undefined
  const refusals = service.refused.flatMap(({ problems }) => problems.map(({ message }) => message))
  // A resource that the config does not mention came with a later model than the config: it is told and left out, and the others are made.
  const configured = service.refused.filter(({ resource }) => service.loaded.config.resources?.has(resource) === true)
  if (configured.length > 0 && !keepsGoing) {
    throw new InferError('no-kind', `${refusals.join('\n')}\n(--keep-going writes the other kinds)`)
  }
  const kinds = chooseKinds(service, flags.kinds)
  for (const warning of service.warnings) warn(`warning: ${warning}`)
  for (const skew of service.skew) warn(`left out, since this model does not have it: ${skew}`)
  if (flags.kinds === undefined) for (const refusal of refusals) warn(`refused: ${refusal}`)
  const { isDeviating } = await import('#operators/resources')
  for (const kind of kinds) for (const warning of unboundHooks(service, kind, isDeviating)) warn(`warning: ${warning}`)
  const madeOf = { model, config, program: manifest.version }
  const files = renderService(service, {
    mode: flags.mode,
    defaultColumns: flags.defaultColumns,
    kinds,
    madeOf,
    isHooked: isDeviating,
  })
  await writeAll(resolve(flags.output), files)
  tell(`${service.group}: ${kinds.length} ${kinds.length === 1 ? 'kind' : 'kinds'}, ${files.size} files in ${flags.output}`)
}

/** All or nothing: into a folder beside the wanted one first, then each file takes its place by one rename. */
async function writeAll(output: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(dirname(output), { recursive: true })
  const temporary = await mkdtemp(join(dirname(output), `.${basename(output)}-`))
  try {
    for (const [name, content] of files) {
      await mkdir(dirname(join(temporary, name)), { recursive: true })
      await writeFile(join(temporary, name), content)
    }
    for (const name of files.keys()) await mkdir(dirname(join(output, name)), { recursive: true })
    for (const name of files.keys()) await rename(join(temporary, name), join(output, name))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

async function classify(flags: ModelFlags): Promise<void> {
  const { service } = await load(flags)
  for (const { operation, type, resource, why } of service.classified.all) {
    tell([operation, type, resource === '' ? '-' : resource, why].join('\t'))
  }
}

/** What a parent requires, its subcommands would have to have too. */
function needs<Flags extends object>(command: Command, flags: Flags, names: readonly (keyof Flags & string)[]): void {
  const missing = names.find(name => flags[name] === undefined)
  if (missing !== undefined) command.error(`error: required option '--${missing}' not specified`)
}

/** Prints by which fields a kind that comes with vouch is adopted. */
async function tellAdoptionKeys(kind: string): Promise<void> {
  const { adoptionKeysOf, chooseKinds, shippedKinds } = await import('#operators/resources')
  for (const { service, kind: found } of chooseKinds({ services: shippedKinds, kinds: [kind] }).kinds)
    for (const key of adoptionKeysOf(service, found.kind)) tell(key)
}

async function explain(path: string, flags: ExplainFlags, command: Command): Promise<void> {
  if (flags.adoption === true && flags.model === undefined) return tellAdoptionKeys(path)
  needs(command, flags, ['model', 'service'])
  const { explainField, kindNamed, resourceService, typeView } = await import('#crdgen')
  const { service } = await load(flags)
  if (flags.adoption === true) {
    const { adoptionKeysOf } = await import('#operators/resources')
    const kind = kindNamed(service, path)
    const made = resourceService(service, { kinds: [kind], madeOf: { model: '', config: '', program: '' } })
    for (const key of adoptionKeysOf(made, kind.kind)) tell(key)
    return
  }
  if (path.includes('.')) {
    const { path: full, sentences } = explainField(service, path)
    for (const line of [full, ...sentences.map(sentence => `  ${sentence}`)]) tell(line)
    return
  }
  const kind = kindNamed(service, path)
  for (const [part, fields] of [
    ['spec', kind.spec],
    ['status', kind.status],
  ] as const) {
    for (const { name, type, tag } of typeView(fields)) tell([part, name, type, tag].join('\t'))
  }
}

async function diff(first: string, second: string): Promise<void> {
  const { diffCrds } = await import('#crdgen')
  const { manifestsOf } = await import('./files/yaml-text.ts')
  const read = async (file: string): Promise<unknown> => {
    const [crd] = manifestsOf(file, await readFile(resolve(file), 'utf8'))
    if (crd?.kind !== 'CustomResourceDefinition') throw new Error(`${file}: its first document is no CustomResourceDefinition`)
    return crd
  }
  const { kind, differences, paths, pathsEqual } = diffCrds(await read(first), await read(second))
  for (const { class: name, path, first: a = '', second: b = '' } of differences) tell([name, path, a, b].join('\t'))
  tell(`${kind}: ${pathsEqual} of ${paths} paths equal, ${differences.length} differences`)
  process.exitCode = exitCode('infer diff', differences.length > 0 ? 'failed' : 'same')
}

/** Here as well as at the front door, so that the command can be tested alone. */
async function reported(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => tellRefusal(error))
}
