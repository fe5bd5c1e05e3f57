// What the Deployment controller does for Deployments of one replica that are recreated, where there is none: one pod of the present template,
// after the former is gone, and a status that says whether it is ready.
import { createHash } from 'node:crypto'
import { systemClock } from '#base'
import { deployments, type KubeObject, pods, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Pod } from '../../../src/cli/dev/node/index.ts'

type Deployment = StoredObject & {
  readonly spec: { readonly selector: { readonly matchLabels: Readonly<Record<string, string>> }; readonly template: object }
}

const hashLabel = 'pod-template-hash'
const lookMs = 100

/** Looks again and again: nothing here is worth a cache. */
export async function followDeployments(kube: KubeClient, namespace: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { items } = await kube.listAll<Deployment>(deployments, { namespace, signal }).catch(() => ({ items: [] }))
    for (const deployment of items) await reconcile(kube, deployment).catch(() => {})
    await systemClock.sleep(lookMs, signal).catch(() => {})
  }
}

async function reconcile(kube: KubeClient, deployment: Deployment): Promise<void> {
  const { namespace = 'default', name, uid, generation = 1 } = deployment.metadata
  const template = deployment.spec.template as { readonly metadata?: { readonly labels?: object }; readonly spec: object }
  const hash = createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10)
  const labelSelector = Object.entries(deployment.spec.selector.matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const { items } = await kube.list<Pod>(pods, { namespace, labelSelector })
  const present = items.filter(({ metadata }) => metadata.labels?.[hashLabel] === hash)
  for (const { metadata } of items.filter(pod => !present.includes(pod) && pod.metadata.deletionTimestamp === undefined))
    await kube.delete(pods, { namespace, name: metadata.name })
  if (items.length === 0) {
    const ownerReferences = [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }]
    const metadata = {
      ...template.metadata,
      namespace,
      generateName: `${name}-${hash}-`,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ownerReferences,
    }
    await kube.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec } as unknown as KubeObject)
  }
  const ready = present.filter(isReady).length
  const status = statusOf(generation, present.length, ready)
  if (isSame(deployment, status)) return
  await kube.patch(deployments, { namespace, name }, 'merge', { status }, { subresource: 'status' })
}

function isReady({ status }: Pod): boolean {
  const containers = status?.containerStatuses ?? []
  return containers.length > 0 && containers.every(({ ready }) => ready)
}

function statusOf(observedGeneration: number, updated: number, available: number): object {
  const isAvailable = available > 0
  const reason = isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable'
  const message = isAvailable ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.'
  return {
    observedGeneration,
    replicas: updated,
    updatedReplicas: updated,
    readyReplicas: available,
    availableReplicas: available,
    conditions: [{ type: 'Available', status: isAvailable ? 'True' : 'False', reason, message }],
  }
}

function isSame(deployment: StoredObject, status: object): boolean {
  const held = (deployment as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {}
  const told = (held.conditions as readonly { readonly status: string }[] | undefined)?.[0]?.status
  const wanted = status as { readonly conditions: readonly { readonly status: string }[] } & Readonly<Record<string, unknown>>
  const numbers = ['observedGeneration', 'updatedReplicas', 'availableReplicas']
  return told === wanted.conditions[0]?.status && numbers.every(key => (held[key] ?? 0) === wanted[key])
}
