// What may be stored as a policy document (§4.2), in the words of IAM. The evaluator's reading of documents is in document.ts.
import { isRecord } from '#base'
import { isKnownOperator } from './conditions.ts'
import { listOf, parseOperator } from './document.ts'

export type DocumentKind = 'identity' | 'trust' | 'resource'

export interface ValidationInputs {
  readonly kind: DocumentKind
  readonly partition: string
  /** Whether an account id, a root, user, role or session ARN, or a unique id, names somebody. */
  readonly principalExists: (principal: string) => boolean
}

type Fields = Readonly<Record<string, unknown>>

const syntax = 'Syntax errors in policy.'
const vendor = 'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.'
const federated = 'Federated principals must be valid domain names or SAML metadata ARNs'

/** The fault in AWS's words, or `undefined` when the document may be stored. */
export function documentFault(text: string, inputs: ValidationInputs): string | undefined {
  let source: unknown
  try {
    source = JSON.parse(text)
  } catch {
    return syntax
  }
  if (!isRecord(source) || !hasOnly(source, ['Version', 'Id', 'Statement'])) return syntax
  const version = source['Version']
  if (version !== undefined && version !== '2012-10-17' && version !== '2008-10-17') return syntax
  if (source['Id'] !== undefined && typeof source['Id'] !== 'string') return syntax
  const statements = listOf(source['Statement'])
  if (statements.length === 0) return syntax
  for (const statement of statements) {
    const fault = isRecord(statement) ? statementFault(statement, inputs) : syntax
    if (fault !== undefined) return fault
  }
  const sids = statements.map(statement => (statement as Fields)['Sid']).filter(sid => sid !== undefined && sid !== '')
  return new Set(sids).size === sids.length ? undefined : 'Statement IDs (SID) in a single policy must be unique.'
}

const statementKeys = [
  'Sid',
  'Effect',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Principal',
  'NotPrincipal',
  'Condition',
]

function statementFault(statement: Fields, inputs: ValidationInputs): string | undefined {
  if (!hasOnly(statement, statementKeys)) return syntax
  if (statement['Effect'] !== 'Allow' && statement['Effect'] !== 'Deny') return syntax
  const sid = statement['Sid']
  if (sid !== undefined && typeof sid !== 'string') return syntax
  if (inputs.kind !== 'resource' && sid !== undefined && !/^[A-Za-z0-9]*$/.test(sid)) {
    return `Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*`
  }
  return (
    principalFault(statement, inputs) ??
    actionFault(statement, inputs) ??
    resourceFault(statement, inputs) ??
    conditionFault(statement['Condition'])
  )
}

/** A value that is a text or a list of texts, and not an empty list; `undefined` for anything else. */
function texts(value: unknown): readonly string[] | undefined {
  const list = listOf(value)
  return list.length > 0 && list.every(item => typeof item === 'string') ? (list as readonly string[]) : undefined
}

function actionFault(statement: Fields, { kind }: ValidationInputs): string | undefined {
  const { Action: action, NotAction: notAction } = statement
  if (action !== undefined && notAction !== undefined) return syntax
  if (action === undefined && notAction === undefined)
    return kind === 'trust' ? 'Missing required field Action' : 'Policy statement must contain actions.'
  const value = action ?? notAction
  if (Array.isArray(value) && value.length === 0) return 'Policy statement must contain actions.'
  const actions = texts(value)
  if (actions === undefined) return syntax
  for (const name of actions) {
    if (kind === 'trust') {
      if (!/^sts:[A-Za-z*?]+$/i.test(name)) return 'AssumeRole policy may only specify STS AssumeRole actions.'
    } else if (name !== '*' && !/^[a-z0-9*?-]+:[A-Za-z0-9*?]+$/i.test(name)) return vendor
  }
  return undefined
}

function resourceFault(statement: Fields, { kind }: ValidationInputs): string | undefined {
  const { Resource: resource, NotResource: notResource } = statement
  if (kind === 'trust') {
    if (resource !== undefined) return 'Has prohibited field Resource'
    return notResource === undefined ? undefined : 'Has prohibited field NotResource'
  }
  if (resource !== undefined && notResource !== undefined) return syntax
  if (resource === undefined && notResource === undefined) return 'Policy statement must contain resources.'
  const value = resource ?? notResource
  if (Array.isArray(value) && value.length === 0) return 'Policy statement must contain resources.'
  const resources = texts(value)
  if (resources === undefined) return syntax
  const wrong = resources.find(name => name !== '*' && !/^arn:[^:]*:[^:]*:[^:]*:[^:]*:.+/s.test(name))
  return wrong === undefined ? undefined : `Resource ${wrong} must be in ARN format or "*".`
}

function principalFault(statement: Fields, inputs: ValidationInputs): string | undefined {
  const { Principal: principal, NotPrincipal: notPrincipal } = statement
  if (inputs.kind === 'identity')
    return principal === undefined && notPrincipal === undefined ? undefined : 'Policy document should not specify a principal.'
  if (principal !== undefined && notPrincipal !== undefined) return syntax
  const value = principal ?? notPrincipal
  if (value === undefined) return 'Missing required field Principal'
  if (value === '*') return undefined
  if (!isRecord(value) || Object.keys(value).length === 0) return 'Invalid principal in policy'
  for (const [type, names] of Object.entries(value)) {
    const list = texts(names)
    if (list === undefined) return syntax
    const fault = list.map(name => namedPrincipalFault(type, name, inputs)).find(text => text !== undefined)
    if (fault !== undefined) return fault
  }
  return undefined
}

const knownDomains = ['cognito-identity.amazonaws.com', 'www.amazon.com', 'graph.facebook.com', 'accounts.google.com']

function namedPrincipalFault(type: string, name: string, inputs: ValidationInputs): string | undefined {
  switch (type) {
    case 'AWS':
      return name === '*' || (!/[*?]/.test(name) && inputs.principalExists(name))
        ? undefined
        : `Invalid principal in policy: "AWS":"${name}"`
    case 'Service':
      return /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.amazonaws\.com(?:\.cn)?$/.test(name)
        ? undefined
        : `Invalid principal in policy: "SERVICE":"${name}"`
    case 'Federated': {
      const provider = new RegExp(
        `^arn:${inputs.partition}:iam::\\d{12}:(?:oidc-provider/[^*?\\s]+|saml-provider/[\\w.-]{1,128})$`,
      )
      return knownDomains.includes(name) || provider.test(name) ? undefined : federated
    }
    case 'CanonicalUser':
      return /^[0-9a-f]{64}$/.test(name) ? undefined : `Invalid principal in policy: "CanonicalUser":"${name}"`
    default:
      return `Invalid principal in policy: "${type}":"${name}"`
  }
}

function conditionFault(condition: unknown): string | undefined {
  if (condition === undefined) return undefined
  if (!isRecord(condition)) return syntax
  for (const [operator, keys] of Object.entries(condition)) {
    const { base, ifExists } = parseOperator(operator)
    if (!isKnownOperator(base) || (ifExists && /^null$/i.test(base)) || !isRecord(keys)) return syntax
    for (const [key, value] of Object.entries(keys)) {
      if (!/^[^\s:]+:.+/.test(key)) return vendor
      if (!listOf(value).every(item => typeof item === 'string' || typeof item === 'boolean' || typeof item === 'number'))
        return syntax
    }
  }
  return undefined
}

function hasOnly(source: Fields, keys: readonly string[]): boolean {
  return Object.keys(source).every(key => keys.includes(key))
}

/** Characters that count against a quota: white space outside of texts does not. */
export function significantSize(text: string): number {
  let size = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (inText && character === '\\') {
      size += 2
      at++
      continue
    }
    if (character === '"') inText = !inText
    if (inText || !/\s/.test(character)) size++
  }
  return size
}
