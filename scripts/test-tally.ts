// What processes of tests report, added up, and which files are looked at a second time.

/** What one process of tests reports on its last line; see scripts/test-reporter.ts. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly todo: number
  /** Milliseconds of each file that ran. */
  readonly ranMs?: Readonly<Record<string, number>>
  /** How many tests failed in each file. */
  readonly failedIn?: Readonly<Record<string, number>>
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, todo: 0 }

export function sum(all: readonly Tally[]): Tally {
  return all.reduce(
    (a, b) => ({
      passed: a.passed + b.passed,
      failed: a.failed + b.failed,
      skipped: a.skipped + b.skipped,
      todo: a.todo + b.todo,
      failedIn: { ...a.failedIn, ...b.failedIn },
    }),
    nothing,
  )
}

/** What fails in more files than this is no accident of the machine. */
export const wavererMax = 2

/**
 * The files to run again, alone: a few that failed while others ran beside them. None when a failure belongs to no file, as when a process
 * died.
 */
export function toLookAtAgain({ failed, failedIn = {} }: Tally): readonly string[] {
  const files = Object.keys(failedIn)
  const counted = Object.values(failedIn).reduce((a, b) => a + b, 0)
  return files.length <= wavererMax && counted === failed ? files : []
}

/** After the second look: what failed once and then passed counts as passed. */
export function afterSecondLook(first: Tally, wavering: readonly string[]): Tally {
  const counted = wavering.reduce((count, file) => count + (first.failedIn?.[file] ?? 0), 0)
  return { ...first, passed: first.passed + counted, failed: first.failed - counted }
}
