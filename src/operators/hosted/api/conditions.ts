// What is said of a hosted control plane: one condition for each half, with a reason from this list.

/** The half in the management cluster: Secrets and the sidecar. */
export const sidecarCondition = 'PodIdentitySidecarInPlace'
/** The half in the guest: rights and the webhook configuration. */
export const guestCondition = 'PodIdentityGuestConfigured'

/** Every reason of ours; those of the engine stand in `troubleReasons`. */
export const hostedReasons = {
  InPlace: 'All is as it should be.',
  Paused: 'The platform paused the control plane; nothing is changed meanwhile.',
  PlatformBlockMissing: 'The spec has no platform type, or not the block that it asks for.',
  SpecUnusable: 'A value of the spec is none that the sidecar takes.',
  SidecarCannotStart: 'The sidecar is there as the platform has it, and the spec lacks what it starts with.',
  ImageMissing: 'The image map of the release has no image for the sidecar.',
  AuthorityMissing: 'A certificate authority of the control plane is not there yet.',
  AuthorityUnusable: 'A certificate authority of the control plane cannot sign.',
  SigningDisabled: 'The control plane says that nothing is to be signed for it, and a Secret of the sidecar is not there.',
  DeploymentMissing: 'The control plane has no kube-apiserver yet.',
  SecretOwnedByAnother: 'A Secret of a name that the sidecar needs belongs to somebody else.',
  Contested: 'Somebody else undoes what is written, again and again.',
  GuestKubeconfigMissing: 'The Secret with the way into the guest is not there yet.',
  GuestKubeconfigUnusable: 'The way into the guest leads nowhere.',
  RemoteClusterUnavailable: 'The guest does not answer.',
} as const

export type HostedReason = keyof typeof hostedReasons
