// What an AdoptedResource asks for: an object of the resource's own kind that adopts it by annotation.
import { isRecord } from '#base'
import type { KubeObject } from '#kube'
import { annotations, type Fields } from '../api.ts'
import { textOf } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import { adoptionKeys } from '../ownership/adoption-keys.ts'

/** An AdoptedResource that says too little, or speaks of what is no kind here. */
export class AdoptedResourceError extends Error {
  override readonly name = 'AdoptedResourceError'
}

/** Of which kind it asks for an object. */
export function askedKind(object: KubeObject): { readonly group: string; readonly kind: string } {
  const { kubernetes } = partsOf(object)
  return { group: textOf(kubernetes['group'] ?? ''), kind: textOf(kubernetes['kind'] ?? '') }
}

/** Where the object is to be. A prefix of a name is completed with the name of who asks, so that the same is meant each time. */
export function askedKey(object: KubeObject): { readonly namespace: string; readonly name: string } {
  const { metadata } = object
  const { target } = partsOf(object)
  const own = metadata.name ?? ''
  const prefix = target['generateName']
  return {
    namespace: textOf(target['namespace'] ?? metadata.namespace ?? 'default'),
    name: textOf(target['name'] ?? (prefix === undefined ? own : `${textOf(prefix)}${own}`)),
  }
}

/** Throws `AdoptedResourceError`. */
export function adoptingObject(object: KubeObject, model: KindModel): KubeObject {
  const { aws, target } = partsOf(object)
  const owners = target['ownerReferences']
  return {
    apiVersion: `${model.type.group}/${model.type.version}`,
    kind: model.type.kind,
    metadata: {
      ...askedKey(object),
      labels: textsIn(target['labels']),
      annotations: {
        ...textsIn(target['annotations']),
        [annotations.adoptionPolicy]: 'adopt',
        [annotations.adoptionFields]: JSON.stringify(identifiersOf(model, aws, nameOf(object))),
      },
      ...(Array.isArray(owners) && owners.length > 0 ? { ownerReferences: owners } : {}),
    },
  }
}

export function nameOf({ metadata }: KubeObject): string {
  return `AdoptedResource ${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`
}

function partsOf(object: KubeObject): { readonly aws: Fields; readonly kubernetes: Fields; readonly target: Fields } {
  const spec = fieldsOf(isRecord(object) ? object['spec'] : undefined)
  const kubernetes = fieldsOf(spec['kubernetes'])
  return { aws: fieldsOf(spec['aws']), kubernetes, target: fieldsOf(kubernetes['metadata']) }
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, each]) => [name, textOf(each)]))
}

/** By the names that the kind's read takes: `nameOrID` is the one that no other key names. */
function identifiersOf(model: KindModel, aws: Fields, where: string): Readonly<Record<string, string>> {
  if (aws['arn'] !== undefined) return { arn: textOf(aws['arn']) }
  const more = textsIn(aws['additionalKeys'])
  const left = adoptionKeys(model).filter(key => more[key] === undefined)
  const [key, another] = left
  const name = aws['nameOrID']
  if (name === undefined) throw new AdoptedResourceError(`${where}: spec.aws has neither arn nor nameOrID`)
  if (key === undefined) return more
  if (another !== undefined)
    throw new AdoptedResourceError(
      `${where}: a ${model.kind.kind} is found by ${left.join(' and ')}: name all but one of them in spec.aws.additionalKeys`,
    )
  return { ...more, [key]: textOf(name) }
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}
