// Which process runs which test files. What bounds a run is its longest share, so the longest files are dealt first, each to the share
// that has least to do yet.

/** Seconds that files took, as `npm test -- --remember` and `npm run test:real -- --remember` measured them. */
export type FileSeconds = Readonly<Record<string, number>>

/** For a file of which nothing is remembered: short, or new. */
export const unknownSeconds = 1

/** What takes less is not remembered: most files do, and dealing them in turn is good enough. */
const rememberedSecondsMin = 3

/** One share for each process, at most one for each file; within a share files keep their order. */
export function dealOut(files: readonly string[], processes: number, seconds: FileSeconds): string[][] {
  const secondsOf = (file: string): number => seconds[file] ?? unknownSeconds
  const shares = Array.from({ length: Math.min(processes, files.length) }, () => ({ files: [] as string[], seconds: 0 }))
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const least = shares.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    least.files.push(file)
    least.seconds += secondsOf(file)
  }
  return shares.map(share => files.filter(file => share.files.includes(file)))
}

/** What to remember of a run, and of files that did not run what was known of them. */
export function remembered(known: FileSeconds, ranMs: ReadonlyMap<string, number>): FileSeconds {
  const all = new Map(Object.entries(known))
  for (const [file, ms] of ranMs) all.set(file, Math.round(ms / 1_000))
  const long = [...all].filter(([, seconds]) => seconds >= rememberedSecondsMin)
  return Object.fromEntries(long.sort(([a], [b]) => (a < b ? -1 : 1)))
}
