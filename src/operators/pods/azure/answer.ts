// The admission protocol in the words of the Azure webhook (§3.10): whatever is wrong with a review is a denial in a reply of 200, where the
// AWS webhook answers some of it with an error of the call.
import { andThen, type Clock, type Maybe, settled } from '#base'
import { isObject, type PatchObject, type PatchValue } from '../patch.ts'
import { findReviewTrouble } from '../pod-shape.ts'
import {
  type AnswerReview,
  allowed,
  type DecideReview,
  decode,
  type ReviewAnswer,
  refused,
  reply,
  reviewBytesMax,
  textAnswer,
  textMax,
  textOf,
} from '../review.ts'
import { kindTrouble } from './pod-kind.ts'
import { podTypeTrouble } from './pod-types.ts'

export interface AzureAnswerOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Told of each review that could be read, denied ones too. */
  readonly observe: (namespace: string, seconds: number) => void
}

export function azureAnswer({ clock, observe }: AzureAnswerOptions): AnswerReview {
  return (contentType, body, decide, findShapeTrouble = () => undefined) => {
    if (body.length === 0) return denial({}, '', 'request body is empty')
    if (body.length > reviewBytesMax) return tooLarge()
    // The media type as it stands; its parameters do not matter (F-13).
    if (contentType?.split(';')[0]?.trim() !== 'application/json')
      return denial({}, '', `contentType=${contentType ?? ''}, expected application/json`)
    const review = readReview(body, findShapeTrouble)
    if (typeof review === 'string') return denial({}, '', review)
    const request = isObject(review['request']) ? review['request'] : {}
    const startedMs = clock.monotonicMs()
    const observed = (): void => observe(textOf(request['namespace']), (clock.monotonicMs() - startedMs) / 1_000)
    return settled(
      () => answerRequest(review, request, decide),
      answer => {
        observed()
        return answer
      },
      observed,
    )
  }
}

/** Over the limit: a denial too (§3.10). */
export function tooLarge(): ReviewAnswer {
  return denial({}, '', `request entity is too large: limit is ${reviewBytesMax} bytes`, 413)
}

/** The review, or why it is none. */
function readReview(body: Uint8Array, findShapeTrouble: (body: Uint8Array) => string | undefined): PatchObject | string {
  const shape = findShapeTrouble(body)
  if (shape !== undefined) return `the review cannot be taken: ${shape}`
  const review = decode(body)
  if (review instanceof Error) return undecodable(review.message)
  if (review === null) return {}
  if (!isObject(review)) return undecodable('a review is an object')
  return findReviewTrouble(review) ?? review
}

function undecodable(why: string): string {
  return `couldn't get version/kind; json parse error: ${why}`
}

function answerRequest(review: PatchObject, request: PatchObject, decide: DecideReview): Maybe<ReviewAnswer> {
  const uid = textOf(request['uid'])
  const object: PatchValue | undefined = request['object']
  if (object === undefined || object === null) return denial(review, uid, 'there is no content to decode')
  if (!isObject(object)) return denial(review, uid, undecodable('a pod is an object'))
  const trouble = namesTrouble(object) ?? kindTrouble(object) ?? podTypeTrouble(object)
  if (trouble !== undefined) return denial(review, uid, trouble)
  return andThen(decide({ namespace: textOf(request['namespace']), object }), verdict => {
    if (verdict.kind === 'allow') return reply(review, { status: { code: 200 }, ...allowed(uid, verdict, review) })
    if (verdict.kind === 'refuse') return reply(review, refused(uid, { code: 400, ...verdict }))
    return textAnswer(500, verdict.message)
  })
}

function namesTrouble({ apiVersion, kind }: PatchObject): string | undefined {
  const isText = (value: PatchValue | undefined): boolean => value === undefined || value === null || typeof value === 'string'
  return isText(apiVersion) && isText(kind) ? undefined : undecodable('apiVersion and kind are strings')
}

function denial(review: PatchObject, uid: string, message: string, code = 400): ReviewAnswer {
  return reply(review, { uid, allowed: false, status: { message: message.slice(0, echoMax), code } })
}

/** Around what is echoed, which is bounded by itself, stand some words of ours. */
const echoMax = 2 * textMax
