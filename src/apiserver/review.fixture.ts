// Webhooks in process: they take a review's request and give its response, as admission and conversion both have it.
import type { HttpExchange } from '#base'
import type { Answer } from './ask.fixture.ts'

/** Which of the two it is, who serves the webhook knows. */
export type ReviewRequest = AdmissionRequest & ConversionRequest

interface Review {
  readonly apiVersion: string
  readonly kind: string
  readonly request: ReviewRequest
}

interface AdmissionRequest {
  readonly uid: string
  readonly operation: string
  readonly name: string
  readonly namespace: string
  readonly dryRun: boolean
  readonly object: Answer
  readonly oldObject: Answer
  readonly kind: Named
  readonly requestKind: Named
  readonly resource: Named
  readonly requestResource: Named
  readonly options: { readonly dryRun: readonly string[]; readonly kind: string }
  readonly [field: string]: unknown
}

/** A kind or a resource. */
interface Named {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly resource: string
}

export interface ConversionRequest {
  readonly uid: string
  readonly desiredAPIVersion: string
  readonly objects: readonly Answer[]
}

/** What the answer does not say of itself: that it is to this request. A response that is undefined is left out. */
export function reviewer(respond: (request: ReviewRequest) => object | undefined): HttpExchange {
  return message => {
    const { apiVersion, kind, request } = JSON.parse(Buffer.from(message.body as Uint8Array).toString()) as Review
    const response = respond(request)
    const review = { kind, apiVersion, response: response && { uid: request.uid, ...response } }
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(review)) })
  }
}
