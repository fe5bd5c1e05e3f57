// A node of this machine: the pods that are bound to it become processes, for as long as they live, and their status says how these fare. It
// knows only what the API server says of a pod; what the pod's spec does not have is not there. Its images are programs of this machine.
import type { Clock, Log } from '#base'
import type { KubeClient } from '#kube/client'
import { followNode } from './follow.ts'
import { LivePod } from './live-pod.ts'
import type { Container, Pod } from './pod.ts'

export interface Image {
  /** A program that needs no files of this machine but its libraries. */
  readonly program: string
  /** Where processes may have no root of their own: arguments that tell the program of a kubeconfig. */
  readonly kubeconfigArguments?: (path: string) => readonly string[]
}

export interface NodeOptions {
  readonly name: string
  readonly kube: KubeClient
  readonly clock: Clock
  readonly log: Log
  /** `https://host:port` of the API server, as its pods reach it. */
  readonly apiServer: string
  readonly folder: string
  readonly images: Readonly<Record<string, Image>>
  /** See `hasOwnRoots`. */
  readonly ownRoots: boolean
  readonly namespaces: readonly string[]
  /** The first wait before a container that ended is started again; it doubles up to 300 times as long. */
  readonly restartMs: number
  /** Pods that nobody has bound to a node are taken, where there is no scheduler. */
  readonly schedules?: boolean
  readonly onPrinted?: (pod: Pod, container: Container, text: string) => void
}

export interface RunningNode {
  /** What a container printed, as far as a kubelet keeps it. */
  logOf(pod: { readonly namespace: string; readonly name: string }, container: string): string | undefined
  /** What was given to a container's process. */
  startedWith(pod: { readonly namespace: string; readonly name: string }, container: string): StartedWith | undefined
  readonly stopped: Promise<void>
}

export interface StartedWith {
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

export function startNode(options: NodeOptions, signal: AbortSignal): RunningNode {
  const live = new Map<string, LivePod>()
  const see = (pod: Pod): void => {
    const own = live.get(pod.metadata.uid) ?? new LivePod(options, pod)
    live.set(pod.metadata.uid, own)
    own.see(pod)
  }
  const forget = (uid: string): void => {
    void live.get(uid)?.end()
    live.delete(uid)
  }
  const following = options.namespaces.map(namespace => followNode({ ...options, namespace }, { see, forget }, signal))
  const stopped = Promise.all(following).then(async () => {
    await Promise.all([...live.values()].map(pod => pod.end()))
  })
  const find = ({ namespace, name }: { readonly namespace: string; readonly name: string }): LivePod | undefined =>
    [...live.values()].findLast(({ pod: { metadata } }) => metadata.namespace === namespace && metadata.name === name)
  return {
    logOf: (pod, container) => find(pod)?.logOf(container),
    startedWith: (pod, container) => find(pod)?.startedWith(container),
    stopped,
  }
}
