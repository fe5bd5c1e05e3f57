// The root of a container: a folder with its volumes at their paths and its program. Where processes of this machine may have a root of their
// own, the container sees exactly the paths of its spec; where they may not, paths of its arguments and variables that lie in a mounted
// volume are given with the folder in front.
import { spawnSync } from 'node:child_process'
import { chmod, copyFile, link, mkdir, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { KubeClient } from '#kube/client'
import type { Pod, PodContainer } from './pod.ts'
import { filesOfVolume } from './volumes.ts'

/** Writes the volumes of the container; returns the paths at which they are mounted. */
export async function mountVolumes(
  kube: KubeClient,
  pod: Pod,
  container: PodContainer,
  root: string,
): Promise<readonly string[]> {
  const mounts = container.volumeMounts ?? []
  for (const { name, mountPath, subPath } of mounts) {
    const volume = pod.spec.volumes?.find(candidate => candidate.name === name)
    if (volume === undefined) throw new Error(`container ${container.name} mounts volume ${name}, which the pod does not have`)
    // A part of a volume is one file here, which takes the path itself.
    if (subPath === undefined) await mkdir(within(root, mountPath), { recursive: true, mode: 0o700 })
    for (const [path, content] of await filesOfVolume(kube, pod, volume))
      if (subPath === undefined || subPath === path)
        await put(within(root, join(mountPath, subPath === undefined ? path : '')), content)
  }
  return mounts.map(({ mountPath }) => mountPath)
}

/** Whoever writes a pod may not write elsewhere on this machine: above its root there is nothing, as in a container. */
function within(root: string, path: string): string {
  return join(root, join('/', path))
}

async function put(file: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.new`
  await writeFile(fresh, content, { mode: 0o600 })
  await rename(fresh, file)
}

/** The same value with the folder before a path, also behind the `=` of an argument. */
export function placed(value: string, root: string, mounts: readonly string[]): string {
  const equals = value.startsWith('--') ? value.indexOf('=') + 1 : 0
  const path = value.slice(equals)
  return mounts.some(mount => path === mount || path.startsWith(`${mount}/`))
    ? `${value.slice(0, equals)}${join(root, path)}`
    : value
}

/** Whether a process may have a root of its own here. Asked once, by having one. */
export function hasOwnRoots(): boolean {
  const args = ['--map-root-user', '--root=/', process.execPath, '--version']
  return process.platform === 'linux' && spawnSync('unshare', args, { stdio: 'ignore' }).status === 0
}

/** Puts a program and its libraries into a root, by a link where that is possible; returns its path there. */
export async function installProgram(program: string, images: string, root: string): Promise<string> {
  const name = basename(program)
  const kept = join(images, name)
  await mkdir(images, { recursive: true })
  const partial = `${kept}.${process.hrtime.bigint()}`
  const isKept = await link(program, partial).then(
    () => true,
    () => false,
  )
  // A link cannot reach another disk, so there is one copy for all containers of the image.
  if (!isKept) await copyFile(program, partial)
  await rename(partial, kept)
  await chmod(kept, 0o755)
  await mkdir(join(root, 'tmp'), { recursive: true })
  await mkdir(join(root, 'etc'), { recursive: true })
  await writeFile(join(root, 'etc', 'hosts'), '127.0.0.1 localhost\n')
  await link(kept, join(root, name))
  for (const library of librariesOf(program)) {
    await mkdir(join(root, dirname(library)), { recursive: true })
    await copyFile(library, join(root, library))
  }
  return `/${name}`
}

/** Absolute paths of what the program is linked with; none for one that is whole in itself. */
function librariesOf(program: string): readonly string[] {
  const { status, stdout } = spawnSync('ldd', [program], { encoding: 'utf8' })
  return status === 0 ? [...stdout.matchAll(/(\/[^\s:]+) \(0x/g)].map(([, path = '']) => path) : []
}
