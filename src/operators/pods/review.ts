// The admission protocol around a decision (specification §2.12 and §5.1): a review in, a review out. The decision itself is handed in.
import type { AddOperation, Json, JsonObject } from './patch.ts'
import { isObject } from './patch.ts'

export interface ReviewAnswer {
  readonly httpStatus: number
  readonly contentType: 'application/json' | 'text/plain'
  readonly body: string
}

/** What the API server asks about: the namespace is always the request's own (2.2.2). */
export interface ReviewSubject {
  readonly namespace: string
  readonly object: Json
}

export type DecideReview = (subject: ReviewSubject) => Promise<readonly AddOperation[]>

export const reviewBytesMax = 7_340_032

/** Answers one POST. Never throws for bad input; a decision that cannot be made is an HTTP error, so that the failure policy decides. */
export async function answerReview(
  contentType: string | undefined,
  body: Uint8Array,
  decide: DecideReview,
): Promise<ReviewAnswer> {
  if (mediaType(contentType) !== 'application/json') return text(415, 'the content type must be application/json')
  if (body.length > reviewBytesMax) return text(413, `the review is larger than ${reviewBytesMax} bytes`)
  const review = decode(body)
  if (review instanceof Error) return reply({}, denied('', review.message))
  const request = isObject(review) ? review['request'] : undefined
  if (!isObject(review) || !isObject(request)) return reply({}, denied('', 'bad content'))
  const uid = textOf(request['uid'])
  if (request['object'] === undefined || request['object'] === null)
    return reply(review, denied(uid, 'unexpected end of JSON input'))
  if (!isObject(request['object'])) return reply(review, denied(uid, 'the object of the review is no JSON object'))
  const operations = await decide({ namespace: textOf(request['namespace']), object: request['object'] })
  return reply(review, allowed(uid, operations))
}

function allowed(uid: string, operations: readonly AddOperation[]): JsonObject {
  if (operations.length === 0) return { uid, allowed: true }
  return { uid, allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') }
}

function denied(uid: string, message: string): JsonObject {
  return { uid, allowed: false, status: { message: message.slice(0, 256) } }
}

/** The reply repeats the version of the request, or speaks v1 to one that names none (F-10). */
function reply(review: JsonObject, response: JsonObject): ReviewAnswer {
  const answer = {
    kind: textOf(review['kind']) || 'AdmissionReview',
    apiVersion: textOf(review['apiVersion']) || 'admission.k8s.io/v1',
    response,
  }
  return { httpStatus: 200, contentType: 'application/json', body: JSON.stringify(answer) }
}

function decode(body: Uint8Array): Json | Error {
  if (body.length === 0) return null
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json
  } catch (error) {
    return error as Error
  }
}

/** Parameters of the media type do not matter (F-13). */
function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

function text(httpStatus: number, body: string): ReviewAnswer {
  return { httpStatus, contentType: 'text/plain', body: `${body}\n` }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
