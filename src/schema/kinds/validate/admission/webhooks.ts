// Webhook configurations.
import { dnsSubdomainErrors } from '#kube'
import { checkReviewVersions, checkService } from '../../../definition/conversion.ts'
import { checkUrl } from '../../../definition/urls.ts'
import { fieldError } from '../../../field-error.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, objectOf, oneOf, say, text } from '../checks.ts'
import { checkSelector } from '../selectors.ts'
import { checkConditions, rightsVariables } from './expressions.ts'
import { checkOperationRule } from './operation-rules.ts'

export function validateWebhooks(object: JsonObject): Errors {
  const errors: Errors = []
  const names = new Set<string>()
  eachItem(object.webhooks, 'webhooks', (hook, at) => {
    checkHook(hook, at, errors)
    const name = text(hook.name)
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
    names.add(name)
  })
  return errors
}

function checkHook(hook: JsonObject, at: string, errors: Errors): void {
  checkName(text(hook.name), `${at}.name`, errors)
  eachItem(hook.rules, `${at}.rules`, (rule, path) => checkOperationRule(rule, path, errors))
  oneOf(hook.failurePolicy, `${at}.failurePolicy`, ['Fail', 'Ignore'], errors)
  oneOf(hook.matchPolicy, `${at}.matchPolicy`, ['Equivalent', 'Exact'], errors)
  if (hook.sideEffects === undefined)
    errors.push(fieldError.required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun'))
  else oneOf(hook.sideEffects, `${at}.sideEffects`, ['None', 'NoneOnDryRun'], errors)
  const seconds = hook.timeoutSeconds
  if (typeof seconds === 'number' && (seconds < 1 || seconds > 30)) {
    errors.push(fieldError.invalid(`${at}.timeoutSeconds`, seconds, 'the timeout value must be between 1 and 30 seconds'))
  }
  checkSelector(hook.namespaceSelector, `${at}.namespaceSelector`, errors)
  checkSelector(hook.objectSelector, `${at}.objectSelector`, errors)
  oneOf(hook.reinvocationPolicy, `${at}.reinvocationPolicy`, ['IfNeeded', 'Never'], errors)
  checkClient(objectOf(hook.clientConfig), `${at}.clientConfig`, errors)
  checkConditions(hook.matchConditions, `${at}.matchConditions`, rightsVariables, errors)
  checkReviewVersions(hook.admissionReviewVersions, `${at}.admissionReviewVersions`, 'must specify one of v1, v1beta1', errors)
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

function checkClient(config: JsonObject, at: string, errors: Errors): void {
  const hasUrl = config.url !== undefined
  const hasService = isObject(config.service)
  if (hasUrl === hasService) errors.push(fieldError.required(at, 'exactly one of url or service is required'))
  else if (hasUrl) checkUrl(text(config.url), `${at}.url`, errors)
  else checkService(objectOf(config.service), `${at}.service`, errors)
}
