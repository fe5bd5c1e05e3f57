// AdoptedResources of manifests as the objects that they ask for: for `vouch export`, which only prints.
import type { KubeObject } from '#kube'
import { chooseKinds } from '../create-operator.ts'
import type { ResourcesOptions } from '../options.ts'
import { AdoptedResourceError, adoptingObject, askedKind, nameOf } from './adopting-object.ts'

export function isAdoptedResource({ apiVersion, kind }: KubeObject): boolean {
  return kind === 'AdoptedResource' && apiVersion.startsWith('services.k8s.aws/')
}

/** Throws `AdoptedResourceError`. */
export function fromAdoptedResource(object: KubeObject, { services }: Pick<ResourcesOptions, 'services'>): KubeObject {
  const { group, kind } = askedKind(object)
  const model = chooseKinds({ services }).kinds.find(({ type }) => type.group === group && type.kind === kind)
  if (model !== undefined) return adoptingObject(object, model)
  throw new AdoptedResourceError(
    `${nameOf(object)}: ${kind} of ${group} is no kind of the services that are chosen (--services, --models)`,
  )
}
