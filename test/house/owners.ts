// Whose test runs: the file that was asked for, also where a fixture or a shared suite declares its tests. What the runner tells of a test
// names the place of its declaration alone; such a file cannot be run again by itself, nor be dealt to a process.

/** The files of tests that began and were not reported, by name, in the order in which they began: a reporter comes behind the tests. */
const begun = new Map<string, string[]>()

export function noteOwner(test: string, file: string): void {
  const files = begun.get(test)
  if (files === undefined) begun.set(test, [file])
  else files.push(file)
}

/** The file of the test of this name that is reported now. */
export function takeOwner(test: string): string | undefined {
  return begun.get(test)?.shift()
}
