// Where ours differs from what the platform's own builders give: each a choice, and all of them upstream's under `upstreamForm`.
export interface HostedChoices {
  /** The Azure sidecar waits for its API server in a shell script, instead of trying again by itself. */
  readonly azureWaitScript: boolean
  /** Where sidecars listen in the pod of their API server: fixed by the platform, others where several pods share one machine. */
  readonly ports: SidecarPorts
  /** Where the guest's API server calls the Azure sidecar. */
  readonly azurePath: '/mutate' | '/mutate-v1-pod'
  /** The AWS sidecar calls the API server of its own pod, as the Azure one does. */
  readonly awsKubeconfigLocal: boolean
  /** What the guest's API server may send to the AWS sidecar. */
  readonly awsReviewVersions: readonly string[]
  /** Of a call; the API server's own choice when absent. */
  readonly webhookTimeoutSeconds: number | undefined
  /** What becomes of a sidecar whose image is not in the release: it is refused, or its label is written as if it were an image. */
  readonly missingImage: 'refuse' | 'label'
  /** Whether a serving certificate is signed anew when the authority changes, or goes on until it is old. */
  readonly authorityChange: 'reissue' | 'keep'
  /** Whether the kubeconfig Secret carries the hash by which the platform's framework knows what it wrote. */
  readonly desiredStateHash: boolean
}

export interface SidecarPorts {
  readonly aws: number
  readonly azure: number
  readonly azureHealth: number
  readonly azureMetrics: number
}

export const platformPorts: SidecarPorts = { aws: 4_443, azure: 9_443, azureHealth: 9_440, azureMetrics: 9_441 }

export const ourChoices: HostedChoices = {
  azureWaitScript: false,
  ports: platformPorts,
  azurePath: '/mutate',
  awsKubeconfigLocal: false,
  awsReviewVersions: ['v1', 'v1beta1'],
  webhookTimeoutSeconds: undefined,
  missingImage: 'refuse',
  authorityChange: 'reissue',
  desiredStateHash: false,
}

export const upstreamChoices: HostedChoices = {
  ...ourChoices,
  azureWaitScript: true,
  azurePath: '/mutate-v1-pod',
  awsReviewVersions: ['v1beta1'],
  missingImage: 'label',
  authorityChange: 'keep',
  desiredStateHash: true,
}
