// Every operator of the list at work on the hub, started as `vouch operator` starts it: with the flags and files that an installation gives
// it, and after what its manifests would have brought there.
import { clusterProfileKind, placementDecisionKind, placementKind } from '#fleet'
import { type CustomResourceDefinition, customResourceDefinitions, type KubeObject, renderCrd, secrets } from '#kube'
import type { KubeClient } from '#kube/client'
import { signingSecretName } from '#operators/identity'
import { Metrics, type OperatorNeeds } from '#runtime'
import { version } from '../frame/version.ts'
import type { OperatorSettings } from '../operator/flags.ts'
import { needsOf, settingsAsInstalled } from '../operator/installed.ts'
import type { Part } from '../operator/operator-run.ts'
import { startPart } from '../operator/part.ts'
import { environmentOf, filesOfFlags, seamsOf } from './operator-seams.ts'
import type { DevCluster, DevWorld } from './world.ts'

export interface RunningOperators {
  readonly names: readonly string[]
  readonly stopped: Promise<void>
}

/** Resolves when the kinds are served and the caches are whole. Runs until the signal aborts. */
export async function startOperators(world: DevWorld, signal: AbortSignal): Promise<RunningOperators> {
  const { kube } = world.hub
  const settings = settingsAsInstalled(environmentOf(world))
  const needs = await needsOf(settings, { name: 'vouch', namespace, labels: {}, files: filesOfFlags() })
  const ofOthers = [renderCrd(clusterProfileKind), renderCrd(placementKind), renderCrd(placementDecisionKind)]
  const crds = [...ofOthers, ...needs.flatMap(each => each.crds)]
  await Promise.all(crds.map(crd => createDefinition(kube, crd)))
  const parts = await startParts(world, settings, needs)
  const running = parts.map(({ manager }) => manager.run(signal))
  const signing = signWithOperatorsKey(world, world.edge, signal)
  await Promise.all(parts.map(({ manager }) => manager.whenSynced(signal)))
  const stopped = Promise.all([...running, signing]).then(async () => {
    for (const { running } of parts) await running.close?.()
  })
  return { names: parts.map(({ name }) => name), stopped }
}

const namespace = 'vouch-system'

async function createDefinition(kube: KubeClient, crd: CustomResourceDefinition): Promise<void> {
  await kube.create(customResourceDefinitions, crd as unknown as KubeObject)
}

async function startParts(
  world: DevWorld,
  settings: OperatorSettings,
  needs: readonly OperatorNeeds[],
): Promise<readonly Part[]> {
  const { kube: own } = world.hub
  const run = { settings, seams: seamsOf(world, needs), version }
  const clients = { own, namespace, of: () => own }
  const options = { run, clients, metrics: new Metrics(), identity: 'dev' }
  const parts: Part[] = []
  for (const chosen of settings.chosen) parts.push(await startPart(options, chosen))
  return parts
}

/**
 * What whoever runs a cluster of their own does once and at each rotation: gives its API server the key of the signing Secret
 * (`--service-account-signing-key-file`).
 */
async function signWithOperatorsKey({ hub }: DevWorld, cluster: DevCluster, signal: AbortSignal): Promise<void> {
  const fieldSelector = `metadata.name=${signingSecretName('default')}`
  try {
    const events = hub.kube.watch<KubeObject & { readonly data?: Readonly<Record<string, string>> }>(secrets, {
      namespace: cluster.name,
      fieldSelector,
      sendInitialEvents: true,
      allowBookmarks: true,
      signal,
    })
    for await (const event of events) {
      if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
      const key = event.object.data?.['sa.key']
      if (key !== undefined) cluster.server.tokens.adopt(Buffer.from(key, 'base64').toString(), { activate: true })
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
