// Classes of priority and runtime.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { type JsonObject, renderJson } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, eachItem, immutable, objectOf, oneOf, qualifiedKeys, say, text } from './checks.ts'
import { shownForm } from './forms/form.ts'
import { toleration as tolerationForm } from './forms/placement.ts'
import { checkResources } from './pods/container-resources.ts'
import { oldNodeLabel } from './pods/node-selectors.ts'
import { checkToleration } from './pods/pod-placement.ts'

/** The highest priority of a class that people make; those of the system are above it. */
const priorityMax = 1_000_000_000

export function validatePriorityClass(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const { value, preemptionPolicy } = object
  if (old === undefined) {
    const name = text(objectOf(object.metadata).name)
    const why = name.startsWith('system-') ? systemProblem(name, object) : undefined
    if (why !== undefined) errors.push(fieldError.forbidden('metadata.name', `${reserved}. error: ${why}`))
    else if (!name.startsWith('system-') && typeof value === 'number' && value > priorityMax)
      errors.push(fieldError.forbidden('value', `maximum allowed value of a user defined priority is ${priorityMax}`))
    if (preemptionPolicy === '') errors.push(fieldError.required('preemptionPolicy'))
    else oneOf(preemptionPolicy, 'preemptionPolicy', ['PreemptLowerPriority', 'Never'], errors)
    return errors
  }
  if (value !== old.value) errors.push(fieldError.forbidden('value', 'may not be changed in an update.'))
  immutable(preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy', errors)
  return errors
}

const reserved = "priority class names with 'system-' prefix are reserved for system use only"

const systemClasses: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

/** The classes of the system may be made again, as they are. */
function systemProblem(name: string, { value, globalDefault }: JsonObject): string | undefined {
  const known = systemClasses[name]
  if (known === undefined) return `${name} is not a known system priority class`
  if (value !== known) return `value of ${name} PriorityClass must be ${known}`
  return globalDefault === true ? `globalDefault of ${name} PriorityClass must be false` : undefined
}

export function validateRuntimeClass(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const { podFixed } = objectOf(object.overhead)
  say(errors, 'handler', text(object.handler), dnsLabelErrors(text(object.handler)))
  checkResources({ limits: podFixed ?? {} }, 'overhead', errors)
  checkScheduling(objectOf(object.scheduling), 'scheduling', errors)
  if (old !== undefined) immutable(object.handler, old.handler, 'handler', errors)
  return errors
}

function checkScheduling({ nodeSelector, tolerations }: JsonObject, at: string, errors: Errors): void {
  qualifiedKeys(nodeSelector, `${at}.nodeSelector`, errors)
  // A real server names the list twice here.
  eachItem(tolerations, `${at}.tolerations.tolerations`, (toleration, path) => checkToleration(toleration, path, errors))
  const known = new Set<string>()
  eachItem(tolerations, `${at}.tolerations`, (toleration, path) => {
    const shown = shownForm(toleration, tolerationForm)
    const rendered = renderJson(shown)
    if (known.has(rendered)) errors.push({ ...fieldError.duplicate(path, shown), ordered: true })
    known.add(rendered)
  })
}

export function runtimeClassWarnings({ scheduling }: JsonObject): readonly string[] {
  const labels = Object.keys(objectOf(objectOf(scheduling).nodeSelector))
  return labels.flatMap(label => oldNodeLabel(label) ?? []).map(old => `scheduling.nodeSelector: ${old}`)
}
