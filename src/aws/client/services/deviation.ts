// What a service does otherwise on the wire than its model says: types alone, so that each service's file and the list of them can use it.
import type { Operation } from '../../model/service-model.ts'
import type { Endpoint } from '../calls/endpoint.ts'
import type { Values, WireRequest, WireResponse } from '../wire/protocols.ts'

/** A step of a call that is not there is done as the model says. */
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

/** What an address may depend on besides the input. */
export interface OperationAddress {
  readonly operation: Operation
  readonly addressing: S3Addressing
}

export type S3Addressing = 'auto' | 'path' | 'virtual'

/** How a list with several tokens goes on. */
export interface MultiPagination {
  /** Input member and the output member that it continues from. */
  readonly tokens: readonly (readonly [input: string, output: string])[]
  readonly items: string
}
