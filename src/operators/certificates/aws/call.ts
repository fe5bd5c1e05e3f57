// A call of AWS as the layers hand it on: each layer is a `Caller` around another one, and each can be left out.
import type { Values } from '#aws'
import type { RegisteredZone } from '../zones/registry.ts'

export type CloudService = 'acm' | 'route53'

export interface LayeredCall {
  readonly service: CloudService
  readonly operation: string
  readonly input: Values
  /** Of Route 53: whose bucket, and as which role. */
  readonly zone?: Pick<RegisteredZone, 'id' | 'assumeRoleArn' | 'externalId'>
  /** Of ACM: where it is not the operator's own. */
  readonly region?: string
  /** From AWS itself, past what is remembered. */
  readonly isFresh?: boolean
  /** Nothing is lost when it comes another time: who asks, told apart from others who do. Such a call is told when to come back. */
  readonly comesBackAs?: string
}

export interface LayerCallOptions {
  readonly signal: AbortSignal
  /** Before each try that changes something: throws once we do not lead any more. */
  readonly beforeTry?: () => void
}

export type LayerCaller = (call: LayeredCall, options: LayerCallOptions) => Promise<Values>

/** Who counts calls together: AWS by account, which a role leads into. */
export function accountOf({ zone }: LayeredCall): string {
  return zone?.assumeRoleArn ?? ''
}
