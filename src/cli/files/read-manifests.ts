// The manifests of files and folders that a command line names, or of standard input.
import type { KubeObject } from '#kube'
import { nameOfInput, readText, standardInput } from './read-text.ts'
import { yamlFiles } from './yaml-files.ts'
import { manifestsOf } from './yaml-text.ts'

/** Throws where there is no manifest: an empty plan would look like a plan that changes nothing. */
export async function readManifests(paths: readonly string[]): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = []
  for (const path of paths) {
    for (const file of path === standardInput ? [path] : await yamlFiles(path)) {
      const name = nameOfInput(file)
      const found = manifestsOf(name, await readText(file))
      if (found.some(({ kind, apiVersion }) => typeof kind !== 'string' || typeof apiVersion !== 'string'))
        throw new Error(`${name}: a manifest in it has no apiVersion or no kind`)
      objects.push(...found)
    }
  }
  if (objects.length === 0) throw new Error(`${paths.map(nameOfInput).join(', ')}: no manifest in it`)
  return objects
}
