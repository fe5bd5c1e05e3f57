// The webhook on the embedded API server, asked about each pod that is made there.
import { createApiServer } from '#apiserver'
import { memoryFiles, seededRandom, silentLog, systemClock } from '#base'
import { type KubeObject, mutatingWebhookConfigurations } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { defaultAwsOptions } from '../aws/api.ts'
import { renderPodWebhookManifests } from '../manifests/render.ts'
import { createPodWebhook } from '../serve/webhook.ts'
import { withRole } from './valid-pods.ts'

export interface EmbeddedCluster extends AsyncDisposable {
  readonly client: KubeClient
  /** With ServiceAccounts `app`, which has a role, and `plain`, which has none. */
  readonly namespace: string
}

export async function openEmbeddedCluster(): Promise<EmbeddedCluster> {
  const namespace = 'apps'
  const account = (name: string, annotations: Readonly<Record<string, string>>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { namespace, name, annotations },
  })
  const server = createApiServer({
    seed: 1,
    controllers: 'none',
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      account('app', withRole),
      account('plain', {}),
    ],
  })
  const client = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
  const webhook = createPodWebhook({
    client,
    seams: { clock: systemClock, random: seededRandom(1), log: silentLog, files: memoryFiles() },
    settings: { admission: { ...defaultAwsOptions, defaultRegion: 'eu-west-1', regionalSts: true } },
  })
  const stop = new AbortController()
  const running = webhook.run(stop.signal)
  await webhook.whenReady()
  server.serve({ namespace: 'eks', service: 'pod-identity-webhook' }, webhook.exchange)
  const configuration = renderPodWebhookManifests({ failurePolicy: 'Fail' }).find(
    ({ kind }) => kind === 'MutatingWebhookConfiguration',
  )
  await client.create(mutatingWebhookConfigurations, configuration as KubeObject)
  return {
    client,
    namespace,
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the fuzzing ends'))
      await running
      await client.close()
      await server.close()
    },
  }
}
