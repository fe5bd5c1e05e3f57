// Which key a cluster signs its tokens with: asked by having it sign one, which names its key in its header and is then thrown away. Only
// while a key is being replaced.
import type { ObjectKey } from '#kube'
import type { KubeClient } from '#kube/client'
import { audience } from '../api/labels.ts'

/** The shortest life that an API server grants. */
const lifeSeconds = 600

export async function askSigner(
  client: Pick<KubeClient, 'requestToken'>,
  serviceAccount: ObjectKey,
  options: { readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<string | undefined> {
  const { token } = await client.requestToken(serviceAccount, { audiences: [audience], expirationSeconds: lifeSeconds }, options)
  return keyIdOf(token)
}

/** From the header alone: nothing is trusted of the token but the name of its key. */
export function keyIdOf(token: string): string | undefined {
  const [header = ''] = token.split('.', 1)
  try {
    const parsed: unknown = JSON.parse(Buffer.from(header, 'base64url').toString())
    const keyId = typeof parsed === 'object' && parsed !== null ? (parsed as { readonly kid?: unknown }).kid : undefined
    return typeof keyId === 'string' && keyId !== '' ? keyId : undefined
  } catch {
    return undefined
  }
}
