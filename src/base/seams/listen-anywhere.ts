// Listening on whatever addresses the machine has.
import type { HttpHandler, HttpListener, ListenOptions, Net } from './http.ts'

/** An empty host is every address, of both families where there are two. */
export async function listenAnywhere(
  net: Pick<Net, 'listen'>,
  options: ListenOptions,
  handler: HttpHandler,
): Promise<HttpListener> {
  if (options.host !== '') return net.listen(options, handler)
  try {
    return await net.listen({ ...options, host: '::' }, handler)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error
    return net.listen({ ...options, host: '0.0.0.0' }, handler)
  }
}
