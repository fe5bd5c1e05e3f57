// The cells of built-in kinds, as `kubectl get` prints them. The columns themselves, with their descriptions, were recorded from a real
// server: columns.gen.json.
import { type LabelSelectorObject, renderLabelSelector, selectorFromObject } from '#kube'
import type { Json, JsonObject } from '../schema/json.ts'
import { ageText, durationText } from './age.ts'

type Cells = (object: JsonObject, now: number) => readonly Json[]

export function cellsOf(resource: string): Cells {
  return cells[resource] ?? defaultCells
}

const defaultCells: Cells = object => [name(object), text(at(object, 'metadata', 'creationTimestamp'))]

const cells: Readonly<Record<string, Cells | undefined>> = {
  pods: podCells,
  services: serviceCells,
  nodes: nodeCells,
  namespaces: (object, now) => [name(object), text(at(object, 'status', 'phase')), age(object, now)],
  serviceaccounts: (object, now) => [name(object), list(object, 'secrets').length, age(object, now)],
  secrets: (object, now) => [name(object), text(at(object, 'type')), size(object, 'data'), age(object, now)],
  configmaps: (object, now) => [name(object), size(object, 'data') + size(object, 'binaryData'), age(object, now)],
  events: eventCells,
  'events.events.k8s.io': eventCells,
  endpoints: (object, now) => [name(object), endpointsText(object), age(object, now)],
  'endpointslices.discovery.k8s.io': (object, now) => [
    name(object),
    text(at(object, 'addressType')),
    portsText(object),
    addressesText(object),
    age(object, now),
  ],
  'deployments.apps': (object, now) => [
    name(object),
    ready(object, 'replicas'),
    number(object, 'updatedReplicas'),
    number(object, 'availableReplicas'),
    age(object, now),
    ...containerCells(object),
    selector(object),
  ],
  'replicasets.apps': (object, now) => [
    name(object),
    number(object, 'replicas', 'spec'),
    number(object, 'replicas'),
    number(object, 'readyReplicas'),
    age(object, now),
    ...containerCells(object),
    selector(object),
  ],
  'statefulsets.apps': (object, now) => [name(object), ready(object, 'replicas'), age(object, now), ...containerCells(object)],
  'daemonsets.apps': (object, now) => [
    name(object),
    ...['desiredNumberScheduled', 'currentNumberScheduled', 'numberReady', 'updatedNumberScheduled', 'numberAvailable'].map(
      field => number(object, field),
    ),
    labelsText(at(object, 'spec', 'template', 'spec', 'nodeSelector')),
    age(object, now),
    ...containerCells(object),
    selector(object),
  ],
  'jobs.batch': jobCells,
  'cronjobs.batch': cronJobCells,
  'leases.coordination.k8s.io': (object, now) => [name(object), text(at(object, 'spec', 'holderIdentity')), age(object, now)],
  'rolebindings.rbac.authorization.k8s.io': bindingCells,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingCells,
  'poddisruptionbudgets.policy': (object, now) => [
    name(object),
    text(at(object, 'spec', 'minAvailable')) || 'N/A',
    text(at(object, 'spec', 'maxUnavailable')) || 'N/A',
    number(object, 'disruptionsAllowed'),
    age(object, now),
  ],
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': (object, now) => [
    name(object),
    list(object, 'webhooks').length,
    age(object, now),
  ],
  'validatingwebhookconfigurations.admissionregistration.k8s.io': (object, now) => [
    name(object),
    list(object, 'webhooks').length,
    age(object, now),
  ],
  'networkpolicies.networking.k8s.io': (object, now) => [
    name(object),
    selectorText(at(object, 'spec', 'podSelector')),
    age(object, now),
  ],
  'ingresses.networking.k8s.io': (object, now) => [
    name(object),
    text(at(object, 'spec', 'ingressClassName')) || none,
    ingressHosts(object),
    '',
    list(object, 'spec', 'tls').length > 0 ? '80, 443' : '80',
    age(object, now),
  ],
}

const none = '<none>'

function podCells(pod: JsonObject, now: number): Json[] {
  const statuses = list(pod, 'status', 'containerStatuses')
  const readyCount = statuses.filter(status => status.ready === true).length
  const restarts = statuses.reduce((sum, status) => sum + Number(status.restartCount ?? 0), 0)
  const ip = text(at(pod, 'status', 'podIP')) || text(list(pod, 'status', 'podIPs')[0]?.ip)
  return [
    name(pod),
    `${readyCount}/${list(pod, 'spec', 'containers').length}`,
    podStatus(pod, statuses),
    String(restarts),
    age(pod, now),
    ip || none,
    text(at(pod, 'spec', 'nodeName')) || none,
    text(at(pod, 'status', 'nominatedNodeName')) || none,
    readinessGates(pod),
  ]
}

function podStatus(pod: JsonObject, statuses: readonly JsonObject[]): string {
  let reason = text(at(pod, 'status', 'reason')) || text(at(pod, 'status', 'phase'))
  const initializing = list(pod, 'status', 'initContainerStatuses').findIndex(
    status => at(status, 'state', 'terminated', 'exitCode') !== 0,
  )
  if (initializing >= 0) {
    reason = `Init:${initializing}/${list(pod, 'spec', 'initContainers').length}`
  } else {
    for (const status of statuses.toReversed()) {
      const waiting = text(at(status, 'state', 'waiting', 'reason'))
      const terminated = at(status, 'state', 'terminated')
      if (waiting !== '') reason = waiting
      else if (terminated !== undefined)
        reason =
          text(at(status, 'state', 'terminated', 'reason')) || `ExitCode:${text(at(status, 'state', 'terminated', 'exitCode'))}`
    }
  }
  return at(pod, 'metadata', 'deletionTimestamp') === undefined ? reason : 'Terminating'
}

function readinessGates(pod: JsonObject): string {
  const gates = list(pod, 'spec', 'readinessGates')
  if (gates.length === 0) return none
  const conditions = list(pod, 'status', 'conditions')
  const met = gates.filter(gate =>
    conditions.some(condition => condition.type === gate.conditionType && condition.status === 'True'),
  )
  return `${met.length}/${gates.length}`
}

function serviceCells(service: JsonObject, now: number): Json[] {
  const type = text(at(service, 'spec', 'type'))
  const ports = list(service, 'spec', 'ports').map(port => {
    const node = port.nodePort === undefined || port.nodePort === 0 ? '' : `:${text(port.nodePort)}`
    return `${text(port.port)}${node}/${text(port.protocol)}`
  })
  const external =
    type === 'ExternalName' ? text(at(service, 'spec', 'externalName')) : type === 'LoadBalancer' ? '<pending>' : none
  return [
    name(service),
    type,
    text(at(service, 'spec', 'clusterIP')) || none,
    external,
    ports.length === 0 ? none : ports.join(','),
    age(service, now),
    labelsText(at(service, 'spec', 'selector')),
  ]
}

function nodeCells(node: JsonObject, now: number): Json[] {
  const readyCondition = list(node, 'status', 'conditions').find(condition => condition.type === 'Ready')
  const base = readyCondition === undefined ? 'Unknown' : readyCondition.status === 'True' ? 'Ready' : 'NotReady'
  const status = at(node, 'spec', 'unschedulable') === true ? `${base},SchedulingDisabled` : base
  const rolePrefix = 'node-role.kubernetes.io/'
  const roles = Object.keys((at(node, 'metadata', 'labels') ?? {}) as JsonObject)
    .filter(label => label.startsWith(rolePrefix))
    .map(label => label.slice(rolePrefix.length))
    .sort()
  const address = (type: string): string =>
    text(list(node, 'status', 'addresses').find(entry => entry.type === type)?.address) || none
  const info = (field: string): string => text(at(node, 'status', 'nodeInfo', field))
  return [
    name(node),
    status,
    roles.length === 0 ? none : roles.join(','),
    age(node, now),
    info('kubeletVersion'),
    address('InternalIP'),
    address('ExternalIP'),
    info('osImage') || '<unknown>',
    info('kernelVersion') || '<unknown>',
    info('containerRuntimeVersion') || '<unknown>',
  ]
}

function eventCells(event: JsonObject, now: number): Json[] {
  const involved = (at(event, 'involvedObject') ?? at(event, 'regarding') ?? {}) as JsonObject
  const source = (at(event, 'source') ?? at(event, 'deprecatedSource') ?? {}) as JsonObject
  const first = at(event, 'firstTimestamp') ?? at(event, 'deprecatedFirstTimestamp') ?? at(event, 'eventTime')
  const last =
    at(event, 'series', 'lastObservedTime') ?? at(event, 'lastTimestamp') ?? at(event, 'deprecatedLastTimestamp') ?? first
  const count = at(event, 'series', 'count') ?? at(event, 'count') ?? at(event, 'deprecatedCount') ?? 1
  const component = text(source.component) || text(at(event, 'reportingComponent') ?? at(event, 'reportingController'))
  const host = text(source.host) || text(at(event, 'reportingInstance'))
  return [
    ageText(last, now),
    text(at(event, 'type')),
    text(at(event, 'reason')),
    `${text(involved.kind).toLowerCase()}/${text(involved.name)}`,
    text(involved.fieldPath),
    host === '' ? component : `${component}, ${host}`,
    text(at(event, 'message') ?? at(event, 'note')).trim(),
    ageText(first, now),
    Number(count),
    name(event),
  ]
}

function jobCells(job: JsonObject, now: number): Json[] {
  const conditions = list(job, 'status', 'conditions')
  const has = (type: string): boolean => conditions.some(condition => condition.type === type && condition.status === 'True')
  const status = has('Complete') ? 'Complete' : has('Failed') ? 'Failed' : has('Suspended') ? 'Suspended' : 'Running'
  const start = at(job, 'status', 'startTime')
  const end = at(job, 'status', 'completionTime')
  const duration =
    typeof start === 'string' ? durationText((typeof end === 'string' ? Date.parse(end) : now) - Date.parse(start)) : ''
  const wanted = at(job, 'spec', 'completions')
  return [
    name(job),
    status,
    `${number(job, 'succeeded')}/${wanted === undefined ? '1' : text(wanted)}`,
    duration,
    age(job, now),
    ...containerCells(job),
    selector(job),
  ]
}

function cronJobCells(job: JsonObject, now: number): Json[] {
  const spec = at(job, 'spec', 'jobTemplate')
  const last = at(job, 'status', 'lastScheduleTime')
  return [
    name(job),
    text(at(job, 'spec', 'schedule')),
    text(at(job, 'spec', 'timeZone')) || none,
    at(job, 'spec', 'suspend') === true ? 'True' : 'False',
    list(job, 'status', 'active').length,
    last === undefined ? none : ageText(last, now),
    age(job, now),
    ...containerCells((spec ?? {}) as JsonObject),
    selectorText(at((spec ?? {}) as JsonObject, 'spec', 'selector')),
  ]
}

function bindingCells(binding: JsonObject, now: number): Json[] {
  const subjects = list(binding, 'subjects')
  const named = (kind: string): string =>
    subjects
      .filter(subject => subject.kind === kind)
      .map(subject => (kind === 'ServiceAccount' ? `${text(subject.namespace)}/${text(subject.name)}` : text(subject.name)))
      .join(', ')
  const role = `${text(at(binding, 'roleRef', 'kind'))}/${text(at(binding, 'roleRef', 'name'))}`
  return [name(binding), role, age(binding, now), named('User'), named('Group'), named('ServiceAccount')]
}

function endpointsText(object: JsonObject): string {
  const pairs = list(object, 'subsets').flatMap(subset => {
    const ports = list(subset, 'ports')
    return list(subset, 'addresses').flatMap(address =>
      ports.length === 0 ? [text(address.ip)] : ports.map(port => `${text(address.ip)}:${text(port.port)}`),
    )
  })
  return shortened(pairs)
}

function portsText(slice: JsonObject): string {
  const ports = list(slice, 'ports').map(port => text(port.port) || '*')
  return ports.length === 0 ? '<unset>' : shortened(ports)
}

function addressesText(slice: JsonObject): string {
  const addresses = list(slice, 'endpoints').flatMap(endpoint =>
    Array.isArray(endpoint.addresses) ? endpoint.addresses.map(address => text(address as Json)) : [],
  )
  return addresses.length === 0 ? '<unset>' : shortened(addresses)
}

function shortened(texts: readonly string[]): string {
  if (texts.length === 0) return none
  return texts.length > 3 ? `${texts.slice(0, 3).join(',')} + ${texts.length - 3} more...` : texts.join(',')
}

function ingressHosts(ingress: JsonObject): string {
  const hosts = list(ingress, 'spec', 'rules').map(rule => text(rule.host) || '*')
  return hosts.length === 0 ? '*' : shortened(hosts)
}

function containerCells(object: JsonObject): [string, string] {
  const containers = list(object, 'spec', 'template', 'spec', 'containers')
  return [
    containers.map(container => text(container.name)).join(','),
    containers.map(container => text(container.image)).join(','),
  ]
}

function ready(object: JsonObject, wanted: string): string {
  return `${number(object, 'readyReplicas')}/${number(object, wanted, 'spec')}`
}

function selector(object: JsonObject): string {
  return selectorText(at(object, 'spec', 'selector'))
}

function selectorText(value: Json | undefined): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return none
  return renderLabelSelector(selectorFromObject(value as LabelSelectorObject)) || none
}

function labelsText(value: Json | undefined): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return none
  const pairs = Object.entries(value as JsonObject).map(([key, item]) => `${key}=${text(item)}`)
  return pairs.length === 0 ? none : pairs.sort().join(',')
}

function at(object: JsonObject, ...path: readonly string[]): Json | undefined {
  let value: Json | undefined = object
  for (const part of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    value = (value as JsonObject)[part]
  }
  return value ?? undefined
}

function list(object: JsonObject, ...path: readonly string[]): readonly JsonObject[] {
  const value = at(object, ...path)
  return Array.isArray(value) ? (value as JsonObject[]) : []
}

function size(object: JsonObject, field: string): number {
  const value = at(object, field)
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function number(object: JsonObject, field: string, part = 'status'): number {
  return Number(at(object, part, field) ?? 0)
}

function name(object: JsonObject): string {
  return text(at(object, 'metadata', 'name'))
}

function age(object: JsonObject, now: number): string {
  return ageText(at(object, 'metadata', 'creationTimestamp'), now)
}

function text(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
