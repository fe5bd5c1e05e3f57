// One call to AWS, as a plan holds it: service, operation and the whole input, so that there is nothing left to choose.
import type { ShippedService, Values } from '#aws'
import type { CheckedChange } from '#cloud'
import type { OwnAction } from '#runtime'
import type { ResourceName } from '../role/resources.ts'

/** What a call is for: part of a binding, or of a Config. */
export type AwsResource = ResourceName | 'bucket' | 'provider'

export type { Values }

export interface AwsAction extends OwnAction {
  readonly kind: 'act:aws'
  readonly which: AwsResource
  readonly service: ShippedService
  readonly region: string
  readonly operation: string
  readonly input: Values
  /** What is remembered of the resource under this key is different afterwards. */
  readonly memory: string
}

export interface CallPlace {
  readonly which: AwsResource
  readonly service: ShippedService
  readonly region: string
  readonly memory: string
}

export function isCreation({ operation }: AwsAction): boolean {
  return operation.startsWith('Create')
}

export function changeOf({ operation, input, destructive }: AwsAction): CheckedChange {
  return { operation, input, isRemoval: destructive === true }
}

/** `about`: what a person recognises the resource by. */
export function awsCall(place: CallPlace, operation: string, input: Values, about: string): AwsAction {
  const isDestructive = /^(?:Delete|Detach|Remove)/.test(operation)
  return {
    kind: 'act:aws',
    summary: `${place.service} ${operation} ${about}`,
    dependency: `aws:${place.service}:${place.region}`,
    ...(isDestructive ? { destructive: true } : {}),
    ...place,
    operation,
    input,
  }
}
