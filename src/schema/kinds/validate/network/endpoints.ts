// Where the programs behind a service are: endpoints, and the slices that came after them.
import { dnsLabelErrors, dnsSubdomainErrors, labelValueErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isMapped, parseIp, renderIp } from '../../../ip.ts'
import { type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, eachItem, immutable, listOf, objectOf, oneOf, portNumber, say, text } from '../checks.ts'
import { checkReachable, ipWarnings, isPadded, readIp } from './address-forms.ts'
import { ipText } from './service-addresses.ts'

const protocols = ['SCTP', 'TCP', 'UDP']

export function validateEndpoints(object: JsonObject): Errors {
  const errors: Errors = []
  eachItem(object.subsets, 'subsets', (subset, at) => checkSubset(subset, at, errors))
  return errors
}

function checkSubset({ addresses, notReadyAddresses, ports }: JsonObject, at: string, errors: Errors): void {
  if (listOf(addresses).length + listOf(notReadyAddresses).length === 0)
    errors.push(fieldError.required(at, 'must specify `addresses` or `notReadyAddresses`'))
  eachItem(addresses, `${at}.addresses`, (address, path) => checkEndpoint(address, path, errors))
  eachItem(notReadyAddresses, `${at}.notReadyAddresses`, (address, path) => checkEndpoint(address, path, errors))
  const many = listOf(ports).length > 1
  eachItem(ports, `${at}.ports`, (port, path) => {
    if (text(port.name) !== '') say(errors, `${path}.name`, port.name, dnsLabelErrors(text(port.name)))
    else if (many) errors.push(fieldError.required(`${path}.name`))
    portNumber(port.port ?? 0, `${path}.port`, errors)
    checkSpoken(port, path, errors)
  })
}

/** A real server reads the address twice, and says so twice. */
function checkEndpoint({ ip, hostname, nodeName }: JsonObject, at: string, errors: Errors): void {
  const value = text(ip)
  const address = readIp(value)
  if (address === undefined) errors.push(fieldError.invalid(`${at}.ip`, value, ipText))
  if (text(hostname) !== '') say(errors, `${at}.hostname`, hostname, dnsLabelErrors(text(hostname)))
  if (nodeName !== undefined) say(errors, `${at}.nodeName`, nodeName, dnsSubdomainErrors(text(nodeName)))
  if (address === undefined) errors.push(fieldError.invalid(`${at}.ip`, value, 'must be a valid IP address'))
  else checkReachable(address, value, `${at}.ip`, errors)
}

function checkSpoken({ protocol, appProtocol }: JsonObject, at: string, errors: Errors): void {
  oneOf(protocol, `${at}.protocol`, protocols, errors)
  if (appProtocol !== undefined) say(errors, `${at}.appProtocol`, appProtocol, qualifiedNameErrors(text(appProtocol)))
}

export function endpointsWarnings({ subsets }: JsonObject): readonly string[] {
  const warnings: string[] = []
  eachItem(subsets, 'subsets', (subset, at) => {
    for (const list of ['addresses', 'notReadyAddresses'])
      eachItem(subset[list], `${at}.${list}`, ({ ip }, path) => warnings.push(...ipWarnings(text(ip), `${path}.ip`)))
  })
  return warnings
}

const types = ['FQDN', 'IPv4', 'IPv6']
const portsMax = 20_000
const endpointsMax = 1000
const addressesMax = 100
const hintsMax = 8

export function validateEndpointSlice(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const type = text(object.addressType)
  if (type === '') errors.push(fieldError.required('addressType'))
  else if (!types.includes(type)) errors.push(fieldError.notSupported('addressType', type, types))
  checkSlicePorts(object.ports, errors)
  // Endpoints that are all as they were are not looked at again.
  const areKept = old !== undefined && jsonEqual(object.endpoints, old.endpoints)
  if (!areKept && !isTooMany(object.endpoints, 'endpoints', endpointsMax, errors))
    eachItem(object.endpoints, 'endpoints', (endpoint, at) => checkSliceEndpoint(endpoint, type, at, errors))
  if (old !== undefined) immutable(type, old.addressType, 'addressType', errors)
  return errors
}

function isTooMany(list: Json | undefined, at: string, most: number, errors: Errors): boolean {
  const { length } = listOf(list)
  if (length > most) errors.push(fieldError.tooMany(at, length, most))
  return length > most
}

function checkSlicePorts(ports: Json | undefined, errors: Errors): void {
  if (isTooMany(ports, 'ports', portsMax, errors)) return
  const names = new Set<string>()
  eachItem(ports, 'ports', (port, at) => {
    const name = text(port.name)
    if (name !== '') say(errors, `${at}.name`, name, dnsLabelErrors(name))
    if (names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
    names.add(name)
    checkSpoken(port, at, errors)
  })
}

function checkSliceEndpoint(
  { addresses, nodeName, hostname, hints }: JsonObject,
  type: string,
  at: string,
  errors: Errors,
): void {
  if (listOf(addresses).length === 0) errors.push(fieldError.required(`${at}.addresses`, 'must contain at least 1 address'))
  isTooMany(addresses, `${at}.addresses`, addressesMax, errors)
  listOf(addresses).forEach((address, index) => checkAddress(text(address), type, `${at}.addresses`, index, errors))
  if (nodeName !== undefined) say(errors, `${at}.nodeName`, nodeName, dnsSubdomainErrors(text(nodeName)))
  if (hostname !== undefined) say(errors, `${at}.hostname`, hostname, dnsLabelErrors(text(hostname)))
  const { forZones, forNodes } = objectOf(hints)
  checkHints(forZones, `${at}.hints.forZones`, labelValueErrors, errors)
  checkHints(forNodes, `${at}.hints.forNodes`, dnsSubdomainErrors, errors)
}

type Problems = (text: string) => readonly string[]

function checkHints(hints: Json | undefined, at: string, problemsOf: Problems, errors: Errors): void {
  if (isTooMany(hints, at, hintsMax, errors)) return
  const names = new Set<string>()
  eachItem(hints, at, (hint, path) => {
    const name = text(hint.name)
    if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    names.add(name)
    say(errors, `${path}.name`, name, problemsOf(name))
  })
}

function checkAddress(value: string, type: string, at: string, index: number, errors: Errors): void {
  const path = `${at}[${index}]`
  if (type === 'FQDN') checkDomain(value, path, errors)
  if (type !== 'IPv4' && type !== 'IPv6') return
  const address = readIp(value)
  const problem = address === undefined ? ipText : type === 'IPv6' ? strictProblem(value) : undefined
  if (problem !== undefined) errors.push(fieldError.invalid(path, value, problem))
  if (address === undefined || problem !== undefined) return
  // A real server names the list here, not the address.
  if (address.family !== (type === 'IPv4' ? 4 : 6)) errors.push(fieldError.invalid(at, value, `must be an ${type} address`))
  checkReachable(address, value, path, errors)
}

/** Addresses of version 6 came after the forms in which those of version 4 are still read. */
function strictProblem(value: string): string | undefined {
  if (isPadded(value)) return 'must not have leading 0s'
  const address = parseIp(value)
  if (address === undefined) return ipText
  if (isMapped(address)) return 'must not be an IPv4-mapped IPv6 address'
  const usual = renderIp(address)
  return value === usual ? undefined : `must be in canonical form ("${usual}")`
}

function checkDomain(value: string, at: string, errors: Errors): void {
  if (value === '') {
    errors.push(fieldError.required(at))
    return
  }
  const domain = value.replace(/\.$/, '')
  const problems = dnsSubdomainErrors(domain)
  say(errors, at, domain, problems)
  if (problems.length === 0 && !domain.includes('.'))
    errors.push(fieldError.invalid(at, domain, 'should be a domain with at least two segments separated by dots'))
}

export function endpointSliceWarnings({ addressType, endpoints }: JsonObject): readonly string[] {
  if (addressType === 'FQDN') return ['spec.addressType: FQDN endpoints are deprecated']
  const warnings: string[] = []
  eachItem(endpoints, 'endpoints', ({ addresses }, at) => {
    listOf(addresses).forEach((address, index) => {
      warnings.push(...ipWarnings(text(address), `${at}.addresses[${index}]`))
    })
  })
  return warnings
}
