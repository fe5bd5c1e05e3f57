// What a pod takes of its host: names, name servers, users, namespaces of processes.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { parseIp } from '../../../ip.ts'
import { type Json, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { ipText } from '../network/service-addresses.ts'

const idMax = 2_147_483_647
const sysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const sysctlText =
  'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$'
const search = /^_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/
const searchText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')"

export function checkHostParts(spec: JsonObject, at: string, errors: Errors): void {
  checkDns(spec, at, errors)
  checkPodSecurity(spec, `${at}.securityContext`, errors)
  eachItem(spec.hostAliases, `${at}.hostAliases`, (alias, path) => checkAddress(alias.ip ?? '', `${path}.ip`, errors))
  for (const field of ['hostname', 'subdomain'])
    if (text(spec[field]) !== '') say(errors, `${at}.${field}`, spec[field], dnsLabelErrors(text(spec[field])))
  const { os } = spec
  if (os !== undefined) oneOf(text(objectOf(os).name), `${at}.os`, ['linux', 'windows'], errors)
}

function checkAddress(value: Json, at: string, errors: Errors): void {
  if (parseIp(text(value)) === undefined) errors.push(fieldError.invalid(at, value, ipText))
}

function checkDns({ dnsPolicy, dnsConfig }: JsonObject, at: string, errors: Errors): void {
  oneOf(dnsPolicy, `${at}.dnsPolicy`, ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], errors)
  const path = `${at}.dnsConfig`
  if (dnsPolicy === 'None' && dnsConfig === undefined)
    errors.push(fieldError.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'))
  const { nameservers, searches, options } = objectOf(dnsConfig)
  if (dnsPolicy === 'None' && dnsConfig !== undefined && listOf(nameservers).length === 0)
    errors.push(fieldError.required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'))
  listOf(nameservers).forEach((server, index) => checkAddress(server, `${path}.nameservers[${index}]`, errors))
  listOf(searches).forEach((domain, index) => {
    const isDomain = text(domain) === '.' || search.test(text(domain).replace(/\.$/, ''))
    if (!isDomain) errors.push(fieldError.invalid(`${path}.searches[${index}]`, domain, searchText))
  })
  eachItem(options, `${path}.options`, (option, each) => {
    if (text(option.name) === '') errors.push(fieldError.required(each, 'must not be empty'))
  })
}

function checkPodSecurity(spec: JsonObject, at: string, errors: Errors): void {
  const context = objectOf(spec.securityContext)
  for (const field of ['runAsUser', 'runAsGroup', 'fsGroup']) checkId(context[field], `${at}.${field}`, errors)
  listOf(context.supplementalGroups).forEach((group, index) => checkId(group, `${at}.supplementalGroups[${index}]`, errors))
  eachItem(context.sysctls, `${at}.sysctls`, ({ name }, path) => {
    if (text(name) === '') errors.push(fieldError.required(`${path}.name`))
    else if (!sysctl.test(text(name))) errors.push(fieldError.invalid(`${path}.name`, name, sysctlText))
  })
  oneOf(context.fsGroupChangePolicy, `${at}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch'], errors)
  oneOf(objectOf(context.seccompProfile).type, `${at}.seccompProfile.type`, ['Localhost', 'RuntimeDefault', 'Unconfined'], errors)
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const why = 'ShareProcessNamespace and HostPID cannot both be enabled'
    errors.push(fieldError.invalid(`${at}.shareProcessNamespace`, true, why))
  }
}

export function checkId(id: Json | undefined, at: string, errors: Errors): void {
  if (typeof id === 'number' && (id < 0 || id > idMax))
    errors.push(fieldError.invalid(at, id, `must be between 0 and ${idMax}, inclusive`))
}
