// Whether a target can be looked at now. Three answers, because "not yet" is no reason to turn anything off (M6): what was said of a
// cluster stays said while its caches are being filled or are behind for a moment.
import type { ResourceType } from '#kube'
import { KubeError } from '#kube/client'
import { targetPatienceMs as patienceMs, type Reads, Trouble } from '#runtime'
import type { Engagements } from './engagement.ts'

/** As long as a dropped connection or a full server takes; a pass more in this time is cheap. */
const readAgainMs = 2_000

export type TargetAway =
  /** Nothing is known yet, or not at this moment. A condition that is True stays so. */
  | { readonly kind: 'unknown'; readonly message: string; readonly lookAgainMs: number }
  | { readonly kind: 'away'; readonly reason: 'RemoteClusterUnavailable'; readonly message: string }

export type TargetSeen = TargetAway | { readonly kind: 'reachable'; readonly reads: Reads }

export interface TargetPlace {
  /** The fleet member: the workload namespace. */
  readonly cluster: string
  readonly types: readonly ResourceType[]
}

/** Looks at the fleet and its caches only: never waits for a cluster (B28). */
export function seeTarget(world: Reads, place: TargetPlace, engagements?: Engagements): TargetSeen {
  const { cluster, types } = place
  const reads = world.cluster(cluster)
  if (reads === undefined) {
    const seen = withoutMember(cluster, engagements)
    engagements?.awaitBack(cluster)
    return seen
  }
  const behindMs = Math.max(0, ...types.map(type => reads.behindMs(type)))
  const isSynced = types.every(type => reads.isSynced(type))
  if (isSynced && behindMs <= patienceMs) return { kind: 'reachable', reads }
  engagements?.awaitBack(cluster)
  if (behindMs <= patienceMs) {
    return { kind: 'unknown', message: `cluster ${cluster} is being listed`, lookAgainMs: patienceMs - behindMs + 1_000 }
  }
  return away(`cluster ${cluster} does not answer; it is asked again all the time, see that its API server can be reached`)
}

function withoutMember(cluster: string, engagements: Engagements | undefined): TargetAway {
  const state = engagements?.stateOf(cluster)
  switch (state?.kind) {
    case undefined:
      return away(`cluster ${cluster} is not connected`)
    case 'away':
      return away(state.message)
    case 'starting':
      return unknown(state.message ?? `cluster ${cluster} is being connected`)
    default:
      // A cluster that is engaged and no member yet joins at this moment.
      return unknown(`cluster ${cluster} is being connected`)
  }
}

function unknown(message: string): TargetAway {
  return { kind: 'unknown', message, lookAgainMs: patienceMs + 1_000 }
}

export function away(message: string): TargetAway {
  return { kind: 'away', reason: 'RemoteClusterUnavailable', message }
}

/**
 * A read of a target that failed. Without an answer nothing is known, and no event says when the next read would be answered: it is tried
 * soon. The informers of a target that is really gone notice it, and say so when their patience is over. A refusal is an answer.
 */
export function asAway(error: unknown, cluster: string): TargetAway {
  if (error instanceof Trouble && error.kind === 'wait') {
    return { kind: 'unknown', message: error.message, lookAgainMs: patienceMs }
  }
  if (error instanceof KubeError && error.code === 'refused') {
    const { message = error.reason } = error.status ?? {}
    return away(`cluster ${cluster} refuses a read that the webhook needs: ${message}; grant the permissions of the manifests`)
  }
  return { kind: 'unknown', message: `cluster ${cluster} did not answer a read; it is asked again`, lookAgainMs: readAgainMs }
}
