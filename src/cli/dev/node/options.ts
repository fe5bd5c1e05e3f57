// What a node is told, and what it tells of a container.
import type { Clock, Log } from '#base'
import type { KubeClient } from '#kube/client'
import type { Pod, PodContainer } from './pod.ts'

export interface Image {
  /** A program that needs no files of this machine but its libraries. */
  readonly program: string
  /** Arguments of the program before those of a container. */
  readonly first?: readonly string[]
  /** Where processes may have no root of their own: arguments that tell the program of a kubeconfig. */
  readonly kubeconfigArguments?: (path: string) => readonly string[]
}

export interface NodeOptions {
  readonly name: string
  readonly kube: KubeClient
  readonly clock: Clock
  readonly log: Log
  /** `https://host:port` of the API server, as its pods reach it. */
  readonly apiServer: string
  readonly folder: string
  readonly images: Readonly<Record<string, Image>>
  /** Whether containers get a root of their own; `hasOwnRoots` tells whether this machine can do it. */
  readonly ownRoots: boolean
  readonly namespaces: readonly string[]
  /** The first wait before a container that ended is started again; it doubles up to 300 times as long. */
  readonly restartMs: number
  /** Pods that nobody has bound to a node are taken, where there is no scheduler. */
  readonly schedules?: boolean
  readonly onPrinted?: (pod: Pod, container: PodContainer, text: string) => void
}

export interface StartedWith {
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}
