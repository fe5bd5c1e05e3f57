// What belongs to one control plane, as manifests: for platforms whose own operator applies them. The same builders as the operator's; what is
// signed is not here, since a key has no place in manifests.
import type { KubeObject } from '#kube'
import type { ControlPlane } from '../api/kinds.ts'
import { kubeApiserverName, rootCaName } from '../api/names.ts'
import { type PlatformSecret, textIn } from '../build/authority.ts'
import { type KubeApiserver, withSidecar } from '../build/deployment.ts'
import { buildGuestObjects } from '../build/guest-objects.ts'
import { type ImageMap, imageIn } from '../build/image-map.ts'
import { placeSidecar } from '../build/placed-sidecar.ts'
import { platformOf, startTrouble } from '../build/platform.ts'
import { providers } from '../build/provider.ts'
import { buildSidecar } from '../build/sidecar.ts'
import type { HostedSettings } from '../settings.ts'

export interface HostedManifests {
  readonly plane: { readonly metadata: KubeObject['metadata']; readonly spec: ControlPlane['spec'] }
  readonly rootCa: PlatformSecret | undefined
  readonly images: ImageMap | undefined
  /** Whole, to be printed with the sidecar in it; absent: only what is to be merged into it. */
  readonly deployment: KubeApiserver | undefined
}

/** For the hub first, then for the guest. Throws what a person can mend. */
export function renderHosted(
  { plane, rootCa, images, deployment }: HostedManifests,
  settings: HostedSettings,
): readonly KubeObject[] {
  const platform = platformOf(plane.spec, settings.platforms)
  if (platform.kind === 'none') return deployment === undefined ? [] : [withSidecar(deployment, undefined)]
  if (platform.kind === 'refused') throw new Error(`${platform.message}; complete the spec of ${plane.metadata.name ?? ''}`)
  const { cloud } = platform.input
  const { name } = providers[cloud]
  const image = settings.image === '' ? imageIn(images, name) : settings.image
  if (image === undefined && settings.choices.missingImage === 'refuse')
    throw new Error(`no image for ${name}: add the ConfigMap ${settings.imageMap} with this key, or give --hosted-image after --`)
  const authority = textIn(rootCa, 'ca.crt')
  if (authority === '') throw new Error(`the Secret ${rootCaName} with its ca.crt is missing: guests have to know whom to trust`)
  const sidecar = buildSidecar(platform.input, image ?? name, settings.choices)
  const { role, binding, configuration } = buildGuestObjects(cloud, authority, settings.choices)
  return [deployment === undefined ? toBeMerged(plane, sidecar) : withSidecar(deployment, sidecar), role, binding, configuration]
}

/** What is rendered as the platform renders it, and would not start. */
export function renderTrouble({ plane }: Pick<HostedManifests, 'plane'>, settings: HostedSettings): string | undefined {
  const platform = platformOf(plane.spec, settings.platforms)
  return platform.kind === 'sidecar' ? startTrouble(platform.input) : undefined
}

/** For a strategic merge or a server-side apply. */
function toBeMerged({ metadata }: HostedManifests['plane'], sidecar: Parameters<typeof placeSidecar>[0]): KubeObject {
  const { container, volumes } = placeSidecar(sidecar, true)
  const spec = { template: { spec: { containers: [container], volumes } } }
  const { namespace = '' } = metadata
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: kubeApiserverName }, spec }
  return object
}
