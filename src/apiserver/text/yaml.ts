// YAML as bodies use it: plain data, repeated keys told with their line, problems in the words of the usual YAML library for Go.
import { load, YAMLException } from 'js-yaml'
import { isCrowdedText, isRecord } from '#base'
import { JsonError, parseJson } from './json.ts'
import { repeatedKeys } from './json-keys.ts'

export interface ParsedYaml {
  readonly value: unknown
  /** As warnings tell them. */
  readonly duplicates: readonly string[]
}

/** YAML, or the JSON that it contains. Nothing at all is null. */
export function parseYaml(text: string): ParsedYaml {
  if (text.trimStart().startsWith('{')) {
    try {
      const value = parseJson(text)
      return {
        value: /\d{19}/.test(text) ? withFloats(value) : value,
        duplicates: repeatedKeys(text, value).map(({ key, line }) => repeated(line, key)),
      }
    } catch {
      // Flow-style YAML also begins with a brace.
    }
  }
  if (text.trim() === '') return { value: null, duplicates: [] }
  if (isCrowdedText(text, 10)) throw new JsonError('yaml: document holds too many entries')
  try {
    return { value: bounded(text, load(text)), duplicates: [] }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    if (error.reason === 'duplicated mapping key') return withRepeatedKey(text, error)
    throw new JsonError(`yaml: ${problemOf(error, text)}`)
  }
}

const [least, most] = [-(2n ** 63n), 2n ** 64n - 1n]

/** A whole number that no 64 bits hold is a floating one in YAML. */
function withFloats(value: unknown): unknown {
  if (typeof value === 'bigint') return value < least || value > most ? Number(value) : value
  if (Array.isArray(value)) return value.map(withFloats)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFloats(item)]))
}

/** The last of them counts, as in JSON. */
function withRepeatedKey(text: string, error: YAMLException): ParsedYaml {
  const line = error.mark?.line ?? 0
  const key = /^[\s{,-]*["']?([^"':\s]+)/.exec(text.split('\n')[line] ?? '')?.[1] ?? ''
  return { value: bounded(text, load(text, { json: true })), duplicates: [repeated(line + 1, key)] }
}

/**
 * The value, unless aliases make it larger than its text could be: what follows walks every part of it as often as it is named. A real
 * server allows an amount that depends on the text as well.
 */
function bounded(text: string, value: unknown): unknown {
  let left = text.length + 100_000
  const visit = (part: unknown): void => {
    if (--left < 0) throw new JsonError('yaml: document contains excessive aliasing')
    if (typeof part === 'object' && part !== null) for (const item of Object.values(part)) visit(item)
  }
  if (text.includes('*')) visit(value)
  return value
}

function repeated(line: number, key: string): string {
  return `line ${line}: key ${JSON.stringify(key)} already set in map`
}

function problemOf(error: YAMLException, text: string): string {
  const { reason } = error
  if (reason === 'null byte is not allowed in input' || reason === 'the stream contains non-printable characters')
    return 'control characters are not allowed'
  const alias = /^unidentified alias "(.*)"$/.exec(reason)
  if (alias !== null) return `unknown anchor '${alias[1]}' referenced`
  const line = error.mark?.line ?? 0
  if (reason === 'unexpected end of the stream within a flow collection')
    return `${onLine(text.trimEnd().split('\n').length)}did not find expected ${missing(text)}`
  if (reason === 'missed comma between flow collection entries') return `${onLine(line)}did not find expected ${separator(text)}`
  const told = words[reason]
  return told === undefined ? reason : `${onLine(line === 0 ? 0 : line + 1)}${told}`
}

/** That library counts lines from nought, and tells none for the first; the end of the text is on a line of its own. */
function onLine(line: number): string {
  return line === 0 ? '' : `line ${line}: `
}

const words: Readonly<Record<string, string>> = {
  'bad indentation of a mapping entry': 'mapping values are not allowed in this context',
  'bad indentation of a sequence entry': "did not find expected '-' indicator",
  'can not read a block mapping entry; a multiline key may not be an implicit key': "could not find expected ':'",
  'tab characters must not be used in indentation': 'found character that cannot start any token',
}

/** What a collection that never ends should have gone on with. */
function missing(text: string): string {
  return /[{[,:]\s*$/.test(text) ? 'node content' : separator(text)
}

function separator(text: string): string {
  return text.lastIndexOf('{') > text.lastIndexOf('[') ? "',' or '}'" : "',' or ']'"
}
