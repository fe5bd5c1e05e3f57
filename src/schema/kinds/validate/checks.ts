// Checks that many kinds share, in the server's words.
import { dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from '#kube'
import { type FieldError, fieldError } from '../../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../../json.ts'

export type Errors = FieldError[]

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

export function listOf(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : []
}

/** Calls back for each object of a list. */
export function eachItem(
  value: Json | undefined,
  at: string,
  visit: (item: JsonObject, at: string, index: number) => void,
): void {
  listOf(value).forEach((item, index) => {
    if (isObject(item)) visit(item, `${at}[${index}]`, index)
  })
}

/** Tells of one value after the other whether it stood before. */
export function repeats(): (value: Json) => boolean {
  const before = new Set<Json>()
  return value => before.size === before.add(value).size
}

export function say(errors: Errors, at: string, value: Json | undefined, problems: readonly string[]): void {
  for (const problem of problems) errors.push(fieldError.invalid(at, value, problem))
}

export function nonNegative(value: Json | undefined, at: string, errors: Errors): void {
  if (typeof value === 'number' && value < 0) errors.push(fieldError.invalid(at, value, 'must be greater than or equal to 0'))
}

export function oneOf(value: Json | undefined, at: string, allowed: readonly string[], errors: Errors): void {
  if (value !== undefined && !allowed.includes(text(value))) errors.push(fieldError.notSupported(at, value, allowed))
}

export function portNumber(value: Json | undefined, at: string, errors: Errors): void {
  if (typeof value === 'number' && (value < 1 || value > 65535))
    errors.push(fieldError.invalid(at, value, 'must be between 1 and 65535, inclusive'))
}

/** Of a port that goes by a name. */
export function portNameErrors(name: string): readonly string[] {
  const errors: string[] = []
  if (name.length > 15) errors.push('must be no more than 15 characters')
  if (!/^[-a-z0-9]+$/.test(name)) errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(name)) errors.push('must contain at least one letter (a-z)')
  if (name.includes('--')) errors.push('must not contain consecutive hyphens')
  if (/^-|-$/.test(name)) errors.push('must not begin or end with a hyphen')
  return errors
}

const pathText = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"

/** Who acts on an object calls himself by a domain and a path. */
export function domainPrefixedPath(value: string, at: string, errors: Errors): void {
  const [, domain, path] = /^([^/]*)\/(.*)$/s.exec(value) ?? []
  if (domain === undefined || domain === '' || path === undefined || path === '') {
    errors.push(fieldError.invalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")'))
    return
  }
  say(errors, at, domain, dnsSubdomainErrors(domain))
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) errors.push(fieldError.invalid(at, path, pathText))
}

export function between(value: Json | undefined, at: string, [least, most]: readonly [number, number], errors: Errors): void {
  if (typeof value !== 'number') return
  if (value < least)
    errors.push(fieldError.invalid(at, value, `must be greater than ${least === 1 ? 'zero' : 'or equal to zero'}`))
  if (value > most) errors.push(fieldError.invalid(at, value, `must be less than or equal to ${most}`))
}

export function qualifiedKeys(labels: Json | undefined, at: string, errors: Errors): void {
  for (const [key, value] of Object.entries(objectOf(labels))) {
    say(errors, at, key, qualifiedNameErrors(key))
    say(errors, at, value, labelValueErrors(text(value)))
  }
}

/** A list as the server's own type has it, for a refusal that shows it; one that is not there is nothing. */
export function shownList(list: Json | undefined, shown: (item: JsonObject) => Json): Json {
  return isList(list) ? list.map(item => shown(objectOf(item))) : null
}

/** Immutable fields say so in one form everywhere. */
export function immutable(value: Json | undefined, old: Json | undefined, at: string, errors: Errors): void {
  if (JSON.stringify(sorted(value)) !== JSON.stringify(sorted(old)))
    errors.push(fieldError.invalid(at, value, 'field is immutable'))
}

function sorted(value: Json | undefined): unknown {
  if (isList(value)) return value.map(sorted)
  if (!isObject(value)) return typeof value === 'bigint' ? String(value) : (value ?? null)
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map(key => [key, sorted(value[key])]),
  )
}
