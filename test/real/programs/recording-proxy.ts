// Stands between kubectl and the real server and writes down what kubectl asks, as steps of a session. Plain HTTP towards kubectl,
// which therefore sends no credentials; the session adds the admin's. Discovery and OpenAPI pass by unrecorded: each is the whole server.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { given } from '#base'
import { type Ask, callerHeaders, type Session } from '../../conformance/apiserver/session.ts'
import type { Json } from '../../conformance/apiserver/transcript.ts'

export interface RecordingProxy {
  readonly url: string
  close(): Promise<void>
}

export async function recordingProxy(session: Session): Promise<RecordingProxy> {
  const server = createServer((request, response) => {
    answer(session, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function answer(session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = request.url ?? '/'
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const raw = Buffer.concat(chunks)
  if (passesBy(request.method ?? 'GET', target)) return pass(session, request, response, raw)
  const type = request.headers['content-type']
  // Binary replies would be neither read here nor compared there.
  const accept = request.headers.accept?.replace(/application\/vnd\.kubernetes\.protobuf(;[^,]*)?,?\s*/g, '') ?? '*/*'
  const impersonation = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (name.startsWith('impersonate-') ? [[name, String(value)]] : [])),
  )
  const reply = await session.send(request.method ?? 'GET', target, {
    headers: { accept, 'user-agent': 'kubectl/v1.34.4', ...impersonation },
    ...given({ type }),
    ...contentOf(raw),
  })
  response.statusCode = reply.status
  for (const name of ['content-type', 'warning', 'retry-after']) {
    const value = reply.headers[name]
    if (value !== undefined) response.setHeader(name, typeof value === 'string' ? value : [...value])
  }
  response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body))
}

/** As JSON where it is, so that resource versions in it become symbols; protobuf as bytes. */
function contentOf(raw: Buffer): Ask {
  if (raw.byteLength === 0) return {}
  if (raw.subarray(0, 4).equals(Buffer.from('k8s\0'))) return { raw }
  try {
    return { body: JSON.parse(raw.toString()) as Json }
  } catch {
    return { raw: raw.toString() }
  }
}

function passesBy(method: string, target: string): boolean {
  const path = target.split('?')[0] ?? ''
  // Definitions come and go in their own time, and those of other sequences are listed with them.
  if (method === 'GET' && path.includes('/customresourcedefinitions')) return true
  return (
    /^\/(api|apis|openapi\/.*|version)$/.test(path) || /^\/apis?\/[^/]+(\/v\w+)?$/.test(path) || /[?&]watch=(true|1)/.test(target)
  )
}

async function pass(session: Session, request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  const abort = new AbortController()
  response.on('close', () => abort.abort())
  const reply = await session.target.anonymous({
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    headers: { ...callerHeaders(session.target, undefined), accept: request.headers.accept ?? '*/*' },
    body: body.byteLength === 0 ? null : body,
    signal: abort.signal,
  })
  response.statusCode = reply.status
  for (const name of ['content-type', 'etag']) {
    const value = reply.headers[name]
    if (typeof value === 'string') response.setHeader(name, value)
  }
  response.flushHeaders()
  if (reply.body instanceof Uint8Array) response.write(reply.body)
  else for await (const chunk of reply.body ?? []) response.write(chunk)
  response.end()
}
