// Which nodes are meant, by their labels and by their names.
import { dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, say, text } from '../checks.ts'

export function checkNodeSelector(selector: JsonObject, at: string, errors: Errors): void {
  const path = `${at}.nodeSelectorTerms`
  if (listOf(selector.nodeSelectorTerms).length === 0)
    errors.push(fieldError.required(path, 'must have at least one node selector term'))
  eachItem(selector.nodeSelectorTerms, path, (term, each) => checkNodeTerm(term, each, errors, true))
}

/** Values that no label can have are refused only where the term has to be met. */
export function checkNodeTerm(term: JsonObject, at: string, errors: Errors, valuesRefused: boolean): void {
  eachItem(term.matchExpressions, `${at}.matchExpressions`, (expression, path) => {
    checkOperator(expression, path, errors)
    say(errors, `${path}.key`, text(expression.key), qualifiedNameErrors(text(expression.key)))
    if (!valuesRefused) return
    listOf(expression.values).forEach((value, index) =>
      say(errors, `${path}.values[${index}]`, value, labelValueErrors(text(value))),
    )
  })
  eachItem(term.matchFields, `${at}.matchFields`, (field, path) => checkField(field, path, errors))
}

function checkOperator({ operator, values }: JsonObject, at: string, errors: Errors): void {
  const given = listOf(values).length
  if (operator === 'In' || operator === 'NotIn') {
    if (given === 0) errors.push(fieldError.required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (given > 0)
      errors.push(fieldError.forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
  } else if (operator === 'Gt' || operator === 'Lt') {
    const why = "must be specified single value when `operator` is 'Lt' or 'Gt'"
    if (given !== 1) errors.push(fieldError.required(`${at}.values`, why))
  } else errors.push(fieldError.invalid(`${at}.operator`, text(operator), 'not a valid selector operator'))
}

/** Of a node's fields only its name selects. */
function checkField({ key, operator, values }: JsonObject, at: string, errors: Errors): void {
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(fieldError.invalid(`${at}.operator`, text(operator), 'not a valid selector operator'))
  else if (listOf(values).length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    errors.push(fieldError.required(`${at}.values`, why))
  }
  if (key !== 'metadata.name') errors.push(fieldError.invalid(`${at}.key`, text(key), 'not a valid field selector key'))
  else listOf(values).forEach((value, index) => say(errors, `${at}.values[${index}]`, value, dnsSubdomainErrors(text(value))))
}

const instead: ReadonlyMap<string, readonly [since: string, label: string]> = new Map([
  ['beta.kubernetes.io/arch', ['v1.14', 'kubernetes.io/arch']],
  ['beta.kubernetes.io/os', ['v1.14', 'kubernetes.io/os']],
  ['failure-domain.beta.kubernetes.io/region', ['v1.17', 'topology.kubernetes.io/region']],
  ['failure-domain.beta.kubernetes.io/zone', ['v1.17', 'topology.kubernetes.io/zone']],
  ['beta.kubernetes.io/instance-type', ['v1.17', 'node.kubernetes.io/instance-type']],
])

/** Labels of nodes that have another name by now; what is to be used instead. */
export function oldNodeLabel(key: Json | undefined): string | undefined {
  const [since, label] = instead.get(text(key)) ?? []
  return since === undefined ? undefined : `deprecated since ${since}; use "${label}" instead`
}

export function newNodeLabel(key: Json | undefined): string | undefined {
  return instead.get(text(key))?.[1]
}

/** What is told of old labels in the terms of a selector. */
export function nodeSelectorWarnings({ nodeSelectorTerms }: JsonObject, at: string): readonly string[] {
  const warnings: string[] = []
  eachItem(nodeSelectorTerms, `${at}.nodeSelectorTerms`, ({ matchExpressions }, term) => {
    eachItem(matchExpressions, `${term}.matchExpressions`, ({ key }, path) => {
      warnings.push(...nodeLabelWarnings(key, `${path}.key`))
    })
  })
  return warnings
}

/** Of one label at most one. */
export function nodeLabelWarnings(label: Json | undefined, at: string): readonly string[] {
  const old = oldNodeLabel(label)
  return old === undefined ? [] : [`${at}: ${text(label)} is ${old}`]
}
