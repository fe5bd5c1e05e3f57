// A listener that can be taken away and come back at the same port, as that of a server that is restarted.
import type { HttpListener, TlsServerOptions } from '#base'

/** Opens at the port given, or at the one first asked for. */
type Open = (port?: number) => Promise<HttpListener>

export class Restartable implements HttpListener {
  readonly host: string
  readonly port: number
  readonly #open: Open
  #current: HttpListener
  #closed = false

  private constructor(open: Open, first: HttpListener) {
    this.#open = open
    this.#current = first
    this.host = first.host
    this.port = first.port
  }

  static async open(open: Open): Promise<Restartable> {
    return new Restartable(open, await open())
  }

  setTls(tls: TlsServerOptions): void {
    this.#current.setTls(tls)
  }

  close(graceMs?: number): Promise<void> {
    this.#closed = true
    return this.#current.close(graceMs)
  }

  /** Every connection is cut, and no new one comes in. */
  stop(): Promise<void> {
    return this.#closed ? Promise.resolve() : this.#current.close(0)
  }

  async start(): Promise<void> {
    if (!this.#closed) this.#current = await this.#open(this.port)
  }
}
