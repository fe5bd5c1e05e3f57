// What is found out about operands beside the objects of the cluster: by trying their credentials, and by reading what they say. It is
// gathered in the background, kept here, and read when an object is looked at; after a restart, what the status says holds until it is
// known anew.
import type { Condition } from '#kube'
import type { LastError } from '../api/status-schema.ts'
import type { KnownZones } from '../zones/find-zones.ts'

/** What a try of the credentials showed, by type of condition. */
export interface PreflightFinding {
  /** Of what was tried: another try is due when it changes. */
  readonly fingerprint: string
  readonly conditions: readonly Condition[]
  readonly callerArnHash?: string
  readonly assumedRole?: string
  readonly at: number
  /** Zones that fit the domains, where they were looked for. */
  readonly found?: KnownZones
  /** Since when no try came to an answer. */
  readonly undecidedSince?: number
  /** Whether somebody has been told that no try comes to an answer. */
  readonly isTold?: boolean
}

/** What the operand said, as one condition and its last error. */
export interface OperandFinding {
  readonly condition: Condition
  readonly lastError?: LastError
  /** When status or reason turned: what AWS allows may have turned with it. */
  readonly turnedAt?: number | undefined
  /** A line with which the operand ended. */
  readonly fatal?: { readonly reason: string; readonly message: string }
}

export class LogFindings {
  readonly preflight: Map<string, PreflightFinding> = new Map()
  readonly operand: Map<string, OperandFinding> = new Map()
  /** When what an operand says last turned. */
  readonly turnedMs: Map<string, number> = new Map()

  /** Notes that somebody was told. Always worth an event. */
  tell({ name, about }: { readonly name: string; readonly about: 'source' | 'sts' }): true {
    const held = this.preflight.get(name)
    if (about === 'sts' && held !== undefined) this.preflight.set(name, { ...held, isTold: true })
    return true
  }

  forget(name: string): void {
    this.preflight.delete(name)
    this.operand.delete(name)
    this.turnedMs.delete(name)
  }
}
