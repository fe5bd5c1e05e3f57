// Pods and pod templates.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, qualifiedKeys, say, text } from '../checks.ts'
import { checkContainers, checkImage } from './containers.ts'
import { checkLaterContainers, checkResize } from './pod-changes.ts'
import { checkHostParts } from './pod-host.ts'
import { checkPlacement } from './pod-placement.ts'
import { checkVolumes } from './volumes.ts'

export function validatePod(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  checkPodSpec(spec, 'spec', errors)
  if (old === undefined && listOf(spec.ephemeralContainers).length > 0)
    errors.push(fieldError.forbidden('spec.ephemeralContainers', 'cannot be set on create'))
  if (old !== undefined) checkChange(spec, objectOf(old.spec), subresource ?? '', errors)
  if (old !== undefined && subresource === 'resize') checkResize(object, old, errors)
  return errors
}

function checkChange(spec: JsonObject, old: JsonObject, subresource: string, errors: Errors): void {
  if (subresource === '') checkPodUpdate(spec, old, errors)
  if (subresource === 'ephemeralcontainers') checkLaterContainers(spec, old, errors)
}

export function checkTemplate(template: Json | undefined, at: string, errors: Errors): void {
  const value = objectOf(template)
  const { labels, annotations } = objectOf(value.metadata)
  // A real server names these without the metadata that they stand in.
  qualifiedKeys(labels, `${at}.labels`, errors)
  for (const key of Object.keys(objectOf(annotations))) {
    say(errors, `${at}.annotations`, key, qualifiedNameErrors(key.toLowerCase()))
  }
  checkPodSpec(objectOf(value.spec), `${at}.spec`, errors)
}

/** Not every owner can have its pods end. */
export function checkRestarts(template: Json | undefined, at: string, allowed: readonly string[], errors: Errors): void {
  oneOf(objectOf(objectOf(template).spec).restartPolicy, `${at}.spec.restartPolicy`, allowed, errors)
}

function checkPodSpec(spec: JsonObject, at: string, errors: Errors): void {
  const volumes = checkVolumes(spec.volumes, `${at}.volumes`, errors)
  checkContainers(spec, at, volumes, errors)
  oneOf(spec.restartPolicy, `${at}.restartPolicy`, ['Always', 'OnFailure', 'Never'], errors)
  qualifiedKeys(spec.nodeSelector, `${at}.nodeSelector`, errors)
  const deadline = spec.activeDeadlineSeconds
  if (typeof deadline === 'number' && (deadline < 1 || deadline > 2147483647)) {
    errors.push(fieldError.invalid(`${at}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive'))
  }
  checkPlacement(spec, at, errors)
  checkHostParts(spec, at, errors)
  eachItem(spec.readinessGates, `${at}.readinessGates`, (gate, path) =>
    say(errors, `${path}.conditionType`, gate.conditionType, qualifiedNameErrors(text(gate.conditionType))),
  )
}

/** Most of a pod is fixed from the moment it exists. */
function checkPodUpdate(spec: JsonObject, old: JsonObject, errors: Errors): void {
  for (const field of ['containers', 'initContainers']) if (!checkSameContainers(spec, old, field, errors)) return
  if (!checkDeadline(spec.activeDeadlineSeconds, old.activeDeadlineSeconds, errors)) return
  checkTolerations(spec.tolerations, old.tolerations, errors)
  eachItem(spec.schedulingGates, 'spec.schedulingGates', (gate, at) => {
    if (listOf(old.schedulingGates).some(known => objectOf(known).name === gate.name)) return
    const why = `only deletion is allowed, but found new scheduling gate '${text(gate.name)}'`
    errors.push(fieldError.forbidden(`${at}.name`, why))
  })
  const grace = Number(old.terminationGracePeriodSeconds) < 0 && spec.terminationGracePeriodSeconds === 1
  if (!jsonEqual(fixedParts(spec, grace), fixedParts(old, grace))) errors.push(fieldError.forbidden('spec', podUpdateText))
}

function checkSameContainers(spec: JsonObject, old: JsonObject, field: string, errors: Errors): boolean {
  if (listOf(spec[field]).length !== listOf(old[field]).length) {
    errors.push(fieldError.forbidden(`spec.${field}`, 'pod updates may not add or remove containers'))
    return false
  }
  // Images may change, and are looked at again.
  eachItem(spec[field], `spec.${field}`, (container, at) => checkImage(container, at, errors))
  return true
}

function checkDeadline(now: Json | undefined, before: Json | undefined, errors: Errors): boolean {
  if (typeof before !== 'number') return true
  const at = 'spec.activeDeadlineSeconds'
  if (now === undefined) errors.push(fieldError.invalid(at, null, 'must not update from a positive integer to nil value'))
  if (Number(now) <= before || now === undefined) return true
  errors.push(fieldError.invalid(at, now, 'must be less than or equal to previous value'))
  return false
}

/** More of them, or other seconds of one that is there. */
function checkTolerations(now: Json | undefined, before: Json | undefined, errors: Errors): void {
  const bare = (toleration: Json): Json => {
    if (!isObject(toleration)) return toleration
    const { tolerationSeconds: _seconds, ...rest } = toleration
    return rest
  }
  const kept = listOf(before).every(item => listOf(now).some(candidate => jsonEqual(bare(candidate), bare(item))))
  const why = 'existing toleration can not be modified except its tolerationSeconds'
  if (!kept) errors.push(fieldError.forbidden('spec.tolerations', why))
}

const podUpdateText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

function fixedParts(spec: JsonObject, graceMayChange: boolean): JsonObject {
  const { activeDeadlineSeconds: _a, tolerations: _t, schedulingGates: _s, terminationGracePeriodSeconds, ...rest } = spec
  const withoutImages = (list: Json | undefined): Json =>
    listOf(list).map(container => (isObject(container) ? { ...container, image: '' } : container))
  return {
    ...rest,
    ...(graceMayChange || terminationGracePeriodSeconds === undefined ? {} : { terminationGracePeriodSeconds }),
    containers: withoutImages(spec.containers),
    ...(spec.initContainers !== undefined && { initContainers: withoutImages(spec.initContainers) }),
  }
}
