// The variables of a container, where their values stand elsewhere as well.
import { configMaps, type ResourceType, secrets } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Pod, PodContainer, PodVariable } from './pod.ts'
import { contentOf, fieldOf, NotMounted } from './volumes.ts'

export async function environmentOf(
  kube: KubeClient,
  pod: Pod,
  { env = [] }: PodContainer,
): Promise<Readonly<Record<string, string>>> {
  const given: Record<string, string> = {}
  for (const variable of env) {
    const value = await valueOf(kube, pod, variable)
    if (value !== undefined) given[variable.name] = value
  }
  return given
}

async function valueOf(kube: KubeClient, pod: Pod, { value, valueFrom }: PodVariable): Promise<string | undefined> {
  if (valueFrom === undefined) return value ?? ''
  if (valueFrom.fieldRef !== undefined) return fieldOf(pod, valueFrom.fieldRef)
  const { secretKeyRef, configMapKeyRef } = valueFrom
  const [type, reference]: readonly [ResourceType, typeof secretKeyRef] =
    secretKeyRef === undefined ? [configMaps, configMapKeyRef] : [secrets, secretKeyRef]
  if (reference === undefined) return undefined
  const { name, key, optional } = reference
  const bytes = (await contentOf(kube, pod, type, name))?.get(key)
  if (bytes !== undefined) return Buffer.from(bytes).toString()
  if (optional === true) return undefined
  throw new NotMounted(`couldn't find key ${key} in ${type.kind} ${pod.metadata.namespace}/${name}`)
}
