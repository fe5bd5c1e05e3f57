// A stand-in API server for measurements, in a process of its own: one kind, answers rendered beforehand, so that what is measured is
// the client. Lists in pages or as a stream, sends bursts of events on request, and breaks the next request on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const count = Number(process.argv[2] ?? 10_000)
const texts = Array.from({ length: count }, (_, index) => renderObject(index, index + 1))
let revision = count
const watches = new Set<ServerResponse>()
let fault: string | undefined

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://x')
  if (url.pathname === '/control') control(url.searchParams, response)
  else if (url.pathname !== '/api/v1/configmaps') refuse(response, 404, 'NotFound')
  else if (fault !== undefined) strike(request, response)
  else if (url.searchParams.get('watch') === 'true' || url.searchParams.get('watch') === '1') watch(url.searchParams, response)
  else list(url.searchParams, response)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))

function list(query: URLSearchParams, response: ServerResponse): void {
  const from = Number(query.get('continue') ?? 0)
  const limit = Number(query.get('limit') ?? 0) || count
  const next = from + limit < count ? `"continue":"${from + limit}",` : ''
  const items = texts.slice(from, from + limit).join(',')
  response.setHeader('content-type', 'application/json')
  response.end(
    `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{${next}"resourceVersion":"${revision}"},"items":[${items}]}`,
  )
}

function watch(query: URLSearchParams, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.flushHeaders()
  watches.add(response)
  response.on('close', () => watches.delete(response))
  if (query.get('sendInitialEvents') !== 'true') return
  for (let at = 0; at < count; at += 500) {
    response.write(
      texts
        .slice(at, at + 500)
        .map(text => `{"type":"ADDED","object":${text}}\n`)
        .join(''),
    )
  }
  const metadata = `{"resourceVersion":"${revision}","annotations":{"k8s.io/initial-events-end":"true"}}`
  response.write(`{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":${metadata}}}\n`)
}

/** `burst=N` sends N changes; `cut=KIND` ends all watches and breaks the next request. */
function control(query: URLSearchParams, response: ServerResponse): void {
  const burst = Number(query.get('burst') ?? 0)
  let chunk = ''
  for (let index = 0; index < burst; index++) {
    chunk += `{"type":"MODIFIED","object":${renderObject(index % count, ++revision)}}\n`
    if (chunk.length < 262_144 && index < burst - 1) continue
    for (const stream of watches) stream.write(chunk)
    chunk = ''
  }
  const cut = query.get('cut')
  if (cut !== null) {
    fault = cut
    for (const stream of watches) stream.end()
  }
  response.end(String(watches.size))
}

function strike(request: IncomingMessage, response: ServerResponse): void {
  const kind = fault
  fault = undefined
  if (kind === 'reset') request.socket.destroy()
  else if (kind === '429') refuse(response, 429, 'TooManyRequests')
  else refuse(response, 500, 'InternalError')
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  response.writeHead(code, { 'content-type': 'application/json', ...(code === 429 ? { 'retry-after': '1' } : {}) })
  response.end(
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code, message: reason }),
  )
}

/** About 1.3 kB, of which a third are managedFields: an ordinary object. */
function renderObject(index: number, version: number): string {
  const name = `object-${String(index).padStart(6, '0')}`
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: `team-${index % 50}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(version),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `app-${index % 200}`, 'app.kubernetes.io/managed-by': 'helm', tier: 'backend' },
      annotations: { 'example.com/role-arn': `arn:aws:iam::111122223333:role/${name}`, 'example.com/note': 'x'.repeat(80) },
      managedFields: [
        {
          manager: 'helm',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:data': { '.': {}, 'f:config.yaml': {}, 'f:settings': {} },
            'f:metadata': {
              'f:annotations': { '.': {}, 'f:example.com/role-arn': {} },
              'f:labels': { '.': {}, 'f:app': {}, 'f:tier': {} },
            },
          },
        },
      ],
    },
    data: { 'config.yaml': `name: ${name}\n${'key: value\n'.repeat(20)}`, settings: 'a=b;'.repeat(30), version: String(version) },
  })
}
