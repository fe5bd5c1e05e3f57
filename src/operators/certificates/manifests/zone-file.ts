// The zones of an installation that a flag cannot say, such as those of other accounts: a file of a ConfigMap that the process follows.
import type { KubeObject } from '#kube'
import type { InstallPlace, Mount } from '#runtime'

export const zoneFileFlag = 'zone-config-file'
export const emptyZoneFile = '[]'

const folder = '/etc/cert-operator/zones'
const key = 'zones.yaml'

export const zoneFileArgument: string = `--${zoneFileFlag}=${folder}/${key}`

export function zoneFileText({ files }: Pick<InstallPlace, 'files'>): string {
  return files[zoneFileFlag] ?? emptyZoneFile
}

export function zoneConfigMap(place: InstallPlace): KubeObject & { readonly data: object } {
  const { name, namespace, labels } = place
  const metadata = { namespace, name: `${name}-certificate-zones`, labels }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [key]: zoneFileText(place) } }
}

export function zoneMount({ name }: Pick<InstallPlace, 'name'>): Mount {
  return { name: 'certificate-zones', mountPath: folder, configMap: `${name}-certificate-zones` }
}
