// The emulator as a request handler of the AWS SDK for JavaScript v3, so that its clients work in process without sockets:
// `new S3Client({ requestHandler: sdkRequestHandler(aws.handle), credentials: aws.adminCredentials(), region })`.
import { Readable } from 'node:stream'
import type { HttpExchange } from '#base'

/** What the SDK hands to a request handler, as far as it matters here. */
export interface SdkRequest {
  readonly method: string
  readonly hostname: string
  readonly port?: number | undefined
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>> | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What it takes back. */
export interface SdkResponse {
  readonly statusCode: number
  readonly reason: string | undefined
  headers: Record<string, string>
  body: Readable
}

export interface SdkRequestHandler {
  readonly metadata: { readonly handlerProtocol: string }
  handle(request: SdkRequest): Promise<{ readonly response: SdkResponse }>
  destroy(): void
  updateHttpClientConfig(key: never, value: unknown): void
  httpHandlerConfigs(): object
}

export function sdkRequestHandler(exchange: HttpExchange): SdkRequestHandler {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request) {
      const response = await exchange({
        method: request.method,
        target: `${request.path}${renderQuery(request.query)}`,
        headers: headersOf(request),
        body: await bytesOf(request.body),
      })
      const body = await bytesOf(response.body)
      const headers = Object.entries(response.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(',') : value,
      ])
      return {
        response: {
          statusCode: response.status,
          reason: undefined,
          headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)) as Record<string, string>,
          body: Readable.from(body.length === 0 ? [] : [Buffer.from(body)]),
        },
      }
    },
    destroy: () => undefined,
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  }
}

function headersOf(request: SdkRequest): Record<string, string> {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]))
  headers['host'] ??= request.port === undefined ? request.hostname : `${request.hostname}:${request.port}`
  return headers
}

function renderQuery(query: SdkRequest['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([key, value]) => {
    const values = value === null ? [null] : [value].flat()
    return values.map(one => (one === null ? encoded(key) : `${encoded(key)}=${encoded(one)}`))
  })
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** As the SDK signs it. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

async function bytesOf(body: unknown): Promise<Uint8Array> {
  if (body === null || body === undefined) return new Uint8Array()
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  const chunks: Uint8Array[] = []
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
    chunks.push(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk)
  }
  return Buffer.concat(chunks)
}
