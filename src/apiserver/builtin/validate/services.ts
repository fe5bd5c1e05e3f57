// Services, endpoints and what has to do with them.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../schema/field-error.ts'
import { parseIp } from '../../schema/ip.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import type { ValidationContext } from '../../schema/kind-schema.ts'
import { type Errors, eachItem, immutable, listOf, objectOf, oneOf, portNumber, qualifiedKeys, say, text } from './checks.ts'

const ipText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'

export function validateService(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  const ips = listOf(spec.clusterIPs)
  const isHeadless = spec.clusterIP === 'None'
  oneOf(spec.type, 'spec.type', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], errors)
  oneOf(spec.sessionAffinity, 'spec.sessionAffinity', ['ClientIP', 'None'], errors)
  if (spec.type === 'ExternalName') {
    if (text(spec.externalName) === '') errors.push(fieldError.required('spec.externalName'))
  } else if (listOf(spec.ports).length === 0 && !isHeadless) errors.push(fieldError.required('spec.ports'))
  checkPorts(spec, errors)
  qualifiedKeys(spec.selector, 'spec.selector', errors)
  ips.forEach((ip, index) => {
    if (ip !== 'None' && parseIp(text(ip)) === undefined) errors.push(fieldError.invalid(`spec.clusterIPs[${index}]`, ip, ipText))
  })
  if (old !== undefined) checkServiceUpdate(spec, objectOf(old.spec), errors)
  return errors
}

function checkServiceUpdate(spec: JsonObject, old: JsonObject, errors: Errors): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return
  const [ip] = listOf(spec.clusterIPs)
  const [before] = listOf(old.clusterIPs)
  if (before !== undefined && ip !== before)
    errors.push(fieldError.invalid('spec.clusterIPs[0]', listOf(spec.clusterIPs), 'may not change once set'))
}

function checkPorts(spec: JsonObject, errors: Errors): void {
  const many = listOf(spec.ports).length > 1
  const names = new Set<string>()
  const taken = new Set<string>()
  eachItem(spec.ports, 'spec.ports', (port, at) => {
    const name = text(port.name)
    if (name === '' && many) errors.push(fieldError.required(`${at}.name`))
    if (name !== '') {
      say(errors, `${at}.name`, name, dnsLabelErrors(name))
      if (names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
      names.add(name)
    }
    if (port.port === undefined) portNumber(0, `${at}.port`, errors)
    else portNumber(port.port, `${at}.port`, errors)
    oneOf(port.protocol, `${at}.protocol`, ['SCTP', 'TCP', 'UDP'], errors)
    portNumber(port.targetPort, `${at}.targetPort`, errors)
    const key = `${text(port.protocol)}/${String(Number(port.port))}`
    if (taken.has(key)) errors.push({ ...fieldError.duplicate(at, internalPort(port)), ordered: true })
    taken.add(key)
  })
}

function internalPort(port: JsonObject): JsonObject {
  return { Name: '', Protocol: port.protocol ?? '', AppProtocol: null, Port: port.port ?? 0, TargetPort: 0, NodePort: 0 }
}

export function validateEndpointSlice(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const types = ['FQDN', 'IPv4', 'IPv6']
  const type = text(object.addressType)
  if (type === '') errors.push(fieldError.required('addressType'))
  else if (!types.includes(type)) errors.push(fieldError.notSupported('addressType', type, types))
  eachItem(object.endpoints, 'endpoints', (endpoint, at) => {
    const addresses = listOf(endpoint.addresses)
    if (addresses.length === 0) errors.push(fieldError.required(`${at}.addresses`, 'must contain at least 1 address'))
    addresses.forEach((address, index) => checkAddress(address, type, `${at}.addresses[${index}]`, errors))
  })
  eachItem(object.ports, 'ports', (port, at) => oneOf(port.protocol, `${at}.protocol`, ['SCTP', 'TCP', 'UDP'], errors))
  if (old === undefined || object.addressType === old.addressType) return errors
  const changed: Errors = []
  immutable(object.addressType, old.addressType, 'addressType', changed)
  return changed
}

function checkAddress(address: Json, type: string, at: string, errors: Errors): void {
  if (type !== 'IPv4' && type !== 'IPv6') return
  const ip = parseIp(text(address))
  if (ip === undefined) errors.push(fieldError.invalid(at, address, ipText))
  else if (ip.family !== (type === 'IPv4' ? 4 : 6)) errors.push(fieldError.invalid(at, address, `must be an ${type} address`))
}
