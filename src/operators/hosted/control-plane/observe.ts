// Reads what a decision about the half in the management cluster rests on. All of it stands in the namespace of the control plane, but for the
// images of a release that nobody wrote down there.
import { configMaps, deployments, secrets } from '#kube'
import type { ClaimKey, Reads } from '#runtime'
import { type ControlPlane, controlPlaneKind } from '../api/kinds.ts'
import { clusterSignerName, kubeApiserverName, rootCaName } from '../api/names.ts'
import { textIn } from '../build/authority.ts'
import { type ImageMap, imageIn } from '../build/image-map.ts'
import { platformOf } from '../build/platform.ts'
import { allProviders, providers } from '../build/provider.ts'
import type { Contests } from '../contests.ts'
import type { ReleaseImages } from '../release/release-images.ts'
import type { HostedSettings } from '../settings.ts'
import type { PlaneSeen, StoredKubeApiserver, StoredSecret } from './seen.ts'

/** Of both clouds: what a platform left behind is looked at too. */
export const sidecarSecretNames: readonly string[] = allProviders.flatMap(({ servingSecret, kubeconfigSecret }) => [
  servingSecret,
  kubeconfigSecret,
])

export interface PlaneObserving {
  readonly settings: HostedSettings
  readonly contests: Contests
  readonly releases: ReleaseImages
}

export async function observePlane(
  key: ClaimKey,
  world: Reads,
  { settings, contests, releases }: PlaneObserving,
  signal: AbortSignal,
): Promise<PlaneSeen | undefined> {
  const plane = world.find<ControlPlane>(controlPlaneKind.type, key)
  if (plane === undefined) return undefined
  const { namespace } = key
  const secret = (name: string): StoredSecret | undefined => world.find<StoredSecret>(secrets, { namespace, name })
  const held = sidecarSecretNames.flatMap(name => {
    const found = secret(name)
    return found === undefined ? [] : [[name, found] as const]
  })
  const deployment = world.find<StoredKubeApiserver>(deployments, { namespace, name: kubeApiserverName })
  const images = world.find<ImageMap>(configMaps, { namespace, name: settings.imageMap })
  const asked = askedOfRelease(plane, images, settings)
  const pullSecret = textIn(secret(settings.pullSecret), '.dockerconfigjson')
  const mirrors = asked === undefined ? [] : (plane.spec.imageContentSources ?? [])
  return {
    plane,
    settings,
    rootCa: secret(rootCaName),
    clusterSigner: secret(clusterSignerName),
    secrets: new Map(held),
    images,
    release: asked === undefined ? undefined : await releases.imagesOf({ release: asked, pullSecret, mirrors }, signal),
    deployment,
    heldUntil: wanted => contests.heldUntil(deployment?.metadata.uid ?? '', wanted),
  }
}

/** The release image, where neither a flag nor the map says which image the sidecar has, and one is needed now. */
function askedOfRelease(
  { metadata, spec }: ControlPlane,
  images: ImageMap | undefined,
  settings: HostedSettings,
): string | undefined {
  const platform = platformOf(spec, settings.platforms)
  if (platform.kind !== 'sidecar' || metadata.deletionTimestamp !== undefined || settings.image !== '') return undefined
  if (imageIn(images, providers[platform.input.cloud].name) !== undefined) return undefined
  return releaseOf(spec)
}

/** Of what stands in the control plane, which may be ahead of the guest's. */
function releaseOf({ controlPlaneReleaseImage, releaseImage }: ControlPlane['spec']): string | undefined {
  return [controlPlaneReleaseImage ?? '', releaseImage ?? ''].find(text => text !== '')
}
