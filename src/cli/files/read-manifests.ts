// The manifests of files and folders that a command line names.
import { readFile } from 'node:fs/promises'
import type { KubeObject } from '#kube'
import { yamlFiles } from './yaml-files.ts'
import { manifestsOf } from './yaml-text.ts'

/** Throws where there is no manifest: an empty plan would look like a plan that changes nothing. */
export async function readManifests(paths: readonly string[]): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = []
  for (const path of paths) {
    for (const file of await yamlFiles(path)) {
      const found = manifestsOf(file, await readFile(file, 'utf8'))
      if (found.some(({ kind, apiVersion }) => typeof kind !== 'string' || typeof apiVersion !== 'string'))
        throw new Error(`${file}: a manifest in it has no apiVersion or no kind`)
      objects.push(...found)
    }
  }
  if (objects.length === 0) throw new Error(`${paths.join(', ')}: no manifest in it`)
  return objects
}
