// The conversion webhook: a review of objects in, the same objects in the same order out. One that is bad fails the whole review, and is
// named.
import type { HttpResponse, Log } from '#base'
import type { KubeObject } from '#kube'
import { bodyLimitsDefault, findShapeTrouble, type WebhookHandler } from '#runtime'
import { isVersion, kindName, type Version } from '../api/names.ts'
import { convert, versionOf } from './convert.ts'
import { isFields } from './visible.ts'

/** For metrics: what was asked of each object, and what became of it. */
export type CountConversion = (from: string, to: string, result: 'success' | 'failure') => void

export interface ReviewAnswer {
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
): ReviewAnswer {
  const to = versionOf({ apiVersion: String(desiredAPIVersion) })
  if (to === undefined) return failure(`this converts to no version ${JSON.stringify(desiredAPIVersion ?? null)}`)
  const converted: KubeObject[] = []
  for (const [index, object] of objects.entries()) {
    const from = readVersion(object)
    if (!isVersion(from)) {
      count('unknown', to, 'failure')
      return failure(`object ${index}${nameOf(object)} cannot be converted: ${from}`)
    }
    converted.push(convert(object as KubeObject, from, to, { onDamaged }))
    count(from, to, 'success')
  }
  return { convertedObjects: converted, result: { status: 'Success' } }
}

/** The version, or what is wrong with the object. */
function readVersion(object: unknown): Version | (string & {}) {
  if (!isFields(object)) return 'it is no object'
  if (object.kind !== kindName) return `its kind is ${JSON.stringify(object.kind ?? null)}, not ${kindName}`
  if (object.metadata !== undefined && !isFields(object.metadata)) return 'its metadata is no object'
  const { annotations } = (object.metadata ?? {}) as { readonly annotations?: unknown }
  if (annotations !== undefined && annotations !== null && !isFields(annotations)) return 'its annotations are no object'
  const version = versionOf({ apiVersion: String(object.apiVersion) })
  return version ?? `this knows no version ${JSON.stringify(object.apiVersion ?? null)}`
}

function nameOf(object: unknown): string {
  const metadata = isFields(object) ? object.metadata : undefined
  const name = isFields(metadata) ? metadata.name : undefined
  return typeof name === 'string' ? ` (${name})` : ''
}

function failure(message: string): ReviewAnswer {
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
