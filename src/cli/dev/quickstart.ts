// The example files of the story: read, and applied as `kubectl apply --server-side` does.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { KubeObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { manifestsOf } from '../files/yaml-text.ts'

/** At the top of a checkout as of the published package, however deep this file lies in it. */
export const quickstartFolder: string = findFolder('quickstart', import.meta.dirname)
export const fleetFolder: string = findFolder('fleet', import.meta.dirname)
export const hostedFolder: string = findFolder('hosted', import.meta.dirname)
export const certificatesFolder: string = findFolder('certificates', import.meta.dirname)

function findFolder(example: string, from: string): string {
  const folder = join(from, 'examples', example)
  if (existsSync(folder)) return folder
  if (dirname(from) === from)
    throw new Error(`examples/${example} is missing: this installation is not whole; install vouch again`)
  return findFolder(example, dirname(from))
}

export interface ManifestFile {
  /** The path below the example's folder, such as `hub/1-platform.yaml`. */
  readonly name: string
  readonly objects: readonly KubeObject[]
}

/** The files of one folder of an example, in the order of their names. */
export async function readManifests(
  part: 'hub' | 'clusters' | 'by-hand',
  example: string = quickstartFolder,
): Promise<readonly ManifestFile[]> {
  const folder = join(example, part)
  const files = (await readdir(folder)).filter(name => name.endsWith('.yaml')).sort()
  return await Promise.all(
    files.map(async file => {
      const name = `${part}/${file}`
      return { name, objects: parseManifest(name, await readFile(join(folder, file), 'utf8')) }
    }),
  )
}

/** Reads one file of an example. */
export async function readManifest(name: string, example: string): Promise<readonly KubeObject[]> {
  return parseManifest(name, await readFile(join(example, name), 'utf8'))
}

function parseManifest(name: string, text: string): readonly KubeObject[] {
  return manifestsOf(name, text).map((document, index) => {
    const { apiVersion, kind, metadata } = document as Partial<KubeObject>
    if (typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string') {
      return document as KubeObject
    }
    throw new Error(`${name}, document ${index + 1}: an object needs apiVersion, kind and metadata.name`)
  })
}

/** Applies in order, each to the resource that serves its kind. */
export async function applyManifests(kube: KubeClient, objects: readonly KubeObject[]): Promise<void> {
  const served = await kube.discover()
  for (const object of objects) {
    const { apiVersion, kind, metadata } = object
    const type = served.find(
      candidate =>
        candidate.kind === kind &&
        apiVersion === (candidate.group === '' ? candidate.version : `${candidate.group}/${candidate.version}`),
    )
    if (type === undefined)
      throw new Error(`${kind} ${metadata.name}: the server at ${kube.address} serves no ${apiVersion} ${kind}`)
    const namespace = type.namespaced ? (metadata.namespace ?? 'default') : ''
    await kube.patch(type, { namespace, name: metadata.name as string }, 'apply', object, {
      fieldManager: 'quickstart',
      force: true,
    })
  }
}
