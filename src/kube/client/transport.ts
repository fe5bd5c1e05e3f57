// Connections whose way may change: a renewed certificate or CA, or another address, means new connections, while what is under way on
// the old ones comes to its end.
import type { DialOptions, HttpClient, HttpExchange, HttpRequest, HttpResponse, Net, TlsClientOptions } from '#base'

/** Where requests go, and how. */
export interface ServerRoute {
  readonly server: string
  readonly dial: Omit<DialOptions, 'origin' | 'tls'>
  readonly tls: TlsClientOptions
}

interface Generation {
  readonly client: HttpClient
  readonly name: string
  /** What stands before every path of the server. */
  readonly prefix: string
  busy: number
  retired: boolean
}

export interface ServerTransport {
  readonly exchange: HttpExchange
  close(): Promise<void>
}

/** `way` is asked before each call, so it should remember its answer. */
export function rotatingTransport(net: Pick<Net, 'dial'>, way: () => Promise<ServerRoute>): ServerTransport {
  const generations = new Set<Generation>()
  let current: Generation | undefined

  const retire = (generation: Generation): void => {
    generation.retired = true
    if (generation.busy > 0) return
    generations.delete(generation)
    void generation.client.close()
  }
  const generationFor = ({ server, dial, tls }: ServerRoute): Generation => {
    const name = JSON.stringify([server, dial, tls])
    if (current?.name === name) return current
    if (current !== undefined) retire(current)
    const { origin, pathname } = new URL(server)
    const client = net.dial({ ...dial, origin, tls })
    current = { client, name, prefix: pathname.replace(/\/+$/, ''), busy: 0, retired: false }
    generations.add(current)
    return current
  }
  const exchange = async (request: HttpRequest): Promise<HttpResponse> => {
    const generation = generationFor(await way())
    generation.busy++
    const release = (): void => {
      generation.busy--
      if (generation.retired && generations.has(generation)) retire(generation)
    }
    let response: HttpResponse
    try {
      const { client, prefix } = generation
      response = await client.exchange(prefix === '' ? request : { ...request, target: prefix + request.target })
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

/** By hand and not as a generator: a frame of one for each stream of each cluster is held for as long as the stream stands. */
function followed(body: AsyncIterable<Uint8Array>, done: () => void): AsyncIterableIterator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  let isOver = false
  const end = (): void => {
    if (!isOver) done()
    isOver = true
  }
  const passed = (piece: IteratorResult<Uint8Array>): IteratorResult<Uint8Array> => {
    if (piece.done === true) end()
    return piece
  }
  const failed = (error: unknown): never => {
    end()
    throw error
  }
  return {
    next: () => pieces.next().then(passed, failed),
    return: async () => {
      end()
      await pieces.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
