// The front of the readers: bytes in any of the accepted formats to one ServiceModel. Formats are told apart by content, never by
// file name; the result is the same for the same service whichever format it came in, and same bytes give the same result.

import { gunzipSync } from 'node:zlib'
import type { Protocol, ServiceModel } from '#aws'
import { JsonTextError, parseJsonText, placeOf } from '#base'
import { readC2j } from './c2j.ts'
import { isRecord, type JsonRecord } from './json.ts'
import { ModelError } from './model-error.ts'
import type { ModelReadContext } from './read-context.ts'
import { checkReferences } from './references.ts'
import { readSmithy } from './smithy.ts'

export interface ReadModelOptions {
  /** Named in errors. */
  readonly file?: string
  /** Keep the descriptions (HTML). Default: leave them out, since what we commit carries none. */
  readonly documentation?: boolean
  /** Choose this one of the protocols that the service lists, instead of the preferred one. */
  readonly protocol?: Protocol
  /** `docs-2.json` beside a C2J model that carries no descriptions itself. */
  readonly docs?: string | Uint8Array
  /** `paginators-1.json` beside a C2J model. A Smithy model says it itself. */
  readonly paginators?: string | Uint8Array
}

/** No model is near this size (the largest, EC2, is 12 MB); a gzip bomb is. */
const modelBytesMax = 256 * 1024 * 1024

/** Reads a Smithy JSON AST or a C2J model (plain or gzipped). Throws `ModelError`. */
export function readModel(content: string | Uint8Array, options: ReadModelOptions = {}): ServiceModel {
  const file = options.file ?? 'model'
  const document = parseJson(content, file)
  const context: ModelReadContext = {
    file,
    documentation: options.documentation ?? false,
    protocol: options.protocol,
    docs: options.docs === undefined ? undefined : parseJson(options.docs, `docs of ${file}`),
    paginators: options.paginators === undefined ? undefined : parseJson(options.paginators, `paginators of ${file}`),
  }
  const model = formatOf(document, file) === 'smithy' ? readSmithy(document, context) : readC2j(document, context)
  checkReferences(model, file)
  return model
}

function formatOf(document: JsonRecord, file: string): 'smithy' | 'c2j' {
  if (typeof document['smithy'] === 'string' && isRecord(document['shapes'])) return 'smithy'
  if (isRecord(document['metadata']) && isRecord(document['operations']) && isRecord(document['shapes'])) return 'c2j'
  throw new ModelError(
    'unknown-format',
    `${file}: neither a Smithy JSON AST ("smithy" and "shapes") nor a C2J model ("metadata", "operations" and "shapes")`,
  )
}

function parseJson(content: string | Uint8Array, file: string): JsonRecord {
  const text = typeof content === 'string' ? content : decode(content, file)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ModelError('not-json', `${file}: not JSON${whereItBreaks(text)}`, { cause: error })
  }
  if (!isRecord(value)) throw new ModelError('unknown-format', `${file}: expected a JSON object at the top`)
  return value
}

function decode(content: Uint8Array, file: string): string {
  const isGzip = content[0] === 0x1f && content[1] === 0x8b
  try {
    const bytes = isGzip ? gunzipSync(content, { maxOutputLength: modelBytesMax }) : content
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new ModelError('not-json', `${file}: ${isGzip ? 'cannot be unpacked' : 'not UTF-8 text'}`, { cause: error })
  }
}

/** The line and column where it breaks, and what was expected there: the engine's own message rarely says. */
function whereItBreaks(text: string): string {
  try {
    parseJsonText(text)
    return ''
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    const { line, column } = placeOf(text, error.at)
    return ` at line ${line}, column ${column}: ${error.message}`
  }
}
