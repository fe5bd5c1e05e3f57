// The way of a sidecar into the guest, as the text of a kubeconfig: keys in the order in which Kubernetes' own programs write them.
import type { CertificatePair } from '#base'

export interface SidecarKubeconfig {
  readonly server: string
  /** PEM of whom the sidecar trusts. */
  readonly authority: string
  readonly pair: CertificatePair
}

export function renderSidecarKubeconfig({ server, authority, pair }: SidecarKubeconfig): string {
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${encoded(authority)}
    server: ${server}
  name: cluster
contexts:
- context:
    cluster: cluster
    namespace: default
    user: admin
  name: admin
current-context: admin
kind: Config
preferences: {}
users:
- name: admin
  user:
    client-certificate-data: ${encoded(pair.certificate)}
    client-key-data: ${encoded(pair.key)}
`
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64')
}
