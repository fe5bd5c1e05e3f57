// A numbered case of the catalogue (§13): a function over a session, the same for every server.
import type { Session } from '../session.ts'

export interface Case {
  readonly number: number
  readonly title: string
  /** Needs controllers, scheduler or kubelet, which the real control plane here does not have. */
  readonly needsControllers?: true
  /** Why the real server is not asked, where it has no sensible answer. */
  readonly embeddedOnly?: string
  /** Why its transcript is no vector: it calls out to a webhook, measures time, or depends on the machine. */
  readonly noVector?: string
  readonly run: (s: Session) => Promise<void>
}
