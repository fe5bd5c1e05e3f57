// The two fields that every status holds.
import type { StructuralSchema } from '#kube'
import type { CrdMode } from './crd-mode.ts'

export function ackResourceMetadata(mode: CrdMode): StructuralSchema {
  const arn: StructuralSchema = { description: 'The ARN of the resource, once it is known.', type: 'string' }
  const ownerAccountID: StructuralSchema = { description: 'The AWS account that owns the resource.', type: 'string' }
  const description = 'What is common to all AWS resources: whose it is, where it is and its ARN.'
  if (mode === 'seed') return { description, properties: { arn, ownerAccountID }, required: ['ownerAccountID'], type: 'object' }
  return {
    description,
    properties: {
      arn,
      ownerAccountID,
      partition: { description: 'The AWS partition of the resource.', type: 'string' },
      region: { description: 'The AWS region of the resource.', type: 'string' },
    },
    required: ['ownerAccountID', 'region'],
    type: 'object',
  }
}

export const observedGeneration: StructuralSchema = {
  description: 'The generation of the manifest that the status is about.',
  format: 'int64',
  type: 'integer',
}

export function conditions(mode: CrdMode): StructuralSchema {
  return {
    description: 'What is known about the state of the object and of the resource behind it.',
    items: {
      properties: {
        lastTransitionTime: { description: 'When the status last changed.', format: 'date-time', type: 'string' },
        message: { description: 'The details, for people.', type: 'string' },
        ...(mode === 'extended'
          ? {
              observedGeneration: {
                description: 'The generation that the condition is about.',
                format: 'int64',
                type: 'integer',
              } as const,
            }
          : {}),
        reason: { description: 'Why the status changed last, in one word.', type: 'string' },
        status: { description: 'True, False or Unknown.', type: 'string' },
        type: { description: 'What the condition is about.', type: 'string' },
      },
      required: ['status', 'type'],
      type: 'object',
    },
    type: 'array',
  }
}
