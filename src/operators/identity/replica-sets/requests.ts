// How people steer a rollout: by annotations on the set. Paused and rolled back hold for as long as the annotation says `true`; a retry is a
// request, which is taken up once for each new value.
import type { Instant } from '#base'
import { renderTime } from '#kube'
import type { ServiceAccountRoleReplicaSet as ReplicaSet, ReplicaSetTemplate } from '../api/kinds.ts'
import { annotations } from '../api/labels.ts'

export interface Steering {
  readonly paused: boolean
  /** `unavailable`: a rollback is asked for, and no template was ever rolled out to its end. */
  readonly rollback: 'none' | 'asked' | 'unavailable'
  /** The template that clusters are to have. */
  readonly template: ReplicaSetTemplate
  readonly retry: { readonly request: string; readonly since: string; readonly isNew: boolean } | undefined
}

export function steeringOf({ metadata, spec, status }: ReplicaSet, now: Instant): Steering {
  const isAsked = (name: string): boolean => metadata.annotations?.[name] === 'true'
  const completed = status?.completedTemplate
  const rollback = !isAsked(annotations.rolloutRollback) ? 'none' : completed === undefined ? 'unavailable' : 'asked'
  return {
    // Whoever asks for a rollback does not want more clusters to get what there is.
    paused: isAsked(annotations.rolloutPaused) || rollback === 'unavailable',
    rollback,
    template: rollback === 'asked' && completed !== undefined ? completed : spec.template,
    retry: retryOf(metadata.annotations?.[annotations.rolloutRetry], status?.retry, now),
  }
}

function retryOf(
  request: string | undefined,
  held: { readonly request: string; readonly since: string } | undefined,
  now: Instant,
): Steering['retry'] {
  if (request === undefined || request === '' || request === held?.request) {
    return held === undefined ? undefined : { ...held, isNew: false }
  }
  return { request, since: renderTime(now), isNew: true }
}
