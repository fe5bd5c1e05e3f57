// Where the ARN of a certificate is written: objects of the same namespace that load balancers are made of.
import { type Presence, type Schema, schema } from '#kube'

export const publishKinds = ['Ingress', 'Service', 'Gateway', 'LoadBalancerConfiguration', 'ConfigMap'] as const
export type PublishKind = (typeof publishKinds)[number]

export interface PublishTarget {
  readonly kind: PublishKind
  readonly name?: string
  /** Labels that an object has to have. */
  readonly selector?: Readonly<Record<string, string>>
  readonly primary: boolean
  readonly listener?: string
  readonly protocolPort?: string
}

/** An object into which something was written, or could not be. */
export interface PublishedPlace {
  readonly kind: string
  readonly name: string
  readonly listener?: string
  readonly protocolPort?: string
  readonly applied: boolean
  /** What stands there of ours. */
  readonly arn?: string
  /** Others of ours that may stand there: each is noted before it is written. */
  readonly mayHold?: readonly string[]
  readonly reason?: string
}

/** Objects of one target at most. */
export const objectsPerTargetMax = 50
const targetsMax = 20
/** ARNs that were on their way into one place; the oldest is forgotten first. */
export const mayHoldMax = 4

const { boolean, list, map, object, oneOf, string } = schema

const name = string({ minLength: 1, maxLength: 253 })

const target = object({
  kind: oneOf(...publishKinds).describe('Kind of the object.'),
  name: name.optional().describe('Its name.'),
  selector: map(string({ maxLength: 63 }), { maxProperties: 16 })
    .optional()
    .describe(`Instead of a name: labels; ${objectsPerTargetMax} objects at most.`),
  primary: boolean().default(false).describe('Whether the ARN comes first, or is the default certificate.'),
  listener: string({ minLength: 1, maxLength: 253 }).optional().describe('Of a Gateway: the listener.'),
  protocolPort: string({ pattern: '^[A-Z]+:[0-9]{1,5}$' })
    .optional()
    .describe('Of a LoadBalancerConfiguration: the listener, such as HTTPS:443.'),
})
  .rule({ rule: 'has(self.name) != has(self.selector)', message: 'a target has a name or a selector, and not both' })
  .rule({ rule: "has(self.listener) == (self.kind == 'Gateway')", message: 'listener is there exactly for the kind Gateway' })
  .rule({
    rule: "has(self.protocolPort) == (self.kind == 'LoadBalancerConfiguration')",
    message: 'protocolPort is there exactly for the kind LoadBalancerConfiguration',
  })
  .rule({ rule: "self.kind != 'ConfigMap' || has(self.name)", message: 'a ConfigMap has a name' })
  .describe('An object that gets the ARN.')

export const publishTargets: Schema<readonly PublishTarget[], Presence> = list(target, {
  maxItems: targetsMax,
  listType: 'atomic',
})

const published = object({
  kind: string().describe('Kind of the object.'),
  name: string().describe('Its name; of a selector that selects nothing its labels.'),
  listener: string().optional().describe('Of a Gateway.'),
  protocolPort: string().optional().describe('Of a LoadBalancerConfiguration.'),
  applied: boolean().describe('Whether the current ARN stands there.'),
  arn: string().optional().describe('What stands there of ours.'),
  mayHold: list(string(), { maxItems: mayHoldMax, listType: 'atomic' })
    .optional()
    .describe('Others of ours that may stand there: noted before they are written, until it is known.'),
  reason: string().optional().describe('Why not.'),
}).describe('An object that has the ARN, or should have it.')

export const publishedObjects: Schema<readonly PublishedPlace[], Presence> = list(published, {
  maxItems: targetsMax * objectsPerTargetMax * 2,
})
