// The mount of the token in one container: added where nothing stands in its way, as the API server sees it.
import { isDeepStrictEqual } from 'node:util'
import { appendAll, type PatchObject, type PodOperation, type RawList, readList } from '../patch.ts'
import { textOf } from '../review.ts'
import { classicVolume, layoutPaths, type VolumeLayout } from './api.ts'

export type AzureWarn = (message: string, fields: Readonly<Record<string, string>>) => void

export interface MountWish {
  readonly layout: VolumeLayout
  readonly wanted: { readonly name: string; readonly mountPath: string; readonly readOnly: true }
  readonly warn: AzureWarn
}

export function mountWish(layout: VolumeLayout, volumeName: string, warn: AzureWarn): MountWish {
  return { layout, wanted: { name: volumeName, mountPath: layoutPaths[layout].mountPath, readOnly: true }, warn }
}

export function mountOperations(container: PatchObject, path: string, wish: MountWish): readonly PodOperation[] {
  const { layout, wanted, warn } = wish
  const { name: volumeName, mountPath } = wanted
  const mounts = readList(container, path, 'volumeMounts')
  const where = { container: textOf(container['name']), path: mountPath }
  const at = mounts.items.findIndex(({ name }) => name === volumeName)
  if (layout === 'classic' && volumeName === classicVolume && at >= 0) {
    if (mounts.items[at]?.['mountPath'] !== mountPath) warn('the token is mounted at another path than the variables name', where)
    return []
  }
  if (isDeepStrictEqual(mounts.items[at], wanted)) return []
  if (isTaken(container, mounts, layout === 'reserved' ? at : -1, wanted)) {
    const isOurs = mounts.items.some(mount => mount['mountPath'] === mountPath && mount['name'] === volumeName)
    if (!isOurs)
      warn('something else is mounted where the token belongs: the container is given the identity and no token for it', where)
    return []
  }
  if (layout === 'reserved' && at >= 0) return [{ op: 'replace', path: `${mounts.path}/${at}`, value: wanted }]
  return appendAll(mounts, [wanted])
}

/** Letter by letter, as the API server compares paths (F-04); it takes no device and mount of one volume or at one path either. */
function isTaken(container: PatchObject, mounts: RawList, replaced: number, { name, mountPath }: PatchObject): boolean {
  const devices = readList(container, '', 'volumeDevices').items
  return (
    mounts.items.some((mount, index) => index !== replaced && mount['mountPath'] === mountPath) ||
    devices.some(device => device['devicePath'] === mountPath || device['name'] === name)
  )
}
