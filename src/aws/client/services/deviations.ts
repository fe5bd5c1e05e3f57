// Where a service differs from what its model and protocol say. Each deviation is a small named file; a service without one is
// handled by the general rules alone.
import type { Operation, ServiceModel } from '../../model/service-model.ts'
import type { Endpoint } from '../calls/endpoint.ts'
import type { Values, WireRequest, WireResponse } from '../wire/protocols.ts'
import { route53Deviations } from './route53.ts'
import { s3Deviations } from './s3.ts'

export interface Deviations {
  /** Changes to what the caller gave. */
  readonly input?: (operation: Operation, input: Values, context: { readonly region: string }) => Values
  /** Another endpoint for this input: a bucket in the host or path. */
  readonly endpoint?: (endpoint: Endpoint, input: Values, options: OperationAddress) => Endpoint
  /** Last changes to the request before checksum and signature. */
  readonly request?: (operation: Operation, request: WireRequest) => void
  /** Mends an answer before it is read. */
  readonly response?: (response: WireResponse) => WireResponse
  /** The region that an answer sends us to. */
  readonly redirect?: (response: WireResponse) => string | undefined
  /** An error hidden in an answer with a good status, as the status it should have had. */
  readonly hiddenFailure?: (operation: Operation, response: WireResponse) => number | undefined
  readonly signing?: { readonly escapePath: boolean }
  /** Lists whose token has several parts: the model cannot say so. */
  readonly pagination?: Readonly<Record<string, MultiPagination>>
}

export interface OperationAddress {
  readonly operation: Operation
  readonly addressing: S3Addressing
}

export type S3Addressing = 'auto' | 'path' | 'virtual'

export interface MultiPagination {
  /** Input member and the output member that it continues from. */
  readonly tokens: readonly (readonly [input: string, output: string])[]
  readonly items: string
}

const none: Deviations = {}
/** Signed as S3 is: what the path escapes is not escaped again. */
const s3ControlDeviations: Deviations = { signing: { escapePath: false } }

export function deviationsOf({ id }: ServiceModel): Deviations {
  switch (id) {
    case 'S3':
      return s3Deviations
    case 'S3 Control':
      return s3ControlDeviations
    case 'Route 53':
      return route53Deviations
    default:
      return none
  }
}
