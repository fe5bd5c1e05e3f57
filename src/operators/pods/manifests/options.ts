// The choices that the manifests are made from.

/** How the serving certificate comes to be. */
export type CertificateChoice =
  /** The webhook keeps an authority of its own, and tells the API server of it. */
  | { readonly kind: 'own' }
  /** Somebody keeps the pair in this Secret; `caBundle` (PEM) is what the API server is to trust. */
  | { readonly kind: 'secret'; readonly secretName: string; readonly caBundle: string }
  /** cert-manager makes CA and pair, and puts the CA into the configuration. */
  | { readonly kind: 'cert-manager' }
  /** The webhook asks the cluster (`--in-cluster=true`); somebody approves. `caBundle` is that of the cluster's signer. */
  | { readonly kind: 'cluster'; readonly caBundle: string }

export interface ManifestOptions {
  readonly namespace: string
  readonly name: string
  readonly image: string
  readonly replicas: number
  readonly certificate: CertificateChoice
  /**
   * Ignore: a webhook that is away lets pods in without identity, as upstream's does. Fail: it holds them up, except in `kube-system`,
   * without which no cluster heals, and in the namespace of the webhook.
   */
  readonly failurePolicy: 'Ignore' | 'Fail'
  readonly watchConfigMap: boolean
  /** Where API servers call from (CIDR); empty: not known, and anybody in the cluster may connect. */
  readonly apiServers: readonly string[]
  /** PEM of the authority of the certificate that API servers show; callers without one are turned away. Empty: none is asked for. */
  readonly clientCa: string
  /** More flags, such as `--aws-default-region=eu-west-1`. */
  readonly args: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

export const defaultManifestOptions: ManifestOptions = {
  namespace: 'eks',
  name: 'pod-identity-webhook',
  image: 'vouch:latest',
  replicas: 2,
  certificate: { kind: 'cert-manager' },
  failurePolicy: 'Ignore',
  watchConfigMap: false,
  apiServers: [],
  clientCa: '',
  args: [],
  labels: {},
}
