// Blobs, as far as a proof needs them: a container is made, a block blob is put, got and listed, for whom a role assignment lets.
import { createHash } from 'node:crypto'
import type { HttpResponse } from '#base'
import type { StorageAccount, StoredBlob } from '../directory/directory.ts'
import { storageAudience } from '../sign-in/resource-names.ts'
import { type EntraCall, empty, textOf, xml } from '../wire/call.ts'
import { may, type ResourceParts, whoCalls } from './callers.ts'

const containers = 'Microsoft.Storage/storageAccounts/blobServices/containers'

/** `path`: below the account. */
export function answerBlobs(
  parts: ResourceParts,
  account: StorageAccount,
  path: readonly string[],
  call: EntraCall,
): HttpResponse {
  const audiences = [storageAudience, `https://${account.name}.blob.core.windows.net`]
  const caller = whoCalls(parts, call, audiences)
  if (caller === undefined || caller.tenant !== account.tenant) return challenge(account, call)
  const [container, ...rest] = path
  if (container === undefined) return fault(400, 'InvalidUri', 'The requested URI does not represent any resource on the server.')
  const name = rest.join('/')
  const isWrite = call.method === 'PUT'
  const of = name === '' && isWrite ? `${containers}/write` : `${containers}/blobs/${isWrite ? 'write' : 'read'}`
  const kind = name === '' && isWrite ? 'action' : 'data-action'
  if (!may(parts, caller, { scope: account.id, action: of, kind }))
    return fault(
      403,
      'AuthorizationPermissionMismatch',
      'This request is not authorized to perform this operation using this permission.',
    )
  if (name === '') return ofContainer(parts, account, container, call)
  return ofBlob(parts, account, { container, name, call })
}

function ofContainer(
  parts: ResourceParts,
  account: StorageAccount,
  container: string,
  { method, query }: EntraCall,
): HttpResponse {
  const held = account.containers[container]
  if (query.get('restype') !== 'container')
    return fault(400, 'InvalidQueryParameterValue', 'Only restype=container is served here.')
  if (method === 'PUT') {
    if (held !== undefined) return fault(409, 'ContainerAlreadyExists', 'The specified container already exists.')
    parts.cell.putAccount({ ...account, containers: { ...account.containers, [container]: {} } })
    return empty(201)
  }
  if (held === undefined) return noContainer()
  if (method !== 'GET' || query.get('comp') !== 'list')
    return fault(405, 'UnsupportedHttpVerb', 'Only lists of a container are served here.')
  const prefix = query.get('prefix') ?? ''
  const blobs = Object.entries(held)
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, blob]) => `<Blob><Name>${escaped(name)}</Name><Properties>${propertiesOf(blob)}</Properties></Blob>`)
  const where = `ServiceEndpoint="https://${account.name}.blob.core.windows.net/" ContainerName="${escaped(container)}"`
  return xml(200, `<EnumerationResults ${where}><Blobs>${blobs.join('')}</Blobs><NextMarker /></EnumerationResults>`)
}

function propertiesOf({ contentType, data, etag, modifiedMs }: StoredBlob): string {
  const size = Buffer.from(data, 'base64').length
  const modified = `<Last-Modified>${new Date(modifiedMs).toUTCString()}</Last-Modified><Etag>${etag}</Etag>`
  return `${modified}<Content-Length>${size}</Content-Length><Content-Type>${escaped(contentType)}</Content-Type><BlobType>BlockBlob</BlobType>`
}

interface BlobCall {
  readonly container: string
  readonly name: string
  readonly call: EntraCall
}

function ofBlob(parts: ResourceParts, account: StorageAccount, { container, name, call }: BlobCall): HttpResponse {
  const held = account.containers[container]
  if (held === undefined) return noContainer()
  switch (call.method) {
    case 'PUT': {
      if (textOf(call.headers['x-ms-blob-type']) !== 'BlockBlob' || call.query.has('comp'))
        return fault(400, 'InvalidHeaderValue', 'Only whole block blobs are served here.')
      const data = Buffer.from(call.body).toString('base64')
      const etag = `"0x${createHash('sha256').update(data).digest('hex').slice(0, 15).toUpperCase()}"`
      const contentType = textOf(call.headers['x-ms-blob-content-type']) ?? 'application/octet-stream'
      const blob: StoredBlob = { contentType, data, etag, modifiedMs: parts.clock.now() }
      parts.cell.putAccount({ ...account, containers: { ...account.containers, [container]: { ...held, [name]: blob } } })
      return empty(201, { etag, 'last-modified': new Date(blob.modifiedMs).toUTCString() })
    }
    case 'GET':
    case 'HEAD': {
      const blob = Object.hasOwn(held, name) ? held[name] : undefined
      if (blob === undefined) return fault(404, 'BlobNotFound', 'The specified blob does not exist.')
      const body = Buffer.from(blob.data, 'base64')
      const modified = { etag: blob.etag, 'last-modified': new Date(blob.modifiedMs).toUTCString() }
      const headers = {
        'content-type': blob.contentType,
        'content-length': String(body.length),
        'x-ms-blob-type': 'BlockBlob',
        ...modified,
      }
      return { status: 200, headers, body: call.method === 'HEAD' ? null : body }
    }
    default:
      return fault(405, 'UnsupportedHttpVerb', `${call.method} is not served here.`)
  }
}

function challenge({ tenant }: StorageAccount, { origin }: EntraCall): HttpResponse {
  const where = `Bearer authorization_uri=${origin}/${tenant}/oauth2/authorize resource_id=${storageAudience}`
  const message = 'Server failed to authenticate the request. Please refer to the information in the www-authenticate header.'
  return fault(401, 'NoAuthenticationInformation', message, { 'www-authenticate': where })
}

function noContainer(): HttpResponse {
  return fault(404, 'ContainerNotFound', 'The specified container does not exist.')
}

function fault(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`, { 'x-ms-error-code': code, ...headers })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
