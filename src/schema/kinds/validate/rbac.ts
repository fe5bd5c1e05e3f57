// Roles and bindings.
import { dnsSubdomainErrors, pathSegmentErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from './checks.ts'
import { checkSelector, isReadable } from './selectors.ts'

export function validateRole(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  eachItem(object.rules, 'rules', (rule, at) => checkRule(rule, at, true, errors))
  return asTold(errors, old)
}

/** Of an update a real server judges the new object twice, and says so twice. */
function asTold(errors: Errors, old: JsonObject | undefined): Errors {
  return old === undefined ? errors : [...errors, ...errors]
}

export function validateClusterRole(object: JsonObject, { old }: ValidationContext): Errors {
  return asTold(clusterRoleErrors(object), old)
}

function clusterRoleErrors(object: JsonObject): Errors {
  const errors: Errors = []
  eachItem(object.rules, 'rules', (rule, at) => checkRule(rule, at, false, errors))
  const { aggregationRule } = object
  if (!isObject(aggregationRule)) return errors
  const at = 'aggregationRule.clusterRoleSelectors'
  if (listOf(aggregationRule.clusterRoleSelectors).length === 0) {
    errors.push(fieldError.required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil'))
  }
  eachItem(aggregationRule.clusterRoleSelectors, at, (selector, path) => {
    checkSelector(selector, path, errors)
    if (!isReadable(selector)) errors.push(fieldError.invalid(path, null, 'invalid label selector.'))
  })
  return errors
}

function checkRule(rule: JsonObject, at: string, namespaced: boolean, errors: Errors): void {
  const urls = listOf(rule.nonResourceURLs)
  if (listOf(rule.verbs).length === 0) errors.push(fieldError.required(`${at}.verbs`, 'verbs must contain at least one value'))
  if (urls.length > 0) {
    if (namespaced)
      errors.push(fieldError.invalid(`${at}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs'))
    const others = [rule.apiGroups, rule.resources, rule.resourceNames].some(list => listOf(list).length > 0)
    if (others)
      errors.push(
        fieldError.invalid(`${at}.nonResourceURLs`, urls, 'rules cannot apply to both regular resources and non-resource URLs'),
      )
    return
  }
  if (listOf(rule.apiGroups).length === 0)
    errors.push(fieldError.required(`${at}.apiGroups`, 'resource rules must supply at least one api group'))
  if (listOf(rule.resources).length === 0)
    errors.push(fieldError.required(`${at}.resources`, 'resource rules must supply at least one resource'))
}

const rbacGroup = 'rbac.authorization.k8s.io'

export function validateBinding(kinds: readonly string[]): (object: JsonObject, context: ValidationContext) => Errors {
  return (object, { old }) => {
    const errors: Errors = []
    const reference = objectOf(object.roleRef)
    oneOf(reference.apiGroup, 'roleRef.apiGroup', [rbacGroup], errors)
    oneOf(reference.kind ?? '', 'roleRef.kind', kinds, errors)
    if (text(reference.name) === '') errors.push(fieldError.required('roleRef.name'))
    else
      for (const problem of pathSegmentErrors(text(reference.name)))
        errors.push(fieldError.invalid('roleRef.name', reference.name, problem))
    eachItem(object.subjects, 'subjects', (subject, at) => checkSubject(subject, at, kinds.length > 1, errors))
    const told = asTold(errors, old)
    if (old !== undefined && !jsonEqual(old.roleRef, object.roleRef)) {
      const shown = { APIGroup: text(reference.apiGroup), Kind: text(reference.kind), Name: text(reference.name) }
      told.push({ ...fieldError.invalid('roleRef', shown, 'cannot change roleRef'), ordered: true })
    }
    return told
  }
}

/** A binding within a namespace may leave the namespace of an account out. */
function checkSubject(subject: JsonObject, at: string, namespaced: boolean, errors: Errors): void {
  const name = text(subject.name)
  if (name === '') errors.push(fieldError.required(`${at}.name`))
  switch (subject.kind) {
    case 'ServiceAccount':
      if (text(subject.apiGroup) !== '') errors.push(fieldError.notSupported(`${at}.apiGroup`, subject.apiGroup, ['']))
      if (name !== '') say(errors, `${at}.name`, name, dnsSubdomainErrors(name))
      if (text(subject.namespace) === '' && !namespaced) errors.push(fieldError.required(`${at}.namespace`))
      return
    case 'User':
    case 'Group':
      if (subject.apiGroup !== rbacGroup)
        errors.push(fieldError.notSupported(`${at}.apiGroup`, subject.apiGroup ?? '', [rbacGroup]))
      return
    default:
      errors.push(fieldError.notSupported(`${at}.kind`, subject.kind ?? '', ['ServiceAccount', 'User', 'Group']))
  }
}
