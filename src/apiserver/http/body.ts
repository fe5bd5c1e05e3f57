// Bodies: read with a bound, decoded by media type, checked against the field validation that the client asked for.

import { load, YAMLException } from 'js-yaml'
import type { HttpBody } from '#base'
import { isRecord } from '../draft.ts'
import type { Maybe } from '../maybe.ts'
import { badRequest, tooLarge, unsupportedMediaType } from '../refusals.ts'
import { findDuplicates, JsonError, parseJson } from './json.ts'

export const bodyBytesMax = 3_145_728

export type BodyFormat = 'json' | 'yaml' | 'protobuf'

export interface Decoded {
  readonly value: Record<string, unknown>
  /** Paths of keys that came twice. */
  readonly duplicates: readonly string[]
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
  const type = mediaType(contentType)
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

export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export function decodeText(bytes: Uint8Array, format: 'json' | 'yaml', prefix = ''): Decoded {
  const text = utf8.decode(bytes)
  try {
    const value = format === 'json' ? parseJson(text) : parseYaml(text)
    if (!isRecord(value)) {
      throw new JsonError(`json: cannot unmarshal ${describe(value)} into Go value of type map[string]interface {}`)
    }
    return { value, duplicates: format === 'json' ? findDuplicates(text, value) : [] }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    throw badRequest(prefix + error.message)
  }
}

/** YAML, or the JSON that it contains; without aliases, whose expansion has no bound. */
export function parseYaml(text: string): unknown {
  const trimmed = text.trimStart()
  if (trimmed.startsWith('{')) {
    try {
      return parseJson(text)
    } catch {
      // Flow-style YAML also begins with a brace.
    }
  }
  try {
    return load(text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const reason = error.reason === 'null byte is not allowed in input' ? 'control characters are not allowed' : error.reason
    throw new JsonError(`error converting YAML to JSON: yaml: ${reason}`)
  }
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

function describe(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
