// What containers ask for, what they may use, and how that is changed while they run.
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { compareQuantities, parseQuantity, quantityAsInteger } from '../../../quantity.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, text } from '../checks.ts'
import { checkContainerResource } from '../resource-names.ts'

/** `claims` are the names of the pod's claims of devices. */
export function checkResources(resources: JsonObject, at: string, errors: Errors, claims: ReadonlySet<string> = new Set()): void {
  const limits = objectOf(resources.limits)
  const requests = objectOf(resources.requests)
  for (const [name, value] of Object.entries(limits)) {
    checkAmount(name, text(value), `${at}.limits[${name}]`, errors)
    checkPages(name, text(value), `${at}.limits[${name}]`, errors)
  }
  for (const [name, value] of Object.entries(requests)) {
    checkAmount(name, text(value), `${at}.requests[${name}]`, errors)
    checkRequest(name, text(value), limits[name], at, errors)
    checkPages(name, text(value), `${at}.requests[${name}]`, errors)
  }
  const names = Object.keys({ ...limits, ...requests })
  if (names.some(isPages) && !names.includes('cpu') && !names.includes('memory'))
    errors.push(fieldError.forbidden(at, 'HugePages require cpu or memory'))
  checkClaims(resources.claims, `${at}.claims`, claims, errors)
}

function isPages(name: string): boolean {
  return name.startsWith('hugepages-')
}

function checkAmount(name: string, value: string, at: string, errors: Errors): void {
  checkContainerResource(name, at, errors)
  const amount = parseQuantity(value)
  if (amount === undefined) return
  if (amount.numerator < 0n) errors.push(fieldError.invalid(at, value, 'must be greater than or equal to 0'))
  const isCounted = name.includes('/') && !/(?:^|\.)kubernetes\.io\//.test(name)
  if (isCounted && quantityAsInteger(amount) === undefined) errors.push(fieldError.invalid(at, value, 'must be an integer'))
}

/** Huge pages are given whole. */
function checkPages(name: string, value: string, at: string, errors: Errors): void {
  if (!isPages(name)) return
  const size = integerOf(name.slice('hugepages-'.length))
  const amount = integerOf(value)
  const isWhole = size !== undefined && size > 0n && amount !== undefined && amount >= 0n && amount % size === 0n
  if (!isWhole) errors.push(fieldError.invalid(at, value, `${value} is not positive integer multiple of ${name}`))
}

function integerOf(quantity: string): bigint | undefined {
  const parsed = parseQuantity(quantity)
  return parsed === undefined ? undefined : quantityAsInteger(parsed)
}

/** Devices and huge pages are given as they are asked for; of the rest there may be more than was asked. */
function checkRequest(name: string, value: string, limit: Json | undefined, at: string, errors: Errors): void {
  const isExact = name.includes('/') || isPages(name)
  if (isExact && limit === undefined)
    errors.push(fieldError.required(`${at}.limits`, 'Limit must be set for non overcommitable resources'))
  const [most, asked] = [parseQuantity(text(limit)), parseQuantity(value)]
  if (most === undefined || asked === undefined) return
  const order = compareQuantities(asked, most)
  if (isExact && order !== 0)
    errors.push(fieldError.invalid(`${at}.requests`, value, `must be equal to ${name} limit of ${text(limit)}`))
  if (!isExact && order > 0)
    errors.push(fieldError.invalid(`${at}.requests`, value, `must be less than or equal to ${name} limit of ${text(limit)}`))
}

/** Of more claims than this the first ones are compared with each other. */
const comparedClaims = 300

function checkClaims(claims: Json | undefined, at: string, known: ReadonlySet<string>, errors: Errors): void {
  const seen = new Set<string>()
  eachItem(claims, at, ({ name, request }, path, index) => {
    const called = text(name)
    const place = text(request) === '' ? called : `${called}/${text(request)}`
    if (called === '') {
      errors.push(fieldError.required(path))
      return
    }
    for (const other of index < comparedClaims ? seen : []) {
      // Who asks for a whole claim asks for each request of it.
      const isWhole = other === called || (place === called && other.startsWith(`${called}/`))
      if (isWhole || other === place) errors.push(fieldError.duplicate(path, isWhole ? called : place))
    }
    seen.add(place)
    if (!known.has(called)) errors.push({ ...fieldError.notFound(path, called), detail: unknownClaim(known) })
  })
}

/** Of more names than this the first ones are told, since they are told of each claim. */
const toldNames = 100

function unknownClaim(known: ReadonlySet<string>): string {
  const names = known.size === 0 ? ' which is empty' : `: ${[...known].slice(0, toldNames).sort().join(', ')}`
  return `must be one of the names in pod.spec.resourceClaims${names}`
}

const onResize = ['NotRequired', 'RestartContainer']

/** Of these a real server names the list, not the item. */
export function checkResizing(policies: Json | undefined, at: string, podRestarts: Json | undefined, errors: Errors): void {
  const names = new Set<string>()
  listOf(policies).forEach((policy, index) => {
    const { resourceName, restartPolicy } = objectOf(policy)
    const name = text(resourceName)
    if (names.has(name)) errors.push(fieldError.duplicate(`${at}[${index}]`, name))
    names.add(name)
    for (const [value, known] of [
      [name, ['cpu', 'memory']],
      [text(restartPolicy), onResize],
    ] as const)
      if (value === '') errors.push(fieldError.required(at))
      else oneOf(value, at, known, errors)
    const why = "must be 'NotRequired' when `restartPolicy` is 'Never'"
    if (podRestarts === 'Never' && restartPolicy !== 'NotRequired') errors.push(fieldError.invalid(at, text(restartPolicy), why))
  })
}
