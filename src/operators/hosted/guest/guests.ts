// The guests that this process is connected to: who they are in the engine's fleet, and what is known of those that are not there. Each
// guest is a member of its own; one that is away delays nobody.

import type { EngagementState, Engagements } from '#fleet'
import type { KubeClient } from '#kube/client'
import { type Connected, type ConnectSeams, connect } from '#kube/client'
import type { ClaimKey, Manager } from '#runtime'
import type { ControlPlane } from '../api/kinds.ts'
import type { GuestAccess } from './access.ts'

interface Guest {
  readonly key: ClaimKey
  readonly fingerprint: string
  readonly client: KubeClient
  readonly isOurs: boolean
}

export interface GuestsOptions {
  readonly seams: ConnectSeams
  /** A client for worlds in one process; `undefined` leaves it to the Secret. */
  readonly clientOf?: (plane: ControlPlane) => KubeClient | undefined
}

export class Guests implements Engagements {
  readonly #options: GuestsOptions
  readonly #guests = new Map<string, Guest>()
  readonly #waiting = new Set<string>()
  #manager: Manager | undefined
  #controller = ''

  constructor(options: GuestsOptions) {
    this.#options = options
  }

  /** Once the manager is there. `controller`: whose claims are woken when a guest is back. */
  attach(manager: Manager, controller: string): void {
    this.#manager = manager
    this.#controller = controller
    manager.targets.onBack(cluster => {
      if (this.#waiting.delete(cluster)) this.#wake(cluster)
    })
  }

  stateOf(cluster: string): EngagementState {
    return this.#guests.has(cluster)
      ? { kind: 'engaged', clusterUid: cluster }
      : { kind: 'starting', message: `the guest ${cluster} is being connected` }
  }

  awaitBack(cluster: string): void {
    this.#waiting.add(cluster)
  }

  isConnected(cluster: string, fingerprint: string): boolean {
    return this.#guests.get(cluster)?.fingerprint === fingerprint
  }

  keyOf(cluster: string): ClaimKey | undefined {
    return this.#guests.get(cluster)?.key
  }

  /** Opens no connection yet: the caches do, and try again by themselves. */
  async connect(key: ClaimKey, plane: ControlPlane, access: Extract<GuestAccess, { kind: 'access' }>): Promise<void> {
    const cluster = guestNameOf(key)
    const before = this.#guests.get(cluster)
    const handed = this.#options.clientOf?.(plane)
    const client = handed ?? (await this.#connect(access)).client
    this.#guests.set(cluster, { key, fingerprint: access.fingerprint, client, isOurs: handed === undefined })
    this.#waiting.add(cluster)
    this.#manager?.targets.join(cluster, client)
    if (before !== undefined) await this.#close(before)
  }

  async leave(cluster: string): Promise<void> {
    const guest = this.#guests.get(cluster)
    if (guest === undefined) return
    this.#guests.delete(cluster)
    this.#waiting.delete(cluster)
    this.#manager?.targets.leave(cluster)
    await this.#close(guest)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#guests.values()].map(guest => this.#close(guest)))
    this.#guests.clear()
  }

  /** No program is run and no file is read: the kubeconfig was made here. */
  #connect({ kubeconfig }: Extract<GuestAccess, { kind: 'access' }>): Promise<Connected> {
    return connect(this.#options.seams, { kubeconfig: { text: kubeconfig } })
  }

  async #close({ client, isOurs }: Guest): Promise<void> {
    if (isOurs) await client.close().catch(() => undefined)
  }

  #wake(cluster: string): void {
    const key = this.keyOf(cluster)
    if (key === undefined) return
    this.#manager?.controllers.find(({ definition }) => definition.name === this.#controller)?.add(key)
  }
}

/** Of its control plane: namespace and name together name one, and a dot is in no name of a namespace. */
export function guestNameOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}.${name}`
}
