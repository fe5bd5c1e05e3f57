// The two documents in S3 (§3.15): looked at, written, removed. No body is read back. The metadata holds the digests of what we wrote,
// and the entity tag is S3's own digest of what is there: whoever writes over a document can keep the one and not the other.
import { createHash } from 'node:crypto'
import { AwsError, serviceModel } from '#aws'
import type { AwsClients } from '#aws/client'
import { type Clock, given } from '#base'
import { cloudTrouble } from '#cloud'
import { type OwnAction, Trouble } from '#runtime'
import { conditionText } from '../documents/condition-text.ts'
import { type DocumentSet, objectMetadata, type PublishedObject } from '../documents/publication.ts'

export interface IssuerPlace {
  readonly region: string
  readonly bucket: string
}

/** How a document was found. `hidden`: S3 says "forbidden" for what is absent when it may not be listed. */
export type ObjectSeen =
  | { readonly kind: 'current' | 'differs' | 'absent' | 'hidden' }
  | { readonly kind: 'failed'; readonly message: string }

/** By object key. */
export type PublicationSeen = Readonly<Record<string, ObjectSeen>>

/** How the documents are for those who are nobody to us: that is what STS is. */
export type PublicView =
  | { readonly kind: 'readable' }
  /** `settling`: written a moment ago, and what is refused may be readable in the next. `unseen`: it could not be found out. */
  | { readonly kind: 'refused' | 'settling' | 'unseen'; readonly message: string }

export interface IssuerStore {
  look(place: IssuerPlace, set: DocumentSet, signal: AbortSignal): Promise<PublicationSeen>
  /** Fetches the documents without credentials. Of a store without it, what is published counts as readable. */
  lookAsAnybody?(place: IssuerPlace, set: DocumentSet, signal: AbortSignal): Promise<PublicView>
  /** Carries out one of the actions below. */
  act(action: IssuerAction, signal: AbortSignal): Promise<void>
}

export interface PutIssuerObject extends OwnAction, IssuerPlace {
  readonly kind: 'act:put-issuer-object'
  readonly object: PublishedObject
  readonly metadata: Readonly<Record<string, string>>
  /** Of the set that the object belongs to. */
  readonly setDigest: string
}

export interface DeleteIssuerObject extends OwnAction, IssuerPlace {
  readonly kind: 'act:delete-issuer-object'
  readonly key: string
}

export type IssuerAction = PutIssuerObject | DeleteIssuerObject

export function putIssuerObject(place: IssuerPlace, object: PublishedObject, set: DocumentSet): PutIssuerObject {
  return {
    kind: 'act:put-issuer-object',
    summary: `put s3://${place.bucket}/${object.key} (${object.digest})`,
    dependency: dependencyOf(place),
    ...place,
    object,
    metadata: objectMetadata(object, set),
    setDigest: set.digest,
  }
}

export function deleteIssuerObject(place: IssuerPlace, key: string): DeleteIssuerObject {
  return {
    kind: 'act:delete-issuer-object',
    summary: `delete s3://${place.bucket}/${key}`,
    dependency: dependencyOf(place),
    destructive: true,
    ...place,
    key,
  }
}

export interface S3IssuerStoreOptions {
  readonly clients: AwsClients
  readonly clock: Clock
  /** The account that the bucket must belong to; another's of the same name is refused by S3 (B23). */
  readonly account?: string
}

/**
 * A look within this time is not repeated: passes come in bursts, and each look is two calls. Long enough for a burst, short against the
 * hourly look at everything, which is what finds a document that somebody changed.
 */
const freshMs = 120_000
/**
 * What was readable is looked at again after this long, as ACK looks at the bucket's policy: until then nobody of ours changes either, and
 * a fleet that fetched more often would be its own best customer.
 */
const readableMs = 10 * 3_600_000
/** S3 takes up a policy within seconds; what is refused for longer stays refused. */
const settlingMs = 10_000
/** Two small documents; who takes longer does not answer. */
const publicDeadlineMs = 5_000
/** One per cluster of a large fleet, many times over. */
const memoriesMax = 16_384

export class S3IssuerStore implements IssuerStore {
  readonly #options: S3IssuerStoreOptions
  /** By bucket and set: when all was last seen current. */
  readonly #seenCurrentMs = new Map<string, number>()
  /** By bucket and set: when anybody could last read all. */
  readonly #readableMs = new Map<string, number>()
  /** By object: when we put it last. */
  readonly #putMs = new Map<string, number>()
  /** By object: the digests that we put last, for buckets that do not let us look. */
  readonly #put = new Map<string, string>()
  /** By object: the entity tag with which S3 took what we put last. In a bucket with keys of its owner's it is no digest of the body. */
  readonly #putTags = new Map<string, string>()

  constructor(options: S3IssuerStoreOptions) {
    this.#options = options
  }

  async look(place: IssuerPlace, set: DocumentSet, signal: AbortSignal): Promise<PublicationSeen> {
    const memory = `${place.region}/${place.bucket}/${set.digest}`
    const seenMs = this.#seenCurrentMs.get(memory)
    if (seenMs !== undefined && this.#options.clock.monotonicMs() - seenMs < freshMs) {
      return Object.fromEntries(set.objects.map(({ key }) => [key, { kind: 'current' }]))
    }
    const found = await Promise.all(set.objects.map(object => this.#head(place, object, set, signal)))
    const seen = Object.fromEntries(set.objects.map(({ key }, index) => [key, found[index] as ObjectSeen]))
    if (found.every(({ kind }) => kind === 'current')) {
      remember(this.#seenCurrentMs, memory, this.#options.clock.monotonicMs())
    }
    return seen
  }

  async lookAsAnybody(place: IssuerPlace, set: DocumentSet, signal: AbortSignal): Promise<PublicView> {
    const memory = `${place.region}/${place.bucket}/${set.digest}`
    const { clock } = this.#options
    const seenMs = this.#readableMs.get(memory)
    if (seenMs !== undefined && clock.monotonicMs() - seenMs < readableMs) return { kind: 'readable' }
    const found = await Promise.all(set.objects.map(object => this.#getAsAnybody(place, object, signal)))
    const refused = found.find(({ kind }) => kind === 'refused')
    if (refused !== undefined) {
      this.#readableMs.delete(memory)
      const putMs = Math.max(...set.objects.map(({ key }) => this.#putMs.get(placeOf(place, key)) ?? Number.NEGATIVE_INFINITY))
      return clock.monotonicMs() - putMs < settlingMs ? ({ ...refused, kind: 'settling' } as PublicView) : refused
    }
    const unseen = found.find(({ kind }) => kind === 'unseen')
    if (unseen !== undefined) return unseen
    remember(this.#readableMs, memory, clock.monotonicMs())
    return { kind: 'readable' }
  }

  async act(action: IssuerAction, signal: AbortSignal): Promise<void> {
    if (action.kind === 'act:put-issuer-object') return this.#putObject(action, signal)
    return this.#deleteObject(action, signal)
  }

  async #head(place: IssuerPlace, object: PublishedObject, set: DocumentSet, signal: AbortSignal): Promise<ObjectSeen> {
    try {
      const output = await this.#client(place).call('HeadObject', this.#address(place, object.key), { signal })
      const wanted = objectMetadata(object, set)
      const actual = (output.Metadata ?? {}) as Readonly<Record<string, string>>
      const same = output.ContentType === object.contentType && Object.keys(wanted).every(name => actual[name] === wanted[name])
      return { kind: same && this.#isBodyOf(place, object, output.ETag) ? 'current' : 'differs' }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AwsError && error.class === 'not-found') return { kind: 'absent' }
      if (error instanceof AwsError && error.httpStatus === 403) {
        return { kind: this.#put.get(placeOf(place, object.key)) === `${object.digest} ${set.digest}` ? 'current' : 'hidden' }
      }
      return { kind: 'failed', message: conditionText(`looking at ${object.key} in bucket ${place.bucket}`, error) }
    }
  }

  /** S3's tag of an object that was put as a whole is its MD5: nobody finds another text for it. */
  #isBodyOf(place: IssuerPlace, { key, body }: PublishedObject, tag: unknown): boolean {
    if (typeof tag !== 'string') return true
    return tag === `"${createHash('md5').update(body).digest('hex')}"` || tag === this.#putTags.get(placeOf(place, key))
  }

  async #getAsAnybody(place: IssuerPlace, { key, body }: PublishedObject, signal: AbortSignal): Promise<PublicView> {
    const client = this.#options.clients.for({ model: serviceModel('s3'), region: place.region, anonymously: true })
    const what = `${key} of bucket ${place.bucket}`
    const wanted = Buffer.from(body)
    try {
      const input = { Bucket: place.bucket, Key: key }
      const output = await client.call('GetObject', input, { signal, deadlineMs: publicDeadlineMs })
      if (output.Body instanceof Uint8Array && wanted.equals(output.Body)) return { kind: 'readable' }
      return {
        kind: 'refused',
        message: `${what} reads otherwise from outside than it was published: somebody else answers for it`,
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AwsError && !error.throttling && error.httpStatus !== undefined && error.httpStatus < 500) {
        const step = 'let the bucket policy take effect (Block Public Access of the bucket and of the account)'
        return { kind: 'refused', message: `the public, and so STS, may not read ${what} (${error.code}): ${step}` }
      }
      return { kind: 'unseen', message: conditionText(`reading ${what} without credentials`, error) }
    }
  }

  async #putObject(action: PutIssuerObject, signal: AbortSignal): Promise<void> {
    const { object, metadata, setDigest } = action
    const input = {
      ...this.#address(action, object.key),
      Body: Buffer.from(object.body),
      ContentType: object.contentType,
      Metadata: metadata,
    }
    try {
      const { ETag } = await this.#client(action).call('PutObject', input, { signal })
      if (typeof ETag === 'string') remember(this.#putTags, placeOf(action, object.key), ETag)
    } catch (error) {
      signal.throwIfAborted()
      throw asStoreTrouble(`writing ${object.key} to bucket ${action.bucket}`, error, dependencyOf(action))
    }
    remember(this.#put, placeOf(action, object.key), `${object.digest} ${setDigest}`)
    remember(this.#putMs, placeOf(action, object.key), this.#options.clock.monotonicMs())
  }

  async #deleteObject(action: DeleteIssuerObject, signal: AbortSignal): Promise<void> {
    this.#put.delete(placeOf(action, action.key))
    try {
      await this.#client(action).call('DeleteObject', this.#address(action, action.key), { signal })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof AwsError && error.code === 'NoSuchBucket') return
      throw asStoreTrouble(`deleting ${action.key} in bucket ${action.bucket}`, error, dependencyOf(action))
    }
  }

  #client({ region }: IssuerPlace): ReturnType<AwsClients['for']> {
    return this.#options.clients.for({ model: serviceModel('s3'), region })
  }

  #address({ bucket }: IssuerPlace, key: string): Readonly<Record<string, unknown>> {
    const { account } = this.#options
    return { Bucket: bucket, Key: key, ...given({ ExpectedBucketOwner: account }) }
  }
}

/** As the table of the room cloud has it; which object it was about says more than the words of the table. */
function asStoreTrouble(doing: string, error: unknown, dependency: string): unknown {
  const found = cloudTrouble(error, { dependency, service: 'S3', isFinal: () => false })
  if (!(found instanceof Trouble)) return found
  const { kind, reason, retryAfterMs } = found
  return new Trouble({ kind, reason, message: conditionText(doing, error), dependency, cause: error, ...given({ retryAfterMs }) })
}

function dependencyOf({ region }: IssuerPlace): string {
  return `aws/s3/${region}`
}

function placeOf({ region, bucket }: IssuerPlace, key: string): string {
  return `${region}/${bucket}/${key}`
}

function remember<V>(memory: Map<string, V>, key: string, value: V): void {
  memory.delete(key)
  memory.set(key, value)
  if (memory.size > memoriesMax) memory.delete(memory.keys().next().value as string)
}
