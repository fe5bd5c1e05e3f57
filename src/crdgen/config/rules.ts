// Rules that turn placed YAML into typed values. Strict: what no rule names is refused with its line and the nearest name.
import { didYouMean } from '#base'
import { InferError, type InferErrorCode } from '../infer-error.ts'
import { lineOf, type YamlDocument, type YamlNode } from './yaml.ts'

export interface RulePlace {
  readonly document: YamlDocument
  /** Dotted keys from the top. */
  readonly path: string
  /** Takes what is worth saying and stops nobody. */
  readonly warn: (warning: string) => void
}

export type Rule<T> = (node: YamlNode, place: RulePlace) => T

export const text: Rule<string> = (node, place) => {
  if (node.kind === 'scalar' && node.value !== null) return node.text
  throw refuse(node, place, `expected text, found ${nameOf(node)}`)
}

export const flag: Rule<boolean> = (node, place) => {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value
  throw refuse(node, place, `expected true or false, found ${nameOf(node)}`)
}

export const whole: Rule<number> = (node, place) => {
  if (node.kind === 'scalar' && typeof node.value === 'number' && Number.isSafeInteger(node.value)) return node.value
  throw refuse(node, place, `expected a whole number, found ${nameOf(node)}`)
}

/** Present or not, is all that counts. */
export const opaque: Rule<unknown> = () => true

/** One of a few words. */
export function oneOf<T extends string>(...words: readonly T[]): Rule<T> {
  return (node, place) => {
    const given = text(node, place)
    const found = words.find(word => word === given)
    if (found !== undefined) return found
    throw refuse(node, place, `"${given}" is none of ${words.join(', ')}${didYouMean(given, words)}`)
  }
}

export function listOf<T>(rule: Rule<T>): Rule<readonly T[]> {
  return (node, place) => {
    if (node.kind !== 'list') throw refuse(node, place, `expected a list, found ${nameOf(node)}`)
    return node.items
      .map((item, index) => [item, index] as const)
      .filter(([item]) => !isNull(item))
      .map(([item, index]) => rule(item, { ...place, path: `${place.path}[${index}]` }))
  }
}

/** A list; anything else passes with a warning, and says nothing. */
export function listOrNothing<T>(rule: Rule<T>, why: string): Rule<readonly T[]> {
  return (node, place) => {
    if (node.kind === 'list') return listOf(rule)(node, place)
    place.warn(`${lineOf(place.document, node.at)}: ${why}`)
    return []
  }
}

/** One text or a list of texts. */
export const texts: Rule<readonly string[]> = (node, place) =>
  node.kind === 'list' ? listOf(text)(node, place) : [text(node, place)]

/** A map with free keys. Keys without a value read as an empty map, so `Policy:` alone is allowed. */
export function mapOf<T>(rule: Rule<T>): Rule<ReadonlyMap<string, T>> {
  return (node, place) => {
    if (node.kind !== 'map') throw refuse(node, place, `expected keys and values, found ${nameOf(node)}`)
    const read = [...node.entries].map(([key, { value, keyAt }]): [string, T] => {
      const path = place.path === '' ? key : `${place.path}.${key}`
      return [key, rule(isNull(value) ? { kind: 'map', at: keyAt, entries: new Map(), weight: 1 } : value, { ...place, path })]
    })
    return new Map(read)
  }
}

type Rules<T> = { readonly [K in keyof T]-?: Rule<Exclude<T[K], undefined>> }

/**
 * Exactly these keys, each optional; a key without a value counts as absent. `past` are keys that published configs still hold though
 * nothing reads them any more, each with what to write instead: they pass with a warning.
 */
export function object<T extends object>(rules: Rules<T>, past: Readonly<Record<string, string>> = {}): Rule<T> {
  const known = Object.keys(rules)
  return (node, place) => {
    if (node.kind !== 'map') throw refuse(node, place, `expected keys and values, found ${nameOf(node)}`)
    const result: Partial<T> = {}
    for (const [key, { value, keyAt }] of node.entries) {
      if (Object.hasOwn(past, key)) {
        place.warn(`${lineOf(place.document, keyAt)}: "${key}" says nothing (${past[key]})`)
        continue
      }
      if (!Object.hasOwn(rules, key)) {
        const where = place.path === '' ? 'at the top' : `in "${place.path}"`
        const list = known.length <= 12 ? `; known are ${known.join(', ')}` : ''
        throw refusal('unknown-key', {
          document: place.document,
          at: keyAt,
          problem: `unknown key "${key}" ${where}${didYouMean(key, known) || list}`,
        })
      }
      if (isNull(value)) continue
      const name = key as keyof T
      result[name] = rules[name](value, { ...place, path: place.path === '' ? key : `${place.path}.${key}` })
    }
    // Every key is optional in the types these rules are for; required ones are checked where they are used.
    return result as T
  }
}

/** An object whose type needs some of its keys. */
export function needing<T extends object>(rule: Rule<T>, ...keys: readonly (keyof T & string)[]): Rule<T> {
  return (node, place) => {
    const value = rule(node, place)
    const missing = keys.find(key => value[key] === undefined)
    if (missing === undefined) return value
    throw refuse(node, place, `"${missing}" is missing`)
  }
}

export function refusal(
  code: InferErrorCode,
  { document, at, problem }: { readonly document: YamlDocument; readonly at: number; readonly problem: string },
): InferError {
  return new InferError(code, `${lineOf(document, at)}: ${problem}`)
}

function refuse(node: YamlNode, { document, path }: RulePlace, problem: string): InferError {
  return refusal('wrong-type', { document, at: node.at, problem: `${path === '' ? 'the config' : `"${path}"`}: ${problem}` })
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null
}

function nameOf(node: YamlNode): string {
  if (node.kind === 'list') return 'a list'
  if (node.kind === 'map') return 'keys and values'
  if (node.value === null) return 'nothing'
  return typeof node.value === 'string' ? `"${node.text.slice(0, 40)}"` : node.text
}
