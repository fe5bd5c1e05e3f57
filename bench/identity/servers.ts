// Hub and workload cluster of the bench, over TLS: ours in one process beside the bench, or two real kube-apiservers with one etcd.
import { systemClock } from '#base'
import { customResourceDefinitions, deployments, type KubeObject, namespaces } from '#kube'
import type { KubeClient } from '#kube/client'
import { operatorConfigKind } from '../../src/operators/identity/api.ts'
import { startControlPlane } from '../../test/real/control-plane.ts'
import { type Access, openClient } from './access.ts'
import type { ServerContents } from './contents.ts'
import type { Multiply } from './multiply.ts'
import { Program } from './programs.ts'
import type { ServerOrder, ServersUp } from './server-process.ts'

export interface Servers {
  readonly hub: Access
  readonly target: Access
  /** Of the API servers. */
  readonly pids: readonly number[]
  /** Of what they store in, where that is a process of its own. */
  readonly etcdPids: readonly number[]
  /** Begins anew with copies of a binding; only ours can. */
  multiply?(what: Multiply): Promise<ServersUp>
  close(): Promise<void>
}

export async function embeddedServers(contents: ServerContents): Promise<Servers> {
  const program = new Program('server-process')
  const order = async (what: ServerOrder): Promise<ServersUp> => {
    program.send(what)
    return (await program.heard()) as ServersUp
  }
  const { hub, target } = await order({ begin: contents })
  return {
    hub,
    target,
    pids: [program.pid],
    etcdPids: [],
    multiply: what => order({ multiply: what }),
    close: () => program.stop(),
  }
}

/** What is reached by nothing but time: definitions are served, and somebody rolls the webhook out. */
export async function realServers({ hub, target }: ServerContents): Promise<Servers> {
  const hubPlane = await startControlPlane()
  const targetPlane = await startControlPlane({ etcd: hubPlane.etcd })
  const accessOf = ({ address, ca, adminToken }: typeof hubPlane): Access => ({ origin: address, ca, token: adminToken })
  const [hubClient, targetClient] = [openClient(accessOf(hubPlane)), openClient(accessOf(targetPlane))]
  for (const object of hub) await create(hubClient, object)
  for (const object of target) await create(targetClient, object)
  const stop = new AbortController()
  const rolling = rollOut(targetClient, stop.signal)
  return {
    hub: accessOf(hubPlane),
    target: accessOf(targetPlane),
    pids: [...hubPlane.pids, ...targetPlane.pids].filter(pid => pid !== hubPlane.etcd.pid),
    etcdPids: [hubPlane.etcd.pid],
    close: async () => {
      stop.abort(new Error('enough'))
      await rolling
      await Promise.all([hubClient.close(), targetClient.close()])
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
