// Webhook configurations.
import { dnsSubdomainErrors } from '#kube'
import { checkService, checkUrl } from '../../definition/conversion.ts'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from './checks.ts'
import { checkConditions, rightsVariables } from './expressions.ts'
import { checkSelector } from './selectors.ts'

export function validateWebhooks(object: JsonObject): Errors {
  const errors: Errors = []
  const names = new Set<string>()
  eachItem(object.webhooks, 'webhooks', (hook, at) => {
    checkHook(hook, at, errors)
    const name = text(hook.name)
    if (names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
    names.add(name)
  })
  return errors
}

function checkHook(hook: JsonObject, at: string, errors: Errors): void {
  checkName(text(hook.name), `${at}.name`, errors)
  checkReviewVersions(listOf(hook.admissionReviewVersions), `${at}.admissionReviewVersions`, errors)
  eachItem(hook.rules, `${at}.rules`, (rule, path) => checkRule(rule, path, errors))
  oneOf(hook.failurePolicy, `${at}.failurePolicy`, ['Fail', 'Ignore'], errors)
  oneOf(hook.matchPolicy, `${at}.matchPolicy`, ['Equivalent', 'Exact'], errors)
  oneOf(hook.reinvocationPolicy, `${at}.reinvocationPolicy`, ['IfNeeded', 'Never'], errors)
  if (hook.sideEffects === undefined)
    errors.push(fieldError.required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun'))
  else oneOf(hook.sideEffects, `${at}.sideEffects`, ['None', 'NoneOnDryRun'], errors)
  const seconds = hook.timeoutSeconds
  if (typeof seconds === 'number' && (seconds < 1 || seconds > 30)) {
    errors.push(fieldError.invalid(`${at}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds'))
  }
  checkSelector(hook.namespaceSelector, `${at}.namespaceSelector`, errors)
  checkSelector(hook.objectSelector, `${at}.objectSelector`, errors)
  checkClient(objectOf(hook.clientConfig), `${at}.clientConfig`, errors)
  checkConditions(hook.matchConditions, `${at}.matchConditions`, rightsVariables, errors)
}

/** At least three parts, so that names of different owners do not meet. */
function checkName(name: string, at: string, errors: Errors): void {
  if (name === '') errors.push(fieldError.required(at))
  else {
    const problems = dnsSubdomainErrors(name)
    if (problems.length > 0) say(errors, at, name, problems)
    else if (name.split('.').length < 3)
      errors.push(fieldError.invalid(at, name, 'should be a domain with at least three segments separated by dots'))
  }
}

function checkReviewVersions(versions: readonly Json[], at: string, errors: Errors): void {
  if (versions.length === 0) errors.push(fieldError.required(at, 'must specify one of v1, v1beta1'))
  else if (!versions.includes('v1') && !versions.includes('v1beta1')) {
    errors.push(fieldError.invalid(at, versions, 'must include at least one of v1, v1beta1'))
  }
}

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']

function checkRule(rule: JsonObject, at: string, errors: Errors): void {
  const given = listOf(rule.operations)
  if (given.length === 0) errors.push(fieldError.required(`${at}.operations`))
  if (given.length > 1 && given.includes('*')) {
    errors.push(fieldError.invalid(`${at}.operations`, given, "if '*' is present, must not specify other operations"))
  }
  given.forEach((operation, index) => oneOf(operation, `${at}.operations[${index}]`, operations, errors))
  for (const [field, name] of [
    ['apiGroups', 'API groups'],
    ['apiVersions', 'API versions'],
  ] as const) {
    const list = listOf(rule[field])
    if (list.length === 0) errors.push(fieldError.required(`${at}.${field}`))
    if (list.length > 1 && list.includes('*')) {
      errors.push(fieldError.invalid(`${at}.${field}`, list, `if '*' is present, must not specify other ${name}`))
    }
  }
  const resources = listOf(rule.resources)
  if (resources.length === 0) errors.push(fieldError.required(`${at}.resources`))
  oneOf(rule.scope, `${at}.scope`, ['*', 'Cluster', 'Namespaced'], errors)
}

function checkClient(config: JsonObject, at: string, errors: Errors): void {
  const hasUrl = config.url !== undefined
  const hasService = isObject(config.service)
  if (hasUrl === hasService) errors.push(fieldError.required(at, 'exactly one of url or service is required'))
  else if (hasUrl) checkUrl(text(config.url), `${at}.url`, errors)
  else checkService(objectOf(config.service), `${at}.service`, errors)
}
