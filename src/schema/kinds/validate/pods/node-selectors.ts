// Which nodes are meant: terms of expressions about their labels and fields.
import { dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, say, text } from '../checks.ts'

export function checkNodeSelector(selector: JsonObject, at: string, errors: Errors): void {
  const path = `${at}.nodeSelectorTerms`
  if (listOf(selector.nodeSelectorTerms).length === 0)
    errors.push(fieldError.required(path, 'must have at least one node selector term'))
  eachItem(selector.nodeSelectorTerms, path, (term, each) => checkNodeTerm(term, each, errors))
}

export function checkNodeTerm({ matchExpressions, matchFields }: JsonObject, at: string, errors: Errors): void {
  eachItem(matchExpressions, `${at}.matchExpressions`, (expression, path) => checkLabels(expression, path, errors))
  eachItem(matchFields, `${at}.matchFields`, (expression, path) => checkField(expression, path, errors))
}

function checkLabels({ key, operator, values }: JsonObject, at: string, errors: Errors): void {
  checkCount(text(operator), listOf(values).length, at, errors)
  say(errors, `${at}.key`, text(key), qualifiedNameErrors(text(key)))
  listOf(values).forEach((value, index) => say(errors, `${at}.values[${index}]`, value, labelValueErrors(text(value))))
}

function checkCount(operator: string, count: number, at: string, errors: Errors): void {
  const path = `${at}.values`
  if (operator === 'In' || operator === 'NotIn') {
    if (count === 0) errors.push(fieldError.required(path, "must be specified when `operator` is 'In' or 'NotIn'"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (count > 0) errors.push(fieldError.forbidden(path, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (count !== 1) errors.push(fieldError.required(path, "must be specified single value when `operator` is 'Lt' or 'Gt'"))
  } else errors.push(fieldError.invalid(`${at}.operator`, operator, 'not a valid selector operator'))
}

/** The one field that a node can be chosen by is its name. */
function checkField({ key, operator, values }: JsonObject, at: string, errors: Errors): void {
  const isKnown = operator === 'In' || operator === 'NotIn'
  const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
  if (!isKnown) errors.push(fieldError.invalid(`${at}.operator`, text(operator), 'not a valid selector operator'))
  else if (listOf(values).length !== 1) errors.push(fieldError.required(`${at}.values`, why))
  if (key === 'metadata.name')
    listOf(values).forEach((value, index) => say(errors, `${at}.values[${index}]`, value, dnsSubdomainErrors(text(value))))
  else errors.push(fieldError.invalid(`${at}.key`, text(key), 'not a valid field selector key'))
}

const instead: Readonly<Record<string, readonly [since: string, label: string]>> = {
  'beta.kubernetes.io/arch': ['v1.14', 'kubernetes.io/arch'],
  'beta.kubernetes.io/os': ['v1.14', 'kubernetes.io/os'],
  'failure-domain.beta.kubernetes.io/region': ['v1.17', 'topology.kubernetes.io/region'],
  'failure-domain.beta.kubernetes.io/zone': ['v1.17', 'topology.kubernetes.io/zone'],
  'beta.kubernetes.io/instance-type': ['v1.17', 'node.kubernetes.io/instance-type'],
}

/** Labels of nodes that have another name by now; what is to be used instead. */
export function oldNodeLabel(key: Json | undefined): string | undefined {
  const [since, label] = instead[text(key)] ?? []
  return since === undefined ? undefined : `deprecated since ${since}; use "${label}" instead`
}

/** The same, as it is told of the terms of a selector. */
export function nodeSelectorWarnings({ nodeSelectorTerms }: JsonObject, at: string): readonly string[] {
  const warnings: string[] = []
  eachItem(nodeSelectorTerms, `${at}.nodeSelectorTerms`, ({ matchExpressions }, term) => {
    eachItem(matchExpressions, `${term}.matchExpressions`, ({ key }, path) => {
      const old = oldNodeLabel(key)
      if (old !== undefined) warnings.push(`${path}.key: ${text(key)} is ${old}`)
    })
  })
  return warnings
}
