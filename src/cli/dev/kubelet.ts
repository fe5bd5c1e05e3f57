// What a node does for a pod, as far as the proof needs it: the pod's volumes become files in a folder of its own, and its container
// becomes a process that sees the environment of its spec and those files. Nothing is invented here: what the webhook did not put into
// the pod is not there. A container's root is that folder, and since no process may change its root without rights, paths in its
// environment that lie in a mounted volume are given with the folder in front.
import { join } from 'node:path'
import type { ProgramResult, Programs } from '#base'
import type { KubeClient } from '#kube/client'
import { environmentOf, mountVolumes, type Pod, placed } from './node/index.ts'

export interface Node {
  readonly kube: KubeClient
  readonly programs: Programs
  /** When it aborts, the containers of this node end. */
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
  const mounts = await mountVolumes(node.kube, pod, container, root)
  const given = Object.entries(await environmentOf(node.kube, pod, container))
  const [command, ...first] = program
  const result = await node.programs.run({
    command,
    args: [...first, ...(container.args ?? [])],
    env: { ...node.network, ...Object.fromEntries(given.map(([name, value]) => [name, placed(value, root, mounts)])) },
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
