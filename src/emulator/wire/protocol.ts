// One face for the four protocols: find the operation, read its input, write its output or error. protocols.ts chooses.
import type { Operation } from '#aws'
import type { ServiceError } from '../error.ts'
import type { RawRequest } from '../service.ts'

export interface FoundOperation {
  readonly operation: Operation
  readonly labels: Readonly<Record<string, string>>
}

/** The operation that was asked for, or the name under which an unknown one is counted and its refusal (§3.11). */
export type Routing = FoundOperation | { readonly unknown: string; readonly error: ServiceError }

export interface Encoded {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string | Uint8Array
}

export interface ServedProtocol {
  route(request: RawRequest): Routing
  /** Throws `MalformedInput` or `MalformedXml`. */
  decode(found: FoundOperation, request: RawRequest): Record<string, unknown>
  encode(operation: Operation, output: Readonly<Record<string, unknown>>, requestId: string): Encoded
  encodeError(error: ServiceError, requestId: string, request: RawRequest): Encoded
}
