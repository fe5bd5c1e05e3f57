// The rows of what has addresses and ports.
import type { Json, JsonObject } from '#schema'
import { ageOf } from './age.ts'
import { count, firstOf, items, joined, labelsText, member, none, text, texts } from './cells.ts'

function age(object: JsonObject, now: number): string {
  return ageOf(member(object, 'metadata', 'creationTimestamp'), now)
}

export function serviceCells(service: JsonObject, now: number): readonly Json[] {
  const spec = member(service, 'spec')
  const clusterIp = texts(member(spec, 'clusterIPs'))[0] ?? text(member(spec, 'clusterIP'))
  return [
    text(member(spec, 'type')),
    clusterIp === '' ? none : clusterIp,
    externalText(service),
    joined(items(member(spec, 'ports')).map(portText)),
    age(service, now),
    labelsText(member(spec, 'selector')),
  ]
}

function portText(port: JsonObject): string {
  const nodePort = count(port.nodePort)
  return `${count(port.port)}${nodePort > 0 ? `:${nodePort}` : ''}/${text(port.protocol)}`
}

function externalText(service: JsonObject): string {
  const spec = member(service, 'spec')
  const addresses = texts(member(spec, 'externalIPs'))
  switch (member(spec, 'type')) {
    case 'ExternalName':
      return text(member(spec, 'externalName'))
    case 'LoadBalancer': {
      const given = items(member(service, 'status', 'loadBalancer', 'ingress')).map(ingress =>
        text(ingress.ip, text(ingress.hostname)),
      )
      const all = [...new Set([...given, ...addresses])].sort()
      return joined(all, '<pending>')
    }
    default:
      return joined(addresses)
  }
}

/** How many endpoints a cell shows. */
const shownMax = 3

export function endpointsText(endpoints: JsonObject): string {
  const parts: string[] = []
  for (const subset of items(endpoints.subsets)) {
    const ports = items(subset.ports)
    for (const address of items(subset.addresses)) {
      if (ports.length === 0) parts.push(text(address.ip))
      for (const port of ports) parts.push(`${text(address.ip)}:${count(port.port)}`)
    }
  }
  return firstOf(parts, shownMax)
}

export function endpointSliceCells(slice: JsonObject, now: number): readonly Json[] {
  const ports = items(slice.ports).map(port => (port.port === undefined ? '*' : String(count(port.port))))
  const addresses = items(slice.endpoints).flatMap(endpoint => texts(endpoint.addresses))
  return [
    text(slice.addressType),
    ports.length === 0 ? '<unset>' : firstOf(ports, shownMax),
    addresses.length === 0 ? '<unset>' : firstOf(addresses, shownMax),
    age(slice, now),
  ]
}

export function ingressCells(ingress: JsonObject, now: number): readonly Json[] {
  const rules = items(member(ingress, 'spec', 'rules'))
  const hosts = rules.map(rule => text(rule.host)).filter(host => host !== '')
  const addresses = items(member(ingress, 'status', 'loadBalancer', 'ingress')).map(entry => text(entry.ip, text(entry.hostname)))
  return [
    text(member(ingress, 'spec', 'ingressClassName'), none),
    hosts.length === 0 ? '*' : firstOf(hosts, shownMax),
    addresses.join(','),
    items(member(ingress, 'spec', 'tls')).length > 0 ? '80, 443' : '80',
    age(ingress, now),
  ]
}
