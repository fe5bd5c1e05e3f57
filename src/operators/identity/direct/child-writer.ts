// Bucket and provider of a Config by calls of our own, in place of the child objects that say the same.
import { given } from '#base'
import { Account, mayHaveMade, notVisibleYet, Readings, sendChange, strangerMs, wasNothingToDo } from '#cloud'
import { type Act, type Action, type OwnAction, Trouble } from '#runtime'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { entryOf } from '../children/entry.ts'
import { bucketKind, type ChildKind } from '../children/kinds.ts'
import { absentChild, type ChildState } from '../children/state.ts'
import type { ChildWriter, WantedPlace } from '../children/writer.ts'
import { type AwsAction, type CallPlace, changeOf, isCreation } from './action.ts'
import type { Tags } from './answer.ts'
import { type BucketActual, bucketCalls, bucketRemoval, readBucket } from './bucket.ts'
import { findLeftOver, leftOverWatches } from './left-over.ts'
import { type ProviderActual, providerAfter, providerCalls, providerRemoval, readProvider } from './oidc-provider.ts'
import { type DirectOptions, driftMsDefault, staleMs } from './resources.ts'
import { awsTrouble } from './trouble.ts'

/** A child's state with what was seen in AWS. */
type DirectState = ChildState & { readonly actual?: BucketActual | ProviderActual }

export function directChildren(options: DirectOptions): ChildWriter {
  return new DirectChildren(options)
}

class DirectChildren implements ChildWriter {
  readonly keepsObjects = false
  readonly #options: DirectOptions
  readonly #memory: { readonly bucket: Readings<BucketActual>; readonly provider: Readings<ProviderActual> }
  readonly #account: Account

  constructor(options: DirectOptions) {
    this.#options = options
    this.#account = new Account(options)
    const remember = { clock: options.clock, ageMsMax: options.driftMs ?? driftMsDefault }
    this.#memory = { bucket: new Readings(remember), provider: new Readings(remember) }
  }

  find: ChildWriter['find'] = async (place, world, signal): Promise<DirectState> => {
    const leftOver = findLeftOver(world, place)
    if (leftOver !== undefined) return leftOver
    try {
      if (place.kind === bucketKind) return await this.#bucket(place, signal)
      return await this.#provider(place, signal)
    } catch (error) {
      throw awsTrouble(error, `aws:${serviceOf(place.kind)}`)
    }
  }

  apply: ChildWriter['apply'] = (child, state, region) => {
    if (state.owned === 'foreign' || state.object !== undefined) return []
    const { kind, parent, object } = child
    const { actual } = state as DirectState
    const place = this.#place(kind, parent.object.metadata.uid, region)
    if (kind !== bucketKind) return providerCalls(place, object.spec, parent.labels, actual as ProviderActual | undefined)
    // P2: that it is about to be made is on record first, since a bucket can be tagged only after it was made.
    if (actual === undefined && !isRecorded(parent.object as WorkloadIdentityConfig, String(object.spec.name))) return []
    return bucketCalls(place, object.spec, parent.labels, actual as BucketActual | undefined)
  }

  remove: ChildWriter['remove'] = (kind, state, { key, region, parent }) => {
    const { actual } = state as DirectState
    if (state.owned !== 'ours' || actual === undefined) return []
    const place = this.#place(kind, parent.object.metadata.uid, region)
    return kind === bucketKind ? bucketRemoval(place, key.name) : providerRemoval(place, actual as ProviderActual)
  }

  isOwn: ChildWriter['isOwn'] = (action: Action<OwnAction>) => action.kind === 'act:aws'

  watches: ChildWriter['watches'] = leftOverWatches

  act: Act<OwnAction> = async (own, context) => {
    const action = own as AwsAction
    const memory = action.which === 'bucket' ? this.#memory.bucket : this.#memory.provider
    // As for roles, a resource is changed or destroyed only right after a look at it [P4].
    const ageMs = memory.ageMs(action.memory)
    const isBlind = ageMs === Number.POSITIVE_INFINITY
    // A resource that an earlier call of this pass changed was not read since (`isBlind`): it may be changed again, but not taken away.
    if (!isCreation(action) && (isBlind ? action.destructive === true : ageMs > staleMs)) {
      memory.forget(action.memory)
      throw new Trouble({ kind: 'soon', reason: 'Stale', message: 'what is known of the resource is too old to act on' })
    }
    try {
      const client = this.#account.client(action.service, action.region)
      const { output } = await sendChange(client, changeOf(action), context)
      if (action.which === 'provider') {
        this.#memory.provider.update(action.memory, actual => providerAfter(actual, action, output))
      } else memory.forget(action.memory)
      return { changed: true }
    } catch (error) {
      memory.forget(action.memory)
      if (isCreation(action) && mayHaveMade(error)) memory.mayHaveMade(action.memory)
      if (wasNothingToDo(changeOf(action), error)) {
        memory.noteAbsent(action.memory)
        return { changed: false }
      }
      throw awsTrouble(error, action.dependency ?? action.service)
    }
  }

  async #bucket({ key, parent, kind, region }: WantedPlace, signal: AbortSignal): Promise<DirectState> {
    const client = this.#account.client('s3', region)
    const actual = await this.#memory.bucket.recall(parent.object.metadata.uid, () => readBucket(client, key.name, signal))
    if (actual === undefined) return this.#absent('bucket', parent, isRecorded(parent.object as WorkloadIdentityConfig, key.name))
    const isUntagged = Object.keys(actual.tags).length === 0
    const isRecordedOurs = isUntagged && isRecorded(parent.object as WorkloadIdentityConfig, key.name)
    const isOurs = !actual.isForeign && (isMarked(actual.tags, parent) || isRecordedOurs)
    if (isOurs) return ours(kind, key, actual)
    this.#memory.bucket.forget(parent.object.metadata.uid)
    return foreignState
  }

  async #provider({ key, parent, kind, identity }: WantedPlace, signal: AbortSignal): Promise<DirectState> {
    if (identity === undefined) return absentChild
    const client = this.#account.client('iam')
    const actual = await this.#memory.provider.recall(parent.object.metadata.uid, async () => {
      const { partition, account } = await this.#account.identity(signal)
      const arn = `arn:${partition}:iam::${account}:oidc-provider/${identity.replace(/^https:\/\//, '')}`
      return readProvider(client, arn, signal)
    })
    if (actual === undefined) {
      const { status } = parent.object as WorkloadIdentityConfig
      return this.#absent('provider', parent, status?.oidcProviderARN !== undefined)
    }
    if (isMarked(actual.tags, parent)) return ours(kind, key, actual, actual.arn)
    this.#memory.provider.forget(parent.object.metadata.uid)
    return foreignState
  }

  /** Before the finalizer of the parent goes, an absence is proven: what is left behind is left for ever. */
  #absent(which: 'bucket' | 'provider', { object: { metadata } }: WantedPlace['parent'], isOnRecord: boolean): DirectState {
    const { uid, deletionTimestamp } = metadata
    const leftMs = deletionTimestamp === undefined ? 0 : this.#memory[which].unprovenMs(uid, isOnRecord)
    if (leftMs > 0) throw notVisibleYet(which, which === 'bucket' ? 'aws:s3' : 'aws:iam', leftMs)
    return absentChild
  }

  #place(kind: ChildKind, uid: string, region: string = this.#options.region): CallPlace {
    const isBucket = kind === bucketKind
    return {
      which: isBucket ? 'bucket' : 'provider',
      service: serviceOf(kind),
      region: isBucket ? region : this.#options.region,
      memory: uid,
    }
  }
}

const foreignState: DirectState = { owned: 'foreign', lookAgainMs: strangerMs }

function ours(kind: ChildKind, key: WantedPlace['key'], actual: BucketActual | ProviderActual, arn?: string): DirectState {
  const entry = entryOf(kind.type, key, [{ type: 'ACK.ResourceSynced', status: 'True' }])
  return { owned: 'ours', stage: 'synced', entry, actual, ...given({ arn }) }
}

function isMarked(tags: Tags, { object, uidLabel }: WantedPlace['parent']): boolean {
  return tags[uidLabel] === object.metadata.uid
}

function isRecorded({ status }: WorkloadIdentityConfig, bucket: string): boolean {
  return status?.selfHostedIssuer?.bucketName === bucket
}

function serviceOf(kind: ChildKind): 's3' | 'iam' {
  return kind === bucketKind ? 's3' : 'iam'
}
