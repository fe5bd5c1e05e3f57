// A form that a browser posts to a bucket: what it asks for is a PutObject, signed through the policy that is one of its fields.
import type { HttpResponse } from '#base'
import { claimOfForm } from '../auth/signature.ts'
import { ServiceError } from '../error.ts'
import { readMultipartForm } from '../wire/multipart-form.ts'
import { escapeXml, parseXml } from '../wire/xml.ts'
import type { IncomingCall, PostedForm } from './incoming.ts'

export function isPostedForm({ raw, address }: IncomingCall): boolean {
  return (
    address.service === 's3' &&
    raw.method === 'POST' &&
    raw.query.size === 0 &&
    (raw.headers['content-type'] ?? '').startsWith('multipart/form-data')
  )
}

/** Throws S3's refusal of a form that is none. */
export function withPostedForm(incoming: IncomingCall): IncomingCall & { readonly posted: PostedForm } {
  const { raw } = incoming
  const { fields, file } = readMultipartForm(raw.headers['content-type'] ?? '', raw.body)
  if (file === undefined) throw argument('POST requires exactly one file upload per request.', 'file', '0')
  const named = fields.get('key')
  if (named === undefined || named === '')
    throw argument(
      "Bucket POST must contain a field named 'key'.  If it is specified, please check the order of the fields.",
      'key',
      '',
    )
  const key = named.replaceAll(`\${filename}`, file.name)
  const bucket = bucketOf(raw.path)
  const posted = { fields, bucket, key, bytes: file.body.length, policy: fields.get('policy'), claim: claimOfForm(fields) }
  const path = `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`
  return { ...incoming, posted, raw: { ...raw, method: 'PUT', path, headers: headersOf(fields, raw.headers), body: file.body } }
}

/** Nothing else may stand in the path, and no bucket has a name that would need encoding. */
function bucketOf(path: string): string {
  const name = /^\/([a-z0-9.-]+)\/?$/.exec(path)?.[1]
  if (name !== undefined) return name
  throw new ServiceError('MethodNotAllowed', 405, 'The specified method is not allowed against this resource.', {
    Method: 'POST',
  })
}

const kept = ['host', 'user-agent', 'origin', 'referer']
const plain = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-md5',
  'content-type',
  'expires',
]
const credentials = /^x-amz-(?:algorithm|credential|date|signature|security-token)$/

/** The headers that a PutObject would have had. */
function headersOf(fields: ReadonlyMap<string, string>, sent: Readonly<Record<string, string>>): Record<string, string> {
  const headers = Object.fromEntries(Object.entries(sent).filter(([name]) => kept.includes(name)))
  for (const [name, value] of fields)
    if (plain.includes(name) || (name.startsWith('x-amz-') && !credentials.test(name))) headers[name] = value
  const [acl, tagging] = [fields.get('acl'), fields.get('tagging')]
  if (acl !== undefined) headers['x-amz-acl'] = acl
  if (tagging !== undefined) headers['x-amz-tagging'] = taggingOf(tagging)
  return headers
}

/** The form has tags as XML, the header as a query. */
function taggingOf(xml: string): string {
  const tags = parseXml(xml).children.flatMap(set => set.children)
  const textIn = (name: string, of: (typeof tags)[number]): string => of.children.find(child => child.name === name)?.text ?? ''
  return new URLSearchParams(tags.map((tag): [string, string] => [textIn('Key', tag), textIn('Value', tag)])).toString()
}

/** What S3 says to a browser instead of what it says to a PutObject. */
export function postedReply(response: HttpResponse, { fields, bucket, key }: PostedForm, host: string): HttpResponse {
  if (response.status !== 200) return response
  const { 'content-length': _, 'content-type': __, ...rest } = response.headers
  const etag = String(rest['etag'] ?? '')
  const location = `https://${host}/${bucket}/${encodeURIComponent(key)}`
  const redirect = fields.get('success_action_redirect') ?? fields.get('redirect')
  if (redirect !== undefined && URL.canParse(redirect)) {
    const to = new URL(redirect)
    for (const [name, value] of Object.entries({ bucket, key, etag })) to.searchParams.set(name, value)
    return { status: 303, headers: { ...rest, location: to.href, 'content-length': '0' }, body: null }
  }
  const headers = { ...rest, location }
  const status = fields.get('success_action_status')
  if (status !== '201') return status === '200' ? empty(200, { ...headers, 'content-length': '0' }) : empty(204, headers)
  const told = Object.entries({ Location: location, Bucket: bucket, Key: key, ETag: etag })
  const text = told.map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`).join('')
  const body = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse>${text}</PostResponse>`)
  return { status: 201, headers: { ...headers, 'content-type': 'application/xml', 'content-length': String(body.length) }, body }
}

function empty(status: number, headers: HttpResponse['headers']): HttpResponse {
  return { status, headers, body: null }
}

function argument(message: string, name: string, value: string): ServiceError {
  return new ServiceError('InvalidArgument', 400, message, { ArgumentName: name, ArgumentValue: value })
}
