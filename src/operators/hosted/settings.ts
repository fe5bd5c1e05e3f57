// What the hosted operator was told: from its flags, the same for every control plane.
import type { HostedChoices } from './build/choices.ts'
import type { SidecarCloud } from './build/provider.ts'

export interface HostedSettings {
  /** On which platforms control planes get a sidecar. */
  readonly platforms: readonly SidecarCloud[]
  /** Of every sidecar; the image map and then the release decide when empty. */
  readonly image: string
  /** A ConfigMap in the namespace of each control plane, with the images of its release by their labels. */
  readonly imageMap: string
  /** The Secret in the namespace of each control plane with which its release image is read, as a Docker config. */
  readonly pullSecret: string
  /** The Secret in the namespace of each control plane that leads into its guest. */
  readonly guestKubeconfig: string
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
  readonly choices: HostedChoices
  readonly workers: number
}
