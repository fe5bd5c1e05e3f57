// The kube-apiserver Deployment with the sidecar that belongs into it, and without those that do not: our container and its volumes are
// replaced as a unit, by their names; everything else, and its order, stays as it is.
import type { KubeObject } from '#kube'
import { placeSidecar, scratchVolume } from './placed-sidecar.ts'
import { allProviders } from './provider.ts'
import { type FilledIn, isSameButFilledIn } from './same.ts'
import type { Sidecar } from './sidecar.ts'

interface Named {
  readonly name: string
}

interface PodSpec {
  readonly containers: readonly Named[]
  readonly volumes?: readonly Named[]
}

export interface KubeApiserver extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly template: { readonly metadata?: object; readonly spec: PodSpec } }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly updatedReplicas?: number
  }
}

/** The same value, by identity, where nothing has to change. */
export function withSidecar<T extends KubeApiserver>(deployment: T, sidecar: Sidecar | undefined): T {
  const { template } = deployment.spec
  const pod = template.spec
  const placed = sidecar === undefined ? undefined : placeSidecar(sidecar, hasScratch(pod))
  const containers = replaced(pod.containers, ourContainers, placed === undefined ? [] : [placed.container])
  const volumes = replaced(pod.volumes ?? [], ourVolumes, placed === undefined ? [] : placed.volumes)
  if (containers === undefined && volumes === undefined) return deployment
  const spec = { ...pod, containers: containers ?? pod.containers, volumes: volumes ?? pod.volumes }
  return { ...deployment, spec: { ...deployment.spec, template: { ...template, spec } } }
}

/** Whether any container or volume of any sidecar of ours is there. */
export function hasAnySidecar({ spec }: KubeApiserver): boolean {
  const { containers, volumes = [] } = spec.template.spec
  return containers.some(({ name }) => ourContainers.has(name)) || volumes.some(({ name }) => ourVolumes.has(name))
}

/** Whether no pod of an earlier template is left, so that what only those mounted may go. */
export function isRolledOut({ metadata, spec, status }: KubeApiserver): boolean {
  const wanted = spec.replicas ?? 1
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.updatedReplicas ?? 0) === wanted &&
    (status?.replicas ?? 0) === wanted
  )
}

const ourContainers: ReadonlySet<string> = new Set(allProviders.map(({ name }) => name))
const ourVolumes: ReadonlySet<string> = new Set(
  allProviders.flatMap(({ servingVolume, kubeconfigVolume }) => [servingVolume, kubeconfigVolume]),
)

function hasScratch({ volumes = [] }: PodSpec): boolean {
  return volumes.some(volume => volume.name === scratchVolume.name && 'emptyDir' in volume)
}

/** Ours at the place where it was, what is new at the end; `undefined` where nothing differs. */
function replaced(items: readonly Named[], ours: ReadonlySet<string>, wanted: readonly Named[]): readonly Named[] | undefined {
  const kept = items.flatMap(item => {
    if (!ours.has(item.name)) return [item]
    const next = wanted.find(({ name }) => name === item.name)
    return next === undefined ? [] : [isSameButFilledIn(next, item, filledIn) ? item : next]
  })
  const result = [...kept, ...wanted.filter(({ name }) => !items.some(item => item.name === name))]
  return result.length === items.length && result.every((item, place) => item === items[place]) ? undefined : result
}

/** In containers, probes and volumes. */
const filledIn: FilledIn = {
  terminationMessagePath: '/dev/termination-log',
  timeoutSeconds: 1,
  successThreshold: 1,
  failureThreshold: 3,
}
