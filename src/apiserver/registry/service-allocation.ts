// What a server gives a service besides what is asked for: a cluster address, node ports, address families. An update that leaves them
// out keeps them, one that changes the type gives them back. There is one family here, IPv4, in 10.96.0.0/12.

import { isRecord } from '#base'
import {
  addressErrors,
  type FieldError,
  familyOf,
  fieldError,
  isReachable,
  needsHealthCheck,
  needsNodePorts,
  type ServicePort,
  type ServiceSpec,
} from '#schema'
import { type Draft } from '../draft.ts'
import { internalError, invalid, refusal } from '../refusals.ts'
import type { ServicePorts } from './service-pools.ts'
import { AddressRequest, PortRequest, type Reserve } from './service-pools.ts'

/** A copy of the spec whose top level may be changed. */
export function specOf(object: Readonly<Draft>): ServiceSpec {
  return isRecord(object.spec) ? { ...(object.spec as ServiceSpec) } : {}
}

export function prepareNewService(ports: ServicePorts, draft: Draft, dryRun: boolean): void {
  draft.status = { loadBalancer: {} }
  const spec = specOf(draft)
  if (spec.clusterIP && (spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [spec.clusterIP]
  settleFamilies(draft, spec, undefined)
  const nodePorts = new PortRequest(ports, dryRun)
  allotAddress(ports, draft, spec, dryRun)
  if (needsNodePorts(spec)) spec.ports = withNodePorts(draft, spec, nodePorts)
  if (needsHealthCheck(spec)) spec.healthCheckNodePort = healthCheckPort(spec, nodePorts)
  draft.spec = spec
}

export function prepareServiceUpdate(ports: ServicePorts, draft: Draft, live: Readonly<Draft>, dryRun: boolean): void {
  const [spec, old] = [specOf(draft), specOf(live)]
  keepAllotted(spec, old)
  alignAddresses(spec, old)
  settleFamilies(draft, spec, old)
  const nodePorts = new PortRequest(ports, dryRun, old)
  if (old.type === 'ExternalName') allotAddress(ports, draft, spec, dryRun)
  if (needsNodePorts(spec)) spec.ports = withNewNodePorts(draft, spec, old, nodePorts)
  if (needsHealthCheck(spec) && !needsHealthCheck(old)) spec.healthCheckNodePort = healthCheckPort(spec, nodePorts)
  dropForType(spec, old)
  draft.spec = spec
  if (spec.type !== 'LoadBalancer' && isRecord(draft.status)) draft.status = { ...draft.status, loadBalancer: {} }
}

/** Who leaves out what was allotted keeps it. */
function keepAllotted(spec: ServiceSpec, old: ServiceSpec): void {
  if (old.type !== 'ExternalName' && spec.type !== 'ExternalName') {
    if (!spec.clusterIP && old.clusterIP !== undefined) spec.clusterIP = old.clusterIP
    if ((spec.clusterIPs ?? []).length === 0 && old.clusterIPs !== undefined) spec.clusterIPs = old.clusterIPs
  }
  if (wantsNodePorts(old) && wantsNodePorts(spec)) spec.ports = withFormerNodePorts(spec, old)
  if (needsHealthCheck(old) && needsHealthCheck(spec) && !spec.healthCheckNodePort && old.healthCheckNodePort !== undefined)
    spec.healthCheckNodePort = old.healthCheckNodePort
}

/** Node ports go with the name of the port, unless another port has been given the number. */
function withFormerNodePorts(spec: ServiceSpec, old: ServiceSpec): ServicePort[] {
  const former = new Map((old.ports ?? []).map(port => [port.name ?? '', port.nodePort]))
  const given = new Set((spec.ports ?? []).map(port => port.nodePort))
  return (spec.ports ?? []).map(port => {
    const nodePort = former.get(port.name ?? '')
    return port.nodePort || !nodePort || given.has(nodePort) ? port : { ...port, nodePort }
  })
}

/** A client that knows only the singular field changes both. */
function alignAddresses(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.clusterIP === old.clusterIP || !sameList(spec.clusterIPs, old.clusterIPs)) return
  if (spec.clusterIP) spec.clusterIPs = [spec.clusterIP]
  else delete spec.clusterIPs
}

function settleFamilies(draft: Draft, spec: ServiceSpec, old: ServiceSpec | undefined): void {
  if (spec.type === 'ExternalName') return
  const isHeadlessWithoutSelector = spec.clusterIP === 'None' && Object.keys(spec.selector ?? {}).length === 0
  spec.ipFamilyPolicy ??= old?.ipFamilyPolicy ?? (isHeadlessWithoutSelector ? 'RequireDualStack' : 'SingleStack')
  refuse(draft, addressErrors(spec, old))
  const families = [...(spec.ipFamilies ?? [])]
  if (old !== undefined && spec.ipFamilyPolicy === 'SingleStack' && sameList(families, old.ipFamilies)) families.splice(1)
  if (spec.ipFamilyPolicy === 'SingleStack' && families.length === 2) {
    const why = `must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified`
    refuse(draft, [fieldError.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, why)])
  }
  const addresses = (spec.clusterIPs ?? []).filter(ip => ip !== 'None')
  addresses.slice(families.length).forEach(ip => {
    const at = `spec.clusterIPs[${addresses.indexOf(ip)}]`
    if (familyOf(ip) === 'IPv4') families.push('IPv4')
    else refuse(draft, [fieldError.invalid(at, addresses, 'IPv6 is not configured on this cluster')])
  })
  if (families.length === 0) families.push('IPv4')
  if (isHeadlessWithoutSelector) {
    if (families.length < 2 && spec.ipFamilyPolicy !== 'SingleStack') families.push(families[0] === 'IPv4' ? 'IPv6' : 'IPv4')
  } else refuse(draft, unconfiguredErrors(spec, families))
  spec.ipFamilies = families
}

function unconfiguredErrors(spec: ServiceSpec, families: readonly string[]): FieldError[] {
  const errors: FieldError[] = []
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    const why = 'this cluster is not configured for dual-stack services'
    errors.push(fieldError.invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, why))
  }
  families.forEach((family, index) => {
    if (family !== 'IPv4') errors.push(fieldError.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'))
  })
  return errors
}

function allotAddress(ports: ServicePorts, draft: Draft, spec: ServiceSpec, dryRun: boolean): void {
  if (spec.type === 'ExternalName' || spec.clusterIPs?.[0] === 'None') return
  const addresses = new AddressRequest(ports, dryRun)
  const [given] = spec.clusterIPs ?? []
  if (given === undefined || given === '') {
    spec.clusterIP = addresses.next()
    spec.clusterIPs = [spec.clusterIP]
    return
  }
  const why = addresses.reserve(given)
  if (why === undefined) return
  refuse(draft, [fieldError.invalid('spec.clusterIPs', spec.clusterIPs, `failed to allocate IP ${given}: ${why}`)])
}

/** A load balancer may do without. */
function wantsNodePorts(spec: ServiceSpec): boolean {
  return spec.type === 'NodePort' || (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)
}

/** One number per port of a new service, whatever its protocols. */
function withNodePorts(draft: Draft, spec: ServiceSpec, pool: PortRequest): ServicePort[] {
  const ports = spec.ports ?? []
  const byPort = new Map<number, number>()
  const asked = new Map<number, number>()
  for (const { port = 0, nodePort } of ports) if (nodePort && !asked.has(port)) asked.set(port, nodePort)
  return ports.map((port, index) => {
    if (!port.nodePort && !wantsNodePorts(spec)) return port
    const number = port.port ?? 0
    const known = byPort.get(number)
    if (known === undefined) {
      const wanted = asked.get(number)
      const nodePort = wanted ?? pool.next()
      if (wanted !== undefined) reservePort(draft, index, wanted, pool.reserve)
      byPort.set(number, nodePort)
      return { ...port, nodePort }
    }
    if (!port.nodePort) return { ...port, nodePort: known }
    if (port.nodePort !== known) reservePort(draft, index, port.nodePort, pool.reserve)
    return port
  })
}

function withNewNodePorts(draft: Draft, spec: ServiceSpec, old: ServiceSpec, pool: PortRequest): ServicePort[] {
  const mine = new Set((old.ports ?? []).map(port => port.nodePort))
  const given = new Set<string>()
  return (spec.ports ?? []).map((port, index) => {
    if (!port.nodePort) return wantsNodePorts(spec) ? { ...port, nodePort: pool.next() } : port
    const shown = `{${port.protocol} ${port.nodePort}}`
    if (given.has(shown)) throw refusal(500, '', `duplicate nodePort: ${shown}`)
    given.add(shown)
    if (!mine.has(port.nodePort)) reservePort(draft, index, port.nodePort, pool.reserve)
    mine.add(port.nodePort)
    return port
  })
}

function reservePort(draft: Draft, index: number, nodePort: number, reserve: Reserve<number>): void {
  const why = reserve(nodePort)
  if (why !== undefined) refuse(draft, [fieldError.invalid(`spec.ports[${index}].nodePort`, nodePort, why)])
}

function healthCheckPort(spec: ServiceSpec, pool: PortRequest): number {
  const { healthCheckNodePort: wanted } = spec
  if (!wanted) return pool.next()
  const why = pool.reserve(wanted)
  if (why !== undefined) throw internalError(`failed to allocate requested HealthCheck NodePort ${wanted}: ${why}`)
  return wanted
}

/** Fields that the new type has no use for go, unless the client tried to change them too. */
function dropForType(spec: ServiceSpec, old: ServiceSpec): void {
  if (old.type === 'ExternalName' && spec.type === 'ExternalName') delete spec.internalTrafficPolicy
  if (old.type !== 'ExternalName' && spec.type === 'ExternalName') {
    dropSame(spec, old, 'internalTrafficPolicy')
    if (spec.clusterIP === old.clusterIP && sameList(spec.clusterIPs, old.clusterIPs)) {
      delete spec.clusterIP
      delete spec.clusterIPs
    }
    if (sameList(spec.ipFamilies, old.ipFamilies)) delete spec.ipFamilies
    if (spec.ipFamilyPolicy === old.ipFamilyPolicy) delete spec.ipFamilyPolicy
  }
  if (needsNodePorts(old) && !needsNodePorts(spec)) dropNodePorts(spec, old)
  if (needsHealthCheck(old) && !needsHealthCheck(spec)) dropSame(spec, old, 'healthCheckNodePort')
  if (old.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    dropSame(spec, old, 'allocateLoadBalancerNodePorts')
    dropSame(spec, old, 'loadBalancerClass')
  }
  if (isReachable(old) && !isReachable(spec)) dropSame(spec, old, 'externalTrafficPolicy')
}

function dropNodePorts(spec: ServiceSpec, old: ServiceSpec): void {
  const former = new Set((old.ports ?? []).map(port => port.nodePort))
  const ports = spec.ports ?? []
  if (!ports.every(port => !port.nodePort || former.has(port.nodePort)) || spec.ports === undefined) return
  spec.ports = ports.map(({ nodePort: _nodePort, ...port }) => port)
}

function dropSame(spec: ServiceSpec, old: ServiceSpec, field: keyof ServiceSpec): void {
  if (spec[field] === old[field]) delete spec[field]
}

function sameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return JSON.stringify(a ?? []) === JSON.stringify(b ?? [])
}

function refuse(draft: Draft, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: '', kind: 'Service' }, draft.metadata.name ?? '', errors)
}
