// Fields of pods that a server knows, and takes away again unless it was started with the gate that is named here.
import { isList, isObject, type JsonObject } from '../json.ts'
import { change, changeItems } from './changes.ts'

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'] as const

export function withoutGated(spec: JsonObject): JsonObject {
  // HostnameOverride
  let out = without(withoutImageVolumes(spec), 'hostnameOverride')
  for (const list of containerLists)
    out = changeItems(out, list, container => plainContainer(container, list === 'initContainers'))
  return changeItems(out, 'volumes', volume =>
    // ClusterTrustBundleProjection, PodCertificateRequest
    change(volume, 'projected', projected =>
      changeItems(projected, 'sources', source => without(source, 'clusterTrustBundle', 'podCertificate')),
    ),
  )
}

export function withoutGatedStatus(status: JsonObject): JsonObject {
  // DRAExtendedResource
  let out = without(status, 'extendedResourceClaimStatus')
  // ResourceHealthStatus
  for (const list of ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'])
    out = changeItems(out, list, container => without(container, 'allocatedResourcesStatus'))
  return out
}

/** Returns the same object when it has none of the fields. */
function without(object: JsonObject, ...fields: readonly string[]): JsonObject {
  if (!fields.some(field => object[field] !== undefined)) return object
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)))
}

function plainContainer(container: JsonObject, isFirst: boolean): JsonObject {
  // ContainerRestartRules: without it only a container that runs beside the others says how it is restarted.
  const staysUp = isFirst && container.restartPolicy === 'Always'
  let out = without(container, 'restartPolicyRules', ...(staysUp ? [] : ['restartPolicy']))
  // EnvFiles
  out = changeItems(out, 'env', variable => change(variable, 'valueFrom', source => without(source, 'fileKeyRef')))
  // ContainerStopSignals
  out = change(out, 'lifecycle', lifecycle => without(lifecycle, 'stopSignal'))
  const isEmptied = out.lifecycle !== container.lifecycle && isObject(out.lifecycle) && Object.keys(out.lifecycle).length === 0
  return isEmptied ? without(out, 'lifecycle') : out
}

/** ImageVolume: the volumes go, and so do their mounts. */
function withoutImageVolumes(spec: JsonObject): JsonObject {
  const volumes = isList(spec.volumes) ? spec.volumes.filter(isObject) : []
  const names = volumes.filter(({ image }) => isObject(image)).map(({ name }) => name)
  if (names.length === 0) return spec
  let out = withoutItems(spec, 'volumes', ({ image }) => isObject(image))
  for (const list of containerLists)
    out = changeItems(out, list, container => withoutItems(container, 'volumeMounts', ({ name }) => names.includes(name)))
  return out
}

/** An emptied list goes as well. */
function withoutItems(owner: JsonObject, key: string, isGone: (item: JsonObject) => boolean): JsonObject {
  const list = owner[key]
  if (!isList(list)) return owner
  const kept = list.filter(item => !isObject(item) || !isGone(item))
  if (kept.length === list.length) return owner
  return kept.length === 0 ? without(owner, key) : { ...owner, [key]: kept }
}
