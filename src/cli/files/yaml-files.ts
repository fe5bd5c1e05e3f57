// A file, or the YAML and JSON files of a folder and all folders in it, in the order of their paths.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Throws with the path when there is nothing there. */
export async function yamlFiles(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => undefined)
  if (info === undefined) throw new Error(`${path}: no such file or folder`)
  if (info.isFile()) return [path]
  const names = await readdir(path, { recursive: true })
  return names
    .filter(name => /\.(?:ya?ml|json)$/.test(name) && !/(?:^|[/\\])(?:\.|node_modules[/\\])/.test(name))
    .sort()
    .map(name => join(path, name))
}
