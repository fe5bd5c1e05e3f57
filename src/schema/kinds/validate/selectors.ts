// Label selectors.
import { labelValueErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { type Errors, eachItem, immutable, listOf, objectOf, qualifiedKeys, say, text } from './checks.ts'

export function checkSelector(selector: Json | undefined, at: string, errors: Errors): void {
  if (!isObject(selector)) return
  qualifiedKeys(selector.matchLabels, `${at}.matchLabels`, errors)
  eachItem(selector.matchExpressions, `${at}.matchExpressions`, (expression, path) => checkExpression(expression, path, errors))
}

function checkExpression({ key, operator, values }: JsonObject, at: string, errors: Errors): void {
  const given = listOf(values)
  if (operator === 'In' || operator === 'NotIn') {
    if (given.length === 0)
      errors.push(fieldError.required(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (given.length > 0)
      errors.push(fieldError.forbidden(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
  } else errors.push(fieldError.invalid(`${at}.operator`, operator ?? '', 'not a valid selector operator'))
  say(errors, `${at}.key`, key, qualifiedNameErrors(text(key)))
  given.forEach((value, index) => say(errors, `${at}.values[${index}]`, value, labelValueErrors(text(value))))
}

/** As the server's own type has it, for a refusal that shows it. */
export function shownSelector({ matchLabels, matchExpressions }: JsonObject): JsonObject {
  const labels = Object.entries(objectOf(matchLabels)).sort(([one], [other]) => (one < other ? -1 : 1))
  const expressions = listOf(matchExpressions).map(objectOf)
  return {
    ...(labels.length > 0 && { matchLabels: Object.fromEntries(labels) }),
    ...(expressions.length > 0 && { matchExpressions: expressions.map(shownExpression) }),
  }
}

function shownExpression({ key, operator, values }: JsonObject): JsonObject {
  return { key: text(key), operator: text(operator), ...(listOf(values).length > 0 && { values: listOf(values) }) }
}

/** Whom an object selects is decided when it is made. */
export function fixedSelector(selector: Json | undefined, old: Json | undefined, errors: Errors): void {
  const changes: Errors = []
  immutable(selector, old, 'spec.selector', changes)
  for (const error of changes)
    errors.push(isObject(selector) ? { ...error, value: shownSelector(selector), ordered: true } : error)
}

export function isReadable(selector: JsonObject): boolean {
  const found: Errors = []
  checkSelector(selector, '', found)
  return found.length === 0
}

export function selects(selector: JsonObject, labels: Json | undefined): boolean {
  const given = objectOf(labels)
  for (const [key, value] of Object.entries(objectOf(selector.matchLabels))) if (given[key] !== value) return false
  let all = true
  eachItem(selector.matchExpressions, '', ({ key, operator, values }) => {
    const value = given[text(key)]
    const isListed = value !== undefined && listOf(values).includes(value)
    if (operator === 'In') all &&= isListed
    else if (operator === 'NotIn') all &&= !isListed
    else if (operator === 'Exists') all &&= value !== undefined
    else if (operator === 'DoesNotExist') all &&= value === undefined
  })
  return all
}
