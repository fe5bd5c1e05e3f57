// Asking oneself whether listening worked.
import { HttpFailure, type Seams, withDeadline } from '#base'

const dialTimeoutMs = 1_000

/** One request over TLS to our own port. Whose certificate answers is not the question. */
export async function isListenerAnswering(
  { net, clock }: Pick<Seams, 'net' | 'clock'>,
  host: string,
  port: number,
): Promise<boolean> {
  const address = host === '' || host === '::' || host === '0.0.0.0' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  const http = net.dial({ origin: `https://${address}:${port}`, tls: { insecureSkipVerify: true }, protocol: 'http/1.1' })
  try {
    const response = await withDeadline(clock, { timeoutMs: dialTimeoutMs }, signal =>
      http.exchange({ method: 'GET', target: '/healthz', headers: {}, body: null, signal }),
    )
    return response.status === 200
  } catch (error) {
    if (error instanceof HttpFailure || (error as { code?: string }).code === 'deadline-exceeded') return false
    throw error
  } finally {
    await http.close()
  }
}
