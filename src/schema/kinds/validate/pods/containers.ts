// Containers of pods.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { compareQuantities, parseQuantity } from '../../../quantity.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, portNameErrors, portNumber, say, text } from '../checks.ts'
import { checkContainerResource } from '../resource-names.ts'
import { checkId } from './pod-host.ts'
import { checkProbes } from './probes.ts'
import { checkVariables } from './variables.ts'

export function checkContainers(spec: JsonObject, at: string, volumes: ReadonlySet<string>, errors: Errors): void {
  const names = new Set<string>()
  checkHostPorts(spec, at, errors)
  if (listOf(spec.containers).length === 0) errors.push(fieldError.required(`${at}.containers`))
  for (const list of ['containers', 'initContainers']) {
    eachItem(spec[list], `${at}.${list}`, (container, path) => {
      checkName(container, path, names, errors)
      checkContainer(container, path, volumes, errors)
    })
  }
  checkLater(spec, at, volumes, names, errors)
}

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

function checkLater(spec: JsonObject, at: string, volumes: ReadonlySet<string>, names: Set<string>, errors: Errors): void {
  const others = new Set(names)
  eachItem(spec.ephemeralContainers, `${at}.ephemeralContainers`, (container, path) => {
    checkName(container, path, names, errors)
    checkContainer(container, path, volumes, errors)
    const target = text(container.targetContainerName)
    if (target !== '' && !others.has(target)) errors.push(fieldError.notFound(`${path}.targetContainerName`, target))
    for (const field of notLater) if (isSet(container[field])) errors.push(fieldError.forbidden(`${path}.${field}`, notForLater))
    eachItem(container.volumeMounts, `${path}.volumeMounts`, (mount, each) => {
      if (text(mount.subPath) !== '') errors.push(fieldError.forbidden(`${each}.subPath`, notForLater))
    })
  })
}

const notForLater = 'cannot be set for an Ephemeral Container'

function isSet(value: Json | undefined): boolean {
  return isObject(value) ? Object.keys(value).length > 0 : value !== undefined
}

/** One program for each port of the host, whose number is the container's own on the host's network. */
function checkHostPorts(spec: JsonObject, at: string, errors: Errors): void {
  const taken = new Set<string>()
  eachItem(spec.containers, `${at}.containers`, (container, path) =>
    eachItem(container.ports, `${path}.ports`, ({ hostPort, hostIP, protocol, containerPort }, each) => {
      if (typeof hostPort !== 'number' || hostPort === 0) return
      const place = `${text(protocol)}/${text(hostIP)}/${hostPort}`
      if (taken.has(place)) errors.push(fieldError.duplicate(`${each}.hostPort`, place))
      taken.add(place)
      if (spec.hostNetwork === true && hostPort !== containerPort) {
        const why = 'must match `containerPort` when `hostNetwork` is true'
        errors.push(fieldError.invalid(`${each}.hostPort`, hostPort, why))
      }
    }),
  )
}

function checkName(container: JsonObject, at: string, names: Set<string>, errors: Errors): void {
  const name = text(container.name)
  if (name === '') errors.push(fieldError.required(`${at}.name`))
  else say(errors, `${at}.name`, name, dnsLabelErrors(name))
  if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
  names.add(name)
}

export function checkImage(container: JsonObject, at: string, errors: Errors): void {
  const image = text(container.image)
  if (image === '') errors.push(fieldError.required(`${at}.image`))
  else if (image.trim() !== image)
    errors.push(fieldError.invalid(`${at}.image`, image, 'must not have leading or trailing whitespace'))
}

function checkContainer(container: JsonObject, at: string, volumes: ReadonlySet<string>, errors: Errors): void {
  checkImage(container, at, errors)
  oneOf(container.imagePullPolicy, `${at}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never'], errors)
  oneOf(container.terminationMessagePolicy, `${at}.terminationMessagePolicy`, ['File', 'FallbackToLogsOnError'], errors)
  checkPorts(container.ports, `${at}.ports`, errors)
  checkVariables(container, at, errors)
  checkMounts(container.volumeMounts, `${at}.volumeMounts`, volumes, errors)
  checkProbes(container, at, errors)
  checkResources(objectOf(container.resources), `${at}.resources`, errors)
  checkSecurity(container.securityContext, `${at}.securityContext`, errors)
}

function checkPorts(ports: Json | undefined, at: string, errors: Errors): void {
  const names = new Set<string>()
  eachItem(ports, at, (port, path) => {
    const name = text(port.name)
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    names.add(name)
    if (name !== '') say(errors, `${path}.name`, name, portNameErrors(name))
    if (port.containerPort === undefined || port.containerPort === 0) errors.push(fieldError.required(`${path}.containerPort`))
    else portNumber(port.containerPort, `${path}.containerPort`, errors)
    if (port.hostPort !== 0) portNumber(port.hostPort, `${path}.hostPort`, errors)
    if (text(port.protocol) === '') errors.push(fieldError.required(`${path}.protocol`))
    else oneOf(port.protocol, `${path}.protocol`, ['SCTP', 'TCP', 'UDP'], errors)
  })
}

function checkMounts(mounts: Json | undefined, at: string, volumes: ReadonlySet<string>, errors: Errors): void {
  const paths = new Set<string>()
  eachItem(mounts, at, (mount, path) => {
    const name = text(mount.name)
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    if (!volumes.has(name)) errors.push(fieldError.notFound(`${path}.name`, name))
    const where = text(mount.mountPath)
    if (where === '') errors.push(fieldError.required(`${path}.mountPath`))
    if (where !== '' && paths.has(where)) errors.push(fieldError.invalid(`${path}.mountPath`, where, 'must be unique'))
    paths.add(where)
  })
}

export function checkResources(resources: JsonObject, at: string, errors: Errors): void {
  const limits = objectOf(resources.limits)
  const requests = objectOf(resources.requests)
  for (const [name, value] of Object.entries(limits)) {
    checkContainerResource(name, `${at}.limits[${name}]`, errors)
    checkAmount(value, `${at}.limits[${name}]`, errors)
  }
  for (const [name, value] of Object.entries(requests)) {
    checkContainerResource(name, `${at}.requests[${name}]`, errors)
    checkAmount(value, `${at}.requests[${name}]`, errors)
    checkRequest(name, text(value), limits[name], at, errors)
  }
}

function checkAmount(value: Json, at: string, errors: Errors): void {
  if ((parseQuantity(text(value))?.numerator ?? 0n) < 0n)
    errors.push(fieldError.invalid(at, value, 'must be greater than or equal to 0'))
}

/** Devices and huge pages are given as they are asked for; of the rest there may be more than was asked. */
function checkRequest(name: string, value: string, limit: Json | undefined, at: string, errors: Errors): void {
  const isExact = name.includes('/') || name.startsWith('hugepages-')
  if (isExact && limit === undefined)
    errors.push(fieldError.required(`${at}.limits`, 'Limit must be set for non overcommitable resources'))
  const [most, asked] = [parseQuantity(text(limit)), parseQuantity(value)]
  if (most === undefined || asked === undefined) return
  const order = compareQuantities(asked, most)
  if (isExact && order !== 0)
    errors.push(fieldError.invalid(`${at}.requests`, value, `must be equal to ${name} limit of ${text(limit)}`))
  if (!isExact && order > 0)
    errors.push(fieldError.invalid(`${at}.requests`, value, `must be less than or equal to ${name} limit of ${text(limit)}`))
}

const securityFields: readonly (readonly [string, string])[] = [
  ['Capabilities', 'capabilities'],
  ['Privileged', 'privileged'],
  ['SELinuxOptions', 'seLinuxOptions'],
  ['WindowsOptions', 'windowsOptions'],
  ['RunAsUser', 'runAsUser'],
  ['RunAsGroup', 'runAsGroup'],
  ['RunAsNonRoot', 'runAsNonRoot'],
  ['ReadOnlyRootFilesystem', 'readOnlyRootFilesystem'],
  ['AllowPrivilegeEscalation', 'allowPrivilegeEscalation'],
  ['ProcMount', 'procMount'],
  ['SeccompProfile', 'seccompProfile'],
  ['AppArmorProfile', 'appArmorProfile'],
]

function checkSecurity(context: Json | undefined, at: string, errors: Errors): void {
  if (!isObject(context)) return
  for (const field of ['runAsUser', 'runAsGroup']) checkId(context[field], `${at}.${field}`, errors)
  oneOf(context.procMount, `${at}.procMount`, ['Default', 'Unmasked'], errors)
  if (context.allowPrivilegeEscalation !== false || context.privileged !== true) return
  const shown = Object.fromEntries(securityFields.map(([internal, name]) => [internal, context[name] ?? null]))
  errors.push({
    ...fieldError.invalid(at, shown, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'),
    ordered: true,
  })
}
