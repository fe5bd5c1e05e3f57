// Bodies: read with a bound, decoded by media type, checked against the field validation that the client asked for.

import { type HttpBody, isRecord, type Maybe, NumberText } from '#base'
import { badRequest, tooLarge, unsupportedMediaType } from '../refusals.ts'
import { JsonError, type NumbersAs, parseJsonAs } from '../text/json.ts'
import { findDuplicates } from '../text/json-keys.ts'
import { parseYaml } from '../text/yaml.ts'

export const bodyBytesMax = 3_145_728

export type BodyFormat = 'json' | 'yaml' | 'protobuf'

/** What the text of a body says besides its value. */
export interface BodyFindings {
  /** Its keys are read by the alphabet. */
  readonly isSorted?: true
  /** What came twice: paths in JSON, whole sentences in YAML. */
  readonly duplicates: readonly string[]
  /** Numbers of the value may be `NumberText`. */
  readonly hasNumberTexts?: boolean
  /** The JSON in which something came twice. */
  readonly text?: string
  /** Paths of keys that stand twice in the object that a patch makes. */
  readonly repeatsWithin?: readonly string[]
}

export interface DecodedBody extends BodyFindings {
  readonly value: Record<string, unknown>
}

const empty = new Uint8Array(0)
const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: false })

export function readBody(body: HttpBody): Maybe<Uint8Array> {
  if (body === null) return empty
  if (body instanceof Uint8Array) return checkSize(body)
  return collect(body)
}

const acceptedBodies = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** The format of a body that holds one whole object. */
export function bodyFormat(contentType: string | undefined, custom: boolean): BodyFormat {
  const type = isMediaType(contentType ?? '') ? mediaType(contentType) : 'none'
  switch (type) {
    case '':
    case 'application/json':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    case 'application/vnd.kubernetes.protobuf':
      if (!custom) return 'protobuf'
  }
  // Custom resources are told the same list, though no protobuf of theirs can be read.
  throw unsupportedMediaType(acceptedBodies)
}

const token = "[!#$%&'*+.^_`|~\\w-]+"
const typeWithParameters = new RegExp(
  `^\\s*${token}(?:/${token})?\\s*(?:;\\s*${token}\\s*=\\s*(?:${token}|"(?:[^"\\\\]|\\\\.)*")\\s*)*(?:;\\s*)?$`,
)

/** Parameters that cannot be read make a type that nobody knows; none at all is fine. */
function isMediaType(contentType: string): boolean {
  if (contentType.trim() === '') return true
  if (!typeWithParameters.test(contentType)) return false
  const names = [...contentType.matchAll(/;\s*([^=;"\s]+)\s*=/g)].map(([, name = '']) => name.toLowerCase())
  return new Set(names).size === names.length
}

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export interface ParsedBody extends BodyFindings {
  readonly value: unknown
}

/** Text to plain data; throws `JsonError`. In YAML numbers have no text of their own. */
export function parseBody(bytes: Uint8Array, format: 'json' | 'yaml', numbers: NumbersAs = 'values'): ParsedBody {
  if (format === 'yaml') return parseYaml(utf8.decode(bytes))
  // A mark at the beginning is no JSON.
  const text = Buffer.from(bytes).toString()
  const { value, hasNumberTexts } = parseJsonAs(numbers, text)
  const duplicates = isRecord(value) ? findDuplicates(text, value) : []
  return { value, hasNumberTexts, duplicates, ...(duplicates.length > 0 && { text }) }
}

/** A body that must be an object of some kind; `prefix` begins what is said of one that is not. Null is as good as empty. */
export function decodeText(bytes: Uint8Array, format: 'json' | 'yaml', prefix = '', numbers: NumbersAs = 'values'): DecodedBody {
  try {
    const { value, ...findings } = parseBody(bytes, format, numbers)
    if (value === null) return { value: {}, ...findings }
    if (!isRecord(value)) {
      const why = `json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`
      throw new JsonError(format === 'yaml' ? `error unmarshaling JSON: while decoding JSON: ${why}` : why)
    }
    return { value, ...findings }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw badRequest(prefix + (format === 'yaml' && error.message.startsWith('yaml: ') ? yamlPrefix : '') + error.message)
  }
}

const yamlPrefix = 'error converting YAML to JSON: '

/** What Go's decoder calls a JSON value. */
export function goKind(value: unknown): string {
  if (value instanceof NumberText) return 'number'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value
}

async function collect(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.byteLength
    if (size > bodyBytesMax) throw bodyTooLarge()
    chunks.push(chunk)
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}

function checkSize(body: Uint8Array): Uint8Array {
  if (body.byteLength > bodyBytesMax) throw bodyTooLarge()
  return body
}

function bodyTooLarge(): Error {
  return tooLarge(`Request entity too large: limit is ${bodyBytesMax}`)
}
