// Defaults of pod specs, in pods and in templates alike. What only admission adds (service account, priority, tolerations) is not here.
import { isObject, type Json, type JsonObject } from '../json.ts'
import { change, changeItems, withDefaults } from './changes.ts'
import { withoutGated, withoutGatedStatus } from './pod-gates.ts'

const podDefaults = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
}

export function defaultPodSpec(spec: JsonObject): JsonObject {
  let out = withDefaults(withoutGated(spec), podDefaults)
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    out = changeItems(out, list, defaultContainer)
  }
  out = changeItems(out, 'volumes', defaultVolume)
  out = changeItems(out, 'topologySpreadConstraints', constraint => constraint)
  // The older name of the field follows the newer one.
  if (typeof out.serviceAccountName === 'string' && out.serviceAccount !== out.serviceAccountName)
    out = { ...out, serviceAccount: out.serviceAccountName }
  else if (typeof out.serviceAccount === 'string' && out.serviceAccountName === undefined)
    out = { ...out, serviceAccountName: out.serviceAccount }
  return out
}

/** Pods themselves also get their service links and the ports of their host, take limits as requests and end in time; templates do not. */
export function defaultPod(pod: JsonObject): JsonObject {
  return change(change(pod, 'status', withoutGatedStatus), 'spec', spec => {
    let out = withDefaults(defaultPodSpec(spec), { enableServiceLinks: true })
    if (out.hostNetwork === true) out = changeItems(changeItems(out, 'containers', hostPorts), 'initContainers', hostPorts)
    // Negative grace was possible once and has meant one second ever since.
    if (Number(out.terminationGracePeriodSeconds) < 0) out = { ...out, terminationGracePeriodSeconds: 1 }
    for (const list of ['containers', 'initContainers']) out = changeItems(out, list, requestsFromLimits)
    return out
  })
}

function requestsFromLimits(container: JsonObject): JsonObject {
  return change(container, 'resources', resources => {
    if (!isObject(resources.limits)) return resources
    return { ...resources, requests: withDefaults(isObject(resources.requests) ? resources.requests : {}, resources.limits) }
  })
}

function defaultContainer(container: JsonObject): JsonObject {
  let out = withDefaults(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(container.image),
    resources: {},
  })
  out = changeItems(out, 'ports', port => withDefaults(port, { protocol: 'TCP' }))
  out = changeItems(out, 'env', variable => change(variable, 'valueFrom', source => change(source, 'fieldRef', fieldRef)))
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) out = change(out, probe, defaultProbe)
  out = change(out, 'lifecycle', lifecycle => change(change(lifecycle, 'postStart', httpScheme), 'preStop', httpScheme))
  out = change(out, 'securityContext', context => withDefaults(context, {}))
  return out
}

function fieldRef(reference: JsonObject): JsonObject {
  return withDefaults(reference, { apiVersion: 'v1' })
}

/** `Always` for `latest` and for neither tag nor digest; what is no name of an image has none of the three. */
function pullPolicy(image: Json | undefined): string {
  const [, host = '', path = '', tag, digest] = (typeof image === 'string' ? imageName.exec(image) : null) ?? []
  const isShort = host === '' && !path.includes('/')
  // A name by itself is that of a library.
  const isLong = (isShort ? 'library/'.length : 0) + path.length > imagePathMax
  if (path === '' || isLong || (host === '' && /^[0-9a-f]{64}$/.test(path))) return 'IfNotPresent'
  return tag === 'latest' || (tag === undefined && digest === undefined) ? 'Always' : 'IfNotPresent'
}

const imagePathMax = 255

/** What stands before the first slash is a host if it could be nothing else: a dot, a port, capitals, or its name. */
const imageName =
  /^((?:localhost|(?=[^/]*[.:A-Z])[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::\d+)?\/)?([a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*)(?::(\w[\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$/

function defaultProbe(probe: JsonObject): JsonObject {
  const out = withDefaults(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 })
  return change(httpScheme(out), 'grpc', grpc => withDefaults(grpc, { service: '' }))
}

function httpScheme(handler: JsonObject): JsonObject {
  return change(handler, 'httpGet', get => withDefaults(get, { path: '/', scheme: 'HTTP' }))
}

function hostPorts(container: JsonObject): JsonObject {
  return changeItems(container, 'ports', port =>
    typeof port.containerPort === 'number' ? withDefaults(port, { hostPort: port.containerPort }) : port,
  )
}

const modeMembers = ['secret', 'configMap', 'downwardAPI', 'projected']

/** Of sources that pods and the cluster's own volumes have alike. */
const sourceDefaults: readonly (readonly [member: string, defaults: JsonObject])[] = [
  ['hostPath', { type: '' }],
  ['iscsi', { iscsiInterface: 'default' }],
  ['rbd', { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }],
  ['azureDisk', { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false }],
  ['scaleIO', { storageMode: 'ThinProvisioned', fsType: 'xfs' }],
]

export function withSourceDefaults(volume: JsonObject): JsonObject {
  return sourceDefaults.reduce((out, [member, defaults]) => change(out, member, source => withDefaults(source, defaults)), volume)
}

function defaultVolume(volume: JsonObject): JsonObject {
  let out = volume
  if (Object.keys(volume).every(key => key === 'name')) out = { ...volume, emptyDir: {} }
  for (const member of modeMembers) out = change(out, member, source => withDefaults(source, { defaultMode: 420 }))
  out = withSourceDefaults(out)
  out = change(out, 'downwardAPI', downwardItems)
  out = change(out, 'ephemeral', source => change(source, 'volumeClaimTemplate', template => change(template, 'spec', claimSpec)))
  return change(out, 'projected', projected => changeItems(projected, 'sources', defaultProjection))
}

/** Claims are filesystems unless they say otherwise. */
export function claimSpec(spec: JsonObject): JsonObject {
  return withDefaults(spec, { volumeMode: 'Filesystem' })
}

function downwardItems(source: JsonObject): JsonObject {
  return changeItems(source, 'items', item => change(item, 'fieldRef', fieldRef))
}

function defaultProjection(source: JsonObject): JsonObject {
  const out = change(source, 'serviceAccountToken', token => withDefaults(token, { expirationSeconds: 3600 }))
  return change(out, 'downwardAPI', downwardItems)
}
