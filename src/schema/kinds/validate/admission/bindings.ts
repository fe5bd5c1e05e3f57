// Bindings of admission policies: where a policy holds, with which parameters, and what comes of a refusal.
import { dnsSubdomainErrors, pathSegmentErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, listOf, objectOf, oneOf, repeats, say, text } from '../checks.ts'
import { checkSelector } from '../selectors.ts'
import { checkMatch } from './operation-rules.ts'

export function validateAdmissionBinding(object: JsonObject): Errors {
  const errors: Errors = []
  const { policyName, paramRef, matchResources, validationActions } = objectOf(object.spec)
  if (text(policyName) === '') errors.push(fieldError.required('spec.policyName'))
  else say(errors, 'spec.policyName', policyName, dnsSubdomainErrors(text(policyName)))
  if (isObject(paramRef)) checkParameters(paramRef, 'spec.paramRef', errors)
  if (isObject(matchResources)) checkMatch(matchResources, 'spec.matchResources', errors)
  checkActions(listOf(validationActions), 'spec.validationActions', errors)
  return errors
}

/** They go by a name or are selected. */
function checkParameters({ name, selector, parameterNotFoundAction }: JsonObject, at: string, errors: Errors): void {
  const isNamed = text(name) !== ''
  const isSelected = isObject(selector)
  const both = 'name and selector are mutually exclusive'
  if (isNamed) say(errors, `${at}.name`, name, pathSegmentErrors(text(name)))
  if (isNamed && isSelected) errors.push(fieldError.forbidden(`${at}.name`, both))
  checkSelector(selector, `${at}.selector`, errors)
  if (isNamed && isSelected) errors.push(fieldError.forbidden(`${at}.selector`, both))
  if (!isNamed && !isSelected) errors.push(fieldError.required(at, 'one of name or selector must be specified'))
  if (text(parameterNotFoundAction) === '') errors.push(fieldError.required(`${at}.parameterNotFoundAction`))
  else oneOf(parameterNotFoundAction, `${at}.parameterNotFoundAction`, ['Deny', 'Allow'], errors)
}

const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'

function checkActions(actions: readonly Json[], at: string, errors: Errors): void {
  if (actions.length === 0) errors.push(fieldError.required(at, 'at least one validation action is required'))
  const isRepeat = repeats()
  actions.forEach((action, index) => {
    oneOf(action, `${at}[${index}]`, ['Audit', 'Deny', 'Warn'], errors)
    if (isRepeat(action)) errors.push(fieldError.duplicate(`${at}[${index}]`, action))
  })
  if (actions.includes('Deny') && actions.includes('Warn')) errors.push(fieldError.invalid(at, actions, denyAndWarn))
}
