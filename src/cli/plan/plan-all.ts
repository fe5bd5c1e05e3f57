// One change for each manifest, in their order: checked against the definition of its kind first; then, for an AWS resource, what the
// operator would do in AWS, and for every other kind of ours, what would change on the hub.

import { given } from '#base'
import { clusterProfileKind, type RolloutRules } from '#fleet'
import type { CustomResourceDefinition, KubeObject } from '#kube'
import { renderCrd } from '#kube'
import { renderIdentityCrds } from '#operators/identity'
import { type PlannedChange, planManifests, type ResourcesOptions, resourceCrds } from '#operators/resources'
import { checkerOf, type JudgedManifest } from './known-kinds.ts'
import { planObject } from './plan-object.ts'
import { type HubReads, isReplicaSet, planRollout } from './plan-rollout.ts'

/** `invalid`: the API server would refuse it. `unknown`: it is of a kind that cannot be judged. */
export type PlannedVerb = PlannedChange['verb'] | 'invalid' | 'unknown'

export interface PlannedObject {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly verb: PlannedVerb
  readonly details: readonly string[]
}

export interface Planning {
  readonly options: ResourcesOptions
  /** The definitions of kinds that were inferred for this run. */
  readonly crds: readonly CustomResourceDefinition[]
  readonly manifests: readonly KubeObject[]
  /** Absent without a cluster. */
  readonly live?: HubReads
  /** By which ReplicaSets would roll out. */
  readonly rules: RolloutRules
  readonly now: number
  readonly signal: AbortSignal
}

export async function planAll({
  options,
  crds,
  manifests,
  live,
  rules,
  now,
  signal,
}: Planning): Promise<readonly PlannedObject[]> {
  const check = checkerOf([...renderIdentityCrds(), renderCrd(clusterProfileKind), ...resourceCrds(options), ...crds])
  const checked = manifests.map(manifest => ({ manifest, checked: check(manifest) }))
  const valid = checked.filter(each => each.checked.kind === 'known').map(({ manifest }) => manifest)
  const inAws = new Map<KubeObject, PlannedChange>()
  const looked = { signal, ...given({ live }) }
  for (const { manifest, change } of await planManifests(options, valid, looked)) inAws.set(manifest, change)
  return Promise.all(
    checked.map(
      async each =>
        inAws.get(each.manifest) ?? { ...nameOf(each.manifest, each.checked), ...(await judge(each, { live, rules, now })) },
    ),
  )
}

interface CheckedManifest {
  readonly manifest: KubeObject
  readonly checked: JudgedManifest
}

async function judge(
  { manifest, checked }: CheckedManifest,
  { live, rules, now }: Pick<Planning, 'rules' | 'now'> & { readonly live: HubReads | undefined },
): Promise<Pick<PlannedObject, 'verb' | 'details'>> {
  if (checked.kind === 'invalid') return { verb: 'invalid', details: checked.problems }
  if (checked.kind === 'unknown') return { verb: 'unknown', details: [checked.why] }
  const { namespace, name } = nameOf(manifest, checked)
  const held = await live?.find(checked.type, { namespace, name })
  const change = planObject(checked.object, held)
  if (!isReplicaSet(checked.object) || change.verb === 'none') return change
  const object = { ...checked.object, metadata: { ...checked.object.metadata, namespace } }
  const { isBlocked, details } = await planRollout(object, live, { rules, now })
  return { verb: isBlocked ? 'blocked' : change.verb, details: [...change.details, ...details] }
}

function nameOf({ kind, metadata }: KubeObject, checked: JudgedManifest): Pick<PlannedObject, 'kind' | 'namespace' | 'name'> {
  const isOfCluster = checked.kind === 'known' && !checked.type.namespaced
  // A manifest may be any document that names a kind: nothing of its metadata has been looked at.
  const { namespace = checked.kind === 'unknown' ? '' : 'default', name = '(no name)' } =
    (metadata as KubeObject['metadata'] | undefined) ?? {}
  return { kind, namespace: isOfCluster ? '' : namespace, name }
}
