// Nodes, leases, disruption budgets, namespaces.
import { fieldError } from '../../field-error.ts'
import { parseNetwork } from '../../ip.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, text } from './checks.ts'
import { checkSelector } from './selectors.ts'

export function validateNode(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  eachItem(spec.taints, 'metadata.taints', (taint, at) =>
    oneOf(taint.effect ?? '', `${at}.effect`, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], errors),
  )
  listOf(spec.podCIDRs).forEach((cidr, index) => {
    if (parseNetwork(text(cidr)) === undefined) {
      errors.push(
        fieldError.invalid(`spec.podCIDRs[${index}]`, cidr, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'),
      )
    }
  })
  const before = text(objectOf(old?.spec).providerID)
  if (before !== '' && before !== text(spec.providerID)) {
    errors.push(fieldError.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'))
  }
  return errors
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

export function validateDisruptionBudget(object: JsonObject): Errors {
  const errors: Errors = []
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
