// The test runner follows every promise to the test in which it was made, to say at which test an error belongs that nobody caught. A third
// of the processor time of our tests went there: an operator is made of promises. So it follows everything else, timers and sockets; such an
// error ends the process, and begun-tests.ts says what ran when it came.
//
// Node has no flag for it. A Node whose insides are others runs the tests as it would have: follow-no-promises.test.ts says so.
import { createRequire } from 'node:module'

interface Hook {
  enable(): void
  disable(): void
  [setting: symbol]: unknown
}

interface Insides {
  readonly getHookArrays: () => readonly [hooks?: readonly Hook[], ...rest: readonly unknown[]]
  readonly kNoPromiseHook: symbol
}

const { getHookArrays, kNoPromiseHook } = insides()
if (kNoPromiseHook !== undefined)
  for (const hook of getHookArrays?.()[0]?.slice() ?? []) {
    hook.disable()
    hook[kNoPromiseHook] = true
    hook.enable()
  }

function insides(): Partial<Insides> {
  try {
    return createRequire(import.meta.url)('internal/async_hooks') as Partial<Insides>
  } catch {
    return {}
  }
}
