// Two claims of one resource: the older one has it, the other says so and keeps its hands off, in its deletion too.
import { type ObjectKey, renderKey } from '#kube'
import { indexBy, type Reads, type SourceIndex } from '#runtime'
import type { Resource } from './api.ts'
import type { KindModel } from './model/kind-model.ts'

export function arnIndexName({ id }: KindModel): string {
  return `arn of ${id}`
}

export const arnIndex: SourceIndex = indexBy<Resource>(({ status }) => {
  const arn = status?.ackResourceMetadata?.arn
  return arn === undefined ? [] : [arn]
})

/** The claim that has the resource before this one does. */
export function olderOwner(model: KindModel, claim: Resource, reads: Reads): string | undefined {
  const arn = claim.status?.ackResourceMetadata?.arn
  if (arn === undefined) return undefined
  const others = reads
    .byIndex<Resource>(model.type, arnIndexName(model), arn)
    .filter(({ metadata }) => metadata.uid !== claim.metadata.uid)
  const older = others.find(other => other.metadata.finalizers?.includes(model.finalizer) === true && isOlder(other, claim))
  if (older === undefined) return undefined
  const key: ObjectKey = { namespace: older.metadata.namespace ?? '', name: older.metadata.name }
  return renderKey(key)
}

/** By a fixed order, so that both sides agree whatever they see first. */
function isOlder({ metadata: a }: Resource, { metadata: b }: Resource): boolean {
  const [mine, theirs] = [a.creationTimestamp ?? '', b.creationTimestamp ?? '']
  return mine === theirs ? a.uid < b.uid : mine < theirs
}
