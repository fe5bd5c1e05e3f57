// Listening on whatever addresses the machine has, and asking oneself whether it worked.
import { type HttpExchange, HttpFailure, type HttpListener, type ListenOptions, type Net, type Seams, withDeadline } from '#base'

/** An empty host is every address, of both families where there are two. */
export async function listenAnywhere(net: Net, options: ListenOptions, handler: HttpExchange): Promise<HttpListener> {
  if (options.host !== '') return net.listen(options, handler)
  try {
    return await net.listen({ ...options, host: '::' }, handler)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error
    return net.listen({ ...options, host: '0.0.0.0' }, handler)
  }
}

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
