// What a node does for a pod, as far as the proof needs it: the pod's volumes become files in a folder of its own, and its container
// becomes a process that sees the environment of its spec and those files. Nothing is invented here: what the webhook did not put into
// the pod is not there. A container's root is that folder, and since no process may change its root without rights, paths in its
// environment that lie in a mounted volume are given with the folder in front.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ProgramResult, Programs } from '#base'
import { configMaps, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'

interface TokenSource {
  readonly audience?: string
  readonly expirationSeconds?: number
  readonly path: string
}

interface Volume {
  readonly name: string
  readonly projected?: {
    readonly sources: readonly {
      readonly serviceAccountToken?: TokenSource
      readonly configMap?: { readonly name: string; readonly items?: readonly { readonly key: string; readonly path: string }[] }
    }[]
  }
}

interface Container {
  readonly name: string
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
}

export interface Pod extends StoredObject {
  readonly spec: {
    readonly serviceAccountName?: string
    readonly containers: readonly Container[]
    readonly volumes?: readonly Volume[]
  }
}

export interface Node {
  readonly kube: KubeClient
  readonly programs: Programs
  /** Ends its containers. */
  readonly signal?: AbortSignal
  /** Where the pods of this node have their files. */
  readonly folder: string
  /** What stands in for an image: a command and its first arguments. */
  readonly images: Readonly<Record<string, readonly [string, ...string[]]>>
  /** What a container printed, once it has ended: for the log of its pod. */
  readonly onPrinted?: (pod: Pod, text: string) => void
  /** What the node's network gives to every container: here, where AWS is. */
  readonly network: Readonly<Record<string, string>>
}

const outputBytesMax = 64 * 1024
const containerTimeoutMs = 30_000

/** Runs the pod's first container to its end. */
export async function runPod(node: Node, pod: Pod): Promise<ProgramResult> {
  const container = pod.spec.containers[0]
  if (container === undefined) throw new Error(`pod ${pod.metadata.name} has no container`)
  const program = node.images[container.image]
  if (program === undefined)
    throw new Error(`image ${container.image} is not on this node; it has ${Object.keys(node.images).join(', ')}`)
  const root = join(node.folder, pod.metadata.uid)
  const mounts = await mountVolumes(node, pod, container, root)
  const [command, ...first] = program
  const result = await node.programs.run({
    command,
    args: [...first, ...(container.args ?? [])],
    env: { ...node.network, ...environmentOf(container, root, mounts) },
    outputBytesMax,
    timeoutMs: containerTimeoutMs,
    ...(node.signal !== undefined && { signal: node.signal }),
  })
  node.onPrinted?.(pod, `${decode(result.stdout)}${decode(result.stderr)}`)
  return result
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

async function mountVolumes(node: Node, pod: Pod, container: Container, root: string): Promise<string[]> {
  const mounted: string[] = []
  for (const { name, mountPath } of container.volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find(candidate => candidate.name === name)
    if (volume === undefined) throw new Error(`container ${container.name} mounts volume ${name}, which the pod does not have`)
    for (const source of volume.projected?.sources ?? []) {
      for (const [path, text] of await filesOf(node, pod, source)) await put(join(root, mountPath, path), text)
    }
    mounted.push(mountPath)
  }
  return mounted
}

type Source = NonNullable<Volume['projected']>['sources'][number]

async function filesOf({ kube }: Node, pod: Pod, source: Source): Promise<(readonly [string, string])[]> {
  const namespace = pod.metadata.namespace ?? 'default'
  if (source.serviceAccountToken !== undefined) {
    const { audience, expirationSeconds = 3_600, path } = source.serviceAccountToken
    const { token } = await kube.requestToken(
      { namespace, name: pod.spec.serviceAccountName ?? 'default' },
      {
        audiences: audience === undefined ? [] : [audience],
        expirationSeconds,
        boundObject: { kind: 'Pod', apiVersion: 'v1', name: pod.metadata.name, uid: pod.metadata.uid },
      },
    )
    return [[path, token]]
  }
  if (source.configMap === undefined) return []
  const { name, items } = source.configMap
  const map = await kube.find<StoredObject & { readonly data?: Readonly<Record<string, string>> }>(configMaps, {
    namespace,
    name,
  })
  return Object.entries(map?.data ?? {}).flatMap(([key, text]) => {
    const path = items === undefined ? key : items.find(item => item.key === key)?.path
    return path === undefined ? [] : [[path, text] as const]
  })
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFile(file, text, { mode: 0o600 })
}

function environmentOf({ env = [] }: Container, root: string, mounts: readonly string[]): Record<string, string> {
  const place = (value: string): string => (mounts.some(mount => value.startsWith(`${mount}/`)) ? join(root, value) : value)
  return Object.fromEntries(env.map(({ name, value = '' }) => [name, place(value)]))
}
