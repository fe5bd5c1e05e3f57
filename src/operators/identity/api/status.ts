// What the statuses of several kinds share: conditions, and what is told of the ACK children (§2.2).
import { type ConditionStatus, type Schema, type StoredCondition, schema } from '#kube'
import { patterns } from './patterns.ts'

const { dateTime, integer, list, object, oneOf, string } = schema

/** `status.ackResources[]`: an ACK child and a copy of its conditions. */
export interface AckResourceEntry {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly conditions?: readonly AckCondition[]
}

export interface AckCondition {
  readonly type: string
  readonly status: ConditionStatus
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
}

export const observedGeneration: Schema<number, 'optional'> = integer({ format: 'int64', minimum: 0 })
  .describe('The generation of the spec that this status speaks of.')
  .optional()

/** At most this many conditions fit; the API refuses the whole status otherwise. */
const conditionsMax = 32

export const conditions: Schema<readonly StoredCondition[], 'optional'> = list(
  object({
    type: string({ maxLength: 316, pattern: patterns.conditionType }).describe('What is observed.'),
    status: oneOf('True', 'False', 'Unknown').describe('Whether it holds.'),
    reason: string({ minLength: 1, maxLength: 1024, pattern: patterns.conditionReason }).describe(
      'Why, in one word from a closed list.',
    ),
    message: string({ maxLength: 32768 }).describe('Why, for people.'),
    lastTransitionTime: dateTime().describe('When the status last changed.'),
    observedGeneration: integer({ format: 'int64', minimum: 0 }).describe('The generation this was said of.').optional(),
  }).describe('One observation of the object.'),
  { maxItems: conditionsMax, keys: ['type'] },
)
  .describe('The latest observations, one per type.')
  .optional()

const ackCondition = object({
  type: string({ minLength: 1, maxLength: 316, pattern: patterns.conditionType }).describe('Type of the child condition.'),
  status: oneOf('True', 'False', 'Unknown').describe('Status of the child condition.'),
  lastTransitionTime: dateTime().describe('When the child condition last changed.').optional(),
  reason: string({ maxLength: 1024 }).describe('Reason of the child condition.').optional(),
  message: string({ maxLength: 32768 }).describe('Message of the child condition.').optional(),
})

const ackResource = object({
  apiVersion: string({ minLength: 1, maxLength: 316 }).describe('API version of the child.'),
  kind: string({ minLength: 1, maxLength: 63 }).describe('Kind of the child.'),
  namespace: string({ minLength: 1, maxLength: 63, pattern: patterns.label }).describe('Namespace of the child.'),
  name: string({ minLength: 1, maxLength: 253, pattern: patterns.subdomain }).describe('Name of the child.'),
  conditions: list(ackCondition, { maxItems: conditionsMax, keys: ['type'] })
    .describe('A copy of the conditions of the child.')
    .optional(),
})

export const ackResources: Schema<readonly AckResourceEntry[], 'optional'> = list(ackResource, {
  maxItems: 16,
  keys: ['apiVersion', 'kind', 'namespace', 'name'],
})
  .describe('The ACK objects made for this object, with a copy of their conditions.')
  .optional()
