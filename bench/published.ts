// `vouch` as it is published: bundled, without types. Stripping them as they are loaded takes half of the start and of the memory.
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')

/** Bundles the program anew; gives the path to run. */
export function bundleProgram(): string {
  buildSync({
    absWorkingDir: root,
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    splitting: true,
    outdir: 'dist/bench',
    external: Object.keys(manifest.dependencies),
    loader: { '.json': 'json' },
    logLevel: 'error',
  })
  return join(root, 'dist/bench/main.js')
}
