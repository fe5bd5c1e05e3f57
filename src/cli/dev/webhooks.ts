// The pod identity webhook of each cluster, in this process. On edge the operator installs it: there only its address is answered. EKS
// brings its own, which knows from EKS which ServiceAccounts have an association.
import { crc32 } from 'node:zlib'
import { type Files, silentLog } from '#base'
import { mutatingWebhookConfigurations, type ObjectKey } from '#kube'
import { roleKind, type ServiceAccountRole, webhookNamespaceDefault } from '#operators/identity'
import { createPodWebhook, defaultAwsOptions, defaultWebhookSettings, type PodWebhook } from '#operators/pods'
import { type DevCluster, type DevWorld, region } from './world.ts'

const eksNamespace = 'eks'

export interface RunningWebhooks {
  /** Resolves when each webhook answers and has listed everything that its answers rest on. */
  readonly ready: Promise<void>
  readonly stopped: Promise<void>
}

export function startWebhooks(world: DevWorld, signal: AbortSignal): RunningWebhooks {
  const { edge, prod, stage } = world
  const promised = new Promises()
  const running = [edge, prod, stage].map(cluster => {
    const isPromised = ({ namespace, name }: ObjectKey): boolean => promised.has(cluster.name, `${namespace}/${name}`)
    const webhook = webhookOf(world, cluster, isPromised)
    promised.onChange(cluster.name, () => webhook.wake())
    return { cluster, webhook, stopped: webhook.run(signal) }
  })
  const following = followPromises(world, promised, signal)
  const open = async ({ cluster, webhook }: { cluster: DevCluster; webhook: PodWebhook }): Promise<void> => {
    await webhook.whenReady(signal)
    const service = 'pod-identity-webhook'
    cluster.server.serve({ namespace: cluster === edge ? webhookNamespaceDefault : eksNamespace, service }, webhook.exchange)
    if (cluster !== edge) await installEksWebhook(cluster)
  }
  return {
    ready: Promise.all(running.map(open)).then(() => {}),
    stopped: Promise.all([...running.map(({ stopped }) => stopped), following]).then(() => {}),
  }
}

function webhookOf(world: DevWorld, cluster: DevCluster, isPromised: (key: ObjectKey) => boolean): PodWebhook {
  const { seams, agentAddress } = world
  const containerCredentials = { ...defaultAwsOptions.containerCredentials, fullUri: `${agentAddress}/v1/credentials` }
  return createPodWebhook({
    client: cluster.kube,
    seams: { ...seams, log: silentLog, files: { ...seams.files, ...identitiesFile(world, cluster.name) } },
    isPromised,
    settings: {
      ...defaultWebhookSettings,
      ...(cluster === world.prod && { credentialsFile: 'pod-identities.json' }),
      admission: { ...defaultAwsOptions, defaultRegion: region, containerCredentials },
    },
  })
}

/** In EKS the control plane tells its webhook; here the webhook's file is what EKS would say at that moment. */
function identitiesFile({ aws }: DevWorld, cluster: string): Pick<Files, 'read' | 'info'> {
  const read = (): Uint8Array => new TextEncoder().encode(String(aws.control('eks', 'podIdentities', { cluster })))
  return {
    read: async () => read(),
    info: async () => {
      const bytes = read()
      return { kind: 'file', bytes: bytes.length, modifiedMs: crc32(bytes) }
    },
  }
}

async function installEksWebhook({ kube }: DevCluster): Promise<void> {
  const webhook = {
    name: 'pod-identity-webhook.amazonaws.com',
    clientConfig: { service: { namespace: eksNamespace, name: 'pod-identity-webhook', path: '/mutate' } },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    failurePolicy: 'Ignore',
  }
  await kube.create(mutatingWebhookConfigurations, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'pod-identity-webhook' },
    webhooks: [webhook],
  })
}

/** Which ServiceAccounts are to have a role, by cluster, as the hub says it. Their pods wait rather than start without. */
class Promises {
  readonly #of = new Map<string, Set<string>>()
  readonly #listeners = new Map<string, () => void>()

  has(cluster: string, serviceAccount: string): boolean {
    return this.#of.get(cluster)?.has(serviceAccount) ?? false
  }

  onChange(cluster: string, listener: () => void): void {
    this.#listeners.set(cluster, listener)
  }

  take({ metadata, spec }: ServiceAccountRole, isThere: boolean): void {
    const cluster = metadata.namespace ?? ''
    const promised = this.#of.get(cluster) ?? new Set()
    const serviceAccount = `${spec.serviceAccount.namespace}/${spec.serviceAccount.name}`
    if (isThere) promised.add(serviceAccount)
    else promised.delete(serviceAccount)
    this.#of.set(cluster, promised)
    this.#listeners.get(cluster)?.()
  }
}

async function followPromises({ hub }: DevWorld, promises: Promises, signal: AbortSignal): Promise<void> {
  try {
    for await (const event of hub.kube.watch<ServiceAccountRole>(roleKind.type, {
      sendInitialEvents: true,
      allowBookmarks: true,
      signal,
    })) {
      if (event.type === 'ADDED' || event.type === 'MODIFIED')
        promises.take(event.object, event.object.metadata.deletionTimestamp === undefined)
      else if (event.type === 'DELETED') promises.take(event.object, false)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
