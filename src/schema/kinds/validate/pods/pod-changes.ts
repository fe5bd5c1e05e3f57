// What may change in a pod through its own subresources: containers that come later, and what containers ask for.
import { fieldError } from '../../../field-error.ts'
import { type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { qualityOf } from '../../pod-quality.ts'
import { type Errors, eachItem, listOf, objectOf, text } from '../checks.ts'
import { laterContainerChange, sameLaterContainers } from '../forms/pods.ts'
import { mirror } from './pod-annotations.ts'

/** Containers that come later may come, and neither go nor change. */
export function checkLaterContainers(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const now = new Map(listOf(spec.ephemeralContainers).map(container => [text(objectOf(container).name), objectOf(container)]))
  eachItem(old.ephemeralContainers, '', container => {
    const name = text(container.name)
    const next = now.get(name)
    if (next !== undefined && sameLaterContainers(next, container)) return
    const how = next === undefined ? 'removed\n' : `changed\n${laterContainerChange(container, next)}`
    const why = `existing ephemeral containers ${JSON.stringify(name)} may not be ${how}`
    errors.push(fieldError.forbidden('spec.ephemeralContainers', why))
  })
}

/** Why a pod is never resized. A real server names no field here. */
export function unresizable(pod: JsonObject): Errors {
  const { requests, limits } = objectOf(objectOf(pod.spec).resources)
  if ([requests, limits].some(amounts => Object.keys(objectOf(amounts)).length > 0))
    return [fieldError.forbidden('[]', 'pods with pod-level resources cannot be resized')]
  if (isStatic(pod)) return [fieldError.forbidden('[]', 'static pods cannot be resized')]
  if (objectOf(objectOf(pod.spec).os).name === 'windows') return [fieldError.forbidden('[]', 'windows pods cannot be resized')]
  return []
}

/** Why a pod never gets containers that come later. */
export function unextendable(pod: JsonObject): Errors {
  return isStatic(pod) ? [fieldError.forbidden('[]', 'static pods do not support ephemeral containers')] : []
}

/** A node runs it by itself, and only tells the server of it. */
function isStatic({ metadata }: JsonObject): boolean {
  return objectOf(objectOf(metadata).annotations)[mirror] !== undefined
}

/** Amounts of processor time and memory, within the same quality of service. */
export function checkResize(pod: JsonObject, oldPod: JsonObject, errors: Errors): void {
  const [spec, old] = [objectOf(pod.spec), objectOf(oldPod.spec)]
  // The quality that is told is the one that the pod was given when it was made.
  const given = text(objectOf(oldPod.status).qosClass) || qualityOf(old)
  if (qualityOf(spec) !== qualityOf(old))
    errors.push(fieldError.invalid('spec', given, 'Pod QOS Class may not change as a result of resizing'))
  // What follows compares containers by their places.
  const misplaced = ['containers', 'initContainers'].flatMap(list => misplacedErrors(spec[list], old[list], list))
  errors.push(...misplaced)
  if (misplaced.length > 0) return
  for (const list of ['initContainers', 'containers'])
    eachItem(old[list], `spec.${list}`, (before, at, index) => {
      if (list === 'initContainers' && before.restartPolicy !== 'Always') return
      const now = objectOf(listOf(spec[list])[index])
      checkKept(objectOf(now.resources), objectOf(before.resources), `${at}.resources`, errors)
    })
  checkOnlyAmounts(spec, old, errors)
}

function misplacedErrors(now: Json | undefined, before: Json | undefined, list: string): Errors {
  const names = (containers: Json | undefined): string[] => listOf(containers).map(each => text(objectOf(each).name))
  const [left, right] = [names(now), names(before)]
  const at = `spec.${list}`
  if (left.length !== right.length) return [fieldError.forbidden(at, `${list} may not be added or removed on resize`)]
  return right.flatMap((name, index) =>
    name === left[index]
      ? []
      : [fieldError.forbidden(`${at}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
  )
}

function checkKept(now: JsonObject, before: JsonObject, at: string, errors: Errors): void {
  for (const kind of ['requests', 'limits']) {
    const left = objectOf(now[kind])
    if (Object.keys(objectOf(before[kind])).some(name => left[name] === undefined))
      errors.push(fieldError.forbidden(`${at}.${kind}`, `resource ${kind} cannot be removed`))
  }
}

/** Of containers that run only their amounts change, and nothing of those that run before the others. */
function checkOnlyAmounts(
  { containers, initContainers, ...rest }: JsonObject,
  { containers: oldContainers, initContainers: oldInits, ...oldRest }: JsonObject,
  errors: Errors,
): void {
  const isResized = listOf(containers).every((now, index) => differsOnlyInAmounts(now, listOf(oldContainers)[index]))
  if (!isResized || !jsonEqual(rest, oldRest))
    errors.push(fieldError.forbidden('spec', 'only cpu and memory resources are mutable'))
  listOf(initContainers).forEach((now, index) => {
    const before = objectOf(listOf(oldInits)[index])
    if (before.restartPolicy !== 'Always') {
      if (!jsonEqual(now, before))
        errors.push(fieldError.forbidden('spec', 'resources for non-sidecar init containers are immutable'))
    } else if (!differsOnlyInAmounts(now, before))
      errors.push(fieldError.forbidden('spec', 'only cpu and memory resources for sidecar containers are mutable'))
  })
}

function differsOnlyInAmounts(now: Json, before: Json | undefined): boolean {
  const { resources, ...rest } = objectOf(now)
  const { resources: oldResources, ...oldRest } = objectOf(before)
  const { requests, limits, claims } = objectOf(resources)
  const { requests: oldRequests, limits: oldLimits, claims: oldClaims } = objectOf(oldResources)
  const areClaimed = oldClaims === undefined || jsonEqual(claims ?? [], oldClaims)
  return jsonEqual(rest, oldRest) && areClaimed && onlyComputing(requests, oldRequests) && onlyComputing(limits, oldLimits)
}

/** Where there was no amount at all, a real server takes any; of claims likewise. */
function onlyComputing(now: Json | undefined, before: Json | undefined): boolean {
  const { cpu: _cpu, memory: _memory, ...others } = objectOf(now)
  const { cpu: _oldCpu, memory: _oldMemory, ...oldOthers } = objectOf(before)
  return Object.keys(objectOf(before)).length === 0 || jsonEqual(others, oldOthers)
}
