// Two claims of one resource: whoever has it on record has it, of two the older one. The other says so and keeps its hands off, in its
// deletion too. They are found by the ARN, by what identifies a resource without one, and by the mark that it bears.
import { type ObjectKey, renderKey } from '#kube'
import { indexBy, type Reads, type SourceIndex } from '#runtime'
import type { Resource } from '../api.ts'
import type { DeviatingKind } from '../kinds/deviation.ts'
import { own } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import type { Place } from '../place/select-place.ts'
import { identityOf } from './adoption-keys.ts'
import { hasResource, type Identity, type OwnershipRecord, recordOf } from './ownership-record.ts'

export function ownerIndexName({ id }: KindModel): string {
  return `owners of ${id}`
}

/**
 * Under which a claim is found by who looks for the owner of a resource: its own uid, and what its resource is known by. A uid is its own key,
 * as an ARN is: the index then holds the very texts that its claims hold.
 */
export function ownerIndex(kind: DeviatingKind): SourceIndex {
  return indexBy<Resource>(claim => [claim.metadata.uid, ...resourceKeys(kind.model, onRecord(kind, claim))])
}

export interface Looked extends DeviatingKind {
  readonly claim: Resource
  readonly place: Place
  /** What is known of the resource: by the manifest, or by a look at it. */
  readonly content: Content
}

/** `namespace/name` of the claim that has the resource before this one does. */
export function olderOwner(looked: Looked, reads: Reads): string | undefined {
  const { model, claim, place, content } = looked
  const own = claim.status?.ackResourceMetadata?.arn
  const keys = resourceKeys(model, { arns: [own, content.arn], identity: identityOf(looked, content) })
  const older = othersUnder(model, claim, keys, reads).find(
    other => isInPlace(model, other, place) && isManaging(model, other) && comesFirst(other, claim),
  )
  return older === undefined ? undefined : nameOf(older)
}

/** `namespace/name` of the living claim that has this uid. */
export function holderOf(model: KindModel, claim: Resource, uid: string, reads: Reads): string | undefined {
  const [holder] = othersUnder(model, claim, [uid], reads)
  return holder === undefined ? undefined : nameOf(holder)
}

function othersUnder(model: KindModel, claim: Resource, keys: readonly string[], reads: Reads): readonly Resource[] {
  return keys
    .flatMap(key => reads.byIndex<Resource>(model.type, ownerIndexName(model), key))
    .filter(({ metadata }) => metadata.uid !== claim.metadata.uid)
}

function arnKey(arn: string): string {
  return arn.startsWith('arn:') ? arn : `arn ${arn}`
}

interface KnownBy {
  readonly arns: readonly (string | undefined)[]
  readonly identity: Identity
}

function onRecord(kind: DeviatingKind, claim: Resource): KnownBy {
  const record = recordOf(claim)
  const arns = [claim.status?.ackResourceMetadata?.arn]
  if ('identity' in record && Object.keys(record.identity).length > 0) return { arns, identity: record.identity }
  return { arns, identity: identityOf(kind, { spec: claim.spec ?? {}, status: {} }) }
}

function resourceKeys({ id }: KindModel, { arns, identity }: KnownBy): readonly string[] {
  const known = arns.filter(arn => arn !== undefined).map(arnKey)
  const names = Object.keys(identity).sort()
  const fields = names.map(name => [name, identity[name]])
  return [...new Set([...known, ...(fields.length === 0 ? [] : [`${id} ${JSON.stringify(fields)}`])])]
}

/** Names of two accounts or regions do not meet; what Route 53 calls a zone is the same everywhere. */
function isInPlace({ service }: KindModel, { status }: Resource, { account, region }: Place): boolean {
  const { ownerAccountID, region: recorded } = status?.ackResourceMetadata ?? {}
  const isInAccount = ownerAccountID === undefined || ownerAccountID === account
  const isInRegion = globalServices.includes(service.alias) || recorded === undefined || recorded === region
  return isInAccount && isInRegion
}

/** Whose resources have no region, whatever region is written on a claim. */
const globalServices: readonly string[] = ['iam', 'route53', 'cloudfront', 's3', 'organizations', 'globalaccelerator']

/** A claim whose finalizer is gone has let its resource go. */
function isManaging(model: KindModel, other: Resource): boolean {
  return other.metadata.finalizers?.includes(model.finalizer) === true && hasResource(recordOf(other))
}

/** Who has it on record comes before who has not; of two of a kind the older one, so that both sides agree whatever they see first. */
function comesFirst(other: Resource, claim: Resource): boolean {
  if (!hasResource(recordOf(claim))) return true
  const [{ metadata: theirs }, { metadata: mine }] = [other, claim]
  const [theirTime, myTime] = [theirs.creationTimestamp ?? '', mine.creationTimestamp ?? '']
  return theirTime === myTime ? theirs.uid < mine.uid : theirTime < myTime
}

function nameOf({ metadata }: Resource): string {
  const key: ObjectKey = { namespace: metadata.namespace ?? '', name: metadata.name }
  return renderKey(key)
}

/** Whether the record of a claim is of another resource than the one that was looked at. */
export function isOfAnother(record: OwnershipRecord, identity: Identity): boolean {
  if (!('identity' in record) || Object.keys(record.identity).length === 0 || Object.keys(identity).length === 0) return false
  return Object.entries(record.identity).some(([name, value]) => own(identity, name) !== value)
}
