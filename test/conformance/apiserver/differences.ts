// The one table of differences between the embedded server and the real one that we accept, each with its reason. A replay that
// differs is forgiven only by an entry here; an entry that forgives nothing any more makes the replay fail, so the table only shrinks.
import type { Step } from './transcript.ts'

export interface Difference {
  readonly id: string
  readonly reason: string
  /** Takes out of both replies what may differ; returns the step unchanged where it does not apply. */
  readonly forgive: (step: Step, context: { readonly sequence: string; readonly expected: Step }) => Step
}

export const differences: readonly Difference[] = []
