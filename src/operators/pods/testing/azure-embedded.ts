// Both webhooks on the embedded API server, registered by the configurations of their manifests and asked about each pod that is made there.
import { createApiServer } from '#apiserver'
import { memoryFiles, seededRandom, silentLog, systemClock } from '#base'
import { type KubeObject, mutatingWebhookConfigurations } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { renderAzureWebhookManifests } from '../manifests/azure.ts'
import { renderPodWebhookManifests } from '../manifests/render.ts'
import { createBothWebhooks } from '../serve/azure-webhook.ts'
import type { PodWebhook } from '../serve/webhook.ts'
import { type AzureSetting, settingsOf, tenant } from './azure-world.ts'

export interface AzureCluster extends AsyncDisposable {
  readonly client: KubeClient
  readonly namespace: string
  readonly webhooks: { readonly aws: PodWebhook; readonly azure: PodWebhook }
}

/** With ServiceAccounts by name, and what their annotations say. */
export async function openAzureCluster(
  setting: AzureSetting,
  accounts: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<AzureCluster> {
  const namespace = 'apps'
  const server = createApiServer({
    seed: 1,
    controllers: 'none',
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      ...Object.entries(accounts).map(([name, annotations]) => ({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace, name, annotations },
      })),
    ],
  })
  const client = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const webhooks = createBothWebhooks({
    client,
    seams: { clock: systemClock, random: seededRandom(1), log: silentLog, files: memoryFiles() },
    aws: {},
    azure: settingsOf(setting),
  })
  const stop = new AbortController()
  const running = Promise.all([webhooks.aws.run(stop.signal), webhooks.azure.run(stop.signal)])
  await Promise.all([webhooks.aws.whenReady(), webhooks.azure.whenReady()])
  server.serve({ namespace: 'eks', service: 'pod-identity-webhook' }, webhooks.aws.exchange)
  const place = { namespace: 'azure-workload-identity-system', service: 'azure-wi-webhook-webhook-service' }
  server.serve(place, webhooks.azure.exchange)
  for (const objects of [renderPodWebhookManifests({ failurePolicy: 'Fail' }), renderAzureWebhookManifests({ tenantId: tenant })])
    for (const object of objects) if (object.kind === 'MutatingWebhookConfiguration') await register(client, object)
  return {
    client,
    namespace,
    webhooks,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the test ends'))
      await running
      await client.close()
      await server.close()
    },
  }
}

async function register(client: KubeClient, configuration: KubeObject): Promise<void> {
  await client.create(mutatingWebhookConfigurations, configuration)
}
