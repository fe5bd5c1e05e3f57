// Label and field selectors: text to a test, with the refusals of the API machinery.
import { labelValueErrors, qualifiedNameErrors } from './names.ts'

export class SelectorError extends Error {}

/** Far above what fits into a request, and read in some milliseconds. */
const selectorLengthMax = 262_144

function checkLength(text: string): void {
  if (text.length > selectorLengthMax) throw new SelectorError(`the selector is longer than ${selectorLengthMax} characters`)
}

export type Labels = Readonly<Record<string, string>>

export interface LabelRequirement {
  readonly key: string
  readonly operator: 'exists' | 'absent' | 'in' | 'notin' | 'gt' | 'lt'
  readonly values: readonly string[]
}

export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[]
  matches(labels: Labels | undefined): boolean
}

/** A LabelSelector as objects carry it: `matchLabels` and `matchExpressions`. */
export interface LabelSelectorObject {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
}

export function labelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  return { requirements, matches: labels => requirements.every(requirement => meets(requirement, labels)) }
}

/** Parses `a=b,c in (d,e),!f`. Throws `SelectorError`. */
export function parseLabelSelector(text: string): LabelSelector {
  checkLength(text)
  return labelSelector(new Parser(text).requirements())
}

/** An empty selector object matches everything; an absent one is the caller's business. */
export function selectorFromObject(object: LabelSelectorObject): LabelSelector {
  const requirements: LabelRequirement[] = Object.entries(object.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: 'in',
    values: [value],
  }))
  for (const { key, operator, values = [] } of object.matchExpressions ?? []) {
    const known = expressionOperators[operator]
    if (known === undefined) throw new SelectorError(`"${operator}" is not a valid label selector operator`)
    requirements.push({ key, operator: known, values })
  }
  return labelSelector(requirements)
}

const expressionOperators: Readonly<Record<string, LabelRequirement['operator'] | undefined>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: 'absent',
}

/** The text form, keys in order: what a Scale's `status.selector` holds. */
export function renderLabelSelector(selector: LabelSelector): string {
  const sorted = selector.requirements.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return sorted.map(renderRequirement).join(',')
}

function renderRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key
    case 'absent':
      return `!${key}`
    case 'gt':
      return `${key}>${values[0]}`
    case 'lt':
      return `${key}<${values[0]}`
    case 'in':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.toSorted().join(',')})`
    default:
      return `${key} notin (${values.toSorted().join(',')})`
  }
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels | undefined): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case 'exists':
      return value !== undefined
    case 'absent':
      return value === undefined
    case 'in':
      return value !== undefined && values.includes(value)
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'gt':
      return isInteger(value) && BigInt(value) > BigInt(values[0] as string)
    default:
      return isInteger(value) && BigInt(value) < BigInt(values[0] as string)
  }
}

function isInteger(value: string | undefined): value is string {
  return value !== undefined && /^-?\d{1,19}$/.test(value)
}

/** Recursive descent over tokens; every error names what was found and what was expected. */
class Parser {
  readonly #tokens: readonly string[]
  #position = 0

  constructor(text: string) {
    this.#tokens = text.match(/==|!=|[(),=!<>]|[^\s(),=!<>]+/g) ?? []
  }

  requirements(): LabelRequirement[] {
    const list: LabelRequirement[] = []
    if (this.#tokens.length === 0) return list
    for (;;) {
      list.push(this.#requirement())
      const token = this.#next()
      if (token === undefined) return list
      if (token !== ',') throw new SelectorError(`found '${token}', expected: ',' or 'end of string'`)
      const after = this.#peek()
      if (after === undefined || after === ',') throw new SelectorError(`found '${after ?? ''}', expected: identifier after ','`)
    }
  }

  #requirement(): LabelRequirement {
    if (this.#peek() === '!') {
      this.#position++
      const token = this.#peek()
      if (token === undefined || !isWord(token))
        throw new SelectorError(`unable to parse requirement: found '${token ?? ''}', expected: identifier`)
      return { key: this.#key(), operator: 'absent', values: [] }
    }
    const key = this.#key()
    const token = this.#peek()
    if (token === undefined || token === ',') return { key, operator: 'exists', values: [] }
    this.#position++
    switch (token) {
      case '=':
      case '==':
        return { key, operator: 'in', values: [this.#value(key)] }
      case '!=':
        return { key, operator: 'notin', values: [this.#value(key)] }
      case 'in':
      case 'notin':
        return { key, operator: token, values: this.#set(key) }
      case '>':
      case '<':
        return { key, operator: token === '>' ? 'gt' : 'lt', values: [this.#integer(key)] }
      default:
        throw new SelectorError(`unable to parse requirement: found '${token}', expected: in, notin, =, ==, !=, gt, lt`)
    }
  }

  #key(): string {
    const token = this.#next()
    if (token === undefined || !isWord(token)) {
      throw new SelectorError(`found '${token ?? ''}', expected: !, identifier, or 'end of string'`)
    }
    const [error] = qualifiedNameErrors(token)
    if (error !== undefined)
      throw new SelectorError(`unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(token)}: ${error}`)
    return token
  }

  #value(key: string): string {
    const token = this.#peek()
    if (token === undefined || token === ',') return ''
    this.#position++
    if (!isWord(token)) throw new SelectorError(`unable to parse requirement: found '${token}', expected: identifier`)
    return checkValue(key, token)
  }

  #integer(key: string): string {
    const value = this.#value(key)
    if (isInteger(value)) return value
    throw new SelectorError(
      `unable to parse requirement: values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
    )
  }

  #set(key: string): readonly string[] {
    const opening = this.#next()
    if (opening !== '(') throw new SelectorError(`unable to parse requirement: found '${opening ?? ''}' expected: '('`)
    const values: string[] = []
    let expectValue = true
    for (;;) {
      const token = this.#next()
      if (token === undefined) throw unfinished(values.length === 0, expectValue)
      if (token === ')') {
        if (expectValue) values.push('')
        return values
      }
      if (token === ',') {
        if (expectValue) values.push('')
        expectValue = true
        continue
      }
      if (!isWord(token) || !expectValue)
        throw new SelectorError(`unable to parse requirement: found '${token}', expected: ',', or ')'`)
      values.push(checkValue(key, token))
      expectValue = false
    }
  }

  #peek(): string | undefined {
    return this.#tokens[this.#position]
  }

  #next(): string | undefined {
    return this.#tokens[this.#position++]
  }
}

function isWord(token: string): boolean {
  return !/^[(),=!<>]/.test(token)
}

function checkValue(key: string, value: string): string {
  const [error] = labelValueErrors(value)
  if (error === undefined) return value
  throw new SelectorError(`unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${error}`)
}

export interface FieldRequirement {
  readonly field: string
  readonly equal: boolean
  readonly value: string
}

/** Parses `metadata.name=x,spec.nodeName!=y` with its escapes. Throws `SelectorError`. */
export function parseFieldSelector(text: string): readonly FieldRequirement[] {
  checkLength(text)
  return splitTerms(text)
    .filter(term => term !== '')
    .map(term => {
      const match = /^((?:[^=!\\]|\\.|!(?!=))*?)(==|!=|=)(.*)$/s.exec(term)
      if (match === null) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`)
      return { field: match[1] as string, equal: match[2] !== '!=', value: unescape(match[3] as string) }
    })
}

function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === ',') {
      terms.push(text.slice(start, index))
      start = index + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}

function unescape(value: string): string {
  let result = ''
  for (let index = 0; index < value.length; index++) {
    const character = value[index] as string
    if (character === '\\') {
      const next = value[++index]
      if (next === undefined || !'\\,='.includes(next))
        throw new SelectorError(`invalid field selector: invalid escape sequence: \\${next ?? ''}`)
      result += next
    } else if (character === '=') throw new SelectorError('invalid field selector: unescaped character in value: 61')
    else result += character
  }
  return result
}

/** A set of values ends in the middle: what might have come depends on how far it got. */
function unfinished(isEmpty: boolean, expectsValue: boolean): SelectorError {
  const expected = isEmpty ? "',', ')' or identifier" : expectsValue ? "',', or identifier" : "',' or ')'"
  return new SelectorError(`unable to parse requirement: found '', expected: ${expected}`)
}
