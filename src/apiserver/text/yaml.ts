// YAML as bodies use it: plain data, repeated keys told with their line, problems in the words of the usual YAML library for Go.
import { type LoadOptions, load, YAMLException } from 'js-yaml'
import { isCrowdedText, isRecord } from '#base'
import { exactYaml } from '#kube'
import { JsonError, parseJson } from './json.ts'
import { repeatedKeys } from './json-keys.ts'
import { repeatedYamlKeys } from './yaml-keys.ts'

export interface ParsedYaml {
  readonly value: unknown
  /** As warnings tell them. */
  readonly duplicates: readonly string[]
  /** It goes on by the alphabet, whatever the order of its keys. */
  readonly isSorted: true
}

/** YAML, or the JSON that it contains. Nothing at all is null, and of several documents the first counts. */
export function parseYaml(stream: string): ParsedYaml {
  const text = firstDocument(stream)
  if (text.startsWith('%')) checkDirectives(text.slice(0, text.search(/^---/m)))
  if (text.trimStart().startsWith('{')) {
    try {
      const value = parseJson(text)
      return {
        value: /\d{19}/.test(text) ? withFloats(value) : value,
        isSorted: true,
        duplicates: repeatedKeys(text, value).map(({ key, line }) => repeated(line, key)),
      }
    } catch {
      // Flow-style YAML also begins with a brace.
    }
  }
  if (text.trim() === '') return { value: null, isSorted: true, duplicates: [] }
  if (isCrowdedText(text, 10)) throw new JsonError('yaml: document holds too many entries')
  try {
    return { value: loaded(text), isSorted: true, duplicates: [] }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    if (error.reason === 'duplicated mapping key') return withRepeatedKeys(text, error)
    const end = endOfFlow(text, error)
    if (end !== undefined) return parseYaml(text.slice(0, end))
    throw new JsonError(`yaml: ${problemOf(error, text)}`)
  }
}

const marker = /^(?:---|\.\.\.)(?=\s|$)/gm

/** Of the version that the server's library reads. */
function checkDirectives(text: string): void {
  for (const [line, name] of text.matchAll(/^%(\S*).*$/gm)) {
    if (name !== 'YAML' && name !== 'TAG') throw new JsonError('yaml: found unknown directive name')
    if (name === 'YAML' && !/^%YAML\s+1\.1(?:\s|$)/.test(line)) throw new JsonError('yaml: found incompatible YAML document')
  }
}

/** What is no document yet: an empty line, a comment, a directive. */
const beforeDocument = /^(?:\s*(?:#.*)?|%.*)$/

/** Up to the mark behind it: whatever comes after is read by nobody. */
function firstDocument(stream: string): string {
  let isIn = false
  let from = 0
  for (const { 0: mark, index } of stream.matchAll(marker)) {
    isIn ||= stream
      .slice(from, index)
      .split('\n')
      .some(line => !beforeDocument.test(line))
    if (isIn) return stream.slice(0, index)
    isIn = mark === '---'
    from = index + mark.length
  }
  return stream
}

/** Where a map or a list in brackets ends, that is followed by something. */
function endOfFlow(text: string, { reason, mark }: YAMLException): number | undefined {
  const isFlow = /^\s*[{[]/.test(text) && reason === 'end of the stream or a document separator is expected'
  // What cannot begin anything is met before anybody sees that the map is whole.
  return isFlow && mark !== undefined && /^[^"'@`%]/.test(text.slice(mark.position)) ? mark.position : undefined
}

const [least, most] = [-(2n ** 63n), 2n ** 64n - 1n]

/** A whole number that no 64 bits hold is a floating one in YAML. */
function withFloats(value: unknown): unknown {
  if (typeof value === 'bigint') return value < least || value > most ? Number(value) : value
  if (Array.isArray(value)) return value.map(withFloats)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFloats(item)]))
}

function loaded(text: string, options: LoadOptions = {}): unknown {
  return finite(text, bounded(text, load(text, { schema: exactYaml, ...options })))
}

/** The last of them counts, as in JSON. Where two ways to write one key are meant, the one that was met is told. */
function withRepeatedKeys(text: string, { mark }: YAMLException): ParsedYaml {
  const value = loaded(text, { json: true })
  const found = repeatedYamlKeys(text)
  const { line = 0, position = 0 } = mark ?? {}
  const met = { line: line + 1, key: /^[^"':,{}\n]*/.exec(text.slice(position))?.[0].trim() ?? '' }
  return { value, isSorted: true, duplicates: (found.length > 0 ? found : [met]).map(({ line, key }) => repeated(line, key)) }
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

/** Some numbers of YAML are none of JSON. */
function finite(text: string, value: unknown): unknown {
  const visit = (part: unknown): void => {
    if (typeof part === 'number' && !Number.isFinite(part)) throw new JsonError(`json: unsupported value: ${shown(part)}`)
    if (typeof part === 'object' && part !== null) for (const item of Object.values(part)) visit(item)
  }
  if (/\.(?:inf|nan)/i.test(text)) visit(value)
  return value
}

function shown(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value < 0 ? '-Inf' : '+Inf'
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
