// Raw requests, signed by the SDK's signer: for what the clients would not send.
import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import { given } from '#base'
import type { Clients, RawCall } from './clients.ts'

class Sha256 {
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

export interface SignedCall extends RawCall {
  readonly service: string
  readonly region?: string
  readonly presign?: boolean
}

export async function signedRequest(
  { aws, clock }: Clients,
  call: SignedCall,
): Promise<RawCall & { readonly headers: Readonly<Record<string, string>> }> {
  const { service, region = 'us-east-1', method, target, headers = {}, body, presign = false } = call
  const signer = new SignatureV4({
    credentials: aws.adminCredentials(),
    region,
    service,
    sha256: Sha256 as never,
    uriEscapePath: service !== 's3',
    applyChecksum: true,
  })
  const url = new URL(target, 'http://127.0.0.1')
  const request = {
    method,
    protocol: 'http:',
    hostname: '127.0.0.1',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: { host: '127.0.0.1', ...headers },
    ...given({ body }),
  }
  const options = { signingDate: new Date(clock.now()) }
  const signed = presign ? await signer.presign(request, { ...options, expiresIn: 60 }) : await signer.sign(request, options)
  const query = new URLSearchParams(signed.query as Record<string, string>).toString().replaceAll('+', '%20')
  return {
    method,
    target: query === '' ? url.pathname : `${url.pathname}?${query}`,
    headers: signed.headers,
    ...given({ body }),
  }
}
