// The webhook as manifests: pure, from a few choices. What runs, what it may do, how the API server finds it; `vouch render` prints it and
// a test applies it to a real API server.
import type { KubeObject } from '#kube'
import { clientCaObjects, networkPolicy } from './callers.ts'
import { deployment, disruptionBudget, service } from './deployment.ts'
import { issuerObjects } from './issuer.ts'
import { defaultManifestOptions, type ManifestOptions } from './options.ts'
import { accessObjects } from './rights.ts'
import { webhookConfiguration } from './webhook-configuration.ts'

/** In the order in which they are to be applied: the configuration comes last, when there is something to call. */
export function renderPodWebhookManifests(options: Partial<ManifestOptions> = {}): readonly KubeObject[] {
  const all = { ...defaultManifestOptions, ...options }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: all.namespace } },
    ...accessObjects(all),
    ...issuerObjects(all),
    ...clientCaObjects(all),
    networkPolicy(all),
    service(all),
    deployment(all),
    ...(all.replicas > 1 ? [disruptionBudget(all)] : []),
    webhookConfiguration(all),
  ]
}
