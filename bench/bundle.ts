// Processes of a bench, in one file each and without types, as programs are published: stripping types as they are loaded takes 30 MB of each.
import { join } from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { writeInOneByte } from '../scripts/package/one-byte.ts'

/** The folder with `NAME.mjs` for each; of this process alone, so that two benches do not run each other's. */
export function bundleFolder(bench: string): string {
  return join(import.meta.dirname, '..', 'node_modules', '.cache', 'vouch-bench', `${bench}-${process.pid}`)
}

/** `entries`: paths below this folder, by the names that the programs get. */
export async function bundleInto(
  folder: string,
  entries: Readonly<Record<string, string>>,
  more: Pick<BuildOptions, 'sourcemap' | 'splitting'> = {},
): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(import.meta.dirname, path)])),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    packages: 'external',
    logLevel: 'error',
    ...more,
  })
  writeInOneByte(folder)
}
