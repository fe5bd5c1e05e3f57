// `status`, alike in all versions: what is stored in one must be whole when it is read in another.
import { type Schema, type StoredCondition, schema as s } from '#kube'

export interface DnsStatus {
  readonly conditions?: readonly StoredCondition[]
  readonly observedGeneration?: number
  readonly zones?: readonly string[]
  readonly operand?: OperandStatus
  readonly aws?: AwsStatus
  readonly lastError?: LastError
}

export interface OperandStatus {
  readonly deployment?: string
  readonly image?: string
  readonly ownerID?: string
  readonly containers?: readonly { readonly zone: string; readonly name: string; readonly metricsPort: number }[]
}

export interface AwsStatus {
  readonly callerArnHash?: string
  readonly assumedRole?: string
  readonly lastPreflight?: string
}

export interface LastError {
  readonly reason: string
  readonly message: string
  readonly zone?: string
  readonly time: string
  readonly count: number
}

export function statusSchema(): Schema<unknown> {
  const container = s.object({
    zone: s.string().describe('Which zone it looks after; empty for all.'),
    name: s.string().describe('Its name.'),
    metricsPort: s.integer({ format: 'int32' }).describe('Where its metrics are, on the loopback of the pod.'),
  })
  const fields = {
    conditions: s.conditions().optional(),
    observedGeneration: s.integer({ format: 'int64' }).optional().describe('The generation that was looked at.'),
    zones: s.list(s.string()).optional().describe('The zones that are written.'),
    operand: s
      .object({
        deployment: s.string().optional().describe('Its Deployment.'),
        image: s.string().optional().describe('Its image.'),
        ownerID: s.string().optional().describe('Under which its records stand.'),
        containers: s.list(container.describe('One container.')).optional().describe('One for each zone.'),
      })
      .optional()
      .describe('What runs.'),
    aws: s
      .object({
        callerArnHash: s.string().optional().describe('Tells one base identity from another, and no more.'),
        assumedRole: s.string().optional().describe('Name of the role that was assumed.'),
        lastPreflight: s.dateTime().optional().describe('When the credentials were last tried.'),
      })
      .optional()
      .describe('What the last try with the credentials showed.'),
    lastError: s
      .object({
        reason: s.string().describe('Why, in one word.'),
        message: s.string().describe('Why, for people.'),
        zone: s.string().optional().describe('Of which zone.'),
        time: s.dateTime().describe('When it was first seen.'),
        count: s.integer({ format: 'int32' }).describe('Looks in a row at which it was there.'),
      })
      .optional()
      .describe('The last error of the operand.'),
  }
  return s.object(fields).describe('What is so.')
}
