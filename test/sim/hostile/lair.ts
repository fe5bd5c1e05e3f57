// Where the hostile tenant lives, and what is not his. He may make, change and delete any object in his namespace, with any metadata; he
// has no rights anywhere else, nor on any status of ours.
import type { KubeObject } from '#kube'
import { cloudName, type World } from '#simulator'

export const lair = 'mallory'

/** Stands in Secrets of others: wherever else it turns up, it was read for somebody who may not read it. */
export const canary = 'canary-7f3a9c51'

/** Of one kind of a service of AWS. */
export interface Served {
  readonly service: string
  readonly kind: string
  readonly plural: string
}

export function pathIn(namespace: string, { service, plural }: Pick<Served, 'service' | 'plural'>, name?: string): string {
  const root = `/apis/${service}.services.k8s.aws/v1alpha1/namespaces/${namespace}/${plural}`
  return name === undefined ? root : `${root}/${name}`
}

export const coreIn = (namespace: string, plural: string, name?: string): string =>
  `/api/v1/namespaces/${namespace}/${plural}${name === undefined ? '' : `/${name}`}`

export const exportsIn = (namespace: string, name?: string): string =>
  `/apis/services.k8s.aws/v1alpha1/namespaces/${namespace}/fieldexports${name === undefined ? '' : `/${name}`}`

/** What is the tenant's: all in his namespace, and what he may make in others', which bears names of his. */
export function isHis({ metadata }: KubeObject): boolean {
  return metadata.namespace === lair || /^(?:m\d+|mouth|loot)$/.test(metadata.name ?? '')
}

export function uidsOfLair(world: World): ReadonlySet<string> {
  const uids = world.effects.flatMap(({ after, server }) =>
    server !== cloudName && after !== undefined && isHis(after) ? [after.metadata.uid ?? ''] : [],
  )
  return new Set(uids)
}

/** The objects of a cluster that are not the tenant's, without what our processes keep for themselves. */
export function isOfOthers(object: KubeObject): boolean {
  return !isHis(object) && object.kind !== 'Lease' && object.kind !== 'Event'
}
