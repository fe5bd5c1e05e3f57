// Nodes, leases, disruption budgets, namespaces.
import { labelValueErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { parseQuantity } from '../../quantity.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, say, text } from './checks.ts'
import { networkText, networkWarnings, readNetwork } from './network/address-forms.ts'
import { isWholeResource } from './resource-names.ts'
import { checkSelector } from './selectors.ts'

export function validateNode(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  checkTaints(spec.taints, old === undefined ? 1 : 2, errors)
  if (old === undefined)
    for (const list of ['capacity', 'allocatable']) checkAmounts(objectOf(object.status)[list], `status.${list}`, errors)
  checkNetworks(listOf(spec.podCIDRs).map(text), 'spec.podCIDRs', errors)
  if (subresource === 'status') checkAddresses(objectOf(object.status).addresses, 'status.addresses', errors)
  const networks = networksOf(objectOf(old?.spec))
  if (networks.length > 0 && !jsonEqual(networks, networksOf(spec)))
    errors.push(fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'))
  const before = text(objectOf(old?.spec).providerID)
  if (before !== '' && before !== text(spec.providerID)) {
    errors.push(fieldError.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  }
  return errors
}

/** One address stands once in the list. */
function checkAddresses(addresses: Json | undefined, at: string, errors: Errors): void {
  const known = new Set<string>()
  eachItem(addresses, at, ({ type, address }, path) => {
    const shown = { Type: text(type), Address: text(address) }
    const key = JSON.stringify(shown)
    if (known.has(key)) errors.push({ ...fieldError.duplicate(path, shown), ordered: true })
    known.add(key)
  })
}

export function nodeWarnings({ spec }: JsonObject): readonly string[] {
  const { externalID, podCIDRs } = objectOf(spec)
  const networks = listOf(podCIDRs).flatMap((network, index) => networkWarnings(text(network), `spec.podCIDRs[${index}]`))
  if (text(externalID) === '') return networks
  return ['spec.externalID: this field is deprecated, and is unused by Kubernetes', ...networks]
}

function checkAmounts(amounts: Json | undefined, at: string, errors: Errors): void {
  for (const [name, value] of Object.entries(objectOf(amounts))) {
    const amount = parseQuantity(text(value))
    if (amount === undefined) continue
    const path = `${at}.${name}`
    if (amount.numerator < 0n) errors.push(fieldError.invalid(path, value, 'must be greater than or equal to 0'))
    if (isWholeResource(name) && amount.numerator % 10n ** BigInt(amount.scale) !== 0n)
      errors.push(fieldError.invalid(path, value, 'must be an integer'))
  }
}

function checkNetworks(networks: readonly string[], at: string, errors: Errors): void {
  const read = networks.map(readNetwork)
  read.forEach((network, index) => {
    if (network === undefined) errors.push(fieldError.invalid(`${at}[${index}]`, networks[index], networkText))
  })
  if (networks.length < 2) return
  const wrong = read.indexOf(undefined)
  if (wrong >= 0) {
    const why = `invalid CIDR[${wrong}]: <nil> (invalid CIDR address: ${networks[wrong]})`
    errors.push(fieldError.internal(at, `invalid PodCIDRs. failed to check with dual stack with error:${why}`))
  }
  const isDual = networks.length === 2 && read[0]?.address.family !== read[1]?.address.family
  if (wrong >= 0 || !isDual) errors.push(fieldError.invalid(at, networks, 'may specify no more than one CIDR for each IP family'))
}

/** One network may be given alone; what it contradicts does not count. */
function networksOf({ podCIDR, podCIDRs }: JsonObject): readonly Json[] {
  const list = listOf(podCIDRs)
  return typeof podCIDR === 'string' && podCIDR !== '' && podCIDR !== list[0] ? [podCIDR] : list
}

/** A real server looks at them twice when a node changes, and says so; the text of its refusal says it once. */
function checkTaints(taints: Json | undefined, rounds: number, errors: Errors): void {
  for (let round = 0; round < rounds; round++) {
    const known = new Set<string>()
    eachItem(taints, 'metadata.taints', (taint, at) => {
      const [Key, Effect] = [text(taint.key), text(taint.effect)]
      say(errors, `${at}.key`, Key, qualifiedNameErrors(Key))
      say(errors, `${at}.value`, text(taint.value), labelValueErrors(text(taint.value)))
      if (Effect === '') errors.push(fieldError.required(`${at}.effect`))
      else oneOf(Effect, `${at}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], errors)
      const value = { Key, Value: text(taint.value), Effect, TimeAdded: taint.timeAdded ?? null }
      const detail = 'taints must be unique by key and effect pair'
      if (known.has(`${Key}:${Effect}`)) errors.push({ type: 'FieldValueDuplicate', field: at, value, detail, ordered: true })
      known.add(`${Key}:${Effect}`)
    })
  }
}

const standardFinalizers = ['foregroundDeletion', 'kubernetes', 'orphan']

export function validateNamespace(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  const { phase = '' } = objectOf(object.status)
  const isLeaving = objectOf(object.metadata).deletionTimestamp !== undefined
  if (subresource === 'status' && !isLeaving && phase !== '' && phase !== 'Active')
    errors.push(fieldError.invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty"))
  if (old !== undefined && subresource !== 'finalize') return errors
  listOf(objectOf(object.spec).finalizers).forEach((finalizer, index) => {
    // A new namespace is told of the list, and one that is let go of the place in it.
    checkFinalizer(text(finalizer), old === undefined ? 'spec.finalizers' : `spec.finalizers[${index}]`, errors)
  })
  return errors
}

function checkFinalizer(name: string, at: string, errors: Errors): void {
  say(errors, at, name, qualifiedNameErrors(name))
  if (!name.includes('/') && !standardFinalizers.includes(name))
    errors.push(fieldError.invalid(at, name, 'name is neither a standard finalizer name nor is it fully qualified'))
}

export function validateLease(object: JsonObject): Errors {
  const errors: Errors = []
  const { leaseDurationSeconds, leaseTransitions } = objectOf(object.spec)
  if (typeof leaseDurationSeconds === 'number' && leaseDurationSeconds <= 0) {
    errors.push(fieldError.invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'))
  }
  nonNegative(leaseTransitions, 'spec.leaseTransitions', errors)
  return errors
}

const budgetCounts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']

export function validateDisruptionBudget(object: JsonObject, { subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    for (const count of budgetCounts) nonNegative(objectOf(object.status)[count], `status.${count}`, errors)
    return errors
  }
  const spec = objectOf(object.spec)
  const { minAvailable, maxUnavailable, selector } = spec
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    }
    errors.push({ ...fieldError.invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'), ordered: true })
  }
  checkShare(minAvailable, 'spec.minAvailable', errors)
  checkShare(maxUnavailable, 'spec.maxUnavailable', errors)
  if (isObject(selector)) checkSelector(selector, 'spec.selector', errors)
  oneOf(spec.unhealthyPodEvictionPolicy, 'spec.unhealthyPodEvictionPolicy', ['AlwaysAllow', 'IfHealthyBudget'], errors)
  return errors
}

function checkShare(value: Json | undefined, at: string, errors: Errors): void {
  nonNegative(value, at, errors)
  if (typeof value !== 'string') return
  if (!/^\d+%$/.test(value)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
    errors.push(fieldError.invalid(at, value, why))
  } else if (Number.parseInt(value, 10) > 100) errors.push(fieldError.invalid(at, value, 'must not be greater than 100%'))
}
