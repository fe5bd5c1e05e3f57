// Whether a body of a subresource can be read as its kind: numbers of such a body are told by their text, like those of any other.
import { builtinKind, type JsonObject } from '#schema'
import { type BodyFormat, decodeText } from '../http/body.ts'
import { badRequest } from '../refusals.ts'

interface BodyKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export function checkReadable(body: Uint8Array, format: BodyFormat, { group, version, kind }: BodyKind): void {
  if (format === 'protobuf') return
  const { value, hasNumberTexts } = decodeText(body, format, '', 'texts')
  const malformed = builtinKind(group, version, kind)?.decode(value as JsonObject, { hasNumberTexts }).malformed
  if (malformed !== undefined) throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${malformed}`)
}
