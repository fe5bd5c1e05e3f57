// Flow schemas: which requests make up a flow, and at which level of priority they are served.
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, say, text } from '../checks.ts'
import { fixedFlows, shownFlow } from './fixed-specs.ts'

const precedenceMax = 10_000
const methods = ['ByNamespace', 'ByUser']

export function validateFlowSchema(object: JsonObject): Errors {
  const errors: Errors = []
  const name = text(objectOf(object.metadata).name)
  const spec = objectOf(object.spec)
  checkPrecedence(spec.matchingPrecedence, name, errors)
  checkMethod(spec.distinguisherMethod, errors)
  checkLevel(text(objectOf(spec.priorityLevelConfiguration).name), errors)
  eachItem(spec.rules, 'spec.rules', (rule, at) => checkRule(rule, at, errors))
  checkFixed(name, spec, errors)
  return errors
}

function checkPrecedence(precedence: Json | undefined, name: string, errors: Errors): void {
  if (typeof precedence !== 'number') return
  const refuse = (why: string): void => void errors.push(fieldError.invalid('spec.matchingPrecedence', precedence, why))
  if (precedence <= 0) refuse('must be a positive value')
  if (precedence > precedenceMax) refuse(`must not be greater than ${precedenceMax}`)
  if (precedence === 1 && name !== 'exempt') refuse("only the schema named 'exempt' may have matchingPrecedence 1")
}

/** A real server shows the method as a whole, and names its type. */
function checkMethod(method: Json | undefined, errors: Errors): void {
  if (!isObject(method) || methods.includes(text(method.type))) return
  errors.push(fieldError.notSupported('spec.distinguisherMethod.type', { Type: text(method.type) }, methods))
}

function checkLevel(level: string, errors: Errors): void {
  const at = 'spec.priorityLevelConfiguration.name'
  if (level === '') errors.push(fieldError.required(at, 'must reference a priority level'))
  else say(errors, at, level, dnsSubdomainErrors(level))
}

function checkFixed(name: string, spec: JsonObject, errors: Errors): void {
  const fixed = fixedFlows.get(name)
  if (fixed === undefined || jsonEqual(spec, fixed)) return
  const why = `spec of '${name}' must equal the fixed value`
  errors.push({ ...fieldError.invalid('spec', shownFlow(spec), why), ordered: true })
}

function checkRule({ subjects, resourceRules, nonResourceRules }: JsonObject, at: string, errors: Errors): void {
  if (listOf(subjects).length === 0)
    errors.push(fieldError.required(`${at}.subjects`, 'subjects must contain at least one value'))
  eachItem(subjects, `${at}.subjects`, (subject, each) => checkSubject(subject, each, errors))
  if (listOf(resourceRules).length + listOf(nonResourceRules).length === 0)
    errors.push(fieldError.required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty'))
  eachItem(resourceRules, `${at}.resourceRules`, (rule, each) => checkResourceRule(rule, each, errors))
  eachItem(nonResourceRules, `${at}.nonResourceRules`, (rule, each) => checkPathRule(rule, each, errors))
}

/** Each kind of subject has its own field, in the order in which those of the others are refused. */
const subjectFields = [
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
  ['Group', 'group'],
] as const

function checkSubject(subject: JsonObject, at: string, errors: Errors): void {
  const kind = text(subject.kind)
  const [, own] = subjectFields.find(([one]) => one === kind) ?? []
  if (own === undefined) {
    errors.push(fieldError.notSupported(`${at}.kind`, kind, ['Group', 'ServiceAccount', 'User']))
    return
  }
  const given = subject[own]
  if (!isObject(given)) errors.push(fieldError.required(`${at}.${own}`, `${own} is required when subject kind is '${kind}'`))
  else if (own === 'serviceAccount') checkAccount(given, `${at}.${own}`, errors)
  else if (text(given.name) === '') errors.push(fieldError.required(`${at}.${own}.name`))
  for (const [other, field] of subjectFields)
    if (other !== kind && subject[field] !== undefined)
      errors.push(fieldError.forbidden(`${at}.${field}`, `${field} is forbidden when subject kind is not '${other}'`))
}

function checkAccount(account: JsonObject, at: string, errors: Errors): void {
  const [name, namespace] = [text(account.name), text(account.namespace)]
  if (name === '') errors.push(fieldError.required(`${at}.name`))
  else if (name !== '*') say(errors, `${at}.name`, name, dnsSubdomainErrors(name))
  if (namespace === '') errors.push(fieldError.required(`${at}.namespace`, 'must specify namespace for service account'))
  else say(errors, `${at}.namespace`, namespace, dnsLabelErrors(namespace))
}

function checkResourceRule(rule: JsonObject, at: string, errors: Errors): void {
  checkVerbs(rule.verbs, `${at}.verbs`, errors)
  const { apiGroups, resources } = rule
  checkNames(apiGroups, `${at}.apiGroups`, ['resource rules must supply at least one api group', 'api groups'], errors)
  checkNames(resources, `${at}.resources`, ['resource rules must supply at least one resource', 'resources'], errors)
  checkNamespaces(rule, `${at}.namespaces`, errors)
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

function checkVerbs(given: Json | undefined, at: string, errors: Errors): void {
  const list = listOf(given)
  checkNames(given, at, ['verbs must contain at least one value', 'verbs'], errors)
  if (list.includes('*') || list.every(verb => verbs.includes(text(verb)))) return
  errors.push(fieldError.notSupported(at, list, verbs))
}

/** There is at least one, and all stand alone. */
function checkNames(given: Json | undefined, at: string, [none, others]: readonly [string, string], errors: Errors): void {
  const list = listOf(given)
  if (list.length === 0) errors.push(fieldError.required(at, none))
  if (list.length > 1 && list.includes('*'))
    errors.push(fieldError.invalid(at, list, `if '*' is present, must not specify other ${others}`))
}

function checkNamespaces({ namespaces, clusterScope }: JsonObject, at: string, errors: Errors): void {
  const list = listOf(namespaces)
  if (list.length === 0 && clusterScope === true) return
  checkNames(list, at, ['resource rules that are not cluster scoped must supply at least one namespace', 'namespaces'], errors)
  if (list.includes('*')) return
  const head = "each member of this list must be '*' or a DNS-1123 label; "
  list.forEach((namespace, index) =>
    say(
      errors,
      `${at}[${index}]`,
      namespace,
      dnsLabelErrors(text(namespace)).map(why => head + why),
    ),
  )
}

function checkPathRule(rule: JsonObject, at: string, errors: Errors): void {
  checkVerbs(rule.verbs, `${at}.verbs`, errors)
  const paths = listOf(rule.nonResourceURLs)
  const words = ['nonResourceURLs must contain at least one value', 'non-resource URLs'] as const
  checkNames(paths, `${at}.nonResourceURLs`, words, errors)
  if (paths.includes('*')) return
  paths.forEach((path, index) => say(errors, `${at}.nonResourceURLs[${index}]`, path, pathErrors(text(path))))
}

/** The first thing that is wrong with it. */
function pathErrors(path: string): readonly string[] {
  if (path === '') return ['must not be empty']
  if (!path.startsWith('/')) return ['must start with slash']
  if (path.includes(' ')) return ['must not contain white-space']
  if (path.includes('//')) return ['must not contain double slash']
  return path.replace(/\/\*$/, '').includes('*') ? ['wildcard can only do suffix matching'] : []
}
