// A node of this machine: the pods that are bound to it become processes, for as long as they live, and their status says how these fare. It
// knows only what the API server says of a pod; what the pod's spec does not have is not there. Its images are programs of this machine.
import { followNode } from './follow.ts'
import { LivePod } from './live-pod.ts'
import type { NodeOptions, StartedWith } from './options.ts'
import type { Pod } from './pod.ts'

export interface RunningNode {
  /** What a container printed, as far as a kubelet keeps it. */
  logOf(pod: { readonly namespace: string; readonly name: string }, container: string): string | undefined
  /** The logs of all containers of the pod. */
  logsOf(pod: { readonly namespace: string; readonly name: string }): string
  /** What was given to a container's process. */
  startedWith(pod: { readonly namespace: string; readonly name: string }, container: string): StartedWith | undefined
  readonly stopped: Promise<void>
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
    logsOf: pod => find(pod)?.logs ?? '',
    startedWith: (pod, container) => find(pod)?.startedWith(container),
    stopped,
  }
}
