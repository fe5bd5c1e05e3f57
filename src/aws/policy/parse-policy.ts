// Text to policy document, by the rules that AWS applies when a document is stored. Every problem is reported with its place in the
// text and its path in the document, not only the first: a document is mended in one round.
import { type JsonNode, JsonTextError, parseJsonText, placeOf, type TextPlace } from '#base'
import {
  type Conditions,
  type OneOrMany,
  type PolicyDocument,
  type PolicyPrincipal,
  type PolicyUse,
  type PrincipalKind,
  principalKinds,
  type Statement,
} from './policy-document.ts'

export type PolicyProblemCode =
  | 'not-json'
  | 'too-large'
  | 'wrong-type'
  | 'unknown-key'
  | 'duplicate-key'
  | 'bad-version'
  | 'bad-effect'
  | 'bad-sid'
  | 'duplicate-sid'
  | 'no-statement'
  | 'missing-principal'
  | 'prohibited-principal'
  | 'bad-principal'
  | 'missing-action'
  | 'bad-action'
  | 'not-sts-action'
  | 'missing-resource'
  | 'prohibited-resource'
  | 'bad-resource'
  | 'bad-condition'
  | 'both-forms'
  | 'bad-character'

export interface PolicyProblem extends TextPlace {
  readonly code: PolicyProblemCode
  /** Such as `Statement[1].Condition.StringEquals["aws:x"]`; empty for the document itself. */
  readonly path: string
  readonly message: string
}

export type ParsedPolicy =
  | { readonly document: PolicyDocument; readonly problems?: undefined }
  | { readonly document?: undefined; readonly problems: readonly PolicyProblem[] }

/** Far above what AWS stores, and small enough that nobody stalls us with one. */
const policyBytesMax = 262_144
/** A document with more mistakes than this is no document; the list stays readable. */
const problemsMax = 50

/** Never throws. */
export function parsePolicy(text: string, use: PolicyUse): ParsedPolicy {
  if (text.length > policyBytesMax) {
    const message = `the document is longer than ${policyBytesMax} characters`
    return { problems: [{ code: 'too-large', path: '', message, ...placeOf('', 0) }] }
  }
  let root: JsonNode
  try {
    root = parseJsonText(text)
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error
    return { problems: [{ code: 'not-json', path: '', message: error.message, ...placeOf(text, error.at) }] }
  }
  const reader = new PolicyReader(text, use)
  const document = reader.document(root)
  return document === undefined || reader.problems.length > 0 ? { problems: reader.problems } : { document }
}

type ObjectNode = Extract<JsonNode, { kind: 'object' }>

const actionPattern = /^(\*|[A-Za-z0-9-]+:[A-Za-z0-9*?_-]+)$/
const operatorPattern =
  /^(?:ForAllValues:|ForAnyValue:)?(?:String(?:Not)?(?:Equals|EqualsIgnoreCase|Like)|Numeric(?:Not)?Equals|NumericLessThan(?:Equals)?|NumericGreaterThan(?:Equals)?|Date(?:Not)?Equals|DateLessThan(?:Equals)?|DateGreaterThan(?:Equals)?|Bool|BinaryEquals|(?:Not)?IpAddress|Arn(?:Not)?(?:Equals|Like))(?:IfExists)?$|^Null$/
// AWS takes tab, line feed, carriage return, and U+0020 to U+00FF.
const refusedText = /[^\t\n\r\u0020-\u00ff]/

class PolicyReader {
  readonly problems: PolicyProblem[] = []
  readonly #text: string
  readonly #use: PolicyUse

  constructor(text: string, use: PolicyUse) {
    this.#text = text
    this.#use = use
    const at = text.search(refusedText)
    if (at >= 0) {
      this.#report('bad-character', { at, path: '' }, 'AWS takes only characters up to U+00FF in a policy')
    }
  }

  document(root: JsonNode): PolicyDocument | undefined {
    if (root.kind !== 'object') {
      this.#report('wrong-type', { at: root.at, path: '' }, `expected an object, found ${nameOf(root)}`)
      return undefined
    }
    const members = this.#members(root, '', ['Version', 'Id', 'Statement'])
    const version = this.#version(members.get('Version'))
    const id = this.#text_(members.get('Id'), 'Id')
    const statements = this.#statements(members.get('Statement'), root)
    return { ...(version && { version }), ...(id !== undefined && { id }), statements }
  }

  #version(node: JsonNode | undefined): PolicyDocument['version'] {
    if (node === undefined) return undefined
    const value = node.kind === 'string' ? node.value : undefined
    if (value === '2012-10-17' || value === '2008-10-17') return value
    this.#report('bad-version', { at: node.at, path: 'Version' }, 'expected "2012-10-17" or "2008-10-17"')
    return undefined
  }

  #statements(node: JsonNode | undefined, root: JsonNode): readonly Statement[] {
    if (node === undefined || (node.kind === 'array' && node.items.length === 0)) {
      this.#report('no-statement', { at: node?.at ?? root.at, path: 'Statement' }, 'at least one statement is needed')
      return []
    }
    const items = node.kind === 'array' ? node.items : [node]
    const sids = new Set<string>()
    return items.flatMap((item, index) => {
      const path = node.kind === 'array' ? `Statement[${index}]` : 'Statement'
      const statement = this.#statement(item, path)
      if (statement?.sid !== undefined && statement.sid !== '') {
        const problem = `the Sid "${statement.sid}" is used twice`
        if (sids.has(statement.sid)) this.#report('duplicate-sid', { at: item.at, path: `${path}.Sid` }, problem)
        sids.add(statement.sid)
      }
      return statement === undefined ? [] : [statement]
    })
  }

  #statement(node: JsonNode, path: string): Statement | undefined {
    if (node.kind !== 'object') {
      this.#report('wrong-type', { at: node.at, path }, `expected an object, found ${nameOf(node)}`)
      return undefined
    }
    const members = this.#members(node, path, statementKeys)
    const statement = {
      sid: this.#sid(members.get('Sid'), path),
      effect: this.#effect(members.get('Effect'), { at: node.at, path }),
      principal: this.#principal(members.get('Principal'), `${path}.Principal`),
      notPrincipal: this.#principal(members.get('NotPrincipal'), `${path}.NotPrincipal`),
      action: this.#actions(members.get('Action'), `${path}.Action`),
      notAction: this.#actions(members.get('NotAction'), `${path}.NotAction`),
      resource: this.#resources(members.get('Resource'), `${path}.Resource`),
      notResource: this.#resources(members.get('NotResource'), `${path}.NotResource`),
      condition: this.#condition(members.get('Condition'), `${path}.Condition`),
    }
    this.#checkShape(members, { at: node.at, path })
    return Object.fromEntries(Object.entries(statement).filter(([, value]) => value !== undefined)) as unknown as Statement
  }

  /** Which members there must be and must not be, by the document's use. */
  #checkShape(members: ReadonlyMap<string, JsonNode>, place: Spot): void {
    for (const name of ['Principal', 'Action', 'Resource']) {
      if (members.has(name) && members.has(`Not${name}`)) {
        this.#report('both-forms', place, `${name} and Not${name} exclude each other`)
      }
    }
    const has = (name: string): boolean => members.has(name) || members.has(`Not${name}`)
    const at = (name: string): Spot => ({
      at: (members.get(name) ?? members.get(`Not${name}`))?.at ?? place.at,
      path: place.path,
    })
    if (!has('Action')) this.#report('missing-action', place, 'the statement needs Action or NotAction')
    if (this.#use === 'identity') {
      if (has('Principal')) this.#report('prohibited-principal', at('Principal'), 'an identity policy has no Principal')
      if (!has('Resource')) this.#report('missing-resource', place, 'the statement needs Resource or NotResource')
      return
    }
    if (!has('Principal')) this.#report('missing-principal', place, 'the statement needs Principal or NotPrincipal')
    if (this.#use === 'trust' && has('Resource')) {
      this.#report('prohibited-resource', at('Resource'), 'a trust policy has no Resource: it stands on the role')
    }
    if (this.#use === 'resource' && !has('Resource')) {
      this.#report('missing-resource', place, 'the statement needs Resource or NotResource')
    }
  }

  #sid(node: JsonNode | undefined, path: string): string | undefined {
    const sid = this.#text_(node, `${path}.Sid`)
    if (sid === undefined || node === undefined) return undefined
    if (this.#use !== 'resource' && !/^[A-Za-z0-9]*$/.test(sid)) {
      this.#report('bad-sid', { at: node.at, path: `${path}.Sid` }, 'expected letters and digits only')
    }
    return sid
  }

  #effect(node: JsonNode | undefined, place: Spot): 'Allow' | 'Deny' {
    const value = node?.kind === 'string' ? node.value : undefined
    if (value === 'Allow' || value === 'Deny') return value
    this.#report('bad-effect', { at: node?.at ?? place.at, path: `${place.path}.Effect` }, 'expected "Allow" or "Deny"')
    return 'Deny'
  }

  #principal(node: JsonNode | undefined, path: string): PolicyPrincipal | undefined {
    if (node === undefined) return undefined
    if (node.kind === 'string' && node.value === '*') return '*'
    if (node.kind !== 'object' || node.members.length === 0) {
      this.#report('bad-principal', { at: node.at, path }, `expected "*" or an object with ${principalKinds.join(', ')}`)
      return undefined
    }
    const entries: [PrincipalKind, OneOrMany][] = []
    for (const [kind, value] of this.#members(node, path, principalKinds)) {
      const values = this.#texts(value, `${path}.${kind}`, 'bad-principal')
      if (values !== undefined) entries.push([kind as PrincipalKind, values])
    }
    return Object.fromEntries(entries)
  }

  #actions(node: JsonNode | undefined, path: string): OneOrMany | undefined {
    return this.#texts(node, path, 'bad-action', (action, at) => {
      if (!actionPattern.test(action)) {
        this.#report('bad-action', at, `expected "*" or SERVICE:NAME, found ${JSON.stringify(action.slice(0, 100))}`)
      } else if (this.#use === 'trust' && !/^sts:/i.test(action)) {
        this.#report('not-sts-action', at, `a trust policy names only sts: actions, found ${JSON.stringify(action)}`)
      }
    })
  }

  #resources(node: JsonNode | undefined, path: string): OneOrMany | undefined {
    return this.#texts(node, path, 'bad-resource', (resource, at) => {
      if (resource === '*' || /^arn:[^:]*:[^:]*:[^:]*:[^:]*:.+/s.test(resource) || /^arn:.*[*$]/s.test(resource)) return
      this.#report('bad-resource', at, `expected "*" or an ARN, found ${JSON.stringify(resource.slice(0, 100))}`)
    })
  }

  #condition(node: JsonNode | undefined, path: string): Conditions | undefined {
    if (node === undefined) return undefined
    if (node.kind !== 'object') {
      this.#report('bad-condition', { at: node.at, path }, `expected an object, found ${nameOf(node)}`)
      return undefined
    }
    const operators: [string, Readonly<Record<string, OneOrMany>>][] = []
    for (const [operator, keys] of this.#members(node, path)) {
      const operatorPath = `${path}.${segment(operator)}`
      if (!operatorPattern.test(operator)) {
        this.#report(
          'bad-condition',
          { at: keys.at, path: operatorPath },
          `there is no condition operator ${JSON.stringify(operator.slice(0, 100))}`,
        )
      }
      if (keys.kind !== 'object') {
        this.#report('bad-condition', { at: keys.at, path: operatorPath }, `expected an object, found ${nameOf(keys)}`)
        continue
      }
      const entries: [string, OneOrMany][] = []
      for (const [key, value] of this.#members(keys, operatorPath)) {
        const values = this.#texts(value, `${operatorPath}[${JSON.stringify(key)}]`, 'bad-condition')
        if (values !== undefined) entries.push([key, values])
      }
      operators.push([operator, Object.fromEntries(entries)])
    }
    return Object.fromEntries(operators)
  }

  /** A text or a list of texts. Numbers and booleans count in conditions, where AWS takes them for their text. */
  #texts(
    node: JsonNode | undefined,
    path: string,
    code: PolicyProblemCode,
    check: (value: string, place: Spot) => void = () => {},
  ): OneOrMany | undefined {
    if (node === undefined) return undefined
    const one = (item: JsonNode, itemPath: string): string | undefined => {
      const value = code === 'bad-condition' ? scalarText(item) : item.kind === 'string' ? item.value : undefined
      if (value !== undefined) check(value, { at: item.at, path: itemPath })
      else this.#report(code, { at: item.at, path: itemPath }, `expected a text, found ${nameOf(item)}`)
      return value
    }
    if (node.kind !== 'array') return one(node, path)
    if (node.items.length === 0) this.#report(code, { at: node.at, path }, 'the list is empty')
    return node.items.flatMap((item, index) => one(item, `${path}[${index}]`) ?? [])
  }

  #text_(node: JsonNode | undefined, path: string): string | undefined {
    if (node === undefined || node.kind === 'string') return node?.value
    this.#report('wrong-type', { at: node.at, path }, `expected a text, found ${nameOf(node)}`)
    return undefined
  }

  /** The members by name; each name once, and only known ones where a list is given. */
  #members(node: ObjectNode, path: string, known?: readonly string[]): ReadonlyMap<string, JsonNode> {
    const members = new Map<string, JsonNode>()
    for (const { name, nameAt, value } of node.members) {
      const memberPath = path === '' ? segment(name) : `${path}.${segment(name)}`
      if (members.has(name)) {
        this.#report('duplicate-key', { at: nameAt, path: memberPath }, `${JSON.stringify(name.slice(0, 100))} stands here twice`)
      } else if (known !== undefined && !known.includes(name)) {
        const near = known.find(each => each.toLowerCase() === name.toLowerCase())
        const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`
        this.#report(
          'unknown-key',
          { at: nameAt, path: memberPath },
          `unknown key ${JSON.stringify(name.slice(0, 100))}: ${hint}`,
        )
      } else {
        members.set(name, value)
      }
    }
    return members
  }

  #report(code: PolicyProblemCode, { at, path }: Spot, message: string): void {
    if (this.problems.length < problemsMax) this.problems.push({ code, path, message, ...placeOf(this.#text, at) })
  }
}

interface Spot {
  readonly at: number
  readonly path: string
}

const statementKeys = [
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
] as const

function scalarText(node: JsonNode): string | undefined {
  if (node.kind === 'string') return node.value
  if (node.kind === 'number') return node.text
  return node.kind === 'boolean' ? String(node.value) : undefined
}

function segment(name: string): string {
  const short = name.slice(0, 100)
  return /^[A-Za-z0-9_:]+$/.test(short) ? short : JSON.stringify(short)
}

function nameOf(node: JsonNode): string {
  if (node.kind === 'null') return 'null'
  return node.kind === 'array' || node.kind === 'object' ? `an ${node.kind}` : `a ${node.kind}`
}
