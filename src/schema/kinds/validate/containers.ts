// Containers of pods.
import { dnsLabelErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { compareQuantities, parseQuantity } from '../../quantity.ts'
import { type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, portNumber, say, text } from './checks.ts'

export function checkContainers(spec: JsonObject, at: string, volumes: ReadonlySet<string>, errors: Errors): void {
  const names = new Set<string>()
  if (listOf(spec.containers).length === 0) errors.push(fieldError.required(`${at}.containers`))
  for (const list of ['containers', 'initContainers']) {
    eachItem(spec[list], `${at}.${list}`, (container, path) => {
      checkName(container, path, names, errors)
      checkContainer(container, path, volumes, errors)
    })
  }
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
  eachItem(container.env, `${at}.env`, (variable, path) => checkVariable(variable, path, errors))
  checkMounts(container.volumeMounts, `${at}.volumeMounts`, volumes, errors)
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) checkProbe(container[probe], `${at}.${probe}`, errors)
  checkResources(objectOf(container.resources), `${at}.resources`, errors)
  checkSecurity(container.securityContext, `${at}.securityContext`, errors)
}

function checkPorts(ports: Json | undefined, at: string, errors: Errors): void {
  const names = new Set<string>()
  eachItem(ports, at, (port, path) => {
    const name = text(port.name)
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    names.add(name)
    if (port.containerPort === undefined || port.containerPort === 0) errors.push(fieldError.required(`${path}.containerPort`))
    else portNumber(port.containerPort, `${path}.containerPort`, errors)
    if (port.hostPort !== 0) portNumber(port.hostPort, `${path}.hostPort`, errors)
    if (text(port.protocol) === '') errors.push(fieldError.required(`${path}.protocol`))
    else oneOf(port.protocol, `${path}.protocol`, ['SCTP', 'TCP', 'UDP'], errors)
  })
}

function checkVariable(variable: JsonObject, at: string, errors: Errors): void {
  if (text(variable.name) === '') errors.push(fieldError.required(`${at}.name`))
  const source = variable.valueFrom
  if (!isObject(source)) return
  const count = Object.keys(source).length
  if (count === 0)
    errors.push(
      fieldError.invalid(
        `${at}.valueFrom`,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
      ),
    )
  else if (text(variable.value) !== '')
    errors.push(fieldError.invalid(`${at}.valueFrom`, '', 'may not be specified when `value` is not empty'))
  else if (count > 1)
    errors.push(fieldError.invalid(`${at}.valueFrom`, '', 'may not have more than one field specified at a time'))
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

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc']

function checkProbe(probe: Json | undefined, at: string, errors: Errors): void {
  if (!isObject(probe)) return
  const given = handlers.filter(name => isObject(probe[name]))
  if (given.length === 0) errors.push(fieldError.required(at, 'must specify a handler type'))
  for (const name of given.slice(1))
    errors.push(fieldError.forbidden(`${at}.${name}`, 'may not specify more than 1 handler type'))
  for (const field of ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']) {
    nonNegative(probe[field], `${at}.${field}`, errors)
  }
}

const standard = new Set(['cpu', 'memory', 'ephemeral-storage'])

function checkResources(resources: JsonObject, at: string, errors: Errors): void {
  const limits = objectOf(resources.limits)
  const requests = objectOf(resources.requests)
  for (const name of Object.keys(limits)) checkResourceName(name, `${at}.limits[${name}]`, errors)
  for (const [name, value] of Object.entries(requests)) {
    checkResourceName(name, `${at}.requests[${name}]`, errors)
    const limit = parseQuantity(text(limits[name]))
    const request = parseQuantity(text(value))
    if (limit === undefined || request === undefined || compareQuantities(request, limit) <= 0) continue
    errors.push(
      fieldError.invalid(`${at}.requests`, text(value), `must be less than or equal to ${name} limit of ${text(limits[name])}`),
    )
  }
}

function checkResourceName(name: string, at: string, errors: Errors): void {
  say(errors, at, name, qualifiedNameErrors(name))
  if (!name.includes('/') && !standard.has(name) && !name.startsWith('hugepages-')) {
    errors.push(fieldError.invalid(at, name, 'must be a standard resource for containers'))
  }
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
  if (context.allowPrivilegeEscalation !== false || context.privileged !== true) return
  const shown = Object.fromEntries(securityFields.map(([internal, name]) => [internal, context[name] ?? null]))
  errors.push({
    ...fieldError.invalid(at, shown, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'),
    ordered: true,
  })
}
