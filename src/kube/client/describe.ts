import { type ObjectKey, type ResourceType, renderKey } from '../objects.ts'

export function metadataAccept(as: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string {
  return `application/json;as=${as};g=meta.k8s.io;v=v1,application/json`
}

/** `get widgets.example.com/v1 default/x`: what was tried, for messages. */
export function describe(verb: string, type: ResourceType, where: Partial<ObjectKey> | undefined, subresource?: string): string {
  const kind = `${type.plural}${subresource === undefined ? '' : `/${subresource}`}${type.group === '' ? '' : `.${type.group}`}`
  const place =
    where?.name === undefined ? (where?.namespace ?? '') : renderKey({ namespace: where.namespace ?? '', name: where.name })
  return place === '' ? `${verb} ${kind}` : `${verb} ${kind} ${place}`
}
