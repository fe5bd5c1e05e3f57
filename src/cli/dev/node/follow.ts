// Which pods are a node's: those that are bound to it, and, where there is no scheduler, those that nobody has bound.
import type { KubeObject } from '#kube'
import { pods } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import type { NodeOptions } from './options.ts'
import type { Pod } from './pod.ts'

interface Following extends NodeOptions {
  readonly namespace: string
}

interface Seen {
  see(pod: Pod): void
  forget(uid: string): void
}

const againMs = 500

export async function followNode(node: Following, seen: Seen, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(node, seen, signal)
    } catch (error) {
      if (signal.aborted) return
      node.log.info('a node lost its watch', { error: String(error) })
    }
    await node.clock.sleep(againMs, signal).catch(() => {})
  }
}

async function followOnce({ kube, namespace, name, schedules }: Following, seen: Seen, signal: AbortSignal): Promise<void> {
  const events = kube.watch<Pod>(pods, { namespace, sendInitialEvents: true, allowBookmarks: true, signal })
  for await (const event of events) {
    if (event.type === 'DELETED') seen.forget(event.object.metadata.uid)
    if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
    const pod = event.object
    if (pod.spec.nodeName === name) seen.see(pod)
    else if (pod.spec.nodeName === undefined && schedules === true) await bind(kube, pod, name)
  }
}

/** The pod is bound as a scheduler binds it; another scheduler may have been faster. */
async function bind(kube: KubeClient, { metadata }: Pod, name: string): Promise<void> {
  const { namespace = 'default' } = metadata
  const target = { apiVersion: 'v1', kind: 'Node', name }
  const binding: KubeObject & { readonly target: object } = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { namespace, name: metadata.name },
    target,
  }
  const { status } = await kube.exchange({
    method: 'POST',
    target: `/api/v1/namespaces/${namespace}/pods/${metadata.name}/binding`,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(JSON.stringify(binding)),
  })
  if (status >= 500) throw new KubeError('unknown-outcome', `binding pod ${metadata.name}: ${status}`)
}
