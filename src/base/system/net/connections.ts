// Who may be connected. A listener that is full is not closed to others by whoever filled it: the newcomer takes the place of the oldest
// connection of the peer with the most, as long as that peer has more than the newcomer would have.

interface Connection {
  readonly remoteAddress?: string | undefined
  destroy(): unknown
  once(event: 'close', gone: () => void): unknown
}

export interface ConnectionLimits {
  readonly connectionsMax: number
  readonly connectionsPerPeerMax: number
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #ofPeers = new Map<string, Set<Connection>>()
  #size = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Keeps count of the connection until it closes, or ends it at once. */
  admit(connection: Connection): void {
    const peer = peerName(connection.remoteAddress)
    const held = this.#ofPeers.get(peer)?.size ?? 0
    if (held >= this.#limits.connectionsPerPeerMax || !this.#hasRoomFor(held)) return void connection.destroy()
    let ofPeer = this.#ofPeers.get(peer)
    if (ofPeer === undefined) this.#ofPeers.set(peer, (ofPeer = new Set()))
    ofPeer.add(connection)
    this.#size++
    connection.once('close', () => this.#forget(peer, connection))
  }

  #hasRoomFor(held: number): boolean {
    if (this.#size < this.#limits.connectionsMax) return true
    let [greediest, most]: [string, ReadonlySet<Connection>] = ['', new Set()]
    for (const [peer, connections] of this.#ofPeers) if (connections.size > most.size) [greediest, most] = [peer, connections]
    if (most.size <= held + 1) return false
    const [oldest] = most
    if (oldest === undefined) return false
    this.#forget(greediest, oldest)
    oldest.destroy()
    return true
  }

  #forget(peer: string, connection: Connection): void {
    const ofPeer = this.#ofPeers.get(peer)
    if (ofPeer?.delete(connection) !== true) return
    this.#size--
    if (ofPeer.size === 0) this.#ofPeers.delete(peer)
  }
}

/** One name for one machine: a socket of both families shows an address of the older one inside one of the newer. */
export function peerName(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '')
}
