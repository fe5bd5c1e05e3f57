// A file, or the YAML files of a folder in the order of their names.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Throws with the path when there is nothing there. */
export async function yamlFiles(path: string): Promise<string[]> {
  const info = await stat(path).catch(() => undefined)
  if (info === undefined) throw new Error(`${path}: no such file or folder`)
  if (info.isFile()) return [path]
  const names = await readdir(path)
  return names
    .filter(name => /\.ya?ml$/.test(name))
    .sort()
    .map(name => join(path, name))
}
