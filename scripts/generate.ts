// Writes what is committed of the API models: src/aws/services/<name>.gen.ts, names, shapes and traits without documentation; and the
// kinds made of them, src/operators/resources/services/<alias>.gen.ts.
//
//   npm run generate -- --models DIR [--botocore DIR] [--generators DIR] [--check]
//
// DIR of --generators holds a folder for each service with its `generator.yaml`.
// DIR of --models holds Smithy JSON ASTs (`iam-2010-05-08.json`); DIR of --botocore is botocore's `data` folder, from which the small
// services come that only the emulator serves, or one command uses. --check writes nothing and fails when a file would change.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceModel } from '#aws'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

interface Source {
  readonly name: string
  readonly from: 'models' | 'botocore'
  /** Start of the file's name, or the folder's. */
  readonly key: string
}

const sources: readonly Source[] = [
  { name: 'acm', from: 'models', key: 'acm' },
  { name: 'acm-pca', from: 'botocore', key: 'acm-pca' },
  { name: 'eks', from: 'models', key: 'eks' },
  { name: 'eks-auth', from: 'botocore', key: 'eks-auth' },
  { name: 'iam', from: 'models', key: 'iam' },
  { name: 'organizations', from: 'botocore', key: 'organizations' },
  { name: 'resource-groups-tagging', from: 'botocore', key: 'resourcegroupstaggingapi' },
  { name: 'route53', from: 'models', key: 'route-53' },
  { name: 's3', from: 'models', key: 's3' },
  { name: 'service-quotas', from: 'botocore', key: 'service-quotas' },
  { name: 'sns', from: 'models', key: 'sns' },
  { name: 'sqs', from: 'botocore', key: 'sqs' },
  { name: 'sts', from: 'models', key: 'sts' },
]

const outputFolder = join(import.meta.dirname, '..', 'src', 'aws', 'services')

const kindsFolder = join(import.meta.dirname, '..', 'src', 'operators', 'resources', 'services')
/** The services whose kinds we ship. */
const kindAliases = ['acm', 'eks', 'iam', 'route53', 's3'] as const

writeMissing()
writeMissingKinds()
// Loaded only now: the reader stands on #aws, whose front door imports the very files that may be missing.
const { crdOf, inferService, pruneModel, readGeneratorConfig, readModel, resourceService } = await import('#crdgen')
main()

function writeMissingKinds(): void {
  mkdirSync(kindsFolder, { recursive: true })
  for (const alias of kindAliases) {
    const file = join(kindsFolder, `${alias}.gen.ts`)
    if (!existsSync(file)) writeFileSync(file, `export const text: string = '{}'\n`)
  }
}

/** An empty module for a service that was just added to the list. */
function writeMissing(): void {
  for (const { name } of sources) {
    const file = join(outputFolder, `${name}.gen.ts`)
    if (!existsSync(file)) writeFileSync(file, `export const text: string = '{}'\n`)
  }
}

function main(): void {
  const given = takeFlags(commands['generate'])
  const [models, botocore, generators] = [given.find('models'), given.find('botocore'), given.find('generators')]
  const isCheck = given.isGiven('check')
  if (models === undefined && botocore === undefined) {
    console.error('one of --models DIR and --botocore DIR is needed; npm run generate -- --help lists what there is')
    process.exit(2)
  }
  let changed = 0
  for (const source of sources) {
    const folder = source.from === 'models' ? models : botocore
    if (folder === undefined) {
      console.log(`${source.name}: left as it is, no --${source.from}`)
      continue
    }
    const { model, hash } = source.from === 'models' ? readSmithyFile(folder, source.key) : readBotocoreFolder(folder, source.key)
    const text = renderModule(model, hash)
    const file = join(outputFolder, `${source.name}.gen.ts`)
    const same = existsSync(file) && readFileSync(file, 'utf8') === text
    if (!same) changed += 1
    if (!same && !isCheck) writeFileSync(file, text)
    const counts = `${Object.keys(model.operations).length} operations, ${Object.keys(model.shapes).length} shapes`
    console.log(
      `${source.name}: ${counts}, ${(text.length / 1000).toFixed(0)} kB${same ? '' : isCheck ? ', DIFFERS' : ', written'}`,
    )
  }
  if (models !== undefined && generators !== undefined) {
    for (const alias of kindAliases) changed += writeKinds(alias, models, generators, isCheck)
  }
  if (isCheck && changed > 0) process.exit(1)
}

/** The kinds of one service: the representation without its model, which stands in src/aws/services, and the CRDs. */
function writeKinds(alias: string, models: string, generators: string, checkOnly: boolean): number {
  const key = sources.find(({ name }) => name === alias)?.key ?? alias
  const name = modelFile(models, key)
  const config = join(generators, alias, 'generator.yaml')
  const [bytes, text] = [readFileSync(join(models, name)), readFileSync(config, 'utf8')]
  const loaded = readGeneratorConfig(text, config)
  const service = inferService(readModel(bytes, { file: name }), { alias, loaded })
  const madeOf = { model: bytes, config: text, program: '' }
  const { model: _model, ...representation } = resourceService(service, { kinds: service.kinds, madeOf })
  const crds = service.kinds.map(kind => crdOf(service, kind))
  const json = [
    `{"service":${JSON.stringify({ ...representation, kinds: {}, structures: {} })},`,
    `"kinds":{\n${lines(representation.kinds)}},`,
    `"structures":{\n${lines(representation.structures)}},`,
    `"crds":[\n${crds.map(crd => JSON.stringify(crd)).join(',\n')}]}`,
  ].join('\n')
  const file = join(kindsFolder, `${alias}.gen.ts`)
  const content = moduleOf(`the kinds of ${alias}, from the API model (sha256 ${hashOf(bytes)}) and its generator.yaml`, json)
  const same = readFileSync(file, 'utf8') === content
  if (!same && !checkOnly) writeFileSync(file, content)
  console.log(
    `${alias}: ${service.kinds.length} kinds, ${(content.length / 1000).toFixed(0)} kB${same ? '' : checkOnly ? ', DIFFERS' : ', written'}`,
  )
  return same ? 0 : 1
}

interface ReadSource {
  readonly model: ServiceModel
  readonly hash: string
}

function modelFile(folder: string, key: string): string {
  const name = readdirSync(folder).find(each => new RegExp(`^${key}-\\d{4}-\\d{2}-\\d{2}\\.json$`).test(each))
  if (name === undefined) throw new Error(`${folder}: no ${key}-YYYY-MM-DD.json`)
  return name
}

function readSmithyFile(folder: string, key: string): ReadSource {
  const name = modelFile(folder, key)
  const bytes = readFileSync(join(folder, name))
  return { model: pruneModel(readModel(bytes, { file: name })), hash: hashOf(bytes) }
}

function readBotocoreFolder(folder: string, key: string): ReadSource {
  const version = readdirSync(join(folder, key)).sort().at(-1)
  if (version === undefined) throw new Error(`${join(folder, key)} is empty`)
  const path = join(folder, key, version)
  const file = ['service-2.json', 'service-2.json.gz'].map(name => join(path, name)).find(each => existsSync(each))
  if (file === undefined) throw new Error(`${path}: no service-2.json`)
  const bytes = readFileSync(file)
  const paginators = join(path, 'paginators-1.json')
  const options = existsSync(paginators) ? { paginators: readFileSync(paginators) } : {}
  return { model: pruneModel(readModel(bytes, { file, ...options })), hash: hashOf(bytes) }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/**
 * A module that exports the model as one text. A literal of this size costs the type checker a second and the engine a parse at
 * import; a text costs neither, and is parsed as JSON, which is faster than as a program, by whoever needs the service.
 */
function renderModule(model: ServiceModel, hash: string): string {
  const { operations, shapes, ...head } = model
  const json = [
    `${JSON.stringify(head).slice(0, -1)},`,
    `"operations":{\n${lines(operations)}},`,
    `"shapes":{\n${lines(shapes)}}}`,
  ].join('\n')
  return moduleOf(`the API model of ${model.id} ${model.apiVersion} (sha256 ${hash})`, json)
}

function moduleOf(source: string, json: string): string {
  return `// Generated by \`npm run generate\` from ${source}; never edited.
export const text: string = String.raw\`${json.replaceAll('`', '\\u0060').replaceAll('${', '\\u0024{')}\`
`
}

/** One entry a line, so that a new model version is a readable difference. */
function lines(entries: Readonly<Record<string, unknown>>): string {
  return Object.entries(entries)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(',\n')
}
