// Containers of pods.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { checkHostPorts, checkPorts } from './container-ports.ts'
import { checkResizing, checkResources } from './container-resources.ts'
import { checkSecurity } from './container-security.ts'
import { namesOfClaims } from './device-claims.ts'
import { checkDevices, checkMounts } from './mounts.ts'
import { checkProbes } from './probes.ts'
import { checkVariables } from './variables.ts'
import type { Volumes } from './volumes/volumes.ts'

/** What of the pod its containers are judged by, and the names that they have so far. */
interface Within {
  readonly spec: JsonObject
  readonly volumes: Volumes
  readonly names: Set<string>
  /** Names of the pod's claims of devices. */
  readonly claims: ReadonlySet<string>
}

export function checkContainers(spec: JsonObject, at: string, volumes: Volumes, errors: Errors): void {
  const within: Within = { spec, volumes, names: new Set(), claims: namesOfClaims(spec) }
  if (listOf(spec.containers).length === 0) errors.push(fieldError.required(`${at}.containers`))
  eachItem(spec.containers, `${at}.containers`, (container, path) => {
    checkContainer(container, path, within, errors)
    nameOnce(container, path, within, errors)
    checkProbes(container, path, graceOf(spec), errors)
  })
  checkHostPorts(spec.containers, `${at}.containers`, errors)
  checkFirst(`${at}.initContainers`, within, errors)
  checkLater(`${at}.ephemeralContainers`, within, errors)
}

function graceOf({ terminationGracePeriodSeconds }: JsonObject): number {
  return typeof terminationGracePeriodSeconds === 'number' ? terminationGracePeriodSeconds : 0
}

/** What only containers have that are there from beginning to end. */
const whileRunning = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const

function checkFirst(at: string, within: Within, errors: Errors): void {
  const { spec } = within
  eachItem(spec.initContainers, at, (container, path) => {
    checkContainer(container, path, within, errors)
    nameOnce(container, path, within, errors)
    // They run one by one; a real server takes each for the first.
    checkHostPorts([container], at, errors)
    if (container.restartPolicy === 'Always') checkProbes(container, path, graceOf(spec), errors)
    else
      for (const field of whileRunning)
        if (isObject(container[field])) errors.push(fieldError.forbidden(`${path}.${field}`, notForFirst))
  })
}

const notForFirst = 'may not be set for init containers without restartPolicy=Always'

/** What only containers that were there from the beginning have; in the order in which they are told. */
const notLater = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const

function checkLater(at: string, within: Within, errors: Errors): void {
  const others = new Set(within.names)
  eachItem(within.spec.ephemeralContainers, at, (container, path) => {
    checkContainer(container, path, within, errors)
    checkImageText(container, path, errors)
    nameOnce(container, path, within, errors)
    const target = text(container.targetContainerName)
    if (target !== '' && !others.has(target)) errors.push(fieldError.notFound(`${path}.targetContainerName`, target))
    for (const field of notLater) if (isSet(container, field)) errors.push(fieldError.forbidden(`${path}.${field}`, notForLater))
    eachItem(container.volumeMounts, `${path}.volumeMounts`, (mount, each) => {
      for (const field of ['subPath', 'subPathExpr'])
        if (text(mount[field]) !== '') errors.push(fieldError.forbidden(`${each}.${field}`, notForLater))
    })
  })
}

const notForLater = 'cannot be set for an Ephemeral Container'

/** An empty structure is there, save that of resources, which every container has. */
function isSet(container: JsonObject, field: string): boolean {
  const value = container[field]
  return field === 'resources' ? Object.keys(objectOf(value)).length > 0 : value !== undefined
}

function checkContainer(container: JsonObject, at: string, { spec, volumes, claims }: Within, errors: Errors): void {
  const name = text(container.name)
  if (name === '') errors.push(fieldError.required(`${at}.name`))
  else say(errors, `${at}.name`, name, dnsLabelErrors(name))
  if (text(container.image) === '') errors.push(fieldError.required(`${at}.image`))
  oneOf(container.terminationMessagePolicy, `${at}.terminationMessagePolicy`, ['File', 'FallbackToLogsOnError'], errors)
  checkPorts(container.ports, `${at}.ports`, errors)
  checkVariables(container, at, errors)
  checkMounts(container, at, volumes, errors)
  checkDevices(container, at, volumes, errors)
  oneOf(container.imagePullPolicy, `${at}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never'], errors)
  checkResources(objectOf(container.resources), `${at}.resources`, errors, claims)
  checkResizing(container.resizePolicy, `${at}.resizePolicy`, spec.restartPolicy, errors)
  checkSecurity(container.securityContext, `${at}.securityContext`, spec.hostUsers === false, errors)
}

function nameOnce(container: JsonObject, at: string, { names }: Within, errors: Errors): void {
  const name = text(container.name)
  if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
  names.add(name)
}

/** Checks an image that may change: that it is there, and written as it is meant. */
export function checkImage(container: JsonObject, at: string, errors: Errors): void {
  if (text(container.image) === '') errors.push(fieldError.required(`${at}.image`))
  else checkImageText(container, at, errors)
}

/** Templates are not asked this, only what has been made from them. */
export function checkImageText({ image }: JsonObject, at: string, errors: Errors): void {
  if (text(image).trim() !== text(image))
    errors.push(fieldError.invalid(`${at}.image`, image, 'must not have leading or trailing whitespace'))
}
