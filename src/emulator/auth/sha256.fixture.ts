import { createHash, createHmac } from 'node:crypto'

/** The hash that the SDK's signer wants to be given. */
export class Sha256 {
  readonly #secret: Uint8Array | string | undefined
  #data: Buffer = Buffer.alloc(0)

  constructor(secret?: unknown) {
    this.#secret = secret as Uint8Array | string | undefined
  }

  update(data: unknown): void {
    this.#data = Buffer.concat([this.#data, Buffer.from(data as Uint8Array)])
  }

  digest(): Promise<Uint8Array> {
    const hash = this.#secret === undefined ? createHash('sha256') : createHmac('sha256', this.#secret)
    return Promise.resolve(hash.update(this.#data).digest())
  }

  reset(): void {
    this.#data = Buffer.alloc(0)
  }
}
