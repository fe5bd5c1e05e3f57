// What the hosted operator may do in the management cluster: by name, wherever a name can be said. What it does in guests is said by the
// kubeconfigs that the platform gives.
import { configMaps, deployments, type Right, rightTo as right, secrets } from '#kube'
import { controlPlaneKind } from '../api/kinds.ts'
import { clusterSignerName, kubeApiserverName, rootCaName } from '../api/names.ts'
import { sidecarSecretNames } from '../control-plane/observe.ts'
import type { HostedSettings } from '../settings.ts'

export function hostedRights({ namespaces, imageMap, guestKubeconfig, pullSecret }: HostedSettings): readonly Right[] {
  const scope = namespaces === undefined ? {} : { within: namespaces }
  const read = ['get', 'list', 'watch'] as const
  const rights: readonly Right[] = [
    right(controlPlaneKind.type, read, 'the control planes of this management cluster'),
    right(controlPlaneKind.type, ['patch'], 'what is said of them', 'status'),
    right(controlPlaneKind.type, ['update'], 'what is made for them blocks their deletion', 'finalizers'),
    {
      ...right(secrets, read, 'authorities, the way into the guest, and into the registry of the release'),
      names: [rootCaName, clusterSignerName, guestKubeconfig, pullSecret],
    },
    { ...right(secrets, [...read, 'update', 'delete'], 'what sidecars mount'), names: sidecarSecretNames },
    right(secrets, ['create'], 'what sidecars mount; a right to make cannot be given by name'),
    { ...right(deployments, [...read, 'update'], 'where sidecars stand'), names: [kubeApiserverName] },
    { ...right(configMaps, read, 'the images of the release'), names: [imageMap] },
  ]
  return rights.map(one => ({ ...one, ...scope }))
}
