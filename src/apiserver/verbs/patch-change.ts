// What a patch does to an object, whatever kind of patch it is, and what its text says besides.
import type { Draft } from '../draft.ts'
import type { BodyFindings } from '../http/body.ts'
import type { ServedKind } from '../registry/resource.ts'

export interface PatchChange {
  (live: Readonly<Draft>): unknown
  readonly findings: BodyFindings
  /** What is quoted when no object of the kind comes of it: the patched object, or the patch. */
  readonly quote: (live: Readonly<Draft>, kind: ServedKind) => string
  /** Paths of keys that stand twice in the patched object. */
  readonly repeatsWithin?: (live: Readonly<Draft>, kind: ServedKind) => readonly string[]
}
