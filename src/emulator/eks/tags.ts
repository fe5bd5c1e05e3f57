// Tags of clusters and everything below them, by ARN.

import type { TaggedResource } from '../ports.ts'
import type { Call } from '../service.ts'
import { newestOf, written } from '../state/timeline.ts'
import { putCluster, tagContext } from './clusters.ts'
import { eksDelays } from './delays.ts'
import { eksFailure } from './errors.ts'
import { associationById, type Cluster, clusterArn, type EksState, type EksTags, isGone, pairKey } from './model.ts'
import { eksQuotas } from './quotas.ts'
import { checkTags } from './tag-rules.ts'

type CallEks<I> = Call<EksState, I>

interface Place {
  readonly tags: EksTags
  readonly put: (tags: EksTags) => Cluster
}

export function tagResource(call: CallEks<{ readonly resourceArn: string; readonly tags: EksTags }>): object {
  const { resourceArn, tags } = call.input
  call.authorise({ action: 'eks:TagResource', resource: resourceArn, context: tagContext(tags) })
  const place = placeOf(call, resourceArn)
  const all = { ...place.tags, ...tags }
  try {
    checkTags(all, call.quota(eksQuotas.tags))
  } catch (error) {
    throw eksFailure('BadRequestException', (error as Error).message)
  }
  putCluster(call, place.put(all))
  return {}
}

export function untagResource(call: CallEks<{ readonly resourceArn: string; readonly tagKeys: readonly string[] }>): object {
  const { resourceArn, tagKeys } = call.input
  call.authorise({ action: 'eks:UntagResource', resource: resourceArn, context: { 'aws:TagKeys': tagKeys } })
  const place = placeOf(call, resourceArn)
  putCluster(call, place.put(Object.fromEntries(Object.entries(place.tags).filter(([key]) => !tagKeys.includes(key)))))
  return {}
}

export function listTagsForResource(call: CallEks<{ readonly resourceArn: string }>): object {
  const { resourceArn } = call.input
  call.authorise({ action: 'eks:ListTagsForResource', resource: resourceArn })
  return { tags: placeOf(call, resourceArn).tags }
}

function placeOf(call: Call<EksState>, arn: string): Place {
  const parts = /^arn:(aws[a-z-]*):eks:([a-z0-9-]+):(\d{12}):([a-z]+(?:-[a-z]+)*)\/([^/]+)(?:\/(.+))?$/.exec(arn)
  if (parts === null) throw eksFailure('BadRequestException', `Invalid ARN: ${arn}`)
  const [, partition, region, account, kind = '', clusterName = '', rest = ''] = parts
  const here = partition === call.partition && region === call.region && account === call.account
  const cluster = here ? call.store.get().clusters.get(clusterName) : undefined
  const place = cluster === undefined || isGone(cluster, call.now) ? undefined : placeIn(call, cluster, kind, rest, arn)
  if (place === undefined) throw eksFailure('NotFoundException', `Resource not found: ${arn}`)
  return place
}

function placeIn(call: Call<EksState>, cluster: Cluster, kind: string, rest: string, arn: string): Place | undefined {
  switch (kind) {
    case 'cluster':
      return rest === '' ? { tags: cluster.tags, put: tags => ({ ...cluster, tags }) } : undefined
    case 'podidentityassociation':
      return ofAssociation(call, cluster, rest)
    case 'addon': {
      const addon = cluster.addons.get(rest.split('/')[0] ?? '')
      if (addon?.arn !== arn) return undefined
      return { tags: addon.tags, put: tags => ({ ...cluster, addons: cluster.addons.set(addon.name, { ...addon, tags }) }) }
    }
    case 'access-entry': {
      const entry = [...cluster.accessEntries.values()].find(one => one.arn === arn)
      if (entry === undefined) return undefined
      const put = (tags: EksTags): Cluster => ({
        ...cluster,
        accessEntries: cluster.accessEntries.set(entry.principalArn, { ...entry, tags }),
      })
      return { tags: entry.tags, put }
    }
    case 'nodegroup': {
      const group = cluster.nodegroups.get(rest.split('/')[0] ?? '')
      if (group?.arn !== arn) return undefined
      return {
        tags: group.tags,
        put: tags => ({ ...cluster, nodegroups: cluster.nodegroups.set(group.name, { ...group, tags }) }),
      }
    }
    default:
      return undefined
  }
}

function ofAssociation(call: Call<EksState>, cluster: Cluster, id: string): Place | undefined {
  const association = associationById(cluster, id)
  if (association === undefined) return undefined
  const pair = pairKey(association.namespace, association.serviceAccount)
  const put = (tags: EksTags): Cluster => {
    const when = { now: call.now, keepMs: call.keepMs(eksDelays.association) }
    const timeline = written(cluster.associations.get(pair), { ...association, tags }, when)
    return timeline === undefined ? cluster : { ...cluster, associations: cluster.associations.set(pair, timeline) }
  }
  return { tags: association.tags, put }
}

/** For the tagging API. */
export function* taggedResources(clusters: Iterable<Cluster>): Generator<TaggedResource> {
  for (const cluster of clusters) {
    yield { arn: clusterArn(cluster), type: 'eks:cluster', tags: cluster.tags }
    for (const timeline of cluster.associations.values()) {
      const association = newestOf(timeline)
      if (association !== undefined) yield { arn: association.arn, type: 'eks:podidentityassociation', tags: association.tags }
    }
    for (const addon of cluster.addons.values()) yield { arn: addon.arn, type: 'eks:addon', tags: addon.tags }
  }
}
