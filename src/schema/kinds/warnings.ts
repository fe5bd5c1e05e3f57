// What an object of a built-in kind is warned of, kind by kind.
import { definitionWarnings } from '../definition/definition.ts'
import type { JsonObject } from '../json.ts'
import type { ValidationContext } from '../kind-schema.ts'
import { nodeWarnings } from './validate/cluster.ts'
import { endpointSliceWarnings, endpointsWarnings } from './validate/network/endpoints.ts'
import { ingressWarnings } from './validate/network/ingresses.ts'
import { networkPolicyWarnings } from './validate/network/network-policies.ts'
import { serviceWarnings, waysInWarnings } from './validate/network/services.ts'
import { secretWarnings } from './validate/network/tls.ts'
import { runtimeClassWarnings } from './validate/platform.ts'
import { statusWarnings as podStatusWarnings } from './validate/pods/pod-status.ts'
import { podWarnings } from './validate/pods/pod-warnings.ts'
import { templateWarnings } from './validate/pods/template-warnings.ts'
import { claimWarnings } from './validate/storage/claims.ts'
import { storageClassWarnings } from './validate/storage/classes.ts'
import { volumeWarnings } from './validate/storage/persistent-volumes.ts'
import { statefulSetWarnings } from './validate/workloads.ts'

type Warn = (object: JsonObject, old: JsonObject | undefined) => readonly string[]

function onlyNew(warn: (object: JsonObject) => readonly string[]): Warn {
  return (object, old) => (old === undefined ? warn(object) : [])
}

/** By `group/Kind`, beside what owners of pods are told of their templates. */
const ownWarnings: ReadonlyMap<string, Warn> = new Map<string, Warn>([
  ['/Endpoints', endpointsWarnings],
  ['/Node', nodeWarnings],
  ['/PersistentVolume', volumeWarnings],
  ['/PersistentVolumeClaim', claimWarnings],
  ['/Pod', onlyNew(podWarnings)],
  ['/Secret', secretWarnings],
  ['/Service', serviceWarnings],
  ['apiextensions.k8s.io/CustomResourceDefinition', definitionWarnings],
  ['apps/StatefulSet', statefulSetWarnings],
  ['discovery.k8s.io/EndpointSlice', endpointSliceWarnings],
  ['networking.k8s.io/Ingress', onlyNew(ingressWarnings)],
  ['networking.k8s.io/NetworkPolicy', networkPolicyWarnings],
  ['node.k8s.io/RuntimeClass', runtimeClassWarnings],
  ['storage.k8s.io/StorageClass', storageClassWarnings],
])

/** By `group/Kind`: of what is reported, through the status. */
const statusWarnings: ReadonlyMap<string, Warn> = new Map<string, Warn>([
  ['/Pod', podStatusWarnings],
  ['/Service', waysInWarnings],
  ['networking.k8s.io/Ingress', waysInWarnings],
])

/** What is told of an object that is taken. */
export function warningsOf(
  group: string,
  kind: string,
  object: JsonObject,
  { old, subresource }: ValidationContext,
): readonly string[] {
  const name = `${group}/${kind}`
  if (subresource === 'status') return statusWarnings.get(name)?.(object, old) ?? []
  return [...templateWarnings(group, kind, object, old), ...(ownWarnings.get(name)?.(object, old) ?? [])]
}
