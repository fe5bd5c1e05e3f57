// HTTP/1.1 in its plainest form, read and answered on the socket itself: a request whose head and body are what every client sends, one after
// the other. Node's own HTTP makes two streams and some forty calls of each, which is most of what a small answer costs. A connection that
// sends anything else goes to Node with what it sent, and stays there.
import type { Socket } from 'node:net'
import { GatheredBytes } from '../../limits/gathered.ts'
import type { Maybe } from '../../maybe.ts'
import type { HttpHandler, HttpPeer, HttpRequest, HttpResponse } from '../../seams/http.ts'
import { drained } from './drained.ts'
import type { Held, HeldBodies } from './held-bodies.ts'
import { isStream, type PlainHead, readPlainHead, renderHead } from './plain-head.ts'
import { type BodyPatience, BodyTimer } from './read-body.ts'
import { brokenHandlerResponse, joinedBytesMax, Lifeline, pump, wantsCut, wholeBodyBytesMax } from './serve.ts'

export interface PlainOptions {
  readonly handler: HttpHandler
  readonly peerOf: (socket: Socket) => HttpPeer
  readonly patience: BodyPatience
  readonly bodies: HeldBodies | undefined
  readonly headerBytesMax: number
  readonly headerTimeoutMs: number
  readonly idleTimeoutMs: number
  /** True while the listener closes: then each answer ends its connection. */
  readonly isClosing: () => boolean
}

/** All connections of a listener that are served this way. */
export class PlainConnections {
  readonly #options: PlainOptions
  readonly #open = new Set<PlainConnection>()
  readonly #keepAlive: string
  readonly #looks: NodeJS.Timeout

  constructor(options: PlainOptions) {
    const { headerTimeoutMs, idleTimeoutMs } = options
    this.#options = options
    this.#keepAlive = `connection: keep-alive\r\nkeep-alive: timeout=${Math.floor(idleTimeoutMs / 1_000)}\r\n`
    const everyMs = Math.min(5_000, Math.max(20, Math.ceil(Math.min(headerTimeoutMs, idleTimeoutMs) / 4)))
    this.#looks = setInterval(() => this.#endLate(), everyMs).unref()
  }

  /** `toNode` takes the connection over, from its first byte that is not answered. */
  add(socket: Socket, toNode: (socket: Socket) => void): void {
    const gone = (): void => void this.#open.delete(one)
    const one = new PlainConnection(socket, this.#options, { keepAlive: this.#keepAlive, toNode, gone })
    this.#open.add(one)
  }

  /** Ends the connections that were answered and have asked nothing since. */
  endIdle(): void {
    for (const one of this.#open) one.endIdle()
  }

  stop(): void {
    clearInterval(this.#looks)
  }

  #endLate(): void {
    for (const one of this.#open) one.endLate()
  }
}

/** A request whose head has arrived and whose body has not. */
interface Coming {
  readonly head: PlainHead
  readonly length: number
  readonly body: GatheredBytes
  readonly held: Held | undefined
  readonly timer: BodyTimer
}

interface Asked {
  readonly lifeline: Lifeline
  readonly held: Held | undefined
  readonly isLast: boolean
}

interface Ways {
  /** What an answer says of the connection where it is not the last one. */
  readonly keepAlive: string
  readonly toNode: (socket: Socket) => void
  readonly gone: () => void
}

class PlainConnection {
  readonly #socket: Socket
  readonly #options: PlainOptions
  readonly #ways: Ways
  readonly #peer: HttpPeer
  /** What came and is not looked at yet: a client that asks again before it has its answer. */
  #waiting: Buffer | undefined
  #coming: Coming | undefined
  #asked: Asked | undefined
  #isTaking = false
  /** Its answer is given and not all gone out: nobody reads it, or the connection ends with it. */
  #isUnread = false
  #hasAnswered = false
  #sinceMs = performance.now()

  constructor(socket: Socket, options: PlainOptions, ways: Ways) {
    this.#socket = socket
    this.#options = options
    this.#ways = ways
    this.#peer = options.peerOf(socket)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
  }

  endIdle(): void {
    if (this.#isIdle() && this.#hasAnswered) this.#socket.destroy()
  }

  endLate(): void {
    const { headerTimeoutMs, idleTimeoutMs } = this.#options
    const allowedMs = this.#hasAnswered ? idleTimeoutMs : headerTimeoutMs
    if ((this.#isIdle() || this.#isUnread) && performance.now() - this.#sinceMs > allowedMs) this.#socket.destroy()
  }

  #isIdle(): boolean {
    return this.#asked === undefined && this.#coming === undefined
  }

  readonly #onData = (bytes: Buffer): void => {
    if (!this.#socket.writable) return
    if (this.#coming !== undefined) this.#gather(this.#coming, bytes)
    else if (this.#asked === undefined) this.#take(bytes)
    else {
      this.#waiting = this.#waiting === undefined ? bytes : Buffer.concat([this.#waiting, bytes])
      this.#socket.pause()
    }
  }

  /** One request after the other, as long as answers are there at once. */
  #take(bytes: Buffer): void {
    this.#isTaking = true
    let next: Buffer | undefined = bytes
    while (next !== undefined) {
      this.#begin(next)
      // A connection that was ended is asked nothing more.
      next = this.#isIdle() && this.#socket.writable ? this.#waiting : undefined
      if (next !== undefined) this.#waiting = undefined
    }
    this.#isTaking = false
  }

  #begin(bytes: Buffer): void {
    const end = bytes.indexOf('\r\n\r\n')
    const isShort = end >= 0 && end <= this.#options.headerBytesMax
    const head = isShort ? readPlainHead(bytes.toString('latin1', 0, end)) : undefined
    if (head === undefined || (head.length ?? 0) > wholeBodyBytesMax) return this.#handOver(bytes)
    const { length } = head
    const from = end + 4
    const to = from + (length ?? 0)
    if (bytes.length < to) return this.#await(head, length ?? 0, bytes.subarray(from))
    if (bytes.length > to) this.#waiting = bytes.subarray(to)
    this.#answer(head, length === undefined ? null : bytes.subarray(from, to), this.#open(length))
  }

  #open(length: number | undefined): Held | undefined {
    const held = length === undefined ? undefined : this.#options.bodies?.open(this.#peer.address, this.#cut)
    if (length !== undefined) held?.add(length)
    return held
  }

  readonly #cut = (): void => void this.#socket.destroy()

  #await(head: PlainHead, length: number, first: Buffer): void {
    const held = this.#open(first.length)
    const timer = new BodyTimer(this.#options.patience, this.#cut)
    const body = new GatheredBytes(length)
    body.add(first)
    this.#coming = { head, length, body, held, timer }
  }

  #gather(coming: Coming, bytes: Buffer): void {
    coming.timer.hear()
    const ofBody = bytes.subarray(0, coming.length - coming.body.length)
    coming.held?.add(ofBody.length)
    coming.body.add(ofBody)
    if (coming.body.length < coming.length || this.#socket.destroyed) return
    coming.timer.end()
    this.#coming = undefined
    if (bytes.length > ofBody.length) this.#waiting = bytes.subarray(ofBody.length)
    this.#answer(coming.head, coming.body.joined(), coming.held)
  }

  #answer({ method, target, headers, isLast }: PlainHead, body: Uint8Array | null, held: Held | undefined): void {
    held?.whole()
    const lifeline = new Lifeline()
    const asked: Asked = { lifeline, held, isLast }
    this.#asked = asked
    const request: HttpRequest = { method, target, headers, body, peer: this.#peer, signal: lifeline.signal }
    let answer: Maybe<HttpResponse>
    try {
      answer = this.#options.handler(request)
    } catch (error) {
      return this.#broken(asked, error)
    }
    if (answer instanceof Promise)
      answer.then(
        one => this.#respond(asked, one),
        (error: unknown) => this.#broken(asked, error),
      )
    else this.#respond(asked, answer)
  }

  #broken(asked: Asked, error: unknown): void {
    if (wantsCut(error)) this.#socket.destroy()
    else this.#respond(asked, brokenHandlerResponse)
  }

  #respond(asked: Asked, answer: HttpResponse): void {
    if (this.#socket.destroyed) return
    const isLast = asked.isLast || this.#options.isClosing()
    let head: string
    try {
      head = renderHead(answer, isLast, this.#ways.keepAlive)
    } catch {
      return this.#respond(asked, brokenHandlerResponse)
    }
    if (isStream(answer.body)) return void this.#stream(answer.body, head, isLast)
    this.#done(isLast, this.#write(head, answer.body))
  }

  /** In one piece where it is small: bytes beside a text would be handed to the kernel beside each other. */
  #write(head: string, body: Uint8Array | null): boolean {
    if (body === null || body.length === 0) return this.#socket.write(head, 'latin1')
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    if (bytes.length <= joinedBytesMax) return this.#socket.write(head + bytes.toString('latin1'), 'latin1')
    this.#socket.cork()
    this.#socket.write(head, 'latin1')
    const isTaken = this.#socket.write(bytes)
    this.#socket.uncork()
    return isTaken
  }

  async #stream(body: AsyncIterable<Uint8Array>, head: string, isLast: boolean): Promise<void> {
    const socket = this.#socket
    const isChunked = head.includes('\r\ntransfer-encoding: chunked\r\n')
    socket.write(head, 'latin1')
    try {
      await pump(body, socket, piece => writePiece(socket, piece, isChunked))
    } catch {
      socket.destroy()
    }
    if (!socket.destroyed) this.#done(isLast, isChunked ? socket.write('0\r\n\r\n', 'latin1') : true)
  }

  #done(isLast: boolean, isTaken: boolean): void {
    // Its body has served, however long the answer takes to go out.
    this.#asked?.held?.release()
    this.#hasAnswered = true
    this.#sinceMs = performance.now()
    // A client that does not read is not asked for more.
    this.#isUnread = isLast || (!isTaken && this.#socket.writableNeedDrain)
    if (isLast) this.#socket.destroySoon()
    else if (this.#isUnread) void drained(this.#socket).then(() => this.#next())
    else this.#next()
  }

  #next(): void {
    this.#asked = undefined
    this.#isUnread = false
    this.#sinceMs = performance.now()
    // A client that has ended its side is not there for another answer.
    if (!this.#socket.writable) return
    const waiting = this.#waiting
    if (waiting !== undefined && !this.#isTaking) {
      this.#waiting = undefined
      this.#take(waiting)
    }
    if (this.#isIdle() && this.#socket.isPaused()) this.#socket.resume()
  }

  #handOver(bytes: Buffer): void {
    const socket = this.#socket
    this.#forget()
    socket.pause()
    socket.unshift(bytes)
    this.#ways.toNode(socket)
    socket.resume()
  }

  #forget(): void {
    const socket = this.#socket
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    this.#ways.gone()
  }

  readonly #onEnd = (): void => void this.#socket.end()

  readonly #onError = (): void => void this.#socket.destroy()

  readonly #onClose = (): void => {
    this.#ways.gone()
    this.#coming?.timer.end()
    this.#coming?.held?.release()
    this.#coming = undefined
    this.#waiting = undefined
    const asked = this.#asked
    this.#asked = undefined
    if (asked === undefined) return
    asked.held?.release()
    if (!this.#isUnread) asked.lifeline.lose()
  }
}

function writePiece(socket: Socket, piece: Uint8Array, isChunked: boolean): boolean {
  if (!isChunked) return socket.write(piece)
  socket.cork()
  socket.write(`${piece.length.toString(16)}\r\n`, 'latin1')
  socket.write(piece)
  const isTaken = socket.write('\r\n', 'latin1')
  socket.uncork()
  return isTaken
}
