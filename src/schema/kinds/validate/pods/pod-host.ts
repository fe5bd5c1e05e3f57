// What a pod takes of its host: names, name servers, users, namespaces of processes.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { readIp } from '../network/address-forms.ts'
import { ipText } from '../network/service-addresses.ts'
import { checkAppArmor, checkId, checkSeccomp, checkWindows } from './container-security.ts'

const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const sysctlText =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
const search = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/
const searchText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')"

function checkAddress(value: Json, at: string, errors: Errors): void {
  if (readIp(text(value)) === undefined) errors.push(fieldError.invalid(at, value, ipText))
}

const nameserversMax = 3

export function checkDns({ dnsPolicy, dnsConfig }: JsonObject, at: string, errors: Errors): void {
  const path = `${at}.dnsConfig`
  const { nameservers, searches, options } = objectOf(dnsConfig)
  if (dnsPolicy === 'None' && listOf(nameservers).length === 0) {
    const isGiven = dnsConfig !== undefined
    const why = isGiven ? 'must provide at least one DNS nameserver' : 'must provide `dnsConfig`'
    errors.push(fieldError.required(isGiven ? `${path}.nameservers` : path, `${why} when \`dnsPolicy\` is None`))
    return
  }
  if (listOf(nameservers).length > nameserversMax) {
    const why = `must not have more than ${nameserversMax} nameservers`
    errors.push(fieldError.invalid(`${path}.nameservers`, nameservers, why))
  }
  listOf(nameservers).forEach((server, index) => checkAddress(server, `${path}.nameservers[${index}]`, errors))
  checkSearchList(listOf(searches).map(text), `${path}.searches`, errors)
  listOf(searches).forEach((domain, index) => checkSearch(text(domain), `${path}.searches[${index}]`, errors))
  eachItem(options, `${path}.options`, (option, each) => {
    if (text(option.name) === '') errors.push(fieldError.required(each, 'must not be empty'))
  })
}

const searchesMax = 32
const searchListLengthMax = 2048

function checkSearchList(searches: readonly string[], at: string, errors: Errors): void {
  if (searches.length > searchesMax)
    errors.push(fieldError.invalid(at, searches, `must not have more than ${searchesMax} search paths`))
  const why = `must not have more than ${searchListLengthMax} characters (including spaces) in the search list`
  if (searches.join(' ').length > searchListLengthMax) errors.push(fieldError.invalid(at, searches, why))
}

const searchLengthMax = 253

function checkSearch(given: string, at: string, errors: Errors): void {
  const domain = given.replace(/\.$/, '')
  if (given === '.') return
  if (domain.length > searchLengthMax)
    errors.push(fieldError.invalid(at, domain, `must be no more than ${searchLengthMax} characters`))
  if (!search.test(domain)) errors.push(fieldError.invalid(at, domain, searchText))
}

export function checkPodSecurity(spec: JsonObject, at: string, errors: Errors): void {
  const context = objectOf(spec.securityContext)
  for (const field of ['fsGroup', 'runAsUser', 'runAsGroup']) checkId(context[field], `${at}.${field}`, errors)
  listOf(context.supplementalGroups).forEach((group, index) => checkId(group, `${at}.supplementalGroups[${index}]`, errors))
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const why = 'ShareProcessNamespace and HostPID cannot both be enabled'
    errors.push(fieldError.invalid(`${at}.shareProcessNamespace`, true, why))
  }
  checkSysctls(context.sysctls, `${at}.sysctls`, errors)
  oneOf(context.fsGroupChangePolicy, `${at}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch'], errors)
  checkSeccomp(context.seccompProfile, `${at}.seccompProfile`, errors)
  checkWindows(context.windowsOptions, `${at}.windowsOptions`, errors)
  checkAppArmor(context.appArmorProfile, `${at}.appArmorProfile`, errors)
  oneOf(context.supplementalGroupsPolicy, `${at}.supplementalGroupsPolicy`, ['Merge', 'Strict'], errors)
  oneOf(context.seLinuxChangePolicy, `${at}.seLinuxChangePolicy`, ['Recursive'], errors)
}

const sysctlLengthMax = 253

function checkSysctls(sysctls: Json | undefined, at: string, errors: Errors): void {
  const names = new Set<string>()
  eachItem(sysctls, at, (each, path) => {
    const name = text(each.name)
    const isWritten = name.length <= sysctlLengthMax && sysctl.test(name)
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    else if (!isWritten) errors.push(fieldError.invalid(`${path}.name`, name, sysctlText))
    else if (names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    names.add(name)
  })
}

/** A pod with users of its own has nothing else of its host. */
export function checkOwnUsers(spec: JsonObject, at: string, errors: Errors): void {
  if (spec.hostUsers !== false) return
  const why = 'when `hostUsers` is false'
  // A real server spells two of the fields with a capital.
  for (const [field, told] of [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const)
    if (spec[field] === true) errors.push(fieldError.forbidden(`${at}.${told}`, why))
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    eachItem(spec[list], `${at}.${list}`, ({ volumeDevices }, path) => {
      if (listOf(volumeDevices).length > 0) errors.push(fieldError.forbidden(`${path}.volumeDevices`, why))
    })
}

export function checkHostAliases(aliases: Json | undefined, at: string, errors: Errors): void {
  eachItem(aliases, at, (alias, path) => {
    checkAddress(alias.ip ?? '', `${path}.ip`, errors)
    listOf(alias.hostnames).forEach((name, index) =>
      say(errors, `${path}.hostnames[${index}]`, name, dnsSubdomainErrors(text(name))),
    )
  })
}
