// What is written of a pod's status.
import { dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, say, text } from '../checks.ts'
import { ipWarnings, readIp } from '../network/address-forms.ts'
import { ipText } from '../network/service-addresses.ts'
import { checkId } from './container-security.ts'
import { namesOfClaims } from './device-claims.ts'

export function checkPodStatus(pod: JsonObject, oldPod: JsonObject, errors: Errors): void {
  const [status, old] = [objectOf(pod.status), objectOf(oldPod.status)]
  checkConditions(status.conditions, errors)
  const node = text(status.nominatedNodeName)
  if (node !== '') say(errors, 'status.nominatedNodeName', node, dnsSubdomainErrors(node))
  checkGeneration(status.observedGeneration, 'status.observedGeneration', errors)
  if (text(old.qosClass) !== '' && status.qosClass !== old.qosClass)
    errors.push(fieldError.invalid('status.qosClass', status.qosClass ?? '', 'field is immutable'))
  checkClaims(status.resourceClaimStatuses, objectOf(pod.spec), errors)
  checkAddresses(status.podIPs, 'status.podIPs', errors)
  const [first] = addressesOf(status.hostIPs)
  if (first !== undefined && first !== text(status.hostIP))
    errors.push(fieldError.invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`'))
  checkAddresses(status.hostIPs, 'status.hostIPs', errors)
  for (const list of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'])
    eachItem(status[list], `status.${list}`, ({ user }, at) =>
      checkUser(objectOf(objectOf(user).linux), `${at}.user.linux`, errors),
    )
}

/** Whoever writes a status is told of each address in a form that goes out of use, also when it was there before. */
export function statusWarnings({ status }: JsonObject): readonly string[] {
  return ['podIPs', 'hostIPs'].flatMap(list =>
    addressesOf(objectOf(status)[list]).flatMap((ip, index) => ipWarnings(ip, `status.${list}[${index}].ip`)),
  )
}

function checkConditions(conditions: Json | undefined, errors: Errors): void {
  eachItem(conditions, 'status.conditions', ({ type, observedGeneration }, at) => {
    checkGeneration(observedGeneration, `${at}.observedGeneration`, errors)
    // A real server names this one after the field of its own source.
    say(errors, `${at}.Type`, text(type), qualifiedNameErrors(text(type)))
  })
}

function checkGeneration(value: Json | undefined, at: string, errors: Errors): void {
  if (typeof value === 'number' && value < 0) errors.push(fieldError.invalid(at, value, 'must be a non-negative integer'))
}

function checkClaims(statuses: Json | undefined, spec: JsonObject, errors: Errors): void {
  const known = namesOfClaims(spec)
  const seen = new Set<string>()
  eachItem(statuses, 'status.resourceClaimStatuses', (claim, at) => {
    const [name, claimName] = [text(claim.name), text(claim.resourceClaimName)]
    if (!known.has(name))
      errors.push(fieldError.invalid(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`'))
    if (seen.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
    seen.add(name)
    if (claimName !== '') say(errors, `${at}.name`, claimName, dnsSubdomainErrors(claimName))
  })
}

function addressesOf(list: Json | undefined): readonly string[] {
  return listOf(list).map(item => text(objectOf(item).ip))
}

function checkAddresses(list: Json | undefined, at: string, errors: Errors): void {
  const ips = addressesOf(list)
  const families = ips.map(ip => readIp(ip)?.family)
  for (const [index, ip] of ips.entries())
    if (families[index] === undefined) errors.push(fieldError.invalid(`${at}[${index}]`, ip, ipText))
  if (ips.length < 2) return
  const bad = families.indexOf(undefined)
  if (bad >= 0) errors.push(fieldError.internal(at, `failed to check for dual stack with error:invalid IP[${bad}]: ${ips[bad]}`))
  if (bad < 0 && ips.length === 2 && families[0] !== families[1]) return
  const shown = ips.map(ip => ({ IP: ip }))
  errors.push(fieldError.invalid(at, shown, 'may specify no more than one IP for each IP family'))
}

function checkUser({ uid, gid, supplementalGroups }: JsonObject, at: string, errors: Errors): void {
  checkId(uid, `${at}.uid`, errors)
  checkId(gid, `${at}.gid`, errors)
  for (const [index, group] of listOf(supplementalGroups).entries()) checkId(group, `${at}.supplementalGroups[${index}]`, errors)
}
