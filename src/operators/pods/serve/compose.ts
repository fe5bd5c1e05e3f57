// Account and partition for `--compose-role-arn`: from the flags, or once at the start from the instance metadata service (§2.11).
import { type Seams, withDeadline } from '#base'
import { answerText } from './answer-text.ts'

export interface Composition {
  readonly account: string
  readonly partition: string
}

const metadataOrigin = 'http://169.254.169.254'
const timeoutMs = 5_000

export async function readComposition(
  wanted: Composition | 'metadata-service' | undefined,
  { net, clock }: Pick<Seams, 'net' | 'clock'>,
  signal: AbortSignal,
): Promise<Composition | undefined> {
  if (wanted !== 'metadata-service') return wanted
  const http = net.dial({ origin: metadataOrigin, protocol: 'http/1.1', connectTimeoutMs: timeoutMs })
  const call = async (
    method: string,
    target: string,
    headers: Record<string, string>,
    callSignal: AbortSignal,
  ): Promise<string> => {
    const response = await http.exchange({ method, target, headers, body: null, signal: callSignal })
    const text = await answerText(response.body)
    if (response.status !== 200) throw new Error(`${method} ${target} was answered with ${response.status}`)
    return text
  }
  try {
    return await withDeadline(clock, { timeoutMs, signal }, async callSignal => {
      const token = await call('PUT', '/latest/api/token', { 'x-aws-ec2-metadata-token-ttl-seconds': '60' }, callSignal)
      const target = '/latest/dynamic/instance-identity/document'
      return parseIdentityDocument(await call('GET', target, { 'x-aws-ec2-metadata-token': token }, callSignal))
    })
  } catch (error) {
    throw new Error(
      `--compose-role-arn needs account and region, and the instance metadata service does not give them (${(error as Error).message}); set --aws-account-id and --aws-partition instead`,
      { cause: error },
    )
  } finally {
    await http.close()
  }
}

/** Account and partition out of an instance identity document. What is known of partitions is loaded by those webhooks alone that ask. */
export async function parseIdentityDocument(text: string): Promise<Composition> {
  const { accountId, region } = JSON.parse(text) as { accountId?: unknown; region?: unknown }
  if (typeof accountId !== 'string' || typeof region !== 'string') throw new Error('the document lacks accountId or region')
  const { partitionOf } = await import('#aws')
  return { account: accountId, partition: partitionOf(region).id }
}
