// AdoptedResources, by which AWS Controllers for Kubernetes took resources over until they dropped the kind, as objects of the resource's own
// kind that adopt it by annotation.
import type { KubeObject } from '#kube'
import { annotations, type Fields } from '../api.ts'
import { chooseKinds } from '../create-operator.ts'
import { isRecord, textOf } from '../model/convert.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { ResourcesOptions } from '../options.ts'
import { adoptionKeys } from '../ownership/adoption-keys.ts'

/** An AdoptedResource that says too little, or speaks of what is no kind here. */
export class AdoptedResourceError extends Error {
  override readonly name = 'AdoptedResourceError'
}

export function isAdoptedResource({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'AdoptedResource' && apiVersion.startsWith('services.k8s.aws/')
}

export function fromAdoptedResource(object: KubeObject, { services }: Pick<ResourcesOptions, 'services'>): KubeObject {
  const { metadata } = object
  const spec = fieldsOf(isRecord(object) ? object['spec'] : undefined)
  const [aws, kubernetes] = [fieldsOf(spec['aws']), fieldsOf(spec['kubernetes'])]
  const target = fieldsOf(kubernetes['metadata'])
  const where = `AdoptedResource ${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`
  const model = modelOf(services, { group: textOf(kubernetes['group'] ?? ''), kind: textOf(kubernetes['kind'] ?? ''), where })
  return {
    apiVersion: `${model.type.group}/${model.type.version}`,
    kind: model.type.kind,
    metadata: {
      namespace: textOf(target['namespace'] ?? metadata.namespace ?? 'default'),
      name: textOf(target['name'] ?? target['generateName'] ?? metadata.name ?? ''),
      labels: textsIn(target['labels']),
      annotations: {
        ...textsIn(target['annotations']),
        [annotations.adoptionPolicy]: 'adopt',
        [annotations.adoptionFields]: JSON.stringify(identifiersOf(model, aws, where)),
      },
    },
  }
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

function modelOf(
  services: ResourcesOptions['services'],
  { group, kind, where }: { readonly group: string; readonly kind: string; readonly where: string },
): KindModel {
  const { kinds } = chooseKinds({ services })
  const found = kinds.find(({ type }) => type.group === group && type.kind === kind)
  if (found !== undefined) return found
  throw new AdoptedResourceError(
    `${where}: ${kind} of ${group} is no kind of the services that are chosen (--services, --models)`,
  )
}
