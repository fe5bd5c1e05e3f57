// What is said of a Deployment and of its pods, in the words of the existing operator.
import type { Condition, ConditionStatus, KubeObject, StoredObject } from '#kube'
import { quote } from '#schema'
import type { DeploymentSpec, DeploymentStatus, StatusCondition } from '../operand/deployment.ts'

export interface DeploymentLike {
  readonly spec?: Pick<DeploymentSpec, 'replicas' | 'strategy'>
  readonly status?: DeploymentStatus | null
}

export function deploymentConditions(deployment: DeploymentLike): readonly Condition[] {
  return [availableCondition(deployment), minimumCondition(deployment), allCondition(deployment)]
}

function say(type: string, status: ConditionStatus, reason: string, message: string): Condition {
  return { type, status, reason, message }
}

function availableCondition({ status }: DeploymentLike): Condition {
  const type = 'DeploymentAvailable'
  const held = status?.conditions?.find(condition => condition.type === 'Available')
  if (held?.status === 'True') return say(type, 'True', type, 'The deployment has Available status condition set to True')
  if (held?.status !== 'False')
    return say(type, 'Unknown', 'DeploymentAvailabilityUnknown', 'The deployment has no Available status condition set')
  const why = `(reason: ${held.reason ?? ''}) with message: ${held.message ?? ''}`
  return say(type, 'False', 'DeploymentUnavailable', `The deployment has Available status condition set to False ${why}`)
}

function minimumCondition({ spec, status }: DeploymentLike): Condition {
  const type = 'DeploymentReplicasMinAvailable'
  const replicas = spec?.replicas ?? 1
  const available = status?.availableReplicas ?? 0
  const rolling = spec?.strategy?.type === 'RollingUpdate' ? (spec.strategy.rollingUpdate ?? {}) : {}
  const surge = scaled(rolling.maxSurge ?? '25%', replicas, Math.ceil)
  if (typeof surge === 'string') return say(type, 'Unknown', 'InvalidMaxSurgeValue', `invalid value for max surge: ${surge}`)
  const given = scaled(rolling.maxUnavailable ?? '25%', replicas, Math.floor)
  if (typeof given === 'string')
    return say(type, 'Unknown', 'InvalidMaxUnavailableValue', `invalid value for max unavailable: ${given}`)
  const unavailable = surge === 0 && given === 0 ? 1 : given
  if (available >= replicas - unavailable)
    return say(type, 'True', 'DeploymentMinimumReplicasMet', 'Minimum replicas requirement is met')
  const message = `${available}/${replicas} of replicas are available, max unavailable is ${unavailable}`
  return say(type, 'False', 'DeploymentMinimumReplicasNotMet', message)
}

/** A number or a part of the replicas; a text says why it is neither. */
function scaled(value: number | string, replicas: number, round: (number: number) => number): number | string {
  if (typeof value === 'number') return value
  if (!value.endsWith('%')) return 'invalid value for IntOrString: invalid type: string is not a percentage'
  const digits = value.slice(0, -1)
  if (!/^[+-]?\d+$/.test(digits)) {
    const cause = `strconv.Atoi: parsing ${quote(digits)}: invalid syntax`
    return `invalid value for IntOrString: invalid value ${quote(value)}: ${cause}`
  }
  return round((Number(digits) * replicas) / 100)
}

function allCondition({ spec, status }: DeploymentLike): Condition {
  const type = 'DeploymentReplicasAllAvailable'
  const replicas = spec?.replicas ?? 1
  const available = status?.availableReplicas ?? 0
  return available >= replicas
    ? say(type, 'True', 'DeploymentReplicasAvailable', 'All replicas are available')
    : say(type, 'False', 'DeploymentReplicasNotAvailable', `${available}/${replicas} of replicas are available`)
}

export type PodLike = StoredObject & {
  readonly spec?: { readonly nodeName?: string }
  readonly status?: {
    readonly phase?: string
    readonly conditions?: readonly StatusCondition[]
    readonly containerStatuses?: readonly ContainerStatus[]
  }
}

export interface ContainerStatus {
  readonly name: string
  readonly restartCount?: number
  readonly state?: ContainerState
  readonly lastState?: ContainerState
}

interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string }
  readonly running?: object
  readonly terminated?: { readonly exitCode?: number; readonly reason?: string; readonly message?: string }
}

/** `selector` as labels print it. */
export function scheduledCondition(pods: readonly PodLike[], selector: string): Condition {
  const type = 'PodsScheduled'
  if (pods.length === 0)
    return say(type, 'False', 'NoLabelMatchingPods', `No matching pods found for label selector: ${selector}`)
  const waiting = pods.toSorted(byAge).flatMap(pod => {
    const held = pod.status?.conditions?.find(condition => condition.type === 'PodScheduled')
    return held === undefined || held.status === 'True' ? [] : [{ name: pod.metadata.name, held }]
  })
  if (waiting.length === 0) return say(type, 'True', 'AllPodsScheduled', 'All pods are scheduled')
  const isShort = waiting.some(({ held }) => held.reason === 'Unschedulable')
  const each = waiting.map(({ name, held: { reason = '', message = '' } }) =>
    reason === 'Unschedulable'
      ? ` Pod ${quote(name)} cannot be scheduled: ${message}`
      : ` Pod ${quote(name)} is not yet scheduled: ${reason}: ${message}`,
  )
  const advice = isShort ? ' Make sure you have sufficient worker nodes.' : ''
  return say(type, 'False', 'PodsNotScheduled', `Some pods are not scheduled:${each.join('')}${advice}`)
}

function byAge(a: KubeObject, b: KubeObject): number {
  const key = ({ metadata }: KubeObject): string => `${metadata.creationTimestamp ?? ''} ${metadata.uid ?? ''}`
  return key(a) < key(b) ? -1 : 1
}

/** What the message of a Secret ends with whose source is not there any more. */
export const sourceGone = '(the source secret is gone)'

export function secretCondition(isThere: boolean, isSourceGone: boolean): Condition {
  const gone = isSourceGone ? ` ${sourceGone}` : ''
  return isThere
    ? say('CredentialsSecretExists', 'True', 'SecretFound', `The credentials secret has been found.${gone}`)
    : say('CredentialsSecretExists', 'False', 'SecretNotFound', 'The credentials secret not found.')
}
