// Which key a cluster signs its tokens with: asked by having it sign one, which names its key in its header and is then thrown away. Only
// while a key is being replaced.
import { isRecord, readJson } from '#base'
import type { ObjectKey } from '#kube'
import type { KubeClient } from '#kube/client'
import { audience } from '../api/labels.ts'

/** The shortest life that an API server grants. */
const lifeSeconds = 600

export interface Signer {
  readonly keyId: string
  /** When it signed, by its own clock: the one by which its tokens expire. Absent where the owner of the cluster said which key it is. */
  readonly atMs?: number
}

export async function askSigner(
  client: Pick<KubeClient, 'requestToken'>,
  serviceAccount: ObjectKey,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<Signer | undefined> {
  const { token } = await client.requestToken(serviceAccount, { audiences: [audience], expirationSeconds: lifeSeconds }, options)
  return signerOf(token)
}

/** Nothing is trusted of the token but the name of its key and the time on the clock of whoever signed it. */
export function signerOf(token: string): Signer | undefined {
  const [header = '', claims = ''] = token.split('.')
  const { kid } = parsePart(header)
  if (typeof kid !== 'string' || kid === '') return undefined
  const { iat } = parsePart(claims)
  return typeof iat === 'number' && Number.isFinite(iat) ? { keyId: kid, atMs: iat * 1_000 } : { keyId: kid }
}

function parsePart(part: string): { readonly kid?: unknown; readonly iat?: unknown } {
  const parsed = readJson(Buffer.from(part, 'base64url').toString())
  return isRecord(parsed) ? parsed : {}
}
