// A type of its own, so that the readers do not import the file that calls them.
import type { Protocol } from '#aws'
import type { JsonRecord } from './json.ts'

/** What the readers of both formats get. */
export interface ModelReadContext {
  readonly file: string
  readonly documentation: boolean
  readonly protocol: Protocol | undefined
  readonly docs: JsonRecord | undefined
  readonly paginators: JsonRecord | undefined
}
