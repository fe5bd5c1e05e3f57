// Defects put in on purpose. Each replaces a text that stands exactly once in its file; the simulator must notice.

export interface Mutant {
  readonly id: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** What is broken, in words. */
  readonly why: string
  /** Which subjects to hunt it with; all when absent. */
  readonly controllers?: readonly string[]
}

export const mutants: readonly Mutant[] = []
