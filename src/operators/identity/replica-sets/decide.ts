// What to do about a ReplicaSet: which clusters are meant, which of them have their turn, and what each of those needs (§4.4). The plan of
// the rollout is made anew at each pass from what is there; what is remembered stands in the status: since when it goes on, and whose time is over.
import type { Instant } from '#base'
import { type FleetPlan, isComplete, isRolledOut, planFleet, type RolloutRules } from '#fleet'
import { type Condition, findCondition } from '#kube'
import { type Action, emptyPlan, lookAgain, type Next, type Plan } from '#runtime'
import type { ClusterStatus, ServiceAccountRoleReplicaSet as ReplicaSet, ReplicaSetSpec } from '../api/kinds.ts'
import { annotations, reservedLabelKeys } from '../api/labels.ts'
import { wantedChild } from './child.ts'
import { type ClusterView, viewCluster } from './cluster-view.ts'
import { decideSetDeletion } from './deletion.ts'
import { placementStatuses, resolvedText, rolloutStatus, rolloutWords, unresolvedStatuses } from './placement-status.ts'
import { readinessOf } from './readiness.ts'
import { type Steering, steeringOf } from './requests.ts'
import type { PlacementSeen, ReplicaSetSeen } from './seen.ts'
import { selectedOf } from './selection.ts'
import { failSet, setCondition } from './set-conditions.ts'
import { refsOf } from './sources.ts'
import { steeringConditions } from './steering-conditions.ts'
import { hold, prune, stepActions } from './steps.ts'
import { countersOf, listsOf, omittedText, tallyOf, tellCluster, timedOutAtOf } from './tally.ts'

export interface SetDecideOptions {
  readonly rules: RolloutRules
}

/** Placements that cannot be resolved are looked at again although their events come first (§4.4 step 3). */
const unresolvedMs = 30_000
/** The steady state's longest pause (§4.1). */
const recheckMsMax = 3_600_000

export function decideReplicaSet(seen: ReplicaSetSeen | undefined, now: Instant, options: SetDecideOptions): Plan {
  if (seen === undefined) return emptyPlan
  const { claim, placements } = seen
  if (claim.metadata.deletionTimestamp !== undefined) return decideSetDeletion(seen)
  const message = mistakeIn(claim)
  if (message !== undefined) {
    const conditions = failSet('AWSServiceAccountRolesApplied', 'InvalidSpec', message)
    return { actions: hold(claim), conditions, next: { kind: 'stalled', reason: 'InvalidSpec', message } }
  }
  const wrong = placements.flatMap(({ resolution }) => (resolution.ok ? [] : [resolution.message]))
  return wrong.length > 0 ? unresolved(claim, placements, wrong, now) : decideSelected(seen, placements, now, options)
}

/** Nothing is known of what is meant: all that was said stays said, and nobody's Role is touched. */
function unresolved(claim: ReplicaSet, placements: readonly PlacementSeen[], wrong: readonly string[], now: Instant): Plan {
  return {
    actions: hold(claim),
    conditions: failSet('PlacementResolved', 'PlacementUnavailable', wrong.join('; ')),
    status: { placements: unresolvedStatuses(claim, placements, now) },
    next: lookAgain(unresolvedMs, 'the placements may be there'),
  }
}

function decideSelected(
  seen: ReplicaSetSeen,
  placements: readonly PlacementSeen[],
  now: Instant,
  { rules }: SetDecideOptions,
): Plan {
  const { claim } = seen
  const steering = steeringOf(claim, now)
  const views = viewsOf(seen, placements, steering, { rules, now })
  const resolved = setCondition('PlacementResolved', 'True', 'Resolved', resolvedText(placements, seen.kept))
  const planning = planFleet({
    placements: placements.map(viewOfPlacement),
    progressOf: cluster => views.get(cluster)?.progress ?? { cluster, state: 'ToApply' },
    now,
    rules,
    isPaused: steering.paused,
  })
  if (!planning.ok) {
    const conditions = [resolved, ...failSet('PlacementRolledOut', 'ChildApplyFailed', planning.message)]
    return { actions: hold(claim), conditions, next: { kind: 'await-change' } }
  }
  const told = planning.clusters.map(cluster => tellCluster(viewIn(views, cluster), planning, claim.metadata.name))
  const acted = planning.clusters.map(cluster => viewIn(views, cluster)).filter(view => isItsTurn(view, planning))
  const strays = steering.paused ? [] : seen.strays
  const actions: readonly Action[] = [
    ...hold(claim),
    ...together([
      ...acted.flatMap(view => stepActions(claim, view, wantedChild(claim, steering.template))),
      ...strays.flatMap(prune),
    ]),
  ]
  return {
    actions,
    conditions: [
      resolved,
      rolloutCondition(planning),
      ...steeringConditions(claim, steering, planning),
      ...sumUp(planning, told, seen.strays.length),
    ],
    status: statusOf({ seen, placements, planning, steering, told, now }),
    next: nextOf(planning),
  }
}

function sumUp({ counts }: FleetPlan, told: readonly ClusterStatus[], strays: number): readonly Condition[] {
  return readinessOf(tallyOf(told, counts.updating + counts.succeeded, strays), omittedText(told))
}

function viewsOf(
  seen: ReplicaSetSeen,
  placements: readonly PlacementSeen[],
  { template, retry }: Steering,
  { rules, now }: SetDecideOptions & { readonly now: Instant },
): ReadonlyMap<string, ClusterView> {
  const going = findCondition(seen.claim.status?.rollout?.conditions, 'Progressing')
  const options = {
    wanted: wantedChild(seen.claim, template),
    rules,
    rolloutSince: going?.status === 'True' ? Date.parse(going.lastTransitionTime) : undefined,
    retrySince: retry === undefined ? undefined : Date.parse(retry.since),
    // A request that is taken up now is the end of what was told before.
    timedOutAt: retry?.isNew === true ? new Map<string, Instant>() : timedOutAtOf(seen.claim, now),
  }
  return new Map([...selectedOf(placements)].map(cluster => [cluster, viewCluster(cluster, seen, options)]))
}

function viewIn(views: ReadonlyMap<string, ClusterView>, cluster: string): ClusterView {
  const view = views.get(cluster)
  if (view === undefined) throw new Error(`cluster ${cluster} is planned and was not looked at`)
  return view
}

function viewOfPlacement({ ref, resolution }: PlacementSeen): Parameters<typeof planFleet>[0]['placements'][number] {
  const counted = resolution.ok ? resolution : { groups: [], decisionGroupCount: 0, selectedClusterCount: 0 }
  return { name: ref.name, strategy: ref.rolloutStrategy, ...counted }
}

/** Only while it waits: what failed or conflicts is not acted on (§4.4). */
function isItsTurn({ cluster, phase }: ClusterView, { rollout, timedOut }: FleetPlan): boolean {
  return phase === 'Pending' && rollout.has(cluster) && !timedOut.has(cluster)
}

function rolloutCondition({ counts }: FleetPlan): Condition {
  const message = rolloutWords(counts)
  return isComplete(counts)
    ? setCondition('PlacementRolledOut', 'True', 'Complete', message)
    : setCondition('PlacementRolledOut', 'False', 'Progressing', message)
}

interface StatusInput {
  readonly seen: ReplicaSetSeen
  readonly placements: readonly PlacementSeen[]
  readonly planning: FleetPlan
  readonly steering: Steering
  readonly told: readonly ClusterStatus[]
  readonly now: Instant
}

function statusOf({ seen, placements, planning, steering, told, now }: StatusInput): Readonly<Record<string, unknown>> {
  const { claim, strays } = seen
  const { counts, clusters } = planning
  const { retry, template } = steering
  return {
    selectedClusterCount: clusters.length || undefined,
    ...countersOf(tallyOf(told, counts.updating + counts.succeeded, strays.length)),
    ...listsOf(told),
    placements: placementStatuses(claim, placements, planning, now),
    rollout: rolloutStatus(claim.status?.rollout, counts, { now, generation: claim.metadata.generation }),
    retry: retry === undefined ? undefined : { request: retry.request, since: retry.since },
    completedTemplate: isRolledOut(planning) ? template : claim.status?.completedTemplate,
  }
}

function nextOf({ recheckAfterMs }: FleetPlan): Next {
  return lookAgain(recheckAfterMs && Math.min(recheckAfterMs, recheckMsMax), 'a soak time or a deadline ends')
}

/** Each cluster by itself: one that refuses keeps no other back (case 171). */
function together(actions: readonly Action[]): readonly Action[] {
  return actions.length === 0 ? [] : [{ kind: 'together', branches: actions.map(action => [action]) }]
}

/** Of objects from before the schema refused it (case 178). Without placements nothing is said of what is meant, so nothing is taken away. */
function mistakeIn(claim: ReplicaSet): string | undefined {
  const { template }: Partial<ReplicaSetSpec> = claim.spec ?? {}
  if (refsOf(claim).length === 0) return 'spec.placementRefs is missing; name the placements that choose the clusters'
  if (template?.spec?.serviceAccount === undefined) return 'spec.template.spec.serviceAccount is missing; name whose role it is'
  const reserved = reservedKeyOf(template)
  return reserved === undefined ? undefined : `spec.template.metadata.${reserved} is reserved for the operator; leave it out`
}

function reservedKeyOf({ metadata = {} }: ReplicaSetSpec['template']): string | undefined {
  const { labels = {}, annotations: words = {} } = metadata
  const label = Object.keys(labels)
    .toSorted()
    .find(key => reservedLabelKeys.includes(key))
  if (label !== undefined) return `labels["${label}"]`
  return Object.hasOwn(words, annotations.replicaSetOwnerRef) ? `annotations["${annotations.replicaSetOwnerRef}"]` : undefined
}
