// `multipart/form-data` (RFC 7578): the fields of a form in their order, and the file that comes last.
import { ServiceError } from '../error.ts'

export interface MultipartForm {
  /** By name in lower case; a later value replaces an earlier one. */
  readonly fields: ReadonlyMap<string, string>
  readonly file: { readonly name: string; readonly body: Uint8Array } | undefined
}

/** What stands before the file may not be larger. */
const fieldBytesMax = 20_000

export function readMultipartForm(contentType: string, body: Uint8Array): MultipartForm {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^;\s]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare
  if (boundary === undefined) throw malformed()
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const fields = new Map<string, string>()
  let size = 0
  for (const part of partsOf(bytes, `--${boundary}`)) {
    const { name, fileName, value } = partOf(part)
    if (name === 'file') return { fields, file: { name: fileName ?? '', body: new Uint8Array(value) } }
    size += name.length + value.length
    if (size > fieldBytesMax)
      throw new ServiceError(
        'MaxPostPreDataLengthExceeded',
        400,
        'Your POST request fields preceding the upload file were too large.',
      )
    fields.set(name, value.toString('utf8'))
  }
  return { fields, file: undefined }
}

/** Each without the delimiters around it. */
function* partsOf(bytes: Buffer, delimiter: string): Generator<Buffer> {
  let at = bytes.subarray(0, delimiter.length).equals(Buffer.from(delimiter)) ? 0 : -1
  if (at === -1) throw malformed()
  for (;;) {
    const from = at + delimiter.length
    if (bytes.subarray(from, from + 2).toString('latin1') === '--') return
    const next = bytes.indexOf(`\r\n${delimiter}`, from)
    if (next === -1 || bytes.subarray(from, from + 2).toString('latin1') !== '\r\n') throw malformed()
    yield bytes.subarray(from + 2, next)
    at = next + 2
  }
}

function partOf(part: Buffer): { readonly name: string; readonly fileName: string | undefined; readonly value: Buffer } {
  const end = part.indexOf('\r\n\r\n')
  const disposition = /^content-disposition:\s*form-data;(.*)$/im.exec(part.subarray(0, Math.max(0, end)).toString('utf8'))?.[1]
  const named = (key: string): string | undefined => new RegExp(`(?:^|[;\\s])${key}="([^"]*)"`, 'i').exec(disposition ?? '')?.[1]
  const name = named('name')
  if (end === -1 || name === undefined) throw malformed()
  return { name: name.toLowerCase(), fileName: named('filename'), value: part.subarray(end + 4) }
}

function malformed(): ServiceError {
  return new ServiceError('MalformedPOSTRequest', 400, 'The body of your POST request is not well-formed multipart/form-data.')
}
