// The two webhooks as sidecars: how they are called in each place. The names are the platform's, so that either takes the place of the other.
import { guestNamespace } from '../api/names.ts'

export type SidecarCloud = 'AWS' | 'Azure'

export interface SidecarProvider {
  readonly cloud: SidecarCloud
  /** Of the container, of the program in /usr/bin, of the image in the release, of the guest's account and of its rights. */
  readonly name: string
  readonly servingSecret: string
  readonly kubeconfigSecret: string
  readonly servingVolume: string
  readonly kubeconfigVolume: string
  readonly configuration: string
  /** As whom the sidecar calls the guest's API server. */
  readonly user: string
}

function provider(cloud: SidecarCloud, name: string, volume: string, configuration: string): SidecarProvider {
  return {
    cloud,
    name,
    servingSecret: `${name}-serving-cert`,
    kubeconfigSecret: `${name}-kubeconfig`,
    servingVolume: `${volume}-serving-certs`,
    kubeconfigVolume: `${volume}-kubeconfig`,
    configuration,
    user: `system:serviceaccount:${guestNamespace}:${name}`,
  }
}

export const providers: Readonly<Record<SidecarCloud, SidecarProvider>> = {
  AWS: provider('AWS', 'aws-pod-identity-webhook', 'aws-pod-identity-webhook', 'aws-pod-identity'),
  Azure: provider('Azure', 'azure-workload-identity-webhook', 'azure-wi-webhook', 'azure-workload-identity-webhook'),
}

/** In the order in which they are looked at. */
export const allProviders: readonly SidecarProvider[] = [providers.AWS, providers.Azure]
