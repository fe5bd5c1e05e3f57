// What may change in a pod through its own subresources: containers that come later, and what containers ask for.
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import { qualityOf } from '../../pod-quality.ts'
import { type Errors, eachItem, listOf, objectOf, text } from '../checks.ts'
import { laterContainerChange, sameLaterContainers } from '../forms/pods.ts'

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

/** Amounts of processor time and memory, within the same quality of service. */
export function checkResize(pod: JsonObject, oldPod: JsonObject, errors: Errors): void {
  const [spec, old] = [objectOf(pod.spec), objectOf(oldPod.spec)]
  // The quality that is told is the one that the pod was given when it was made.
  const given = text(objectOf(oldPod.status).qosClass) || qualityOf(old)
  if (qualityOf(spec) !== qualityOf(old))
    errors.push(fieldError.invalid('spec', given, 'Pod QOS Class may not change as a result of resizing'))
  // What follows compares containers by their places.
  const misplaced = lists.flatMap(list => misplacedErrors(spec[list], old[list], `spec.${list}`))
  errors.push(...misplaced)
  if (misplaced.length > 0) return
  for (const list of lists)
    eachItem(old[list], `spec.${list}`, (before, at, index) => {
      const now = objectOf(objectOf(listOf(spec[list])[index]).resources)
      checkKept(now, objectOf(before.resources), `${at}.resources`, errors)
      const isFixed = list === 'initContainers' && before.restartPolicy !== 'Always'
      if (isFixed && !jsonEqual(now, objectOf(before.resources)))
        errors.push(fieldError.forbidden(`${at}.resources`, 'resources for non-sidecar init containers are immutable'))
    })
  if (errors.length === 0 && !jsonEqual(withoutAmounts(spec), withoutAmounts(old)))
    errors.push(fieldError.forbidden('spec', 'only cpu and memory resources are mutable'))
}

const lists = ['containers', 'initContainers'] as const

function misplacedErrors(now: Json | undefined, before: Json | undefined, at: string): Errors {
  const names = (list: Json | undefined): string[] => listOf(list).map(container => text(objectOf(container).name))
  const [left, right] = [names(now), names(before)]
  if (left.length !== right.length) return [fieldError.forbidden(at, 'containers may not be added or removed on resize')]
  return right.flatMap((name, index) =>
    name === left[index]
      ? []
      : [fieldError.forbidden(`${at}[${index}].name`, 'containers may not be renamed or reordered on resize')],
  )
}

function checkKept(now: JsonObject, before: JsonObject, at: string, errors: Errors): void {
  for (const kind of ['requests', 'limits']) {
    const left = objectOf(now[kind])
    if (Object.keys(objectOf(before[kind])).some(name => left[name] === undefined))
      errors.push(fieldError.forbidden(`${at}.${kind}`, `resource ${kind} cannot be removed`))
  }
}

function withoutAmounts(spec: JsonObject): JsonObject {
  const bare = (list: Json | undefined): Json =>
    listOf(list).map(container => {
      if (!isObject(container)) return container
      const { resizePolicy: _policy, resources, ...rest } = container
      return { ...rest, resources: otherAmounts(objectOf(resources)) }
    })
  return { ...spec, containers: bare(spec.containers), initContainers: bare(spec.initContainers) }
}

function otherAmounts({ requests, limits, ...rest }: JsonObject): Json {
  const others = (amounts: Json | undefined): JsonObject => {
    const { cpu: _cpu, memory: _memory, ...other } = objectOf(amounts)
    return other
  }
  return { ...rest, requests: others(requests), limits: others(limits) }
}
