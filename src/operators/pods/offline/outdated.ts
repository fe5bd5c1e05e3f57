// Pods that have to be made anew, whatever the cloud: which are looked at, and what is told of those that have something else than they would
// get today.
import type { KubeObject } from '#kube'
import type { PatchObject } from '../patch.ts'

export interface Audit {
  /** Pods that run and that the webhook is asked about. The others say nothing about it. */
  readonly looked: number
  readonly outdated: readonly OutdatedPod[]
}

/** A pod that has to be made anew. */
export interface OutdatedPod {
  readonly namespace: string
  readonly name: string
  readonly serviceAccount: string
  /** Who has to make it anew: the controller, or whoever made the pod. */
  readonly madeBy: string
  /** What it has and what it would get, for people, by container; a difference that all containers share is told once. */
  readonly differences: readonly string[]
}

export type PodObject = KubeObject & {
  readonly spec?: { readonly serviceAccountName?: string }
  readonly status?: { readonly phase?: string }
}

const over: ReadonlySet<string> = new Set(['Succeeded', 'Failed'])

export function isRunning({ metadata, status }: PodObject): boolean {
  return metadata.deletionTimestamp === undefined && !over.has(status?.phase ?? '')
}

/** `pods`: those that are looked at. */
export function audited(pods: readonly PodObject[], differencesOf: (pod: PatchObject) => readonly string[]): Audit {
  return { looked: pods.length, outdated: pods.flatMap(pod => outdatedOf(pod, differencesOf(pod as unknown as PatchObject))) }
}

function outdatedOf({ metadata, spec }: PodObject, differences: readonly string[]): readonly OutdatedPod[] {
  if (differences.length === 0) return []
  const { namespace = '', name = '', ownerReferences } = metadata
  const owner = ownerReferences?.find(({ controller }) => controller === true)
  const madeBy = owner === undefined ? 'nobody: delete it and make it again' : `${owner.kind} ${owner.name}`
  return [{ namespace, name, serviceAccount: spec?.serviceAccountName ?? '', madeBy, differences }]
}

export function differencesByContainer<Given>(
  has: ReadonlyMap<string, Given>,
  wouldGet: ReadonlyMap<string, Given>,
  differenceOf: (has: Given | undefined, wouldGet: Given | undefined) => readonly string[],
): readonly string[] {
  const containers = new Set([...has.keys(), ...wouldGet.keys()])
  return [...new Set([...containers].flatMap(name => differenceOf(has.get(name), wouldGet.get(name))))]
}
