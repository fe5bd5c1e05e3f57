// Defaults of the built-in kinds that clients compare. Each takes a decoded object; addresses and ports that need an allocator, and
// what only admission adds, are the server's business.
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import { change, changeItems, withDefaults } from './changes.ts'
import { platformDefaults } from './platform-defaults.ts'
import { claimSpec, defaultPod, defaultPodSpec, withSourceDefaults } from './pod-defaults.ts'
import { isReachable } from './validate/network/service-addresses.ts'

type Defaulting = (object: JsonObject) => JsonObject

/** By `group/Kind`. A kind that is not here has no defaults. */
export const defaultings: ReadonlyMap<string, Defaulting> = new Map<string, Defaulting>([
  ['/Pod', defaultPod],
  ['/PodTemplate', object => change(object, 'template', podTemplate)],
  ['/Service', object => change(change(object, 'spec', serviceSpec), 'status', serviceStatus)],
  ['/Secret', object => withDefaults(secretData(object), { type: 'Opaque' })],
  ['/Namespace', namespace],
  ['/Node', node],
  ['/Endpoints', endpoints],
  ['/ReplicationController', replicationController],
  ['/PersistentVolumeClaim', persistentVolumeClaim],
  ['/PersistentVolume', persistentVolume],
  ['/LimitRange', limitRange],
  ['apps/Deployment', object => change(object, 'spec', deploymentSpec)],
  ['apps/ReplicaSet', object => change(object, 'spec', spec => template(withDefaults(spec, { replicas: 1 })))],
  ['apps/StatefulSet', object => change(object, 'spec', statefulSetSpec)],
  ['apps/DaemonSet', object => change(countedTemplate(object), 'spec', daemonSetSpec)],
  ['batch/Job', object => jobWithLabels(change(object, 'spec', jobSpec))],
  ['batch/CronJob', object => change(object, 'spec', cronJobSpec)],
  ['rbac.authorization.k8s.io/RoleBinding', roleBinding],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', roleBinding],
  [
    'discovery.k8s.io/EndpointSlice',
    object => changeItems(object, 'ports', port => withDefaults(port, { name: '', protocol: 'TCP' })),
  ],
  ['admissionregistration.k8s.io/MutatingWebhookConfiguration', object => changeItems(object, 'webhooks', webhook(true))],
  ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', object => changeItems(object, 'webhooks', webhook(false))],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicy', object => change(object, 'spec', admissionPolicySpec)],
  ['admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding', admissionPolicyBinding],
  ['apiextensions.k8s.io/CustomResourceDefinition', customResourceDefinition],
  ['networking.k8s.io/NetworkPolicy', networkPolicy],
  [
    'networking.k8s.io/IngressClass',
    object => change(object, 'spec', spec => change(spec, 'parameters', of => withDefaults(of, { scope: 'Cluster' }))),
  ],
  ...platformDefaults,
  [
    'authentication.k8s.io/TokenRequest',
    object => change(object, 'spec', spec => withDefaults(spec, { expirationSeconds: 3600 })),
  ],
])

function podTemplate(value: JsonObject): JsonObject {
  return change(value, 'spec', defaultPodSpec)
}

function template(spec: JsonObject): JsonObject {
  return change(spec, 'template', podTemplate)
}

function deploymentSpec(spec: JsonObject): JsonObject {
  const out = withDefaults(template(spec), { replicas: 1, strategy: {}, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
  return change(out, 'strategy', strategy => {
    const typed = withDefaults(strategy, { type: 'RollingUpdate' })
    if (typed.type !== 'RollingUpdate') return typed
    return { ...typed, rollingUpdate: rollingUpdate(typed.rollingUpdate, { maxUnavailable: '25%', maxSurge: '25%' }) }
  })
}

function rollingUpdate(value: Json | undefined, defaults: JsonObject): JsonObject {
  return withDefaults(isObject(value) ? value : {}, defaults)
}

function statefulSetSpec(spec: JsonObject): JsonObject {
  let out = withDefaults(template(spec), {
    replicas: 1,
    podManagementPolicy: 'OrderedReady',
    revisionHistoryLimit: 10,
    updateStrategy: {},
  })
  out = change(out, 'updateStrategy', strategy => {
    // Who names the type and nothing else gets nothing else.
    const typed = strategy.type === undefined ? { rollingUpdate: {}, ...strategy, type: 'RollingUpdate' } : strategy
    return change(typed, 'rollingUpdate', rolling => withDefaults(rolling, { partition: 0 }))
  })
  const retention = rollingUpdate(out.persistentVolumeClaimRetentionPolicy, { whenDeleted: 'Retain', whenScaled: 'Retain' })
  // Whatever a template says that it is.
  out = changeItems(out, 'volumeClaimTemplates', claim => ({
    ...persistentVolumeClaim(claim),
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
  }))
  return { ...out, persistentVolumeClaimRetentionPolicy: retention }
}

/** As many versions of its template as a new one has had. */
function countedTemplate(object: JsonObject): JsonObject {
  return change(object, 'metadata', metadata =>
    change(withDefaults(metadata, { annotations: {} }), 'annotations', annotations =>
      withDefaults(annotations, { 'deprecated.daemonset.template.generation': '1' }),
    ),
  )
}

function daemonSetSpec(spec: JsonObject): JsonObject {
  const out = withDefaults(template(spec), { revisionHistoryLimit: 10, updateStrategy: {} })
  return change(out, 'updateStrategy', strategy => {
    const typed = withDefaults(strategy, { type: 'RollingUpdate' })
    // One that is given beside another type is stored, and has its surge.
    if (typed.type !== 'RollingUpdate') return change(typed, 'rollingUpdate', rolling => withDefaults(rolling, { maxSurge: 0 }))
    return { ...typed, rollingUpdate: rollingUpdate(typed.rollingUpdate, { maxSurge: 0, maxUnavailable: 1 }) }
  })
}

/** A job without labels of its own carries those of its pods; also when it comes back from storage, with what it was given there. */
export function jobWithLabels(object: JsonObject): JsonObject {
  const labelsOf = (owner: Json | undefined): Json | undefined =>
    isObject(owner) && isObject(owner.metadata) ? owner.metadata.labels : undefined
  const [own, ofPods] = [labelsOf(object), labelsOf(isObject(object.spec) ? object.spec.template : undefined)]
  if (!isObject(ofPods) || (isObject(own) && Object.keys(own).length > 0)) return object
  return change(object, 'metadata', metadata => ({ ...metadata, labels: ofPods }))
}

function jobSpec(spec: JsonObject): JsonObject {
  let out = change(template(spec), 'podFailurePolicy', policy =>
    changeItems(policy, 'rules', rule => changeItems(rule, 'onPodConditions', conditionOfPod)),
  )
  // Neither given: one pod to completion. Only parallelism given: completions stay open.
  if (out.completions === undefined && out.parallelism === undefined) out = { ...out, completions: 1, parallelism: 1 }
  const policy = out.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed'
  out = withDefaults(out, {
    parallelism: 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: policy,
  })
  return out.backoffLimitPerIndex === undefined
    ? withDefaults(out, { backoffLimit: 6 })
    : withDefaults(out, { backoffLimit: 2147483647 })
}

/** What decodes as an empty text was not given. */
function conditionOfPod(condition: JsonObject): JsonObject {
  return condition.status === undefined || condition.status === '' ? { ...condition, status: 'True' } : condition
}

function cronJobSpec(spec: JsonObject): JsonObject {
  const defaults = { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 }
  return change(withDefaults(spec, defaults), 'jobTemplate', job => change(job, 'spec', template))
}

function replicationController(object: JsonObject): JsonObject {
  const out = change(object, 'spec', spec => {
    const typed = template(withDefaults(spec, { replicas: 1 }))
    const labels = templateLabels(typed)
    return labels === undefined ? typed : withDefaults(typed, { selector: labels })
  })
  const labels = isObject(out.spec) ? templateLabels(out.spec) : undefined
  if (labels === undefined) return out
  return change(out, 'metadata', metadata => withDefaults(metadata, { labels }))
}

function templateLabels({ template: pods }: JsonObject): Json | undefined {
  return isObject(pods) && isObject(pods.metadata) ? pods.metadata.labels : undefined
}

/** An address through which a balancer is reached is one of the balancer, unless it says otherwise. */
function serviceStatus(status: JsonObject): JsonObject {
  const mode = (way: JsonObject): JsonObject => ((way.ip ?? '') === '' ? way : withDefaults(way, { ipMode: 'VIP' }))
  return change(status, 'loadBalancer', balancer => changeItems(balancer, 'ingress', mode))
}

function serviceSpec(spec: JsonObject): JsonObject {
  let out = withDefaults(spec, { type: 'ClusterIP', sessionAffinity: 'None' })
  out = changeItems(out, 'ports', servicePort)
  if (out.sessionAffinity === 'None') {
    const { sessionAffinityConfig: _unused, ...rest } = out
    out = rest
  } else if (out.sessionAffinity === 'ClientIP') {
    const config = isObject(out.sessionAffinityConfig) ? out.sessionAffinityConfig : {}
    out = { ...out, sessionAffinityConfig: { clientIP: rollingUpdate(config.clientIP, { timeoutSeconds: 10800 }) } }
  }
  if (isReachable(out)) out = withDefaults(out, { externalTrafficPolicy: 'Cluster' })
  if (out.type === 'LoadBalancer') out = withDefaults(out, { allocateLoadBalancerNodePorts: true })
  return out.type === 'ExternalName' ? out : withDefaults(out, { internalTrafficPolicy: 'Cluster' })
}

function servicePort(port: JsonObject): JsonObject {
  const target = port.targetPort
  const out = withDefaults(port, { protocol: 'TCP' })
  return target === undefined || target === 0 || target === '' ? { ...out, targetPort: port.port ?? 0 } : out
}

/** `stringData` is a convenience of writing: it is merged into `data` and never stored. */
function secretData(object: JsonObject): JsonObject {
  if (!isObject(object.stringData)) return object
  const { stringData, ...rest } = object
  const data: Record<string, Json> = isObject(object.data) ? { ...object.data } : {}
  for (const [key, value] of Object.entries(stringData as JsonObject))
    data[key] = Buffer.from(typeof value === 'string' ? value : '', 'utf8').toString('base64')
  return { ...rest, data }
}

function namespace(object: JsonObject): JsonObject {
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const name = metadata.name
  const labelled = typeof name === 'string' && name !== '' ? { 'kubernetes.io/metadata.name': name } : {}
  const labels = withDefaults(isObject(metadata.labels) ? metadata.labels : {}, labelled)
  const status = withDefaults(isObject(object.status) ? object.status : {}, { phase: 'Active' })
  return { ...object, metadata: Object.keys(labels).length > 0 ? { ...metadata, labels } : metadata, status }
}

function node(object: JsonObject): JsonObject {
  const typed = change(object, 'spec', nodeNetworks)
  return change(typed, 'status', status =>
    status.allocatable === undefined && status.capacity !== undefined ? { ...status, allocatable: status.capacity } : status,
  )
}

/** Two fields for one thing: the older names the first of the newer, and counts where they contradict each other. */
function nodeNetworks(spec: JsonObject): JsonObject {
  const { podCIDR = '', podCIDRs } = spec
  const first = isList(podCIDRs) ? podCIDRs[0] : undefined
  if (podCIDR === '') return first === undefined || first === '' ? spec : { ...spec, podCIDR: first }
  return podCIDR === first ? spec : { ...spec, podCIDRs: [podCIDR] }
}

function endpoints(object: JsonObject): JsonObject {
  return changeItems(object, 'subsets', subset => changeItems(subset, 'ports', port => withDefaults(port, { protocol: 'TCP' })))
}

function persistentVolumeClaim(object: JsonObject): JsonObject {
  const out = change(object, 'spec', claimSpec)
  const status = withDefaults(isObject(out.status) ? out.status : {}, { phase: 'Pending' })
  return { ...out, status }
}

function persistentVolume(object: JsonObject): JsonObject {
  const out = change(object, 'spec', spec => {
    return withSourceDefaults(withDefaults(spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }))
  })
  return { ...out, status: withDefaults(isObject(out.status) ? out.status : {}, { phase: 'Pending' }) }
}

const rbac = 'rbac.authorization.k8s.io'

function roleBinding(object: JsonObject): JsonObject {
  const out = changeItems(object, 'subjects', subject => {
    if (subject.apiGroup !== undefined || subject.kind === 'ServiceAccount') return subject
    return subject.kind === 'User' || subject.kind === 'Group' ? { ...subject, apiGroup: rbac } : subject
  })
  return change(out, 'roleRef', reference =>
    reference.apiGroup === undefined || reference.apiGroup === '' ? { ...reference, apiGroup: rbac } : reference,
  )
}

function webhook(mutating: boolean): Defaulting {
  const defaults = {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  }
  return object => {
    let out = withDefaults(object, mutating ? { ...defaults, reinvocationPolicy: 'Never' } : defaults)
    out = changeItems(out, 'rules', rule => withDefaults(rule, { scope: '*' }))
    return change(out, 'clientConfig', config => change(config, 'service', service => withDefaults(service, { port: 443 })))
  }
}

function admissionPolicySpec(spec: JsonObject): JsonObject {
  return change(withDefaults(spec, { failurePolicy: 'Fail' }), 'matchConstraints', matchResources)
}

function admissionPolicyBinding(object: JsonObject): JsonObject {
  return change(object, 'spec', spec => change(spec, 'matchResources', matchResources))
}

function matchResources(match: JsonObject): JsonObject {
  let out = withDefaults(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} })
  for (const list of ['resourceRules', 'excludeResourceRules'])
    out = changeItems(out, list, rule => withDefaults(rule, { scope: '*' }))
  return out
}

function customResourceDefinition(object: JsonObject): JsonObject {
  return change(object, 'spec', spec => {
    const out = withDefaults(change(spec, 'names', definitionNames), { conversion: { strategy: 'None' } })
    return change(out, 'conversion', conversion =>
      change(withDefaults(conversion, { strategy: 'None' }), 'webhook', hook =>
        change(hook, 'clientConfig', config => change(config, 'service', service => withDefaults(service, { port: 443 }))),
      ),
    )
  })
}

function definitionNames(names: JsonObject): JsonObject {
  if (typeof names.kind !== 'string' || names.kind === '') return names
  return withDefaults(names, { singular: names.kind.toLowerCase(), listKind: `${names.kind}List` })
}

function networkPolicy(object: JsonObject): JsonObject {
  return change(object, 'spec', spec => {
    let out = spec
    for (const direction of ['ingress', 'egress']) {
      out = changeItems(out, direction, rule => changeItems(rule, 'ports', port => withDefaults(port, { protocol: 'TCP' })))
    }
    if (isList(out.policyTypes) && out.policyTypes.length > 0) return out
    return { ...out, policyTypes: out.egress === undefined ? ['Ingress'] : ['Ingress', 'Egress'] }
  })
}

/** A container's limit is its default and its default request unless said otherwise. */
function limitRange(object: JsonObject): JsonObject {
  return change(object, 'spec', spec =>
    changeItems(spec, 'limits', item => {
      if (item.type !== 'Container') return item
      const { max = {}, min = {} } = item
      if (!isObject(max) || !isObject(min)) return item
      const limits = withDefaults(isObject(item.default) ? item.default : {}, max)
      const requests = withDefaults(withDefaults(isObject(item.defaultRequest) ? item.defaultRequest : {}, limits), min)
      return {
        ...item,
        ...(Object.keys(limits).length > 0 && { default: limits }),
        ...(Object.keys(requests).length > 0 && { defaultRequest: requests }),
      }
    }),
  )
}
