// Signatures: the SDK's signer, with the hash of node:crypto and the time of our clock.
import { createHash, createHmac, type Hash } from 'node:crypto'
import type { Credentials } from '../credentials/credentials.ts'
import type { WireRequest } from '../wire/protocols.ts'

export interface SigningScope {
  readonly service: string
  readonly region: string
  readonly atMs: number
  /** S3 wants its path signed as it stands on the wire, all others encoded once more. */
  readonly escapePath: boolean
  readonly unsignedPayload?: boolean | undefined
  /** Send the body's hash as a header of its own. Default true: S3 demands it, and nobody minds. */
  readonly contentHash?: boolean
}

/** The request with its signature. The request itself is left as it was. */
export async function signRequest(request: WireRequest, credentials: Credentials, scope: SigningScope): Promise<WireRequest> {
  const signer = await signerFor(credentials, scope)
  const { headers } = await signer.sign(signable(request, scope), { signingDate: new Date(scope.atMs) })
  return { ...request, headers }
}

export interface Presigning extends SigningScope {
  readonly expiresInSeconds: number
}

/** The request with its signature in the query. */
export async function presignRequest(request: WireRequest, credentials: Credentials, scope: Presigning): Promise<WireRequest> {
  const signer = await signerFor(credentials, scope)
  const options = { signingDate: new Date(scope.atMs), expiresIn: scope.expiresInSeconds }
  // A body that is neither text nor bytes is what the signer takes for one it cannot hash; as a header the words would go into the URL.
  const unsigned = scope.unsignedPayload ? ({ ...request, body: {} } as unknown as WireRequest) : request
  const { headers, query } = await signer.presign(unsigned, options)
  return { ...request, headers, query }
}

/** The part of the SDK's signer that we use. */
interface Signer {
  sign(request: WireRequest, options: { readonly signingDate: Date }): Promise<WireRequest>
  presign(request: WireRequest, options: { readonly signingDate: Date; readonly expiresIn: number }): Promise<WireRequest>
}

/** Loaded when first needed, and once: asking Node for a module again takes as long as a signature. */
const load = async () => (await import('@smithy/signature-v4')).SignatureV4
let loaded: ReturnType<typeof load> | undefined

async function signerFor(credentials: Credentials, scope: SigningScope): Promise<Signer> {
  const { region, service, escapePath, contentHash } = scope
  const SignatureV4 = await (loaded ??= load())
  const options = { credentials, region, service, sha256: Sha256, uriEscapePath: escapePath, applyChecksum: contentHash }
  return new SignatureV4(options as never) as unknown as Signer
}

function signable(request: WireRequest, { unsignedPayload }: SigningScope): WireRequest {
  if (!unsignedPayload) return { ...request, headers: { ...request.headers } }
  return { ...request, headers: { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } }
}

/** The hash in the form that the signer constructs: with a secret it is an HMAC. */
class Sha256 {
  readonly #secret: Uint8Array | string | undefined
  #hash: Hash

  constructor(secret?: Uint8Array | string) {
    this.#secret = secret
    this.#hash = start(secret)
  }

  update(data: Uint8Array | string): void {
    this.#hash.update(data)
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {
    this.#hash = start(this.#secret)
  }
}

function start(secret: Uint8Array | string | undefined): Hash {
  return secret === undefined ? createHash('sha256') : (createHmac('sha256', secret) as unknown as Hash)
}
