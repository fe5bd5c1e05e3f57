// How a process that runs tests is started: by `npm test`, `npm run test:real` and `npm run mutants` alike.
import { join } from 'node:path'

/** Before what they do to a test: `--expose-internals` is for follow-no-promises.ts. */
export const testProcessFlags: readonly string[] = [
  '--disable-warning=ExperimentalWarning',
  '--expose-gc',
  '--expose-internals',
  ...['follow-no-promises.ts', 'traps.ts', 'properties.ts', 'begun-tests.ts'].flatMap(file => [
    '--import',
    join(import.meta.dirname, file),
  ]),
]
