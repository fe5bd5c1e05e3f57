// The conversion webhook: a review of objects in, the same objects in the same order out. One that is bad fails the whole review, and is
// named.
import type { HttpResponse, Log } from '#base'
import type { KubeObject } from '#kube'
import { bodyLimitsDefault, findShapeTrouble, type WebhookHandler } from '#runtime'
import { kindName } from '../api/names.ts'
import { convert, versionOf } from './convert.ts'
import { isFields } from './visible.ts'

/** For metrics: what was asked of each object, and what became of it. */
export type CountConversion = (from: string, to: string, result: 'success' | 'failure') => void

export interface ConversionAnswer {
  readonly convertedObjects: readonly KubeObject[]
  readonly result: { readonly status: 'Success' | 'Failure'; readonly message?: string }
}

export function conversionHandler(log: Log, count: CountConversion): WebhookHandler {
  return async ({ contentType, body }) => {
    if (contentType !== 'application/json') return plain(415, 'the content type must be application/json')
    const trouble = findShapeTrouble(body, bodyLimitsDefault)
    if (trouble !== undefined) return plain(400, `the review cannot be taken: ${trouble}`)
    const request = parseReview(body)
    if (typeof request === 'string') return plain(400, request)
    const onDamaged = ({ metadata }: KubeObject): void =>
      log.warn('the saved fields of an object cannot be read and are dropped', { name: metadata?.name ?? '' })
    const answer = answerReview(request, onDamaged, count)
    return json({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: { uid: request.uid, ...answer } })
  }
}

export interface ReviewRequest {
  readonly uid: string
  readonly desiredAPIVersion: unknown
  readonly objects: readonly unknown[]
}

export function answerReview(
  { desiredAPIVersion, objects }: ReviewRequest,
  onDamaged: (object: KubeObject) => void,
  count: CountConversion,
): ConversionAnswer {
  const to = typeof desiredAPIVersion === 'string' ? versionOf({ apiVersion: desiredAPIVersion }) : undefined
  if (to === undefined) return failure(`this converts to no version ${JSON.stringify(desiredAPIVersion ?? null)}`)
  const converted: KubeObject[] = []
  for (const [index, object] of objects.entries()) {
    const trouble = findTrouble(object)
    const from = isObject(object) ? versionOf(object) : undefined
    if (trouble !== undefined || from === undefined || !isObject(object)) {
      count('unknown', to, 'failure')
      return failure(`object ${index}${nameOf(object)} cannot be converted: ${trouble}`)
    }
    converted.push(convert(object, from, to, { onDamaged }))
    count(from, to, 'success')
  }
  return { convertedObjects: converted, result: { status: 'Success' } }
}

/** As far as converting asks. */
function isObject(object: unknown): object is KubeObject {
  return isFields(object) && typeof object.apiVersion === 'string'
}

/** What is wrong with the object. */
function findTrouble(object: unknown): string | undefined {
  if (!isFields(object)) return 'it is no object'
  if (object.kind !== kindName) return `its kind is ${JSON.stringify(object.kind ?? null)}, not ${kindName}`
  if (object.metadata !== undefined && !isFields(object.metadata)) return 'its metadata is no object'
  const annotations = isFields(object.metadata) ? object.metadata.annotations : undefined
  if (annotations !== undefined && annotations !== null && !isFields(annotations)) return 'its annotations are no object'
  const isKnown = typeof object.apiVersion === 'string' && versionOf({ apiVersion: object.apiVersion }) !== undefined
  return isKnown ? undefined : `this knows no version ${JSON.stringify(object.apiVersion ?? null)}`
}

function nameOf(object: unknown): string {
  const metadata = isFields(object) ? object.metadata : undefined
  const name = isFields(metadata) ? metadata.name : undefined
  return typeof name === 'string' ? ` (${name})` : ''
}

function failure(message: string): ConversionAnswer {
  return { convertedObjects: [], result: { status: 'Failure', message } }
}

function parseReview(body: Uint8Array): ReviewRequest | string {
  let review: unknown
  try {
    review = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return 'the body is no JSON'
  }
  if (!isFields(review) || review.kind !== 'ConversionReview') return 'the body is no ConversionReview'
  const { request } = review
  if (!isFields(request) || typeof request.uid !== 'string') return 'the review has no request with a uid'
  if (!Array.isArray(request.objects)) return 'the request of the review has no list of objects'
  return { uid: request.uid, desiredAPIVersion: request.desiredAPIVersion, objects: request.objects }
}

function json(value: object): HttpResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) }
}

function plain(status: number, message: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(`${message}\n`) }
}
