// What is found out about operands beside the objects of the cluster: by trying their credentials, and by reading what they say. It is
// gathered in the background, kept here, and read when an object is looked at; after a restart, what the status says holds until it is
// known anew.
import type { Condition } from '#kube'
import type { LastError } from '../api/status-schema.ts'

/** What a try of the credentials showed, by type of condition. */
export interface PreflightFinding {
  /** Of what was tried: another try is due when it changes. */
  readonly fingerprint: string
  readonly conditions: readonly Condition[]
  readonly callerArnHash?: string
  readonly assumedRole?: string
  readonly at: number
  /** Zones that fit the domains, where they were looked for. */
  readonly zones?: readonly string[]
}

/** What the operand said, as one condition and its last error. */
export interface OperandFinding {
  readonly condition: Condition
  readonly lastError?: LastError
  /** A line with which the operand ended. */
  readonly fatal?: { readonly reason: string; readonly message: string }
}

export class LogFindings {
  readonly preflight: Map<string, PreflightFinding> = new Map()
  readonly operand: Map<string, OperandFinding> = new Map()
  /** When what an operand says last turned. */
  readonly turnedMs: Map<string, number> = new Map()
  /** Whose missing source has been told of. */
  readonly told: Set<string> = new Set()

  forget(name: string): void {
    this.preflight.delete(name)
    this.operand.delete(name)
    this.told.delete(name)
    this.turnedMs.delete(name)
  }
}
