// What lies in the volumes of a pod, asked for as a kubelet asks: Secrets, ConfigMaps, tokens bound to this very pod, and facts about it.
import { configMaps, type ResourceType, type StoredObject, secrets } from '#kube'
import type { KubeClient } from '#kube/client'
import type { FieldRef, KeyToPath, Pod, PodVolume, ProjectedSource } from './pod.ts'

/** A volume or a variable that names what is not there: a kubelet waits, and says so in these words. */
export class NotMounted extends Error {}

export type VolumeFile = readonly [path: string, content: Uint8Array]

export async function filesOfVolume(kube: KubeClient, pod: Pod, volume: PodVolume): Promise<readonly VolumeFile[]> {
  if (volume.secret !== undefined) {
    const { secretName: name, ...rest } = volume.secret
    return await filesOfObject(kube, pod, secrets, { name, ...rest })
  }
  if (volume.configMap !== undefined) return await filesOfObject(kube, pod, configMaps, volume.configMap)
  const files = (volume.projected?.sources ?? []).map(source => filesOfSource(kube, pod, source))
  return (await Promise.all(files)).flat()
}

async function filesOfSource(kube: KubeClient, pod: Pod, source: ProjectedSource): Promise<readonly VolumeFile[]> {
  if (source.serviceAccountToken !== undefined) return [await tokenFile(kube, pod, source.serviceAccountToken)]
  if (source.configMap !== undefined) return await filesOfObject(kube, pod, configMaps, source.configMap)
  if (source.secret !== undefined) return await filesOfObject(kube, pod, secrets, source.secret)
  return (source.downwardAPI?.items ?? []).map(({ path, fieldRef }) => [path, Buffer.from(fieldOf(pod, fieldRef))])
}

type TokenSource = NonNullable<ProjectedSource['serviceAccountToken']>

async function tokenFile(
  kube: KubeClient,
  { metadata, spec }: Pod,
  { audience, expirationSeconds = 3_600, path }: TokenSource,
): Promise<VolumeFile> {
  const { token } = await kube.requestToken(
    { namespace: metadata.namespace ?? 'default', name: spec.serviceAccountName ?? 'default' },
    {
      audiences: audience === undefined ? [] : [audience],
      expirationSeconds,
      boundObject: { kind: 'Pod', apiVersion: 'v1', name: metadata.name, uid: metadata.uid },
    },
  )
  return [path, Buffer.from(token)]
}

interface ObjectSource {
  readonly name: string
  readonly items?: readonly KeyToPath[]
  readonly optional?: boolean
}

async function filesOfObject(
  kube: KubeClient,
  pod: Pod,
  type: ResourceType,
  { name, items, optional }: ObjectSource,
): Promise<readonly VolumeFile[]> {
  const content = await contentOf(kube, pod, type, name)
  if (content === undefined) {
    if (optional === true) return []
    throw new NotMounted(`${type.kind.toLowerCase()} ${JSON.stringify(name)} not found`)
  }
  if (items === undefined) return [...content]
  return items.flatMap(({ key, path }): readonly VolumeFile[] => {
    const bytes = content.get(key)
    if (bytes !== undefined) return [[path, bytes]]
    if (optional === true) return []
    throw new NotMounted(`references non-existent ${type.kind.toLowerCase()} key: ${key}`)
  })
}

type WithData = StoredObject & { readonly data?: Readonly<Record<string, string>> }

/** Returns `undefined` where the object does not exist. */
export async function contentOf(
  kube: KubeClient,
  { metadata }: Pod,
  type: ResourceType,
  name: string,
): Promise<ReadonlyMap<string, Uint8Array> | undefined> {
  const object = await kube.find<WithData>(type, { namespace: metadata.namespace ?? 'default', name })
  if (object === undefined) return undefined
  const encoding = type === secrets ? 'base64' : 'utf8'
  return new Map(Object.entries(object.data ?? {}).map(([key, text]) => [key, Buffer.from(text, encoding)]))
}

/** The fields that pods ask for in practice. */
export function fieldOf({ metadata, spec }: Pod, fieldRef: FieldRef | undefined): string {
  const values: Readonly<Record<string, string | undefined>> = {
    'metadata.name': metadata.name,
    'metadata.namespace': metadata.namespace,
    'metadata.uid': metadata.uid,
    'spec.serviceAccountName': spec.serviceAccountName,
    'spec.nodeName': spec.nodeName,
  }
  return values[fieldRef?.fieldPath ?? ''] ?? ''
}
