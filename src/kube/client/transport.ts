// Connections whose TLS material may change: a renewed certificate or CA means new connections, while what is under way on the
// old ones comes to its end.
import type { DialOptions, HttpClient, HttpExchange, HttpRequest, HttpResponse, Net, TlsClientOptions } from '#base'

interface Generation {
  readonly client: HttpClient
  readonly tls: string
  busy: number
  retired: boolean
}

export interface Transport {
  readonly exchange: HttpExchange
  close(): Promise<void>
}

/** `tls` is asked before each call, so it should remember its answer. */
export function rotatingTransport(
  net: Pick<Net, 'dial'>,
  server: string,
  options: Omit<DialOptions, 'origin' | 'tls'>,
  tls: () => Promise<TlsClientOptions>,
): Transport {
  const { origin, pathname } = new URL(server)
  const prefix = pathname.replace(/\/+$/, '')
  const generations = new Set<Generation>()
  let current: Generation | undefined

  const retire = (generation: Generation): void => {
    generation.retired = true
    if (generation.busy > 0) return
    generations.delete(generation)
    void generation.client.close()
  }
  const generationFor = (material: TlsClientOptions): Generation => {
    const name = JSON.stringify(material)
    if (current?.tls === name) return current
    if (current !== undefined) retire(current)
    current = { client: net.dial({ ...options, origin, tls: material }), tls: name, busy: 0, retired: false }
    generations.add(current)
    return current
  }
  const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
    const generation = generationFor(await tls())
    generation.busy++
    const release = (): void => {
      generation.busy--
      if (generation.retired && generations.has(generation)) retire(generation)
    }
    let response: HttpResponse
    try {
      response = await generation.client.exchange(prefix === '' ? request : { ...request, target: prefix + request.target })
    } catch (error) {
      release()
      throw error
    }
    const { body } = response
    if (body === null || body instanceof Uint8Array) {
      release()
      return response
    }
    return { ...response, body: followed(body, release) }
  }
  return {
    exchange,
    close: async () => {
      await Promise.all([...generations].map(generation => generation.client.close()))
    },
  }
}

async function* followed(body: AsyncIterable<Uint8Array>, done: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    done()
  }
}
