// Reads what a decision about the half in the management cluster rests on. All of it stands in the namespace of the control plane.
import { configMaps, deployments, secrets } from '#kube'
import type { ClaimKey, Reads } from '#runtime'
import { type ControlPlane, controlPlaneKind } from '../api/kinds.ts'
import { clusterSignerName, kubeApiserverName, rootCaName } from '../api/names.ts'
import { allProviders } from '../build/provider.ts'
import type { Contests } from '../contests.ts'
import type { HostedSettings } from '../settings.ts'
import type { ImageMap, PlaneSeen, StoredKubeApiserver, StoredSecret } from './seen.ts'

/** Of both clouds: what a platform left behind is looked at too. */
export const sidecarSecretNames: readonly string[] = allProviders.flatMap(({ servingSecret, kubeconfigSecret }) => [
  servingSecret,
  kubeconfigSecret,
])

export function observePlane(
  key: ClaimKey,
  world: Reads,
  { settings, contests }: { readonly settings: HostedSettings; readonly contests: Contests },
): PlaneSeen | undefined {
  const plane = world.find<ControlPlane>(controlPlaneKind.type, key)
  if (plane === undefined) return undefined
  const { namespace } = key
  const secret = (name: string): StoredSecret | undefined => world.find<StoredSecret>(secrets, { namespace, name })
  const held = sidecarSecretNames.flatMap(name => {
    const found = secret(name)
    return found === undefined ? [] : [[name, found] as const]
  })
  const deployment = world.find<StoredKubeApiserver>(deployments, { namespace, name: kubeApiserverName })
  return {
    plane,
    settings,
    rootCa: secret(rootCaName),
    clusterSigner: secret(clusterSignerName),
    secrets: new Map(held),
    images: world.find<ImageMap>(configMaps, { namespace, name: settings.imageMap }),
    deployment,
    heldUntil: wanted => contests.heldUntil(deployment?.metadata.uid ?? '', wanted),
  }
}
