// What else than a pod may be sent here, and how the upstream says so (§3.10, §3.20).
import type { PatchObject } from '../patch.ts'
import { textOf } from '../review.ts'

/** Kinds of the core group that people and controllers make; `Pod` is the one that is wanted. */
const coreKinds = new Set(
  'Binding ComponentStatus ConfigMap Endpoints Event LimitRange List Namespace Node PersistentVolume PersistentVolumeClaim PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount'.split(
    ' ',
  ),
)
const otherGroups: ReadonlySet<string> = new Set(['apps', 'autoscaling', 'batch', 'extensions', 'policy'])

/** Why the object is no pod; undefined when it is one, or says nothing of itself. What one of the two leaves out is a pod's. */
export function kindTrouble(object: PatchObject): string | undefined {
  const apiVersion = textOf(object['apiVersion']) || 'v1'
  const kind = textOf(object['kind']) || 'Pod'
  if (apiVersion === 'v1' && kind === 'Pod') return undefined
  const [, group = '', version = apiVersion] = /^([^/]*)\/(.*)$/s.exec(apiVersion) ?? []
  const isKnown = group === '' ? coreKinds.has(kind) : (otherGroups.has(group) || group.endsWith('.k8s.io')) && kind !== 'Pod'
  if (isKnown) return `unable to decode ${group}/${version}, Kind=${kind} into *v1.Pod`
  return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:100"`
}
