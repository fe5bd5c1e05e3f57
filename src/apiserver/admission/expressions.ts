// Expressions about a request, as webhooks and policies hold them: over its objects, itself, and whatever else their owner names.
import { BoundedCache } from '#base'
import {
  type AuthorizerAccess,
  authorizerValue,
  BudgetExceeded,
  CelList,
  type CelValue,
  type Compiled,
  compileUnchecked,
  EvalError,
  isList,
  isObject,
  type Json,
  LiteralMap,
  resourceCheckValue,
} from '#schema'
import type { Authorizer, AuthorizerPort } from '../auth/authorizer.ts'
import { serviceAccountUser, type UserInfo, withAuthenticated } from '../users.ts'
import type { AdmissionAttributes } from './admission.ts'

/** A real server gives one expression as much. */
const costMax = 1_000_000

/** How many characters of expressions are kept compiled: each holds about two hundred bytes. */
const compiledLengthMax = 100_000
/** Expressions come from configurations, of which there are few. */
const compiled = new BoundedCache<string, Compiled>(compiledLengthMax)

export type Evaluated = { readonly value: CelValue } | { readonly problem: string }

/** By name, what an expression may speak of. */
export type ExpressionSurroundings = ReadonlyMap<string, CelValue>

export function evaluate(expression: string, surroundings: ExpressionSurroundings): Evaluated {
  const names = [...surroundings.keys()]
  const program = compiled.getOrMake(
    `${names.join()}:${expression}`,
    () => compileUnchecked(expression, names),
    () => expression.length,
  )
  if (program.kind === 'refused') return { problem: program.message }
  try {
    return { value: program.program.run([...surroundings.values()], { cost: 0, costMax }) }
  } catch (error) {
    if (error instanceof EvalError || error instanceof BudgetExceeded) return { problem: error.message }
    throw error
  }
}

/** How it is told that an expression could not be judged. */
export function failureOf(expression: string, problem: string): string {
  return `expression '${expression}' resulted in error: ${problem}`
}

/** The objects, the request, and what may be asked about the rights of who asks. */
export function surroundingsOf({ authorizer }: AuthorizerPort, attributes: AdmissionAttributes): ExpressionSurroundings {
  const { object, oldObject } = attributes
  return new Map([
    ['object', valueOf(object)],
    ['oldObject', valueOf(oldObject)],
    ['request', toValue(requestOf(attributes))],
    ...rightsOf(authorizer, attributes),
  ])
}

const rightsNames = ['authorizer', 'authorizer.requestResource'] as const

/** Texts of messages are made without a look at rights. */
export function withoutRights(surroundings: ExpressionSurroundings): ExpressionSurroundings {
  return new Map([...surroundings].filter(([name]) => !rightsNames.includes(name as (typeof rightsNames)[number])))
}

function rightsOf(authorizer: Authorizer, attributes: AdmissionAttributes): [string, CelValue][] {
  const { user, kind, subresource, namespace, name } = attributes
  const access = accessOf(authorizer, user)
  const { group, plural: resource } = kind.resource
  const [all, own] = rightsNames
  return [
    [all, authorizerValue(access)],
    [own, resourceCheckValue(access, { group, resource, subresource, namespace, name })],
  ]
}

function accessOf(authorizer: Authorizer, user: UserInfo): AuthorizerAccess {
  return {
    toResource: (asked, verb) => authorizer.decide(user, { ...asked, verb }),
    toPath: (path, verb) => authorizer.decidePath(user, { path, verb }),
    ofServiceAccount: (namespace, name) => accessOf(authorizer, withAuthenticated(serviceAccountUser(namespace, name))),
  }
}

/** An object of the store; what is not there is null. */
export function valueOf(object: object | undefined): CelValue {
  return toValue((object ?? null) as Json)
}

function requestOf(attributes: AdmissionAttributes): Json {
  const { kind, user } = attributes
  const { group, plural: resource } = kind.resource
  return {
    kind: { group, version: kind.version, kind: kind.resource.kind },
    resource: { group, version: kind.version, resource },
    subResource: attributes.subresource,
    name: attributes.name,
    namespace: attributes.namespace,
    operation: attributes.operation,
    dryRun: attributes.dryRun,
    userInfo: { username: user.username, uid: user.uid ?? '', groups: user.groups, extra: user.extra ?? {} },
    options: attributes.options as Json,
  }
}

function toValue(value: Json): CelValue {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (isList(value)) return new CelList(value.map(toValue))
  if (!isObject(value)) return value
  const map = new LiteralMap()
  for (const [key, item] of Object.entries(value)) if (item !== undefined) map.add(key, toValue(item))
  return map
}
