// Which objects an event concerns: those that it names, by ARN, or by all that they are identified by. One too many costs a read.
import type { ObjectKey } from '#kube'
import { indexBy, type Reads, type SourceIndex } from '#runtime'
import type { Resource } from '../api.ts'
import { deviationOf } from '../kinds/deviations.ts'
import type { KindModel } from '../model/kind-model.ts'
import { propertyNamed } from '../model/names.ts'
import { adoptionKeys } from '../ownership/adoption-keys.ts'
import { eventName, lastPart } from './names.ts'
import type { Notice } from './notice.ts'

/** One event that touches more than this is no event about objects of ours: a tag policy, an import. */
const concernedMax = 1_000

export interface Concerned extends ObjectKey {
  readonly uid: string
}

export function eventIndexName({ id }: KindModel): string {
  return `named in events ${id}`
}

export function eventIndex(model: KindModel): SourceIndex {
  return indexBy<Resource>(claim => [...arnOf(claim), ...identifiersOf(model, claim)])
}

export function claimsConcerned(
  model: KindModel,
  notice: Notice,
  world: Pick<Reads, 'byIndex' | 'isSynced'>,
): readonly Concerned[] {
  if (!world.isSynced(model.type)) return []
  const found = new Map<string, Concerned>()
  for (const name of notice.names) {
    for (const claim of world.byIndex<Resource>(model.type, eventIndexName(model), name)) {
      const { uid, namespace = '', name: own } = claim.metadata
      if (!found.has(uid) && isConcerned(model, claim, notice)) found.set(uid, { namespace, name: own, uid })
      if (found.size >= concernedMax) return [...found.values()]
    }
  }
  return [...found.values()]
}

function isConcerned(model: KindModel, claim: Resource, { source, account, region, names }: Notice): boolean {
  const held = claim.status?.ackResourceMetadata
  if (account !== undefined && held?.ownerAccountID !== undefined && held.ownerAccountID !== account) return false
  if (arnOf(claim).some(arn => names.has(arn))) return true
  if (source !== undefined && !isOfService(model, source)) return false
  // What is told of a global service is told in the first region of the partition.
  const isElsewhere = region !== undefined && held?.region !== undefined && held.region !== region
  if (isElsewhere && model.service.model.globalEndpoint === undefined && model.service.alias !== 's3') return false
  return identifiersOf(model, claim).every(each => names.has(each))
}

function isOfService({ service }: KindModel, source: string): boolean {
  const [prefix = ''] = source.split('.')
  return [service.model.endpointPrefix, service.model.signingName, service.alias].includes(prefix)
}

function arnOf({ status }: Resource): readonly string[] {
  const arn = status?.ackResourceMetadata?.arn
  return arn === undefined ? [] : [eventName(arn)]
}

/** What the kind's read finds it by, as far as the object itself says it: what a reference gives stands nowhere. */
function identifiersOf(model: KindModel, claim: Resource): readonly string[] {
  const own = deviationOf(model.id).eventNames?.(claim)
  if (own !== undefined) return own.map(lastPart)
  const keys = adoptionKeys(model).filter(key => key !== 'arn')
  return (keys.length === 0 ? ['name'] : keys).flatMap(key => {
    const value = propertyNamed(claim.spec ?? {}, key)?.value ?? propertyNamed(claim.status ?? {}, key)?.value
    return typeof value === 'string' && value !== '' ? [lastPart(value)] : []
  })
}
