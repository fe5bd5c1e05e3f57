// What requests a webhook or a policy is about: their operations, and the resources that they change.
import { pathSegmentErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, oneOf, say, text } from '../checks.ts'
import { checkSelector } from '../selectors.ts'

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']

export function checkOperationRule(rule: JsonObject, at: string, errors: Errors): void {
  checkList(rule.operations, `${at}.operations`, 'operations', errors)
  listOf(rule.operations).forEach((operation, index) => oneOf(operation, `${at}.operations[${index}]`, operations, errors))
  checkList(rule.apiGroups, `${at}.apiGroups`, 'API groups', errors)
  checkList(rule.apiVersions, `${at}.apiVersions`, 'API versions', errors)
  listOf(rule.apiVersions).forEach((version, index) => {
    if (text(version) === '') errors.push(fieldError.required(`${at}.apiVersions[${index}]`))
  })
  checkResources(listOf(rule.resources).map(text), `${at}.resources`, errors)
  oneOf(rule.scope, `${at}.scope`, ['*', 'Cluster', 'Namespaced'], errors)
}

/** There is at least one, and all stand alone. */
function checkList(value: Json | undefined, at: string, others: string, errors: Errors): void {
  const given = listOf(value)
  if (given.length === 0) errors.push(fieldError.required(at))
  if (given.length > 1 && given.includes('*'))
    errors.push(fieldError.invalid(at, given, `if '*' is present, must not specify other ${others}`))
}

function checkResources(resources: readonly string[], at: string, errors: Errors): void {
  if (resources.length === 0) errors.push(fieldError.required(at))
  const before = new Set<string>()
  resources.forEach((resource, index) => {
    if (resource === '') errors.push(fieldError.required(`${at}[${index}]`))
    else checkCovered(resource, before, `${at}[${index}]`, errors)
    before.add(resource)
  })
  const isPlain = (resource: string): boolean => resource !== '' && resource !== '*' && !resource.includes('/')
  const refuse = (why: string): void => void errors.push(fieldError.invalid(at, resources, why))
  if (resources.includes('*/*')) {
    if (resources.length > 1) refuse("if '*/*' is present, must not specify other resources")
  } else if (resources.includes('*') && resources.some(isPlain))
    refuse("if '*' is present, must not specify other resources without subresources")
}

/** A part of a resource that one before it stands for already. */
function checkCovered(resource: string, before: ReadonlySet<string>, at: string, errors: Errors): void {
  const slash = resource.indexOf('/')
  if (slash < 0) return
  for (const wild of [`${resource.slice(0, slash)}/*`, `*/${resource.slice(slash + 1)}`])
    if (before.has(wild)) errors.push(fieldError.invalid(at, resource, `if '${wild}' is present, must not specify ${resource}`))
}

/** What a policy or a binding is about. */
export function checkMatch(match: JsonObject, at: string, errors: Errors): void {
  oneOf(match.matchPolicy, `${at}.matchPolicy`, ['Equivalent', 'Exact'], errors)
  checkSelector(match.namespaceSelector, `${at}.namespaceSelector`, errors)
  checkSelector(match.objectSelector, `${at}.objectSelector`, errors)
  for (const list of ['resourceRules', 'excludeResourceRules'])
    eachItem(match[list], `${at}.${list}`, (rule, each) => checkNamedRule(rule, each, errors))
}

function checkNamedRule(rule: JsonObject, at: string, errors: Errors): void {
  const names = new Set<string>()
  listOf(rule.resourceNames)
    .map(text)
    .forEach((name, index) => {
      const each = `${at}.resourceNames[${index}]`
      say(errors, each, name, pathSegmentErrors(name))
      if (names.has(name)) errors.push(fieldError.duplicate(each, name))
      names.add(name)
    })
  checkOperationRule(rule, at, errors)
}

/** A policy says what it is about. */
export function checkConstraints(constraints: Json | undefined, at: string, errors: Errors): void {
  if (!isObject(constraints)) {
    errors.push(fieldError.required(at))
    return
  }
  checkMatch(constraints, at, errors)
  if (listOf(constraints.resourceRules).length === 0) errors.push(fieldError.required(`${at}.resourceRules`))
}
