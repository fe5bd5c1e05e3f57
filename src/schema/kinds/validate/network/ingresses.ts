// Ingresses and their classes.
import { dns1035LabelErrors, dnsLabelErrors, dnsSubdomainErrors, pathSegmentErrors, wildcardSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { parseIp } from '../../../ip.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import {
  domainPrefixedPath,
  type Errors,
  eachItem,
  immutable,
  listOf,
  objectOf,
  oneOf,
  portNameErrors,
  portNumber,
  say,
  text,
} from '../checks.ts'

const classAnnotation = 'kubernetes.io/ingress.class'

export function validateIngress(object: JsonObject): Errors {
  const errors: Errors = []
  const { rules, defaultBackend, tls, ingressClassName } = objectOf(object.spec)
  if (listOf(rules).length === 0 && defaultBackend === undefined)
    errors.push(fieldError.invalid('spec', rules, 'either `defaultBackend` or `rules` must be specified'))
  if (isObject(defaultBackend)) checkBackend(defaultBackend, 'spec.defaultBackend', errors)
  eachItem(rules, 'spec.rules', (rule, at) => checkRule(rule, at, errors))
  eachItem(tls, 'spec.tls', (one, at) => checkTls(one, at, errors))
  if (ingressClassName !== undefined)
    say(errors, 'spec.ingressClassName', ingressClassName, dnsSubdomainErrors(text(ingressClassName)))
  return errors
}

/** The class stood in an annotation once. */
export function ingressWarnings(object: JsonObject): readonly string[] {
  const isOld = objectOf(objectOf(object.metadata).annotations)[classAnnotation] !== undefined
  if (!isOld || objectOf(object.spec).ingressClassName !== undefined) return []
  return [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
}

function checkRule({ host, http }: JsonObject, at: string, errors: Errors): void {
  if (text(host) !== '') checkHost(text(host), `${at}.host`, errors)
  if (!isObject(http)) return
  if (listOf(http.paths).length === 0) errors.push(fieldError.required(`${at}.http.paths`))
  eachItem(http.paths, `${at}.http.paths`, (path, each) => checkPath(path, each, errors))
}

function checkHost(host: string, at: string, errors: Errors): void {
  if (parseIp(host) !== undefined) errors.push(fieldError.invalid(at, host, 'must be a DNS name, not an IP address'))
  else checkName(host, at, errors)
}

function checkName(host: string, at: string, errors: Errors): void {
  say(errors, at, host, host.includes('*') ? wildcardSubdomainErrors(host) : dnsSubdomainErrors(host))
}

function checkTls({ hosts, secretName }: JsonObject, at: string, errors: Errors): void {
  listOf(hosts).forEach((host, index) => checkName(text(host), `${at}.hosts[${index}]`, errors))
  if (text(secretName) !== '') say(errors, `${at}.secretName`, secretName, dnsSubdomainErrors(text(secretName)))
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']

function checkPath({ path, pathType, backend }: JsonObject, at: string, errors: Errors): void {
  if (pathType === undefined) {
    errors.push(fieldError.required(`${at}.pathType`, 'pathType must be specified'))
    return
  }
  oneOf(pathType, `${at}.pathType`, pathTypes, errors)
  const value = text(path)
  const isAbsolute = value.startsWith('/')
  const mayBeEmpty = pathType === 'ImplementationSpecific' && value === ''
  if (pathTypes.includes(text(pathType)) && !isAbsolute && !mayBeEmpty)
    errors.push(fieldError.invalid(`${at}.path`, value, 'must be an absolute path'))
  if (pathType === 'Exact' || pathType === 'Prefix') checkSegments(value, `${at}.path`, errors)
  checkBackend(objectOf(backend), `${at}.backend`, errors)
}

function checkSegments(path: string, at: string, errors: Errors): void {
  for (const part of ['//', '/./', '/../', '%2f', '%2F'])
    if (path.includes(part)) errors.push(fieldError.invalid(at, path, `must not contain '${part}'`))
  for (const end of ['/..', '/.']) if (path.endsWith(end)) errors.push(fieldError.invalid(at, path, `cannot end with '${end}'`))
}

function checkBackend({ service, resource }: JsonObject, at: string, errors: Errors): void {
  if (isObject(resource) && isObject(service))
    errors.push(fieldError.invalid(at, '', 'cannot set both resource and service backends'))
  else if (isObject(resource)) checkReference(resource, `${at}.resource`, errors)
  else if (isObject(service)) checkService(service, at, errors)
  else errors.push(fieldError.invalid(at, '', 'resource or service backend is required'))
}

function checkService({ name, port }: JsonObject, at: string, errors: Errors): void {
  if (text(name) === '') errors.push(fieldError.required(`${at}.service.name`))
  else say(errors, `${at}.service.name`, name, dns1035LabelErrors(text(name)))
  const { name: portName = '', number = 0 } = objectOf(port)
  if (portName !== '' && number !== 0) errors.push(fieldError.invalid(at, '', 'cannot set both port name & port number'))
  else if (portName !== '') say(errors, `${at}.service.port.name`, portName, portNameErrors(text(portName)))
  else if (number !== 0) portNumber(number, `${at}.service.port.number`, errors)
  else errors.push(fieldError.required(at, 'port name or number is required'))
}

function checkReference({ apiGroup, kind, name }: JsonObject, at: string, errors: Errors): void {
  if (typeof apiGroup === 'string') say(errors, `${at}.apiGroup`, apiGroup, dnsSubdomainErrors(apiGroup))
  for (const [field, value] of Object.entries({ kind, name })) {
    if (text(value) === '') errors.push(fieldError.required(`${at}.${field}`))
    else say(errors, `${at}.${field}`, value, pathSegmentErrors(text(value)))
  }
}

const controllerBytesMax = 250

export function validateIngressClass(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const { controller, parameters } = objectOf(object.spec)
  if (old !== undefined) immutable(text(controller), objectOf(old.spec).controller, 'spec.controller', errors)
  checkController(controller, 'spec.controller', errors)
  if (isObject(parameters)) checkParameters(parameters, 'spec.parameters', errors)
  return errors
}

function checkController(controller: Json | undefined, at: string, errors: Errors): void {
  const value = text(controller)
  if (value === '') errors.push(fieldError.required(at))
  else {
    if (Buffer.byteLength(value) > controllerBytesMax) errors.push(fieldError.tooLong(at, controllerBytesMax))
    domainPrefixedPath(value, at, errors)
  }
}

function checkParameters(parameters: JsonObject, at: string, errors: Errors): void {
  checkReference(parameters, at, errors)
  const { scope, namespace } = parameters
  oneOf(scope, `${at}.scope`, ['Cluster', 'Namespace'], errors)
  const why = `\`parameters.scope\` is set to '${text(scope)}'`
  if (scope === 'Cluster' && namespace !== undefined) errors.push(fieldError.forbidden(`${at}.namespace`, why))
  if (scope !== 'Namespace') return
  if (namespace === undefined) errors.push(fieldError.required(`${at}.namespace`, why))
  else say(errors, `${at}.namespace`, namespace, dnsLabelErrors(text(namespace)))
}
