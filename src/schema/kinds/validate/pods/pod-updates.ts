// What may change in a pod itself: most of it is fixed from the moment it exists.
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { withFieldsOf } from '../../changes.ts'
import { type Errors, eachItem, listOf, objectOf, text } from '../checks.ts'
import { podSpecChange, samePodSpecs } from '../forms/pods.ts'
import { checkImage } from './containers.ts'
import { checkGatedPlacement, withPlacementOf } from './gated-placement.ts'
import { checkToleration } from './pod-placement.ts'

export function checkPodUpdate(spec: JsonObject, old: JsonObject, errors: Errors): void {
  for (const field of ['containers', 'initContainers']) if (!checkSameContainers(spec, old, field, errors)) return
  if (!checkDeadline(spec.activeDeadlineSeconds, old.activeDeadlineSeconds, errors)) return
  checkTolerations(spec.tolerations, old.tolerations, errors)
  eachItem(spec.schedulingGates, 'spec.schedulingGates', (gate, at) => {
    if (listOf(old.schedulingGates).some(known => objectOf(known).name === gate.name)) return
    const why = `only deletion is allowed, but found new scheduling gate '${text(gate.name)}'`
    errors.push(fieldError.forbidden(`${at}.name`, why))
  })
  const isGated = listOf(old.schedulingGates).length > 0
  if (isGated) checkGatedPlacement(spec, old, errors)
  const now = withMayChange(isGated ? withPlacementOf(old, spec) : spec, old)
  if (!samePodSpecs(now, old)) errors.push(fieldError.forbidden('spec', `${podUpdateText}\n${podSpecChange(old, now)}`))
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

const deadlineMax = 2_147_483_647

/** A pod may be given less time, and none that it has is taken back. */
function checkDeadline(now: Json | undefined, before: Json | undefined, errors: Errors): boolean {
  const at = 'spec.activeDeadlineSeconds'
  if (now === undefined) {
    if (before !== undefined) errors.push(fieldError.invalid(at, null, 'must not update from a positive integer to nil value'))
    return true
  }
  const isOutside = Number(now) < 0 || Number(now) > deadlineMax
  const isLater = before !== undefined && Number(now) > Number(before)
  if (isOutside) errors.push(fieldError.invalid(at, now, `must be between 0 and ${deadlineMax}, inclusive`))
  else if (isLater) errors.push(fieldError.invalid(at, now, 'must be less than or equal to previous value'))
  return !isOutside && !isLater
}

/** More of them, or other seconds of one that is there; all are looked at again. */
function checkTolerations(now: Json | undefined, before: Json | undefined, errors: Errors): void {
  const bare = (toleration: Json): Json => {
    if (!isObject(toleration)) return toleration
    const { tolerationSeconds: _seconds, ...rest } = toleration
    return rest
  }
  const kept = listOf(before).every(item => listOf(now).some(candidate => jsonEqual(bare(candidate), bare(item))))
  const why = 'existing toleration can not be modified except its tolerationSeconds'
  if (!kept) errors.push(fieldError.forbidden('spec.tolerations', why))
  else eachItem(now, 'spec.tolerations', (toleration, at) => checkToleration(toleration, at, errors))
}

const podUpdateText =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)'

/** A pod as it would be without what may change. */
function withMayChange(spec: JsonObject, old: JsonObject): JsonObject {
  const isGraceEnded = Number(old.terminationGracePeriodSeconds) < 0 && spec.terminationGracePeriodSeconds === 1
  const kept = isGraceEnded ? [...changeable, 'terminationGracePeriodSeconds'] : changeable
  const lists = (['containers', 'initContainers'] as const).filter(list => spec[list] !== undefined)
  return {
    ...withFieldsOf(old, kept, spec),
    ...Object.fromEntries(lists.map(list => [list, withImagesOf(listOf(old[list]), listOf(spec[list]))])),
  }
}

const changeable = ['activeDeadlineSeconds', 'tolerations', 'schedulingGates']

function withImagesOf(before: readonly Json[], now: readonly Json[]): Json {
  return now.map((container, index) => {
    const { image } = objectOf(before[index])
    return isObject(container) && image !== undefined ? { ...container, image } : container
  })
}
