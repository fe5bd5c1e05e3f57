// The cells of the platform's kinds; their columns are recorded.
import type { Json, JsonObject } from '#schema'
import { count, items, joined, member, none, sizeOf, text, texts } from './cells.ts'

/** After the name, and before the age where that comes last. */
type Cells = (object: JsonObject, age: string) => readonly Json[]

const ageOnly: Cells = (_object, age) => [age]
const flag = (value: Json | undefined): boolean => value === true

export const platformCells: readonly (readonly [string, Cells])[] = [
  ['autoscaling/HorizontalPodAutoscaler', autoscaler],
  [
    'scheduling.k8s.io/PriorityClass',
    (object, age) => [count(object.value), flag(object.globalDefault), age, text(object.preemptionPolicy)],
  ],
  ['node.k8s.io/RuntimeClass', (object, age) => [text(object.handler), age]],
  ['storage.k8s.io/StorageClass', storageClass],
  ['storage.k8s.io/CSIDriver', (object, age) => driver(member(object, 'spec'), age)],
  ['storage.k8s.io/CSINode', (object, age) => [sizeOf(member(object, 'spec', 'drivers')), age]],
  ['storage.k8s.io/VolumeAttachment', attachment],
  ['storage.k8s.io/VolumeAttributesClass', (object, age) => [text(object.driverName), age]],
  ['networking.k8s.io/IPAddress', (object, age) => [parentOf(member(object, 'spec', 'parentRef')), age]],
  ['networking.k8s.io/ServiceCIDR', (object, age) => [texts(member(object, 'spec', 'cidrs')).join(','), age]],
  ['flowcontrol.apiserver.k8s.io/FlowSchema', flowSchema],
  ['flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration', priorityLevel],
  ['apiregistration.k8s.io/APIService', apiService],
  ['resource.k8s.io/DeviceClass', ageOnly],
  ['resource.k8s.io/ResourceClaim', (object, age) => [claimState(object), age]],
  ['resource.k8s.io/ResourceClaimTemplate', ageOnly],
  ['resource.k8s.io/ResourceSlice', resourceSlice],
]

function autoscaler(object: JsonObject, age: string): readonly Json[] {
  const spec = member(object, 'spec')
  const target = `${text(member(spec, 'scaleTargetRef', 'kind'))}/${text(member(spec, 'scaleTargetRef', 'name'))}`
  const metrics = items(member(spec, 'metrics')).map(metric => metricText(metric, member(object, 'status')))
  const least = text(member(spec, 'minReplicas'), '<unset>')
  return [
    target,
    joined(metrics),
    least,
    count(member(spec, 'maxReplicas')),
    count(member(object, 'status', 'currentReplicas')),
    age,
  ]
}

function metricText(metric: JsonObject, status: Json | undefined): string {
  const source = member(metric, sourceOf(metric))
  const name = text(member(source, 'name'), text(member(source, 'metric', 'name')))
  const now = items(member(status, 'currentMetrics')).find(found => text(member(found, sourceOf(metric), 'name')) === name)
  const [wanted, current] = [member(source, 'target'), member(now, sourceOf(metric), 'current')]
  const share = member(wanted, 'averageUtilization')
  if (share !== undefined) return `${name}: ${percentOf(member(current, 'averageUtilization'))}/${text(share)}%`
  const value = text(member(wanted, 'averageValue'), text(member(wanted, 'value')))
  return `${name}: ${text(member(current, 'averageValue'), text(member(current, 'value'), '<unknown>'))}/${value}`
}

function sourceOf(metric: JsonObject): string {
  const type = text(metric.type)
  return `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`
}

function percentOf(value: Json | undefined): string {
  return value === undefined ? '<unknown>' : `${text(value)}%`
}

function storageClass(object: JsonObject, age: string): readonly Json[] {
  const { provisioner, reclaimPolicy, volumeBindingMode, allowVolumeExpansion } = object
  return [text(provisioner), text(reclaimPolicy), text(volumeBindingMode), flag(allowVolumeExpansion), age]
}

function driver(spec: Json | undefined, age: string): readonly Json[] {
  const audiences = items(member(spec, 'tokenRequests')).map(request => text(request.audience))
  return [
    flag(member(spec, 'attachRequired')),
    flag(member(spec, 'podInfoOnMount')),
    flag(member(spec, 'storageCapacity')),
    joined(audiences, '<unset>'),
    flag(member(spec, 'requiresRepublish')),
    joined(texts(member(spec, 'volumeLifecycleModes'))),
    age,
  ]
}

function attachment(object: JsonObject, age: string): readonly Json[] {
  const spec = member(object, 'spec')
  const volume = text(member(spec, 'source', 'persistentVolumeName'))
  return [text(member(spec, 'attacher')), volume, text(member(spec, 'nodeName')), flag(member(object, 'status', 'attached')), age]
}

function parentOf(reference: Json | undefined): string {
  const parts = ['resource', 'namespace', 'name'].map(field => text(member(reference, field))).filter(part => part !== '')
  return parts.join('/')
}

function flowSchema(object: JsonObject, age: string): readonly Json[] {
  const spec = member(object, 'spec')
  const dangling = items(member(object, 'status', 'conditions')).find(condition => condition.type === 'Dangling')
  return [
    text(member(spec, 'priorityLevelConfiguration', 'name')),
    count(member(spec, 'matchingPrecedence')),
    text(member(spec, 'distinguisherMethod', 'type'), none),
    age,
    text(dangling?.status, '?'),
  ]
}

function priorityLevel(object: JsonObject, age: string): readonly Json[] {
  const spec = member(object, 'spec')
  const queuing = member(spec, 'limited', 'limitResponse', 'queuing')
  const shown = (value: Json | undefined): Json => (typeof value === 'number' ? value : none)
  return [
    text(member(spec, 'type')),
    shown(member(spec, 'limited', 'nominalConcurrencyShares')),
    shown(member(queuing, 'queues')),
    shown(member(queuing, 'handSize')),
    shown(member(queuing, 'queueLengthLimit')),
    age,
  ]
}

function apiService(object: JsonObject, age: string): readonly Json[] {
  const service = member(object, 'spec', 'service')
  const at = service === undefined ? 'Local' : `${text(member(service, 'namespace'))}/${text(member(service, 'name'))}`
  const available = items(member(object, 'status', 'conditions')).find(condition => condition.type === 'Available')
  const why = available?.status === 'True' ? '' : ` (${text(available?.reason)})`
  return [at, available === undefined ? 'Unknown' : `${text(available.status)}${why}`, age]
}

function claimState(object: JsonObject): string {
  const status = member(object, 'status')
  const states = [
    ...(member(object, 'metadata', 'deletionTimestamp') === undefined ? [] : ['deleted']),
    ...(member(status, 'allocation') === undefined ? [] : ['allocated']),
    ...(items(member(status, 'reservedFor')).length === 0 ? [] : ['reserved']),
  ]
  return states.length === 0 ? 'pending' : states.join(',')
}

function resourceSlice(object: JsonObject, age: string): readonly Json[] {
  const spec = member(object, 'spec')
  const node = text(member(spec, 'nodeName'), flag(member(spec, 'allNodes')) ? '<all>' : '<none>')
  return [node, text(member(spec, 'driver')), text(member(spec, 'pool', 'name')), age]
}
