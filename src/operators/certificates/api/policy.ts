// Who may ask for which certificates: one object for the cluster, written by whoever runs it.
import { defineKind, type Kind, type LabelSelectorObject, type Presence, type Schema, type StoredObject, schema } from '#kube'
import { group } from './labels.ts'

export interface CertPolicySpec {
  readonly namespaceSelector?: LabelSelectorObject
  readonly allowedDomains?: readonly string[]
  readonly allowedZones?: readonly string[]
  readonly allowedIssuers?: readonly string[]
  readonly maxCertificates?: number
  readonly allowDeleteOnRemoval: boolean
}

export interface CertPolicy extends StoredObject {
  readonly spec: CertPolicySpec
}

const { boolean, integer, list, map, object, oneOf, string } = schema

const expression = object({
  key: string({ minLength: 1, maxLength: 317 }).describe('Name of the label.'),
  operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist').describe('How it is compared.'),
  values: list(string({ maxLength: 63 }), { maxItems: 64 })
    .optional()
    .describe('With what.'),
}).describe('What a label has to be.')

const selector = object({
  matchLabels: map(string({ maxLength: 63 }), { maxProperties: 32 })
    .optional()
    .describe('Labels that a namespace has.'),
  matchExpressions: list(expression, { maxItems: 32 }).optional().describe('What its labels have to be.'),
})

const textsMax = 100
const texts = (maxLength: number): Schema<readonly string[], 'required'> =>
  list(string({ minLength: 1, maxLength }), { maxItems: textsMax })

const spec: Schema<CertPolicySpec, Presence> = object({
  namespaceSelector: selector.optional().describe('Labels of the namespaces that it speaks of; all without it.'),
  allowedDomains: texts(255)
    .optional()
    .describe('Names that may be asked for: exact, or *.suffix for any depth below; any without it.'),
  allowedZones: texts(255).optional().describe('Names of the zones in which they may lie; any without it.'),
  allowedIssuers: texts(2048).optional().describe('Public, or ARNs of private authorities; any without it.'),
  maxCertificates: integer({ minimum: 0, maximum: 1_000_000 }).optional().describe('Certs of a namespace at most.'),
  allowDeleteOnRemoval: boolean().default(true).describe('Whether Certs may take their certificate with them.'),
}).describe('What is allowed.')

export const certPolicyKind: Kind<CertPolicySpec, never> = defineKind({
  group,
  version: 'v1',
  kind: 'CertPolicy',
  plural: 'certpolicies',
  categories: ['acm'],
  namespaced: false,
  description:
    'Which certificates namespaces may ask for. Without any policy everything is allowed; with one, what a policy allows.',
  spec,
  columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
})
