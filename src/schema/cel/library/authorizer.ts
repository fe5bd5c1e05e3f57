// What an expression may ask about rights: `authorizer.group('apps').resource('deployments').namespace('a').check('get').allowed()`.
import { CelOpaque, type CelValue } from '../values.ts'
import type { Cost, LibraryFunction } from './function.ts'

export interface AuthorizerVerdict {
  readonly allowed: boolean
  readonly reason: string
}

export interface ResourceAsked {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

/** Whoever decides on the rights of one user. */
export interface AuthorizerAccess {
  toResource(asked: ResourceAsked, verb: string): AuthorizerVerdict
  toPath(path: string, verb: string): AuthorizerVerdict
  ofServiceAccount(namespace: string, name: string): AuthorizerAccess
}

const prefix = 'kubernetes.authorization.'
const names = {
  authorizer: `${prefix}Authorizer`,
  path: `${prefix}PathCheck`,
  group: `${prefix}GroupCheck`,
  resource: `${prefix}ResourceCheck`,
  decision: `${prefix}Decision`,
} as const

/** What the values of each type hold. */
class Asker {
  readonly access: AuthorizerAccess
  constructor(access: AuthorizerAccess) {
    this.access = access
  }
}
class PathCheck extends Asker {
  readonly path: string
  constructor(access: AuthorizerAccess, path: string) {
    super(access)
    this.path = path
  }
}
class GroupCheck extends Asker {
  readonly group: string
  constructor(access: AuthorizerAccess, group: string) {
    super(access)
    this.group = group
  }
}
class ResourceCheck extends Asker {
  readonly asked: ResourceAsked
  constructor(access: AuthorizerAccess, asked: ResourceAsked) {
    super(access)
    this.asked = asked
  }
}
class Decision {
  readonly allowed: boolean
  readonly reason: string
  constructor({ allowed, reason }: AuthorizerVerdict) {
    this.allowed = allowed
    this.reason = reason
  }
}

export function authorizerValue(access: AuthorizerAccess): CelOpaque {
  return opaque(names.authorizer, new Asker(access))
}

/** The question that the request itself is, but for its verb. */
export function resourceCheckValue(access: AuthorizerAccess, asked: ResourceAsked): CelOpaque {
  return opaque(names.resource, new ResourceCheck(access, asked))
}

/** Their signatures, for the checker. */
export const authorizerSignatures: readonly string[] = [
  `${names.authorizer}.path(string) ${names.path}`,
  `${names.path}.check(string) ${names.decision}`,
  `${names.authorizer}.serviceAccount(string, string) ${names.authorizer}`,
  `${names.authorizer}.group(string) ${names.group}`,
  `${names.group}.resource(string) ${names.resource}`,
  ...['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'].map(
    name => `${names.resource}.${name}(string) ${names.resource}`,
  ),
  `${names.resource}.check(string) ${names.decision}`,
  ...['allowed', 'errored'].map(name => `${names.decision}.${name}() bool`),
  ...['reason', 'error'].map(name => `${names.decision}.${name}() string`),
]

export const authorizers: Readonly<Record<string, LibraryFunction>> = {
  path: ([target, path]) =>
    on(names.authorizer, Asker, target, ({ access }) => withText(path, text => opaque(names.path, new PathCheck(access, text)))),
  serviceAccount: ([target, namespace, name]) =>
    on(names.authorizer, Asker, target, ({ access }) =>
      withText(namespace, place => withText(name, text => authorizerValue(access.ofServiceAccount(place, text)))),
    ),
  group: ([target, group]) =>
    on(names.authorizer, Asker, target, ({ access }) =>
      withText(group, text => opaque(names.group, new GroupCheck(access, text))),
    ),
  resource: ([target, resource]) =>
    on(names.group, GroupCheck, target, ({ access, group }) =>
      withText(resource, text => resourceCheckValue(access, { group, resource: text, subresource: '', namespace: '', name: '' })),
    ),
  subresource: args => narrowed('subresource', args),
  namespace: args => narrowed('namespace', args),
  name: args => narrowed('name', args),
  fieldSelector: selected,
  labelSelector: selected,
  check: ([target, verb]) =>
    withText(
      verb,
      text =>
        on(names.path, PathCheck, target, ({ access, path }) => decision(access.toPath(path, text))) ??
        on(names.resource, ResourceCheck, target, ({ access, asked }) => decision(access.toResource(asked, text))),
    ),
  allowed: ([target]) => on(names.decision, Decision, target, ({ allowed }) => allowed),
  reason: ([target]) => on(names.decision, Decision, target, ({ reason }) => reason),
  // A decision out of memory never fails.
  errored: ([target]) => on(names.decision, Decision, target, () => false),
  error: ([target]) => on(names.decision, Decision, target, () => ''),
}

/** A question may leave the process on a real server, and costs as much. */
const checkCost = 350_000

export const authorizerCosts: Readonly<Record<string, Cost>> = { check: () => checkCost }

function narrowed(field: keyof ResourceAsked, [target, value]: readonly CelValue[]): CelValue | undefined {
  return on(names.resource, ResourceCheck, target, ({ access, asked }) =>
    withText(value, text => resourceCheckValue(access, { ...asked, [field]: text })),
  )
}

/** Roles do not know selectors: what they allow, they allow for all objects. */
function selected([target, selector]: readonly CelValue[]): CelValue | undefined {
  return on(names.resource, ResourceCheck, target, ({ access, asked }) =>
    withText(selector, () => resourceCheckValue(access, asked)),
  )
}

function decision(decided: AuthorizerVerdict): CelOpaque {
  return opaque(names.decision, new Decision(decided))
}

function withText(value: CelValue | undefined, work: (text: string) => CelValue | undefined): CelValue | undefined {
  return typeof value === 'string' ? work(value) : undefined
}

function on<Content>(
  type: string,
  holds: abstract new (...given: never[]) => Content,
  value: CelValue | undefined,
  work: (content: Content) => CelValue | undefined,
): CelValue | undefined {
  if (!(value instanceof CelOpaque) || value.type !== type) return undefined
  return value.content instanceof holds ? work(value.content) : undefined
}

function opaque(type: string, content: object): CelOpaque {
  return new CelOpaque(type, content, other => other.content === content)
}
