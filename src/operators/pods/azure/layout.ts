// Where the token lies in the pod: which volume holds it, and what has to be added for it (§3.6). The classic layout looks for a token that
// somebody has projected by hand; the reserved one owns its names and replaces what stands under them.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { appendAll, isObject, type PatchObject, type PodOperation, type RawList, readList } from '../patch.ts'
import { textOf } from '../review.ts'
import { classicVolume, layoutPaths, reservedPrefix, type VolumeLayout } from './api.ts'

/** The volume that mounts refer to, and what makes it. */
export interface TokenVolume {
  readonly name: string
  readonly operations: readonly PodOperation[]
}

export interface VolumeWish {
  readonly layout: VolumeLayout
  readonly sources: readonly PatchObject[]
  /** Of the token. */
  readonly audience: string
}

/** `containers` are those that get a mount. */
export function tokenVolume(pod: PatchObject, containers: readonly PatchObject[], wish: VolumeWish): TokenVolume {
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  const volumes = readList(spec, '/spec', 'volumes')
  return wish.layout === 'classic' ? classicTokenVolume(volumes, wish) : reservedTokenVolume(pod, volumes, containers, wish)
}

function classicTokenVolume(volumes: RawList, { sources }: VolumeWish): TokenVolume {
  const names = volumes.items.map(({ name }) => textOf(name))
  const holder = volumes.items.find(volume => tokensIn(volume).some(({ path }) => path === layoutPaths.classic.tokenPath))
  // A volume of our name is what upstream's mounts refer to, whoever holds the token; without one they would lead nowhere (F-16).
  if (holder !== undefined)
    return { name: names.includes(classicVolume) ? classicVolume : textOf(holder['name']), operations: [] }
  const name = freeName(names)
  return { name, operations: appendAll(volumes, [volumeOf(name, sources)]) }
}

/** Somebody else's volume may have our name (F-15). */
function freeName(names: readonly string[]): string {
  if (!names.includes(classicVolume)) return classicVolume
  for (let number = 2; ; number++) if (!names.includes(`${classicVolume}-${number}`)) return `${classicVolume}-${number}`
}

function reservedTokenVolume(
  pod: PatchObject,
  volumes: RawList,
  containers: readonly PatchObject[],
  wish: VolumeWish,
): TokenVolume {
  const name = reservedVolumeName(pod)
  const wanted = volumeOf(name, wish.sources)
  const at = volumes.items.findIndex(volume => volume['name'] === name)
  if (at >= 0) {
    const isSame = isDeepStrictEqual(volumes.items[at], wanted)
    return { name, operations: isSame ? [] : [{ op: 'replace', path: `${volumes.path}/${at}`, value: wanted }] }
  }
  const earlier = volumes.items.find(volume => isEarlierOne(volume, containers, wish))
  if (earlier !== undefined) return { name: textOf(earlier['name']), operations: [] }
  return { name, operations: appendAll(volumes, [wanted]) }
}

/**
 * Made by us when the pod was called otherwise: another webhook has named it since, and a second volume would be mounted at the same path,
 * which the API server refuses (F-24).
 */
function isEarlierOne(volume: PatchObject, containers: readonly PatchObject[], { audience }: VolumeWish): boolean {
  const name = textOf(volume['name'])
  if (!name.startsWith(reservedPrefix)) return false
  const { mountPath, tokenPath } = layoutPaths.reserved
  const holdsToken = tokensIn(volume).some(token => token['path'] === tokenPath && token['audience'] === audience)
  return (
    holdsToken &&
    containers.some(container =>
      readList(container, '', 'volumeMounts').items.some(mount => mount['name'] === name && mount['mountPath'] === mountPath),
    )
  )
}

/** A pod that has no name yet is known by the beginning of it, and one without that by the text alone. */
function reservedVolumeName(pod: PatchObject): string {
  const metadata = isObject(pod['metadata']) ? pod['metadata'] : {}
  const podName = textOf(metadata['name']) || `${textOf(metadata['generateName'])} (prefix)`
  return reservedPrefix + createHash('sha256').update(podName).digest('hex').slice(0, 30)
}

function volumeOf(name: string, sources: readonly PatchObject[]): PatchObject {
  return { name, projected: { sources } }
}

function tokensIn(volume: PatchObject): readonly PatchObject[] {
  const projected = isObject(volume['projected']) ? volume['projected'] : {}
  return readList(projected, '', 'sources').items.flatMap(({ serviceAccountToken }) =>
    isObject(serviceAccountToken) ? [serviceAccountToken] : [],
  )
}
