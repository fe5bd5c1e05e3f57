// The names and defaults of the Azure webhook's contract (docs/rules/webhook.md §3). Cluster objects and other people's manifests hold
// these words, so they change only with the upstream's.

import type { PatchObject } from '../patch.ts'

/** What metrics call this provider. */
export const azureProviderName = 'azure'

export const azurePrefix = 'azure.workload.identity'
/** On the pod; the configuration of the webhook selects by it, and only `"true"` counts. */
export const useLabel: string = `${azurePrefix}/use`

export const clientIdAnnotation: string = `${azurePrefix}/client-id`
export const tenantIdAnnotation: string = `${azurePrefix}/tenant-id`
export const expirationAnnotation: string = `${azurePrefix}/service-account-token-expiration`
export const skipAnnotation: string = `${azurePrefix}/skip-containers`
export const injectProxyAnnotation: string = `${azurePrefix}/inject-proxy-sidecar`
export const proxyPortAnnotation: string = `${azurePrefix}/proxy-sidecar-port`
/** Ours: the pods of this ServiceAccount, or this pod, are never let in without a client id. */
export const requireClientIdAnnotation: string = `${azurePrefix}/require-client-id`

/** The node's own copy of a static pod; the API server refuses changes to it (F-26). */
export const mirrorPodAnnotation = 'kubernetes.io/config.mirror'

export const defaultAudience = 'api://AzureADTokenExchange'
export const expirationSecondsDefault = 3_600n
/** Shorter ones the API server would take, and Entra's SDKs would refresh too often; longer ones no cluster has to issue. */
export const expirationSecondsLeast = 3_600n
export const expirationSecondsMost = 86_400n

export const proxyPortDefault = 8_000
export const proxyName = 'azwi-proxy'
export const proxyInitName = 'azwi-proxy-init'

/** `classic` until v1.5.1 of the upstream, `reserved` from v1.6.0 on. */
export type VolumeLayout = 'classic' | 'reserved'

export const classicVolume = 'azure-identity-token'
/** What is called so is ours: it is replaced (§3.6). */
export const reservedPrefix = 'azure-workload-identity-reserved-'

interface LayoutPaths {
  readonly mountPath: string
  /** Of the token within the volume. */
  readonly tokenPath: string
}

export const layoutPaths: Readonly<Record<VolumeLayout, LayoutPaths>> = {
  classic: { mountPath: '/var/run/secrets/azure/tokens', tokenPath: 'azure-identity-token' },
  reserved: { mountPath: '/var/run/secrets/azure/wi', tokenPath: 'token/azure-identity-token' },
}

/** Of the authority of the custom token endpoint, within the volume. */
export const caPath = 'ca-cert/ca.crt'

/** Where the authority of the custom token endpoint comes from (§3.11). */
export type CaSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'data'; readonly pem: string }
  | { readonly kind: 'config-map'; readonly name: string }
  | {
      readonly kind: 'trust-bundle'
      readonly signerName: string
      /** A LabelSelector as JSON; absent when none was set. */
      readonly labelSelector: PatchObject | undefined
    }

export interface TokenEndpoint {
  /** The pod's annotation that asks for it. */
  readonly annotation: string
  readonly audience: string
  /** Empty: no variable. */
  readonly proxyUrl: string
  readonly sniName: string
  readonly ca: CaSource
}

export interface AzureWebhookOptions {
  readonly tenantId: string
  /** Empty: the variable is not set. */
  readonly authorityHost: string
  readonly audience: string
  readonly layout: VolumeLayout
  readonly proxyImage: string
  readonly proxyInitImage: string
  /** As it was given; it goes into the arguments of the proxy. */
  readonly logLevel: string
  readonly tokenEndpoint: TokenEndpoint | undefined
  /** Pods without the label are let in as they are. Off for parity. */
  readonly requirePodLabel: boolean
  /** The proxy is injected only where its annotation says true (F-20). Off for parity. */
  readonly proxyRequiresTrue: boolean
  /** `AZURE_KUBERNETES_CA_FILE` only where there is such a file (§3.20). Off for parity. */
  readonly omitMissingCaFile: boolean
}
