// The admission protocol around a decision (§2.12 and §5.1): a review in, a review out. The decision itself is handed in.

import { isUtf8 } from 'node:buffer'
import { andThen, type Maybe } from '#base'
import { isObject, type PatchObject, type PatchValue, type PodOperation, renderOperations } from './patch.ts'
import { findDecodeTrouble, findReviewTrouble } from './pod-shape.ts'

export interface ReviewAnswer {
  readonly httpStatus: number
  readonly contentType: 'application/json' | 'text/plain'
  readonly body: string
  /** For counting. */
  readonly result: 'mutated' | 'unchanged' | 'denied' | 'error'
}

export type ReviewVerdict =
  | {
      readonly kind: 'allow'
      readonly operations: readonly PodOperation[]
      readonly warnings?: readonly string[]
      /** Into the audit log of the API server. */
      readonly audit?: Readonly<Record<string, string>>
    }
  /** With a time, the API server's answer says when to try again, and clients that know how do so by themselves. */
  | {
      readonly kind: 'refuse'
      readonly message: string
      readonly code?: number
      readonly reason?: string
      readonly retryAfterSeconds?: number
    }
  /** Nobody could decide: an error of the call, so that the failure policy does. */
  | { readonly kind: 'fail'; readonly message: string }

/** What the API server asks about: the namespace is always the request's own (2.2.2). */
export interface ReviewSubject {
  readonly namespace: string
  readonly object: PatchObject
}

/** One POST in, one answer out: what a provider brings when its upstream words its answers otherwise. */
export type AnswerReview = (
  contentType: string | undefined,
  body: Uint8Array,
  decide: DecideReview,
  findShapeTrouble?: (body: Uint8Array) => string | undefined,
) => Maybe<ReviewAnswer>

export type DecideReview = (subject: ReviewSubject) => Maybe<ReviewVerdict>

export const reviewBytesMax = 7_340_032

/** Answers one POST. Never throws for bad input; a decision that cannot be made is an HTTP error, so that the failure policy decides. */
export function answerReview(
  contentType: string | undefined,
  body: Uint8Array,
  decide: DecideReview,
  findShapeTrouble: (body: Uint8Array) => string | undefined = () => undefined,
): Maybe<ReviewAnswer> {
  if (mediaType(contentType) !== 'application/json') return textAnswer(415, 'the content type must be application/json')
  if (body.length > reviewBytesMax) return textAnswer(413, `the review is larger than ${reviewBytesMax} bytes`)
  const shape = findShapeTrouble(body)
  if (shape !== undefined) return reply({}, denied('', `the review cannot be taken: ${shape}`))
  const review = decode(body)
  if (review instanceof Error) return reply({}, denied('', review.message))
  const misfit = isObject(review) ? findReviewTrouble(review) : undefined
  if (misfit !== undefined) return reply({}, denied('', misfit))
  const request = isObject(review) ? review['request'] : undefined
  if (!isObject(review) || !isObject(request)) return reply({}, denied('', 'bad content'))
  const uid = textOf(request['uid'])
  if (request['object'] === undefined || request['object'] === null)
    return reply(review, denied(uid, 'unexpected end of JSON input'))
  const object = request['object']
  const trouble = isObject(object) ? findDecodeTrouble(object) : 'the object of the review is no JSON object'
  if (trouble !== undefined) return reply(review, denied(uid, trouble))
  return andThen(decide({ namespace: textOf(request['namespace']), object: object as PatchObject }), verdict =>
    verdict.kind === 'fail'
      ? textAnswer(500, verdict.message)
      : reply(review, verdict.kind === 'allow' ? allowed(uid, verdict, review) : refused(uid, verdict)),
  )
}

export function allowed(uid: string, verdict: ReviewVerdict & { kind: 'allow' }, review: PatchObject): PatchObject {
  const { operations, warnings = [], audit } = verdict
  // v1beta1 has the field too, but servers that still speak it do not pass it on.
  const heard =
    warnings.length === 0 || textOf(review['apiVersion']).endsWith('v1beta1')
      ? {}
      : { warnings: warnings.slice(0, warningsMax).map(echoed) }
  const said: PatchObject = { ...heard, ...(audit === undefined ? {} : { auditAnnotations: audit }) }
  if (operations.length === 0) return { uid, allowed: true, ...said }
  const patch = Buffer.from(renderOperations(operations)).toString('base64')
  return { uid, allowed: true, patchType: 'JSONPatch', ...said, patch }
}

export function refused(
  uid: string,
  { message, code, reason, retryAfterSeconds }: ReviewVerdict & { kind: 'refuse' },
): PatchObject {
  const status = {
    message,
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
  }
  return { uid, allowed: false, status }
}

const warningsMax = 5
/** Input is never echoed at more length (§5.9). */
export const textMax = 256

/** As much of what a caller wrote as is repeated to him, or in the log. */
export function echoed(text: string): string {
  return text.slice(0, textMax)
}

function denied(uid: string, message: string): PatchObject {
  return { uid, allowed: false, status: { message: echoed(message) } }
}

/** The reply repeats the version of the request, or speaks v1 to one that names none (F-10). */
export function reply(review: PatchObject, response: PatchObject): ReviewAnswer {
  const { patch, ...others } = response
  const answer = {
    kind: textOf(review['kind']) || 'AdmissionReview',
    apiVersion: textOf(review['apiVersion']) || 'admission.k8s.io/v1',
    response: others,
  }
  const body = JSON.stringify(answer)
  const result = response['allowed'] !== true ? 'denied' : patch === undefined ? 'unchanged' : 'mutated'
  return {
    httpStatus: 200,
    contentType: 'application/json',
    body: patch === undefined ? body : withPatch(body, textOf(patch)),
    result,
  }
}

/** Base64 holds nothing to escape, and is most of the answer: it is not looked through for what to escape. */
function withPatch(body: string, patch: string): string {
  return `${body.slice(0, -2)},"patch":"${patch}"}}`
}

export function decode(body: Uint8Array): PatchValue | Error {
  if (body.length === 0) return null
  if (!isUtf8(body)) return new Error('the review is no UTF-8')
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.length).toString()) as PatchValue
  } catch (error) {
    return error as Error
  }
}

/** Parameters of the media type do not matter (F-13). */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

export function textAnswer(httpStatus: number, body: string): ReviewAnswer {
  return { httpStatus, contentType: 'text/plain', body: `${body}\n`, result: 'error' }
}

export function textOf(value: PatchValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
