// Places for requests that are being answered: so many in all, and half of them at most for one peer, so that nobody alone takes the last.
import type { HttpPeer } from '#base'

export class Places {
  readonly #max: number
  readonly #perPeerMax: number
  readonly #ofPeers = new Map<string, number>()
  #taken = 0

  constructor(max: number) {
    this.#max = max
    this.#perPeerMax = Math.ceil(max / 2)
  }

  /** False when there is none left for this peer. A request without a peer came from this process and counts for the total alone. */
  take(peer: HttpPeer | undefined): boolean {
    const ofPeer = peer === undefined ? 0 : (this.#ofPeers.get(peer.address) ?? 0)
    if (this.#taken >= this.#max || ofPeer >= this.#perPeerMax) return false
    this.#taken++
    if (peer !== undefined) this.#ofPeers.set(peer.address, ofPeer + 1)
    return true
  }

  /** Gives a place back; it is called once for each `take` that was true. */
  leave(peer: HttpPeer | undefined): void {
    this.#taken--
    if (peer === undefined) return
    const left = (this.#ofPeers.get(peer.address) ?? 1) - 1
    if (left > 0) this.#ofPeers.set(peer.address, left)
    else this.#ofPeers.delete(peer.address)
  }
}
