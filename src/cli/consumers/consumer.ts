// What every consumer is to whoever starts it.
import type { StartedConsumer } from './name.ts'

export interface Consumer {
  /** Resolves with the way in which it ended, as the table of exit codes has it. */
  readonly run: (started: StartedConsumer) => Promise<string>
  /** Said instead of a line that speaks of secrets. */
  readonly vagueTrouble: string
}
