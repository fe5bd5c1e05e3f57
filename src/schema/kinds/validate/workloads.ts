// Deployments and their siblings.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, qualifiedKeys, say, text } from './checks.ts'
import { checkRestarts, checkTemplate } from './pods/pods.ts'
import { checkSelector, fixedSelector, isReadable, selects, shownSelector } from './selectors.ts'
import { checkClaimSpec, claimAmountWarnings } from './storage/claims.ts'

/** Counts of pods, by what they may not be greater than. The ready ones are named in two ways. */
export function checkCounts(
  status: JsonObject,
  counts: readonly string[],
  errors: Errors,
  { ready = 'readyReplicas', others = [] }: { readonly ready?: string; readonly others?: readonly string[] } = {},
): void {
  for (const name of ['replicas', ...counts, ...others]) nonNegative(status[name], `status.${name}`, errors)
  for (const name of counts)
    if (Number(status[name] ?? 0) > Number(status.replicas ?? 0))
      errors.push(fieldError.invalid(`status.${name}`, status[name] ?? 0, 'cannot be greater than status.replicas'))
  const { availableReplicas = 0, readyReplicas = 0 } = status
  if (Number(availableReplicas) > Number(readyReplicas))
    errors.push(fieldError.invalid('status.availableReplicas', availableReplicas, `cannot be greater than ${ready}`))
}

export function validateDeployment(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    const status = objectOf(object.status)
    checkCounts(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], errors)
    for (const field of ['unavailableReplicas', 'observedGeneration', 'collisionCount'])
      nonNegative(status[field], `status.${field}`, errors)
    return errors
  }
  const spec = objectOf(object.spec)
  nonNegative(spec.replicas, 'spec.replicas', errors)
  checkReplicated(spec, errors)
  checkStrategy(objectOf(spec.strategy), errors)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors)
  const deadline = spec.progressDeadlineSeconds
  if (typeof deadline === 'number') {
    nonNegative(deadline, 'spec.progressDeadlineSeconds', errors)
    if (deadline <= Number(spec.minReadySeconds ?? 0)) {
      errors.push(fieldError.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'))
    }
  }
  if (old !== undefined) fixedSelector(spec.selector, objectOf(old.spec).selector, errors)
  return errors
}

/** Of deployments and replica sets: nobody looks at the pods of one whose selector cannot be read. */
function checkReplicated(spec: JsonObject, errors: Errors): void {
  if (!checkOwnSelector(spec, 'deployment', 'invalid label selector', errors)) return
  checkTemplate(spec.template, 'spec.template', errors)
  checkRestarts(spec.template, 'spec.template', ['Always'], errors)
  withoutDeadline(spec, 'ReplicaSet', errors)
}

/** Whether the selector can be read. */
function checkOwnSelector(spec: JsonObject, kind: string, unreadable: string, errors: Errors): boolean {
  const { selector } = spec
  if (!isObject(selector)) errors.push(fieldError.required('spec.selector'))
  else {
    checkSelector(selector, 'spec.selector', errors)
    nonEmpty(selector, kind, errors)
    if (!isReadable(selector)) {
      errors.push({ ...fieldError.invalid('spec.selector', shownSelector(selector), unreadable), ordered: true })
      return false
    }
  }
  if (!isObject(selector) || !isEmpty(selector)) selectsOwnPods(spec, errors)
  return true
}

function isEmpty(selector: JsonObject): boolean {
  return Object.keys(objectOf(selector.matchLabels)).length === 0 && selector.matchExpressions === undefined
}

function nonEmpty(selector: JsonObject, kind: string, errors: Errors): void {
  if (isEmpty(selector)) errors.push(fieldError.invalid('spec.selector', selector, `empty selector is invalid for ${kind}`))
}

function selectsOwnPods({ selector, template }: JsonObject, errors: Errors): void {
  const { labels } = objectOf(objectOf(template).metadata)
  if (isObject(selector) && selects(selector, labels)) return
  errors.push(fieldError.invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'))
}

function checkStrategy(strategy: JsonObject, errors: Errors): void {
  const at = 'spec.strategy'
  const rolling = strategy.rollingUpdate
  if (strategy.type === 'Recreate') {
    if (rolling !== undefined)
      errors.push(fieldError.forbidden(`${at}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"))
  } else if (strategy.type === 'RollingUpdate') {
    if (isObject(rolling)) checkRolling(rolling, `${at}.rollingUpdate`, errors)
  } else {
    const shown = { Type: text(strategy.type), RollingUpdate: shownRolling(rolling) }
    errors.push({ ...fieldError.notSupported(at, shown, ['Recreate', 'RollingUpdate']), ordered: true })
  }
}

/** As the server holds it; what is not given is nothing there. */
function shownRolling(rolling: Json | undefined): Json {
  if (!isObject(rolling)) return null
  return { MaxUnavailable: rolling.maxUnavailable ?? 0, MaxSurge: rolling.maxSurge ?? 0 }
}

function checkRolling({ maxUnavailable, maxSurge }: JsonObject, at: string, errors: Errors): void {
  checkAmount(maxUnavailable, `${at}.maxUnavailable`, errors)
  checkAmount(maxSurge, `${at}.maxSurge`, errors)
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0) {
    errors.push(fieldError.invalid(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0'))
  }
  notAboveAll(maxUnavailable, `${at}.maxUnavailable`, errors)
}

function notAboveAll(value: Json | undefined, at: string, errors: Errors): void {
  if (typeof value === 'string' && amountOf(value) > 100)
    errors.push(fieldError.invalid(at, value, 'must not be greater than 100%'))
}

export function checkAmount(value: Json | undefined, at: string, errors: Errors): void {
  if (typeof value === 'string' && !/^\d+%$/.test(value)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
    errors.push(fieldError.invalid(at, value, why))
  }
  nonNegative(value, at, errors)
}

export function validateReplicaSet(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    checkCounts(objectOf(object.status), ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], errors)
    return errors
  }
  const spec = objectOf(object.spec)
  nonNegative(spec.replicas, 'spec.replicas', errors)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  checkReplicated(spec, errors)
  if (old !== undefined) fixedSelector(spec.selector, objectOf(old.spec).selector, errors)
  return errors
}

const daemonCounts = [
  'currentNumberScheduled',
  'desiredNumberScheduled',
  'numberMisscheduled',
  'numberReady',
  'numberAvailable',
  'numberUnavailable',
  'updatedNumberScheduled',
  'observedGeneration',
  'collisionCount',
]

export function validateDaemonSet(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    for (const count of daemonCounts) nonNegative(objectOf(object.status)[count], `status.${count}`, errors)
    return errors
  }
  const spec = objectOf(object.spec)
  if (old !== undefined) fixedSelector(spec.selector, objectOf(old.spec).selector, errors)
  checkDaemonSelector(spec, errors)
  checkTemplate(spec.template, 'spec.template', errors)
  checkRestarts(spec.template, 'spec.template', ['Always'], errors)
  withoutDeadline(spec, 'DaemonSet', errors)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  checkDaemonUpdates(objectOf(spec.updateStrategy), 'spec.updateStrategy', errors)
  nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors)
  return errors
}

function checkDaemonSelector(spec: JsonObject, errors: Errors): void {
  const { selector } = spec
  if (!isObject(selector)) return selectsOwnPods(spec, errors)
  checkSelector(selector, 'spec.selector', errors)
  nonEmpty(selector, 'daemonset', errors)
  if (!isEmpty(selector) && isReadable(selector)) selectsOwnPods(spec, errors)
}

/** Their pods go on for ever. */
function withoutDeadline({ template }: JsonObject, kind: string, errors: Errors): void {
  if (objectOf(objectOf(template).spec).activeDeadlineSeconds === undefined) return
  const why = `activeDeadlineSeconds in ${kind} is not Supported`
  errors.push(fieldError.forbidden('spec.template.spec.activeDeadlineSeconds', why))
}

function checkDaemonUpdates({ type, rollingUpdate }: JsonObject, at: string, errors: Errors): void {
  if (type === 'OnDelete') return
  if (type !== 'RollingUpdate') {
    const shown = { Type: text(type), RollingUpdate: shownRolling(rollingUpdate) }
    errors.push({ ...fieldError.notSupported(at, shown, ['RollingUpdate', 'OnDelete']), ordered: true })
    return
  }
  const { maxUnavailable, maxSurge } = objectOf(rollingUpdate)
  const [away, more] = [`${at}.rollingUpdate.maxUnavailable`, `${at}.rollingUpdate.maxSurge`]
  checkAmount(maxUnavailable, away, errors)
  checkAmount(maxSurge, more, errors)
  notAboveAll(maxUnavailable, away, errors)
  notAboveAll(maxSurge, more, errors)
  if (amountOf(maxUnavailable) !== 0 && amountOf(maxSurge) !== 0)
    errors.push(fieldError.invalid(more, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  if (amountOf(maxUnavailable) === 0 && amountOf(maxSurge) === 0)
    errors.push(fieldError.required(away, 'cannot be 0 when maxSurge is 0'))
}

/** A count or the number of a percentage, also where the sign was forgotten; what is neither is nothing. */
function amountOf(value: Json | undefined): number {
  if (typeof value === 'number') return value
  return /^(?:\d+%|[-+]?\d+)$/.test(text(value)) ? Number.parseInt(text(value), 10) : 0
}

const statefulChangeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

export function validateStatefulSet(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    const status = objectOf(object.status)
    const counts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']
    checkCounts(status, counts, errors, { ready: 'status.readyReplicas' })
    for (const field of ['observedGeneration', 'collisionCount']) nonNegative(status[field], `status.${field}`, errors)
    return errors
  }
  const spec = objectOf(object.spec)
  checkStateful(spec, old === undefined, errors)
  if (old !== undefined) {
    const fixed = (from: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(from).filter(([key]) => !statefulChangeable.includes(key)))
    if (!jsonEqual(fixed(spec), fixed(objectOf(old.spec)))) {
      const text =
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
      errors.push(fieldError.forbidden('spec', text))
    }
  }
  return errors
}

/** Each pod gets a claim of its own by each template, as a volume of that name in place of one that the pods would have had. */
function withClaims(spec: JsonObject): JsonObject {
  const template = objectOf(spec.template)
  const podSpec = objectOf(template.spec)
  const names = [...new Set(listOf(spec.volumeClaimTemplates).map(claim => text(objectOf(objectOf(claim).metadata).name)))]
  if (names.length === 0) return spec
  const claims = names.map(name => ({ name, persistentVolumeClaim: { claimName: name } }))
  const others = listOf(podSpec.volumes).filter(volume => !names.includes(text(objectOf(volume).name)))
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes: [...claims, ...others] } } }
}

export function statefulSetWarnings({ spec }: JsonObject, old?: JsonObject): readonly string[] {
  const { revisionHistoryLimit, volumeClaimTemplates } = objectOf(spec)
  const warnings: string[] = []
  eachItem(volumeClaimTemplates, 'spec.volumeClaimTemplates', (claim, at) => {
    warnings.push(...claimAmountWarnings(claim, old === undefined ? at : `${at}.Spec`))
  })
  if (typeof revisionHistoryLimit === 'number' && revisionHistoryLimit < 0)
    warnings.push('spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended')
  return warnings
}

/** What cannot change any more is looked at when it is new. */
function checkStateful(spec: JsonObject, isNew: boolean, errors: Errors): void {
  if (spec.podManagementPolicy !== 'OrderedReady' && spec.podManagementPolicy !== 'Parallel')
    errors.push(fieldError.invalid('spec.podManagementPolicy', spec.podManagementPolicy, "must be 'OrderedReady' or 'Parallel'"))
  checkStatefulUpdates(objectOf(spec.updateStrategy), 'spec.updateStrategy', errors)
  for (const [when, what] of Object.entries(objectOf(spec.persistentVolumeClaimRetentionPolicy)))
    oneOf(what, `spec.persistentVolumeClaimRetentionPolicy.${when}`, ['Retain', 'Delete'], errors)
  eachItem(isNew ? spec.volumeClaimTemplates : [], 'spec.volumeClaimTemplates', (claim, at) =>
    checkClaimSpec(objectOf(claim.spec), `${at}.spec`, errors),
  )
  nonNegative(spec.replicas, 'spec.replicas', errors)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  nonNegative(objectOf(spec.ordinals).start, 'spec.ordinals.start', errors)
  if (isNew && text(spec.serviceName) !== '')
    say(errors, 'spec.serviceName', spec.serviceName, dnsLabelErrors(text(spec.serviceName)))
  checkStatefulPods(withClaims(spec), errors)
}

function checkStatefulPods(spec: JsonObject, errors: Errors): void {
  if (checkOwnSelector(spec, 'statefulset', '', errors)) {
    checkTemplate(spec.template, 'spec.template', errors)
    // A real server looks at these twice, and says it twice.
    qualifiedKeys(objectOf(objectOf(spec.template).metadata).labels, 'spec.template.labels', errors)
  }
  checkRestarts(spec.template, 'spec.template', ['Always'], errors)
  withoutDeadline(spec, 'StatefulSet', errors)
}

function checkStatefulUpdates({ type, rollingUpdate }: JsonObject, at: string, errors: Errors): void {
  const partition = objectOf(rollingUpdate).partition
  if (type === 'RollingUpdate') nonNegative(partition, `${at}.rollingUpdate.partition`, errors)
  else if (type !== 'OnDelete') {
    const shown = { Type: text(type), RollingUpdate: shownPartition(rollingUpdate) }
    errors.push({ ...fieldError.invalid(at, shown, "must be 'RollingUpdate' or 'OnDelete'"), ordered: true })
  } else if (isObject(rollingUpdate)) {
    const shown = shownPartition(rollingUpdate)
    const why = "only allowed for updateStrategy 'RollingUpdate'"
    errors.push({ ...fieldError.invalid(`${at}.rollingUpdate`, shown, why), ordered: true })
  }
}

function shownPartition(rolling: Json | undefined): Json {
  return isObject(rolling) ? { Partition: rolling.partition ?? null, MaxUnavailable: rolling.maxUnavailable ?? null } : null
}
