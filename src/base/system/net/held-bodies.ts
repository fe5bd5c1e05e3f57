// What requests under way hold in memory, all together, so that a crowd of large bodies ends before the process does. A body that is whole
// is left alone, since its answer frees it; what is cut is a body that is still coming, of the peer that holds the most.

/** A request without a byte of its body costs this much: stream, header, promises. */
export const requestBytes = 8_192

export interface Held {
  /** More of the body has come. May cut this request, or another one. */
  add(bytes: number): void
  /** All of the body has come. */
  whole(): void
  /** The request is answered, or lost. Harmless when called twice. */
  release(): void
}

interface Peer {
  readonly name: string
  bytes: number
}

interface Request {
  readonly peer: Peer
  readonly cut: () => void
  bytes: number
  isWhole: boolean
}

export class HeldBodies {
  readonly #bytesMax: number
  readonly #peers = new Map<string, Peer>()
  readonly #requests = new Set<Request>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** `cut` must end the request; it may be called before this returns. */
  open(name: string, cut: () => void): Held {
    let peer = this.#peers.get(name)
    if (peer === undefined) this.#peers.set(name, (peer = { name, bytes: 0 }))
    const request: Request = { peer, cut, bytes: 0, isWhole: false }
    this.#requests.add(request)
    this.#add(request, requestBytes)
    return {
      add: bytes => this.#add(request, bytes),
      whole: () => {
        request.isWhole = true
      },
      release: () => this.#release(request),
    }
  }

  #add(request: Request, bytes: number): void {
    if (!this.#requests.has(request)) return
    request.bytes += bytes
    request.peer.bytes += bytes
    this.#bytes += bytes
    while (request.peer.bytes > this.#bytesMax / 2) if (!this.#cutOne(each => each.peer === request.peer)) break
    while (this.#bytes > this.#bytesMax) if (!this.#cutOne(() => true)) break
  }

  /** False when nothing is left that could be cut. */
  #cutOne(isMeant: (request: Request) => boolean): boolean {
    let worst: Request | undefined
    for (const request of this.#requests)
      if (!request.isWhole && isMeant(request) && (worst === undefined || isWorse(request, worst))) worst = request
    if (worst === undefined) return false
    this.#release(worst)
    worst.cut()
    return true
  }

  #release(request: Request): void {
    if (!this.#requests.delete(request)) return
    this.#bytes -= request.bytes
    request.peer.bytes -= request.bytes
    if (request.peer.bytes === 0) this.#peers.delete(request.peer.name)
  }
}

function isWorse(one: Request, other: Request): boolean {
  return one.peer.bytes === other.peer.bytes ? one.bytes > other.bytes : one.peer.bytes > other.peer.bytes
}
