// Nodes, leases, disruption budgets, namespaces.
import { fieldError } from '../../field-error.ts'
import { parseNetwork } from '../../ip.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, text } from './checks.ts'
import { checkSelector } from './selectors.ts'

export function validateNode(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  checkTaints(spec.taints, old === undefined ? 1 : 2, errors)
  listOf(spec.podCIDRs).forEach((cidr, index) => {
    if (parseNetwork(text(cidr)) === undefined) {
      errors.push(
        fieldError.invalid(`spec.podCIDRs[${index}]`, cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'),
      )
    }
  })
  const networks = networksOf(objectOf(old?.spec))
  if (networks.length > 0 && !jsonEqual(networks, networksOf(spec)))
    errors.push(fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'))
  const before = text(objectOf(old?.spec).providerID)
  if (before !== '' && before !== text(spec.providerID)) {
    errors.push(fieldError.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  }
  return errors
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
      oneOf(Effect, `${at}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], errors)
      const value = { Key, Value: text(taint.value), Effect, TimeAdded: taint.timeAdded ?? null }
      const detail = 'taints must be unique by key and effect pair'
      if (known.has(`${Key}:${Effect}`)) errors.push({ type: 'FieldValueDuplicate', field: at, value, detail, ordered: true })
      known.add(`${Key}:${Effect}`)
    })
  }
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
