// What a namespace may use in all, and each of its objects by itself.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityAsInteger,
  quantityAsNumber,
  renderQuantity,
} from '../../quantity.ts'
import { type Errors, eachItem, immutable, listOf, objectOf, say, text } from './checks.ts'
import { checkContainerResource, checkQuotaName, checkResourceName, countedNames, isQuotaName } from './resource-names.ts'

/** What pods use of a node. */
const computed = ['cpu', 'memory'].flatMap(amount => ['', 'requests.', 'limits.'].map(prefix => `${prefix}${amount}`))
/** Which of a quota's resources each scope can be applied to. */
const applicable: ReadonlyMap<string, readonly string[]> = new Map([
  ['BestEffort', ['pods']],
  ['NotBestEffort', ['pods', ...computed]],
  ['Terminating', ['pods', ...computed]],
  ['NotTerminating', ['pods', ...computed]],
  ['PriorityClass', ['pods', ...computed]],
  ['CrossNamespacePodAffinity', ['pods', ...computed]],
  ['VolumeAttributesClass', ['persistentvolumeclaims', 'requests.storage']],
])
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
]

export function validateQuota(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    const status = objectOf(object.status)
    for (const field of ['hard', 'used']) checkAmounts(status[field], `status.${field}`, errors)
    return errors
  }
  const spec = objectOf(object.spec)
  checkAmounts(spec.hard, 'spec.hard', errors)
  checkScopes(spec, errors)
  checkScopeSelector(spec, errors)
  if (old !== undefined) immutable(spec.scopes, objectOf(old.spec).scopes, 'spec.scopes', errors)
  return errors
}

function checkScopes({ scopes, hard }: JsonObject, errors: Errors): void {
  const given = listOf(scopes)
  for (const scope of given) {
    if (!applicable.has(text(scope))) errors.push(fieldError.invalid('spec.scopes', given, 'unsupported scope'))
    for (const _name of unfitFor(text(scope), hard))
      errors.push(fieldError.invalid('spec.scopes', given, 'unsupported scope applied to resource'))
  }
  for (const pair of opposites)
    if (pair.every(scope => given.includes(scope))) errors.push(fieldError.invalid('spec.scopes', given, 'conflicting scopes'))
}

/** Of what every quota knows the resources that a scope cannot be applied to. */
function unfitFor(scope: string, hard: Json | undefined): readonly string[] {
  const fits = applicable.get(scope)
  return fits === undefined ? [] : Object.keys(objectOf(hard)).filter(name => isQuotaName(name) && !fits.includes(name))
}

function checkScopeSelector({ scopeSelector, hard }: JsonObject, errors: Errors): void {
  const expressions = objectOf(scopeSelector).matchExpressions
  const MatchExpressions = listOf(expressions)
    .map(objectOf)
    .map(({ scopeName, operator, values = null }) => ({
      ScopeName: text(scopeName),
      Operator: text(operator),
      Values: values,
    }))
  eachItem(expressions, '', expression => {
    checkScopeExpression(expression, errors)
    for (const _name of unfitFor(text(expression.scopeName), hard)) {
      const why = 'unsupported scope applied to resource'
      errors.push({ ...fieldError.invalid('spec.scopeSelector.matchExpressions', { MatchExpressions }, why), ordered: true })
    }
  })
}

/** A real server names the list and not the expression. Only classes of priority have names to choose from. */
function checkScopeExpression({ scopeName, operator, values }: JsonObject, errors: Errors): void {
  const at = 'spec.scopeSelector.matchExpressions'
  const scope = text(scopeName)
  if (!applicable.has(scope)) errors.push(fieldError.invalid(`${at}.scopeName`, scope, 'unsupported scope'))
  else if (scope !== 'PriorityClass' && operator !== 'Exists') {
    const why =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"
    errors.push(fieldError.invalid(`${at}.operator`, operator, why))
  }
  const isChoice = operator === 'In' || operator === 'NotIn'
  if (isChoice && listOf(values).length === 0) {
    const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
    errors.push(fieldError.required(`${at}.values`, why))
  }
  const isKnown = isChoice || operator === 'Exists' || operator === 'DoesNotExist'
  if (!isKnown) errors.push(fieldError.invalid(`${at}.operator`, operator, 'not a valid selector operator'))
  else if (!isChoice && listOf(values).length > 0) {
    const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
    errors.push(fieldError.invalid(`${at}.values`, values, why))
  }
}

function checkAmounts(amounts: Json | undefined, at: string, errors: Errors): void {
  for (const [name, amount] of Object.entries(objectOf(amounts))) checkAmount(name, text(amount), `${at}[${name}]`, errors)
}

function checkAmount(name: string, amount: string, at: string, errors: Errors): void {
  checkQuotaName(name, at, errors)
  const quantity = parseQuantity(amount)
  if (quantity === undefined) return
  if (quantity.numerator < 0n) errors.push(fieldError.invalid(at, renderQuantity(quantity), 'must be greater than or equal to 0'))
  const isCount = countedNames.includes(name) || name.startsWith('count/')
  if (isCount && quantityAsInteger(quantity) === undefined)
    errors.push(fieldError.invalid(at, renderQuantity(quantity), 'must be an integer'))
}

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim']
const limitFields = ['min', 'max', 'default', 'defaultRequest']
const one: Quantity = { numerator: 1n, scale: 0, text: '1' }

export function validateLimitRange(object: JsonObject): Errors {
  const errors: Errors = []
  const seen = new Set<Json | undefined>()
  eachItem(objectOf(object.spec).limits, 'spec.limits', (limit, at) => {
    const type = text(limit.type)
    checkLimitType(type, `${at}.type`, errors)
    if (seen.has(type)) errors.push(fieldError.duplicate(`${at}.type`, type))
    seen.add(type)
    if (type === 'Pod') checkPodLimit(limit, at, errors)
    if (type === 'PersistentVolumeClaim') checkClaimLimit(limit, at, errors)
    checkLimitNames(limit, type, at, errors)
    checkLimit(limit, at, errors)
  })
  return errors
}

function checkLimitType(type: string, at: string, errors: Errors): void {
  const problems = qualifiedNameErrors(type)
  say(errors, at, type, problems)
  if (problems.length === 0 && !limitTypes.includes(type) && !type.includes('/'))
    errors.push(fieldError.invalid(at, type, 'must be a standard limit type or fully qualified'))
}

function checkClaimLimit(limit: JsonObject, at: string, errors: Errors): void {
  if (['min', 'max'].some(field => objectOf(limit[field]).storage !== undefined)) return
  const why = 'either minimum or maximum storage value is required, but neither was provided'
  errors.push(fieldError.required(`${at}.limits`, why))
}

function checkLimitNames(limit: JsonObject, type: string, at: string, errors: Errors): void {
  const check = type === 'Pod' || type === 'Container' ? checkContainerResource : checkResourceName
  for (const field of [...limitFields, 'maxLimitRequestRatio'])
    for (const name of Object.keys(objectOf(limit[field]))) check(name, `${at}.${field}[${name}]`, errors)
}

function checkPodLimit(limit: JsonObject, at: string, errors: Errors): void {
  for (const field of ['default', 'defaultRequest'])
    if (limit[field] !== undefined)
      errors.push(fieldError.forbidden(`${at}.${field}`, "may not be specified when `type` is 'Pod'"))
}

/** Which of two amounts must not be above which; the third is the field that is named, and whose side of the two is shown. */
const orders = [
  ['min', 'max', 'min', 'low', 'min value', 'max value'],
  ['min', 'defaultRequest', 'defaultRequest', 'high', 'min value', 'default request value'],
  ['defaultRequest', 'max', 'defaultRequest', 'low', 'default request value', 'max value'],
  ['defaultRequest', 'default', 'defaultRequest', 'low', 'default request value', 'default limit value'],
  ['min', 'default', 'default', 'low', 'min value', 'default value'],
  ['default', 'max', 'default', 'high', 'default value', 'max value'],
] as const

function checkLimit(limit: JsonObject, at: string, errors: Errors): void {
  const names = new Set(limitFields.flatMap(field => Object.keys(objectOf(limit[field]))))
  const amountOf = (field: string, name: string): Quantity | undefined => parseQuantity(text(objectOf(limit[field])[name]))
  for (const name of names) {
    for (const [lower, upper, named, shown, lowWord, highWord] of orders) {
      const [low, high] = [amountOf(lower, name), amountOf(upper, name)]
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) continue
      const why = `${lowWord} ${low.text} is greater than ${highWord} ${high.text}`
      errors.push(fieldError.invalid(`${at}.${named}[${name}]`, (shown === 'low' ? low : high).text, why))
    }
  }
  for (const [name, value] of Object.entries(objectOf(limit.maxLimitRequestRatio)))
    checkRatio(text(value), [amountOf('min', name), amountOf('max', name)], `${at}.maxLimitRequestRatio[${name}]`, errors)
}

/** How many times what is asked for a limit may be: no more than the greatest limit is of the least. */
function checkRatio(
  value: string,
  [least, most]: readonly [Quantity | undefined, Quantity | undefined],
  at: string,
  errors: Errors,
): void {
  const ratio = parseQuantity(value)
  if (ratio === undefined) return
  if (compareQuantities(ratio, one) < 0) errors.push(fieldError.invalid(at, ratio.text, `ratio ${ratio.text} is less than 1`))
  if (least === undefined || most === undefined) return
  const possible = quantityAsNumber(most) / quantityAsNumber(least)
  if (quantityAsNumber(ratio) <= possible) return
  errors.push(fieldError.invalid(at, ratio.text, `ratio ${ratio.text} is greater than max/min = ${possible.toFixed(6)}`))
}
