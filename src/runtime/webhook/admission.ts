// admission.k8s.io/v1 as values: a review in, an answer out. For webhooks that speak the protocol plainly; one that has to repeat an
// upstream's words exactly brings its own handler to the host.

import { given, type HttpResponse, isRecord } from '#base'
import { boundText, type KubeObject, type Status } from '#kube'
import { bodyLimitsDefault, findShapeTrouble, type ShapeLimits } from './body.ts'
import type { WebhookHandler } from './host.ts'

export interface AdmissionRequest {
  readonly uid: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
  readonly subResource?: string
  readonly name?: string
  readonly namespace?: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'
  readonly userInfo: { readonly username?: string; readonly uid?: string; readonly groups?: readonly string[] }
  readonly object?: KubeObject | null
  readonly oldObject?: KubeObject | null
  readonly dryRun?: boolean
  readonly options?: unknown
}

export type AdmissionAnswer =
  | {
      readonly kind: 'allow'
      /** Operations of RFC 6902. An empty list changes nothing. */
      readonly patch?: readonly unknown[]
      readonly warnings?: readonly string[]
      readonly audit?: Readonly<Record<string, string>>
    }
  | {
      readonly kind: 'deny'
      readonly code?: number
      readonly reason?: string
      readonly message: string
      readonly warnings?: readonly string[]
    }

/** Must depend on the request and one snapshot only (S19), and must be idempotent: it sees its own output again. */
export type Admit = (request: AdmissionRequest, signal: AbortSignal) => Promise<AdmissionAnswer> | AdmissionAnswer

/** The API server cuts warnings at 256 characters and drops what is past 4096 in all. */
const warningLengthMax = 256
const messageLengthMax = 4_096

/** A handler for the host. What is no review is a 400, and the failure policy of the configuration decides what that means. */
export function admissionHandler(admit: Admit, limits: ShapeLimits = bodyLimitsDefault): WebhookHandler {
  return async ({ contentType, body, signal }) => {
    if (contentType !== 'application/json') return plain(415, 'the content type must be application/json')
    const trouble = findShapeTrouble(body, limits)
    if (trouble !== undefined) return plain(400, `the review cannot be taken: ${trouble}`)
    const request = parseReview(body)
    if (typeof request === 'string') return plain(400, request)
    return render(request.uid, await admit(request, signal))
  }
}

function parseReview(body: Uint8Array): AdmissionRequest | string {
  let review: unknown
  try {
    review = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return 'the body is no JSON'
  }
  if (!isRecord(review) || review.kind !== 'AdmissionReview') return 'the body is no AdmissionReview'
  if (review.apiVersion !== 'admission.k8s.io/v1')
    return `only admission.k8s.io/v1 is spoken here, not ${String(review.apiVersion).slice(0, 100)}`
  const { request } = review
  if (!isRecord(request) || typeof request.uid !== 'string' || request.uid === '') return 'the review has no request with a uid'
  if (!isRecord(request.kind) || !isRecord(request.resource) || typeof request.operation !== 'string') {
    return 'the request of the review lacks kind, resource or operation'
  }
  // Checked as far as the types promise; `object` is whatever the user sent, and the decision has to treat it so.
  return request as unknown as AdmissionRequest
}

function render(uid: string, answer: AdmissionAnswer): HttpResponse {
  const warnings = answer.warnings?.map(warning => boundText(warning, warningLengthMax))
  const common = { uid, ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }) }
  if (answer.kind === 'deny') {
    const status: Partial<Status> = {
      code: answer.code ?? 403,
      reason: answer.reason ?? 'Forbidden',
      message: boundText(answer.message, messageLengthMax),
    }
    return review({ ...common, allowed: false, status })
  }
  const patch =
    answer.patch === undefined || answer.patch.length === 0
      ? {}
      : { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(answer.patch)).toString('base64') }
  return review({ ...common, allowed: true, ...patch, ...given({ auditAnnotations: answer.audit }) })
}

function review(response: object): HttpResponse {
  const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response })
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(body) }
}

function plain(status: number, message: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${message}\n`) }
}
