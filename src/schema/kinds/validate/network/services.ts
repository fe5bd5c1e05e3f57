// Services.
import { dnsLabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import type { Json, JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import {
  type Errors,
  eachItem,
  listOf,
  objectOf,
  oneOf,
  portNameErrors,
  portNumber,
  qualifiedKeys,
  say,
  text,
} from '../checks.ts'
import { checkReachable, ipWarnings, networkText, networkWarnings, readIp, readNetwork } from './address-forms.ts'
import { addressErrors, ipText, isReachable, needsHealthCheck, type ServiceSpec } from './service-addresses.ts'

export function validateService(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  if (subresource === 'status') return statusErrors(object)
  const spec = objectOf(object.spec)
  const typed = spec as ServiceSpec
  const errors: Errors = []
  if (old !== undefined) checkChange(spec, objectOf(old.spec), errors)
  checkTopologyNotes(object, errors)
  checkType(spec, errors)
  checkPorts(spec, errors)
  qualifiedKeys(spec.selector, 'spec.selector', errors)
  checkAffinity(spec, errors)
  if (spec.type !== 'ExternalName') errors.push(...addressErrors(typed, objectOf(old?.spec)))
  listOf(spec.externalIPs).forEach((ip, index) => checkExternalIp(ip, `spec.externalIPs[${index}]`, errors))
  oneOf(spec.type, 'spec.type', ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], errors)
  checkNodePorts(spec, errors)
  checkDuplicatePorts(spec, errors)
  checkLoadBalancer(object, spec, errors)
  checkTraffic(spec, typed, errors)
  return errors
}

const formerTopology = 'service.kubernetes.io/topology-aware-hints'
const topology = 'service.kubernetes.io/topology-mode'

/** The annotation has two names. */
function checkTopologyNotes({ metadata }: JsonObject, errors: Errors): void {
  const notes = objectOf(objectOf(metadata).annotations)
  const [former, given] = [notes[formerTopology], notes[topology]]
  if (former === undefined || given === undefined || former === given) return
  const why = `must match annotations[${formerTopology}] when both are specified`
  errors.push(fieldError.invalid(`metadata.annotations[${topology}]`, given, why))
}

function statusErrors({ spec, status }: JsonObject): Errors {
  const { ingress } = objectOf(objectOf(status).loadBalancer)
  const errors: Errors = []
  const at = 'status.loadBalancer.ingress'
  if (listOf(ingress).length === 0) return errors
  if (objectOf(spec).type === 'LoadBalancer') {
    eachItem(ingress, at, (way, path) => checkWayIn(way, path, errors))
    return errors
  }
  return [fieldError.forbidden(at, "may only be used when `spec.type` is 'LoadBalancer'")]
}

function checkWayIn({ ip, ipMode, hostname }: JsonObject, at: string, errors: Errors): void {
  if (text(ip) !== '') {
    if (readIp(text(ip)) === undefined) errors.push(fieldError.invalid(`${at}.ip`, ip, ipText))
    oneOf(ipMode, `${at}.ipMode`, ['Proxy', 'VIP'], errors)
  } else if (ipMode !== undefined) errors.push(fieldError.forbidden(`${at}.ipMode`, 'may not be specified when `ip` is not set'))
  if (text(hostname) !== '') say(errors, `${at}.hostname`, hostname, dnsSubdomainErrors(text(hostname)))
}

export function serviceWarnings({ metadata, spec }: JsonObject): readonly string[] {
  const isFormer = objectOf(objectOf(metadata).annotations)[formerTopology] !== undefined
  const ofNotes = isFormer ? [`annotation ${formerTopology} is deprecated, please use ${topology} instead`] : []
  return [...ofNotes, ...specWarnings(spec)]
}

function specWarnings(spec: Json | undefined): readonly string[] {
  const { type, clusterIP, externalIPs, externalName, loadBalancerIP, loadBalancerSourceRanges } = objectOf(spec)
  const warnings = clusterIP === 'None' ? [...headlessWarnings(objectOf(spec))] : []
  for (const list of ['clusterIPs', 'externalIPs'])
    listOf(objectOf(spec)[list]).forEach((ip, index) => {
      warnings.push(...ipWarnings(text(ip), `spec.${list}[${index}]`))
    })
  warnings.push(...ipWarnings(text(loadBalancerIP), 'spec.loadBalancerIP'))
  listOf(loadBalancerSourceRanges).forEach((range, index) => {
    warnings.push(...networkWarnings(text(range), `spec.loadBalancerSourceRanges[${index}]`))
  })
  if (type === 'ExternalName' && listOf(externalIPs).length > 0)
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"')
  if (type !== 'ExternalName' && text(externalName) !== '')
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"')
  return warnings
}

/** Of the ways into a service or an ingress, as somebody has reported them. */
export function waysInWarnings({ status }: JsonObject): readonly string[] {
  const { ingress } = objectOf(objectOf(status).loadBalancer)
  return listOf(ingress).flatMap((way, index) => ipWarnings(text(objectOf(way).ip), `status.loadBalancer.ingress[${index}]`))
}

function headlessWarnings({ externalIPs, loadBalancerIP, sessionAffinity }: JsonObject): readonly string[] {
  const ignored = [
    ...(text(loadBalancerIP) === '' ? [] : ['loadBalancerIP']),
    ...(listOf(externalIPs).length === 0 ? [] : ['externalIPs']),
    ...(sessionAffinity === 'ClientIP' ? ['SessionAffinity'] : []),
  ]
  return ignored.map(field => `spec.${field} is ignored for headless services`)
}

function checkType(spec: JsonObject, errors: Errors): void {
  const isHeadless = spec.clusterIP === 'None'
  if (listOf(spec.ports).length === 0 && !isHeadless && spec.type !== 'ExternalName')
    errors.push(fieldError.required('spec.ports'))
  if (isHeadless && (spec.type === 'LoadBalancer' || spec.type === 'NodePort'))
    errors.push(fieldError.invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${spec.type} services`))
  if (spec.type !== 'ExternalName') return
  const why = 'may not be set for ExternalName services'
  for (const field of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
    if (spec[field] !== undefined) errors.push(fieldError.forbidden(`spec.${field}`, why))
  const name = text(spec.externalName).replace(/\.$/, '')
  if (name === '') errors.push(fieldError.required('spec.externalName'))
  else say(errors, 'spec.externalName', name, dnsSubdomainErrors(name))
}

function checkAffinity(spec: JsonObject, errors: Errors): void {
  oneOf(spec.sessionAffinity, 'spec.sessionAffinity', ['ClientIP', 'None'], errors)
  if (spec.sessionAffinity !== 'ClientIP') return
  const seconds = objectOf(objectOf(spec.sessionAffinityConfig).clientIP).timeoutSeconds
  if (typeof seconds === 'number' && (seconds <= 0 || seconds > 86400))
    errors.push(
      fieldError.invalid(
        'spec.sessionAffinityConfig.clientIP.timeoutSeconds',
        seconds,
        'must be greater than 0 and less than 86400',
      ),
    )
}

function checkExternalIp(ip: Json, at: string, errors: Errors): void {
  const address = readIp(text(ip))
  if (address === undefined) errors.push(fieldError.invalid(at, ip, ipText))
  else checkReachable(address, text(ip), at, errors)
}

function checkNodePorts(spec: JsonObject, errors: Errors): void {
  const taken = new Set<string>()
  if (spec.type === 'ClusterIP')
    eachItem(spec.ports, 'spec.ports', (port, at) => {
      if (port.nodePort !== undefined)
        errors.push(fieldError.forbidden(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'"))
    })
  eachItem(spec.ports, 'spec.ports', (port, at) => {
    if (port.nodePort === undefined) return
    const key = `${text(port.protocol)}/${Number(port.nodePort)}`
    if (taken.has(key)) errors.push(fieldError.duplicate(`${at}.nodePort`, port.nodePort))
    taken.add(key)
  })
}

const onlyBalancer = "may only be used when `type` is 'LoadBalancer'"

function checkLoadBalancer(object: JsonObject, spec: JsonObject, errors: Errors): void {
  checkRanges(object, spec, errors)
  if (spec.type !== 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== undefined)
    errors.push(fieldError.forbidden('spec.allocateLoadBalancerNodePorts', onlyBalancer))
  checkClass(spec, errors)
}

function checkClass({ type, loadBalancerClass: name }: JsonObject, errors: Errors): void {
  if (name === undefined) return
  if (type === 'LoadBalancer') say(errors, 'spec.loadBalancerClass', name, qualifiedNameErrors(text(name)))
  else errors.push(fieldError.forbidden('spec.loadBalancerClass', onlyBalancer))
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'

/** Where clients may come from; an annotation said it once, and still counts where the field says nothing. */
function checkRanges(object: JsonObject, spec: JsonObject, errors: Errors): void {
  const ranges = listOf(spec.loadBalancerSourceRanges)
  const annotation = objectOf(objectOf(object.metadata).annotations)[rangesAnnotation]
  const isField = ranges.length > 0
  if (!isField && annotation === undefined) return
  const at = isField ? 'spec.LoadBalancerSourceRanges' : `metadata.annotations[${rangesAnnotation}]`
  if (spec.type !== 'LoadBalancer') errors.push(fieldError.forbidden(at, onlyBalancer))
  if (isField) ranges.forEach((range, index) => checkRange(text(range), `${at}[${index}]`, errors))
  else if (text(annotation).trim() !== '') for (const range of text(annotation).split(',')) checkRange(range, at, errors)
}

function checkRange(range: string, at: string, errors: Errors): void {
  const value = range.trim()
  if (readNetwork(value) === undefined) errors.push(fieldError.invalid(at, value, networkText))
}

function checkTraffic(spec: JsonObject, typed: ServiceSpec, errors: Errors): void {
  const at = 'spec.externalTrafficPolicy'
  const policy = spec.externalTrafficPolicy
  if (!isReachable(typed)) {
    if (policy !== undefined) errors.push(fieldError.invalid(at, policy, 'may only be set for externally-accessible services'))
  } else if (policy === undefined) errors.push(fieldError.required(at))
  else oneOf(policy, at, ['Cluster', 'Local'], errors)
  const port = spec.healthCheckNodePort
  if (port !== undefined && !needsHealthCheck(typed)) {
    const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
    errors.push(fieldError.invalid('spec.healthCheckNodePort', port, why))
  } else if (port !== 0) portNumber(port, 'spec.healthCheckNodePort', errors)
  oneOf(spec.internalTrafficPolicy, 'spec.internalTrafficPolicy', ['Cluster', 'Local'], errors)
  oneOf(spec.trafficDistribution, 'spec.trafficDistribution', ['PreferClose', 'PreferSameZone', 'PreferSameNode'], errors)
}

/** A real server looks at the class of a changed service twice, and says it twice. */
function checkChange(spec: JsonObject, old: JsonObject, errors: Errors): void {
  checkKeptAddresses(spec, old, errors)
  if (spec.type === 'LoadBalancer' && old.type === 'LoadBalancer' && spec.loadBalancerClass !== old.loadBalancerClass)
    errors.push(fieldError.invalid('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set'))
  checkClass(spec, errors)
  const [mine, its] = [spec as ServiceSpec, old as ServiceSpec]
  if (needsHealthCheck(mine) && needsHealthCheck(its) && mine.healthCheckNodePort !== its.healthCheckNodePort)
    errors.push(fieldError.forbidden('spec.healthCheckNodePort', 'field is immutable'))
}

/** The first address and family stay for good, and whether there is one. */
function checkKeptAddresses(spec: JsonObject, old: JsonObject, errors: Errors): void {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return
  const [isHeadless, wasHeadless] = [spec.clusterIP === 'None', old.clusterIP === 'None']
  if (isHeadless && wasHeadless) return
  const [ip] = listOf(spec.clusterIPs)
  const [before] = listOf(old.clusterIPs)
  if (before !== undefined && ip !== before)
    errors.push(fieldError.invalid('spec.clusterIPs[0]', listOf(spec.clusterIPs), 'may not change once set'))
  const [family] = listOf(spec.ipFamilies)
  const [former] = listOf(old.ipFamilies)
  if (isHeadless === wasHeadless && former !== undefined && family !== former)
    errors.push(fieldError.invalid('spec.ipFamilies[0]', listOf(spec.ipFamilies), 'may not change once set'))
}

function checkPorts(spec: JsonObject, errors: Errors): void {
  const many = listOf(spec.ports).length > 1
  const names = new Set<string>()
  eachItem(spec.ports, 'spec.ports', (port, at) => {
    const name = text(port.name)
    if (name === '' && many) errors.push(fieldError.required(`${at}.name`))
    if (name !== '') {
      say(errors, `${at}.name`, name, dnsLabelErrors(name))
      if (names.has(name)) errors.push(fieldError.duplicate(`${at}.name`, name))
      names.add(name)
    }
    portNumber(port.port, `${at}.port`, errors)
    oneOf(port.protocol, `${at}.protocol`, ['SCTP', 'TCP', 'UDP'], errors)
    portNumber(port.targetPort, `${at}.targetPort`, errors)
    if (typeof port.targetPort === 'string') say(errors, `${at}.targetPort`, port.targetPort, portNameErrors(port.targetPort))
    if (port.appProtocol !== undefined)
      say(errors, `${at}.appProtocol`, port.appProtocol, qualifiedNameErrors(text(port.appProtocol)))
  })
}

function checkDuplicatePorts(spec: JsonObject, errors: Errors): void {
  const taken = new Set<string>()
  eachItem(spec.ports, 'spec.ports', (port, at) => {
    const key = `${text(port.protocol)}/${String(Number(port.port))}`
    if (taken.has(key)) errors.push({ ...fieldError.duplicate(at, internalPort(port)), ordered: true })
    taken.add(key)
  })
}

function internalPort(port: JsonObject): JsonObject {
  return { Name: '', Protocol: port.protocol ?? '', AppProtocol: null, Port: port.port ?? 0, TargetPort: 0, NodePort: 0 }
}
