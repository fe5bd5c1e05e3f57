// What is odd about a pod's volumes: sources that are gone, and files that are in each other's way.
import { isObject, type Json, type JsonObject } from '../../../../json.ts'
import { eachItem, objectOf, text } from '../../checks.ts'

type Warn = (warning: string) => void

const olderSources: readonly (readonly [field: string, why: string, shownAs?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

export function volumeWarnings(volumes: Json | undefined, at: string, warn: Warn): void {
  eachItem(volumes, at, (volume, path) => {
    for (const [field, why, shownAs = field] of olderSources) if (isObject(volume[field])) warn(`${path}.${shownAs}: ${why}`)
  })
  eachItem(volumes, at, volume => pathWarnings(volume, warn))
}

/** The path of a file, and whose it is. */
interface File {
  readonly path: string
  readonly owner: string
}

function pathWarnings({ name, secret, configMap, downwardAPI, projected }: JsonObject, warn: Warn): void {
  const volume = `volume ${JSON.stringify(text(name))}`
  if (isObject(secret)) overlaps(filesOf(secret.items), `${volume} (Secret ${quoted(secret.secretName)})`, warn)
  if (isObject(configMap)) overlaps(filesOf(configMap.items), `${volume} (ConfigMap ${quoted(configMap.name)})`, warn)
  if (isObject(downwardAPI)) overlaps(filesOf(downwardAPI.items), `${volume} (DownwardAPI)`, warn)
  if (isObject(projected)) projectedWarnings(projected, `${volume} (Projected)`, warn)
}

function quoted(name: Json | undefined): string {
  return JSON.stringify(text(name))
}

/** Without those at its end. */
function withoutSlashes(path: string): string {
  let end = path.length
  while (path.charAt(end - 1) === '/') end--
  return path.slice(0, end)
}

function filesOf(items: Json | undefined, owner = ''): readonly File[] {
  const files: File[] = []
  eachItem(items, '', ({ path }) => files.push({ path: withoutSlashes(text(path)), owner }))
  return files
}

function projectedWarnings({ sources }: JsonObject, volume: string, warn: Warn): void {
  const before: File[] = []
  eachItem(sources, '', source => {
    if (!Object.values(source).some(isObject)) warn(`${volume} has no sources provided`)
    const { secret, configMap, downwardAPI, serviceAccountToken: token } = source
    const files = [
      ...filesOf(objectOf(secret).items, ` (Secret ${quoted(objectOf(secret).name)})`),
      ...filesOf(objectOf(configMap).items, ` (ConfigMap ${quoted(objectOf(configMap).name)})`),
      ...filesOf(objectOf(downwardAPI).items, ' (DownwardAPI)'),
      ...filesOf(isObject(token) ? [token] : [], ' (ServiceAccountToken)'),
    ]
    overlaps(files, volume, warn, before)
    before.push(...files)
  })
}

/** Each is compared with each: of more files than this in a volume the first ones. */
const filesMax = 1_000

/** Two files of one path, or one that would be the other's directory. */
function overlaps(files: readonly File[], volume: string, warn: Warn, before: readonly File[] = []): void {
  const all = [...before, ...files].slice(0, filesMax)
  all.slice(before.length).forEach((file, index) => {
    for (const other of all.slice(0, before.length + index))
      if (`${file.path}/`.startsWith(`${other.path}/`) || `${other.path}/`.startsWith(`${file.path}/`))
        warn(`${volume}: overlapping paths: ${shown(file)} with ${shown(other)}`)
  })
}

function shown({ path, owner }: File): string {
  return `${JSON.stringify(path)}${owner}`
}
