// A second evaluator, written for the tests alone: straight from the rules, on the raw documents, with regular expressions, and
// without a line of the real one. Slow and plain on purpose.

export type Json = Readonly<Record<string, unknown>>

export interface NaiveCase {
  readonly action: string
  readonly resource: string
  readonly resourceAccount: string
  readonly caller: NaiveCaller
  readonly context: ReadonlyMap<string, readonly string[]>
  readonly identity: readonly Json[]
  readonly boundary: Json | undefined
  readonly session: readonly Json[]
  readonly resourcePolicy: Json | undefined
}

export type NaiveCaller =
  | { readonly kind: 'user'; readonly account: string; readonly arn: string }
  | { readonly kind: 'session'; readonly account: string; readonly arn: string; readonly roleArn: string }
  | { readonly kind: 'anonymous' }

export type NaiveDecision = 'allowed' | 'explicit deny' | 'implicit deny'

export function naiveDecision(question: NaiveCase): NaiveDecision {
  const { identity, boundary, session, resourcePolicy, caller } = question
  const own = caller.kind === 'anonymous' ? [] : [...identity, ...(boundary === undefined ? [] : [boundary]), ...session]
  const all = [...own, ...(resourcePolicy === undefined ? [] : [resourcePolicy])]
  if (all.some(document => matching(document, question, 'Deny').length > 0)) return 'explicit deny'
  return isAllowed(question) ? 'allowed' : 'implicit deny'
}

function isAllowed(question: NaiveCase): boolean {
  const { identity, boundary, session, resourcePolicy, caller } = question
  const allows = (documents: readonly Json[]): boolean =>
    documents.some(document => matching(document, question, 'Allow').length > 0)
  const named = new Set(
    resourcePolicy === undefined
      ? []
      : matching(resourcePolicy, question, 'Allow').flatMap(statement => namings(statement, caller)),
  )
  if (caller.kind === 'anonymous') return named.has('anyone')
  const inLimits = (boundary === undefined || allows([boundary])) && (session.length === 0 || allows(session))
  if (caller.account !== question.resourceAccount) return named.size > 0 && allows(identity) && inLimits
  if (named.has('caller') || (named.has('anyone') && caller.kind === 'user')) return true
  if (named.has('role') || named.has('anyone')) return inLimits
  return allows(identity) && inLimits
}

/** All ways in which a statement's principals name the caller. */
function namings(statement: Json, caller: NaiveCaller): string[] {
  const found: string[] = []
  const element = statement['Principal'] ?? statement['NotPrincipal']
  const values = element === '*' ? ['*'] : list((element as Json)['AWS'])
  for (const value of values) {
    if (value === '*') found.push('anyone')
    if (caller.kind === 'anonymous') continue
    if (value === caller.arn) found.push('caller')
    if (value === caller.account || value === `arn:aws:iam::${caller.account}:root`) found.push('account')
    if (caller.kind === 'session' && value === caller.roleArn) found.push('role')
  }
  if (statement['NotPrincipal'] === undefined) return found
  return found.length === 0 ? ['anyone'] : []
}

function matching(document: Json, question: NaiveCase, effect: string): Json[] {
  return (list(document['Statement']) as Json[]).filter(statement => {
    if (statement['Effect'] !== effect) return false
    const actions = list(statement['Action'] ?? statement['NotAction']) as string[]
    if (actions.some(pattern => glob(pattern, 'i').test(question.action)) === (statement['Action'] === undefined)) return false
    if ((statement['Principal'] ?? statement['NotPrincipal']) !== undefined && namings(statement, question.caller).length === 0)
      return false
    const resources = list(statement['Resource'] ?? statement['NotResource']) as string[]
    if (resources.length > 0) {
      const covered = resources.some(pattern => fillPattern(pattern, document, question)?.test(question.resource) ?? false)
      if (covered === (statement['Resource'] === undefined)) return false
    }
    return Object.entries((statement['Condition'] ?? {}) as Json).every(([operator, keys]) =>
      Object.entries(keys as Json).every(([key, values]) => holds(operator, key, list(values).map(String), document, question)),
    )
  })
}

function holds(written: string, key: string, wanted: readonly string[], document: Json, question: NaiveCase): boolean {
  const given = question.context.get(key.toLowerCase())
  const all = written.startsWith('ForAllValues:')
  const any = written.startsWith('ForAnyValue:')
  const ifExists = written.endsWith('IfExists')
  const operator = written.replace(/^For(?:All|Any)Value(?:s)?:/, '').replace(/IfExists$/, '')
  if (operator === 'Null') return wanted.some(value => (value === 'true') === (given === undefined))
  const negative = /Not/.test(operator)
  const positive = operator.replace('Not', '')
  if (given === undefined) return ifExists || all || (!any && negative)
  const one = (value: string): boolean => wanted.some(text => compare(positive, value, text, document, question))
  if (all) return given.every(value => one(value) !== negative)
  if (any) return given.some(value => one(value) !== negative)
  return negative ? !given.some(one) : given.some(one)
}

function compare(operator: string, given: string, wanted: string, document: Json, question: NaiveCase): boolean {
  const filled = fillText(wanted, document, question)
  switch (operator) {
    case 'StringEquals':
    case 'BinaryEquals':
      return filled === given
    case 'StringEqualsIgnoreCase':
    case 'Bool':
      return filled?.toLowerCase() === given.toLowerCase()
    case 'StringLike':
      return fillPattern(wanted, document, question)?.test(given) ?? false
    case 'ArnEquals':
    case 'ArnLike':
      return arnLike(wanted, given, document, question)
    case 'IpAddress':
      return filled !== undefined && inRange(given, filled)
    default:
      return filled !== undefined && ordered(operator, given, filled)
  }
}

function ordered(operator: string, given: string, wanted: string): boolean {
  const read = (text: string): number =>
    operator.startsWith('Date')
      ? /^-?\d+$/.test(text)
        ? Number(text) * 1000
        : /^\d{4}-/.test(text)
          ? Date.parse(text)
          : Number.NaN
      : /^[-+]?[\d.]+$/.test(text)
        ? Number(text)
        : Number.NaN
  const [a, b] = [read(given), read(wanted)]
  switch (operator.replace(/^(?:Numeric|Date)/, '')) {
    case 'Equals':
      return a === b
    case 'LessThan':
      return a < b
    case 'LessThanEquals':
      return a <= b
    case 'GreaterThan':
      return a > b
    case 'GreaterThanEquals':
      return a >= b
    default:
      throw new Error(`the naive evaluator does not know ${operator}`)
  }
}

function inRange(address: string, range: string): boolean {
  const bits = (text: string): string | undefined =>
    /^\d+(\.\d+){3}$/.test(text)
      ? text
          .split('.')
          .map(part => Number(part).toString(2).padStart(8, '0'))
          .join('')
      : undefined
  const [base = '', length = '32'] = range.split('/')
  const [a, b] = [bits(address), bits(base)]
  return a !== undefined && b !== undefined && a.slice(0, Number(length)) === b.slice(0, Number(length))
}

function arnLike(wanted: string, given: string, document: Json, question: NaiveCase): boolean {
  const pieces = (text: string): string[] => {
    const parts = text.split(':')
    return parts.length < 6 ? [] : [...parts.slice(0, 5), parts.slice(5).join(':')]
  }
  const filled = fillSource(wanted, document, question)
  if (filled === undefined) return false
  // Variables of these tests never hold a colon, so cutting before filling in is the same as after.
  const [a, b] = [pieces(filled.replace(/\\:/g, ':')), pieces(given)]
  return a.length === 6 && b.length === 6 && a.every((piece, index) => new RegExp(`^${piece}$`, 's').test(b[index] as string))
}

const single = (key: string, question: NaiveCase): string | undefined => {
  const values = question.context.get(key.toLowerCase())
  return values?.length === 1 ? values[0] : undefined
}

/** The text with its variables filled in, wildcards left as they are. */
function fillText(text: string, document: Json, question: NaiveCase): string | undefined {
  if (document['Version'] !== '2012-10-17') return text
  let missing = false
  const filled = text.replace(
    /\$\{(?:([*?$])|([^,{}\s]+)(?:,\s*'([^']*)')?)\}/g,
    (_, literal?: string, key?: string, fallback?: string) => {
      if (literal !== undefined) return literal
      const value = single(key as string, question) ?? fallback
      if (value === undefined) missing = true
      return value ?? ''
    },
  )
  return missing ? undefined : filled
}

/** A regular expression's source: wildcards of the text become wildcards, those of variables' values do not. */
function fillSource(text: string, document: Json, question: NaiveCase): string | undefined {
  const parts = document['Version'] === '2012-10-17' ? text.split(/(\$\{[^{}]*\})/) : [text]
  let source = ''
  for (const part of parts) {
    if (document['Version'] === '2012-10-17' && part.startsWith('${')) {
      const filled = fillText(part, document, question)
      if (filled === undefined) return undefined
      source += escape(filled)
    } else source += wild(part)
  }
  return source
}

function fillPattern(text: string, document: Json, question: NaiveCase): RegExp | undefined {
  const source = fillSource(text, document, question)
  return source === undefined ? undefined : new RegExp(`^${source}$`, 's')
}

function glob(pattern: string, flags = ''): RegExp {
  return new RegExp(`^${wild(pattern)}$`, `s${flags}`)
}

function wild(text: string): string {
  return escape(text).replace(/\\\*/g, '.*').replace(/\\\?/g, '.')
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function list(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}
