// Kinds of services that this program has never seen: inferred when it starts, from API models in a folder. A model stands in the folder
// itself (`sqs-2012-11-05.json`), or in a folder of its service, at any depth (`sqs/2012-11-05/service-2.json.gz`, as botocore has
// them), with `generator.yaml` and `paginators-1.json` beside it where there are any.
import type { Dirent } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import type { LoadedConfig } from '#crdgen'
import type { ServiceWithKinds } from '#operators/resources'

interface Found {
  readonly alias: string
  readonly file: string
}

/** Throws with the folder and what it should hold. */
export async function inferServices(folder: string, warn: (text: string) => void): Promise<readonly ServiceWithKinds[]> {
  const found = await findModels(folder)
  if (found.length === 0)
    throw new Error(`--models ${folder}: no API model is in it, such as sqs-2012-11-05.json or sqs/service-2.json`)
  // One after the other: a model is many times what is kept of it, and there may be many.
  const services: ServiceWithKinds[] = []
  for (const one of found) services.push(await inferOne(one, warn))
  return services
}

async function inferOne({ alias, file }: Found, warn: (text: string) => void): Promise<ServiceWithKinds> {
  const { crdOf, inferService, noConfig, readGeneratorConfig, readModel, resourceService, unboundHooks } = await import('#crdgen')
  const { isDeviating } = await import('#operators/resources')
  const bytes = await readFile(file)
  const paginators = await readBeside(file, ['paginators-1.json', 'paginators-1.json.gz'])
  const model = readModel(bytes, { file, ...(paginators === undefined ? {} : { paginators: paginators.bytes }) })
  const config = (await readBeside(file, ['generator.yaml'])) ?? (await readBeside(dirname(file), ['generator.yaml']))
  const text = config === undefined ? '' : new TextDecoder().decode(config.bytes)
  const loaded: LoadedConfig = config === undefined ? noConfig : readGeneratorConfig(text, config.file)
  const service = inferService(model, { alias, loaded })
  for (const problem of service.refused.flatMap(({ problems }) => problems)) warn(`${alias}: ${problem.message}`)
  for (const kind of service.kinds) for (const text of unboundHooks(service, kind, isDeviating)) warn(`${alias}: ${text}`)
  const madeOf = { model: bytes, config: text, program: '' }
  return {
    service: resourceService(service, { kinds: service.kinds, madeOf }),
    crds: service.kinds.map(kind => crdOf(service, kind)) as unknown as ServiceWithKinds['crds'],
  }
}

async function readBeside(
  file: string,
  names: readonly string[],
): Promise<{ readonly file: string; readonly bytes: Uint8Array } | undefined> {
  for (const name of names) {
    const path = join(dirname(file), name)
    try {
      return { file: path, bytes: await readFile(path) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return undefined
}

/** One model for each service: the latest version where there are several. */
async function findModels(folder: string): Promise<readonly Found[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new Error(`--models ${folder}: there is no such folder`)
    throw error
  })
  const latest = new Map<string, string>()
  for (const file of entries
    .filter(isModel)
    .map(entry => join(entry.parentPath, entry.name))
    .sort()) {
    latest.set(aliasOf(relative(folder, file)), file)
  }
  return [...latest].map(([alias, file]) => ({ alias, file }))
}

/** What stands beside a model, by botocore's names. */
const companions = /^(?:docs-2|paginators-1|waiters-2|examples-1|endpoint-|partitions|service-2\.sdk-extras)/

function isModel(entry: Dirent): boolean {
  return entry.isFile() && /\.json(?:\.gz)?$/.test(entry.name) && !companions.test(entry.name)
}

/** The first folder, or the file's name without its date; without what no API group may hold. */
function aliasOf(path: string): string {
  const [first = path] = path.split(sep)
  const stem = path.includes(sep) ? first : basename(first).replace(/\.json(\.gz)?$/, '')
  return stem
    .replace(/-\d{4}-\d{2}-\d{2}$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}
