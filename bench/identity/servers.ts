// Hub and workload cluster of the bench: ours in this process, or two real kube-apiservers beside it, over TLS.
import { createApiServer } from '#apiserver'
import { systemClock, systemSeams } from '#base'
import { customResourceDefinitions, deployments, type KubeObject, namespaces } from '#kube'
import { connect, createKubeClient, type KubeClient } from '#kube/client'
import { operatorConfigKind } from '../../src/operators/identity/api.ts'
import { startControlPlane } from '../../test/real/control-plane.ts'

export interface Servers {
  /** A client of its own, as each process has one. */
  hub(): Promise<KubeClient>
  target(): Promise<KubeClient>
  close(): Promise<void>
}

export interface ServerContents {
  readonly hub: readonly KubeObject[]
  readonly target: readonly KubeObject[]
}

export async function embeddedServers({ hub, target }: ServerContents): Promise<Servers> {
  const clock = systemClock
  const hubServer = createApiServer({ seed: 1, clock, name: 'hub', objects: hub })
  const targetServer = createApiServer({ seed: 2, clock, name: 'target', objects: target })
  return {
    hub: async () => createKubeClient({ clock, address: 'hub', exchange: hubServer.as() }),
    target: async () => createKubeClient({ clock, address: 'target', exchange: targetServer.as() }),
    close: async () => {
      await hubServer.close()
      await targetServer.close()
    },
  }
}

/** What is reached by nothing but time: definitions are served, and somebody rolls the webhook out. */
export async function realServers({ hub, target }: ServerContents): Promise<Servers> {
  const hubPlane = await startControlPlane()
  const targetPlane = await startControlPlane({ etcd: hubPlane.etcd })
  const open: KubeClient[] = []
  const clientOf = async (kubeconfig: string): Promise<KubeClient> => {
    const { client } = await connect(systemSeams({}), { kubeconfig: [kubeconfig], userAgent: 'vouch-bench' })
    open.push(client)
    return client
  }
  const [hubClient, targetClient] = [await clientOf(hubPlane.kubeconfig), await clientOf(targetPlane.kubeconfig)]
  for (const object of hub) await create(hubClient, object)
  for (const object of target) await create(targetClient, object)
  const stop = new AbortController()
  const rolling = rollOut(targetClient, stop.signal)
  return {
    hub: () => clientOf(hubPlane.kubeconfig),
    target: () => clientOf(targetPlane.kubeconfig),
    close: async () => {
      stop.abort(new Error('enough'))
      await rolling
      for (const client of open) await client.close()
      await targetPlane.stop()
      await hubPlane.stop()
    },
  }
}

async function create(client: KubeClient, object: KubeObject): Promise<void> {
  const types = [customResourceDefinitions, namespaces, operatorConfigKind.type]
  const type = types.find(({ kind }) => kind === object.kind)
  if (type === undefined) throw new Error(`the bench does not know where a ${object.kind} goes`)
  for (let tries = 0; ; tries++) {
    try {
      await client.create(type, object)
      return
    } catch (error) {
      if (tries > 100 || type !== operatorConfigKind.type) throw error
      await systemClock.sleep(50)
    }
  }
}

async function rollOut(client: KubeClient, signal: AbortSignal): Promise<void> {
  const key = { namespace: 'aws-pod-identity-webhook', name: 'pod-identity-webhook' }
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
  let rolled = 0
  while (!signal.aborted) {
    const generation = (await client.find(deployments, key))?.metadata.generation ?? 0
    if (generation > rolled) {
      const conditions = [{ type: 'Available', status: 'True', reason: 'Said', message: '' }]
      const status = { ...counts, conditions, observedGeneration: generation }
      await client.patch(deployments, key, 'merge', { status }, { subresource: 'status' })
      rolled = generation
    }
    await systemClock.sleep(50, signal).catch(() => undefined)
  }
}
