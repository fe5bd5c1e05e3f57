// One request as the verbs see it: classified, authenticated, its body read.
import type { HttpRequest } from '#base'
import type { FaultAction } from '../fault.ts'
import type { ServedKind, Subresource } from '../registry/resource.ts'
import type { Version } from '../store/version.ts'
import type { UserInfo } from '../users.ts'
import type { Query } from './query.ts'
import type { RequestInfo, ResourceRequest } from './request-info.ts'

export interface ApiCall {
  readonly request: HttpRequest
  readonly info: RequestInfo
  readonly query: Query
  readonly user: UserInfo
  readonly userAgent: string
  /** Texts for Warning headers, in order. */
  readonly warnings: string[]
  readonly body: Uint8Array
  /** Faults that strike this request; those of watches and reads are carried out where the stream or the list is made. */
  readonly faults?: readonly FaultAction[]
}

export interface ResourceCall extends ApiCall {
  readonly info: ResourceRequest
  readonly kind: ServedKind
  readonly subresource: Subresource | undefined
}

export interface ListReply {
  readonly type: 'list'
  readonly metadata: Readonly<Record<string, unknown>>
  readonly versions: readonly Version[]
}

export type Reply =
  | { readonly type: 'version'; readonly code: number; readonly version: Version }
  | { readonly type: 'value'; readonly code: number; readonly value: Readonly<Record<string, unknown>> }
  | ListReply
  | { readonly type: 'text'; readonly code: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  /** Done, and there is nothing to say. */
  | { readonly type: 'nothing' }
  | {
      readonly type: 'stream'
      readonly stream: AsyncIterable<Uint8Array>
    }

export function header(request: HttpRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : value === undefined ? undefined : value.join(',')
}
