// What a namespace may use in all, and each of its objects by itself.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { compareQuantities, parseQuantity, type Quantity, quantityAsInteger, renderQuantity } from '../../quantity.ts'
import { type Errors, eachItem, immutable, listOf, objectOf, say, text } from './checks.ts'

const amounts = ['cpu', 'memory', 'ephemeral-storage']
const counted = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]
const standard = new Set([
  ...counted,
  ...['', 'requests.', 'limits.'].flatMap(prefix => amounts.map(amount => `${prefix}${amount}`)),
  'requests.storage',
])
const scopes = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'PriorityClass', 'CrossNamespacePodAffinity']
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
]

export function validateQuota(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  for (const [name, amount] of Object.entries(objectOf(spec.hard))) checkHard(name, text(amount), `spec.hard[${name}]`, errors)
  const given = listOf(spec.scopes)
  if (given.some(scope => !scopes.includes(text(scope))))
    errors.push(fieldError.invalid('spec.scopes', given, 'unsupported scope'))
  for (const pair of opposites)
    if (pair.every(scope => given.includes(scope))) errors.push(fieldError.invalid('spec.scopes', given, 'conflicting scopes'))
  if (old !== undefined) immutable(spec.scopes, objectOf(old.spec).scopes, 'spec.scopes', errors)
  return errors
}

function checkHard(name: string, amount: string, at: string, errors: Errors): void {
  const problems = qualifiedNameErrors(name)
  say(errors, at, name, problems)
  const isStandard = name.includes('/') || standard.has(name) || /^(?:requests\.)?hugepages-/.test(name)
  if (!isStandard) {
    if (problems.length === 0) errors.push(fieldError.invalid(at, name, 'must be a standard resource type or fully qualified'))
    errors.push(fieldError.invalid(at, name, 'must be a standard resource for quota'))
  }
  const quantity = parseQuantity(amount)
  if (quantity === undefined) return
  if (quantity.numerator < 0n) errors.push(fieldError.invalid(at, renderQuantity(quantity), 'must be greater than or equal to 0'))
  const isCount = counted.includes(name) || name.startsWith('count/')
  if (isCount && quantityAsInteger(quantity) === undefined)
    errors.push(fieldError.invalid(at, renderQuantity(quantity), 'must be an integer'))
}

const limitTypes = ['Pod', 'Container', 'PersistentVolumeClaim']
const one: Quantity = { numerator: 1n, scale: 0, text: '1' }

export function validateLimitRange(object: JsonObject): Errors {
  const errors: Errors = []
  const seen = new Set<Json | undefined>()
  eachItem(objectOf(object.spec).limits, 'spec.limits', (limit, at) => {
    const type = text(limit.type)
    if (!limitTypes.includes(type) && !type.includes('/'))
      errors.push(fieldError.invalid(`${at}.type`, type, 'must be a standard limit type or fully qualified'))
    if (seen.has(type)) errors.push(fieldError.duplicate(`${at}.type`, type))
    seen.add(type)
    if (type === 'Pod') checkPodLimit(limit, at, errors)
    checkLimit(limit, at, errors)
  })
  return errors
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
  const names = new Set(['min', 'max', 'default', 'defaultRequest'].flatMap(field => Object.keys(objectOf(limit[field]))))
  const amountOf = (field: string, name: string): Quantity | undefined => parseQuantity(text(objectOf(limit[field])[name]))
  for (const name of names) {
    for (const [lower, upper, named, shown, lowWord, highWord] of orders) {
      const [low, high] = [amountOf(lower, name), amountOf(upper, name)]
      if (low === undefined || high === undefined || compareQuantities(low, high) <= 0) continue
      const why = `${lowWord} ${low.text} is greater than ${highWord} ${high.text}`
      errors.push(fieldError.invalid(`${at}.${named}[${name}]`, (shown === 'low' ? low : high).text, why))
    }
  }
  for (const [name, value] of Object.entries(objectOf(limit.maxLimitRequestRatio))) {
    const ratio = parseQuantity(text(value))
    if (ratio === undefined || compareQuantities(ratio, one) >= 0) continue
    errors.push(fieldError.invalid(`${at}.maxLimitRequestRatio[${name}]`, ratio.text, `ratio ${ratio.text} is less than 1`))
  }
}
